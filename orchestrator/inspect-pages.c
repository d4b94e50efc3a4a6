/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For people: log pages beside the SMART page, links with their payload, the path through the host. */
#include "inspect-text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "drive.h"
#include "pages.h"
#include "pcie.h"
#include "smart.h"

static void number(struct text *t, const char *label, int64_t v, const char *unit)
{
	if (known(v))
		text_printf(t, "%-26s%lld%s\n", label, (long long)v, unit);
	else
		text_printf(t, "%-26sn/a\n", label);
}

static void count(struct text *t, const char *label, struct smart_counter c)
{
	char text[SMART_NUMBER_SIZE];

	text_printf(t, "%-26s%s\n", label, smart_counter_text(text, c));
}

static void ratio(struct text *t, const char *label, double v)
{
	if (!isnan(v))
		text_printf(t, "%-26s%.2f\n", label, v);
}

int inspect_pages_text(const struct inspected *x, struct text *t)
{
	const struct endurance *e = &x->endurance;
	const struct ocp_smart *o = &x->ocp;

	if (e->valid) {
		text_printf(t, "endurance group %lld\n", (long long)x->drive.identify.endurance_group);
		text_printf(t, "%-26s%s%lld %%\n", "  life used", e->percent_used == 255 ? ">= " : "",
			    (long long)e->percent_used);
		number(t, "  spare", e->avl_spare, " %");
		ratio(t, "  write amplification", endurance_write_amplification(e));
		count(t, "  media errors", e->media_data_integrity_err);
	}
	if (!o->valid)
		return t->failed ? -ENOMEM : 0;
	text_printf(t, "OCP log, version %lld\n", (long long)o->log_page_version);
	ratio(t, "  write amplification", ocp_write_amplification(o, &x->smart));
	number(t, "  bad user blocks", o->bad_user_nand_blocks_raw, "");
	count(t, "  soft ECC errors", o->soft_ecc_err_count);
	count(t, "  XOR recoveries", o->xor_recovery_count);
	count(t, "  uncorrectable reads", o->uncorrectable_read_err_count);
	number(t, "  throttle events", o->thermal_throttling_event_count, "");
	if (ocp_throttle_name(o->thermal_throttling_current_status))
		text_printf(t, "%-26s%s\n", "  throttling now",
			    ocp_throttle_name(o->thermal_throttling_current_status));
	count(t, "  PCIe errors", o->pcie_correctable_err_count);
	number(t, "  free blocks", o->percent_free_blocks, " %");
	return t->failed ? -ENOMEM : 0;
}

void inspect_links_text(const struct drive *d, struct text *t)
{
	for (size_t i = 0; i < d->links_count; i++) {
		const struct pci_link *l = &d->links[i];
		char now[DRIVE_LINK_TEXT_SIZE], most[DRIVE_LINK_TEXT_SIZE];

		text_printf(t, "%s%s %s: now %s, at most %s", i ? "\n" : "", i ? "port" : "drive", l->address,
			    drive_link_text(now, l->current_speed_gt_per_s, l->current_width_lanes),
			    drive_link_text(most, l->max_speed_gt_per_s, l->max_width_lanes));
		if (known(l->max_payload_bytes))
			text_printf(t, ", payload %lld of %lld bytes", (long long)l->max_payload_bytes,
				    (long long)l->max_payload_supported_bytes);
		if (known(l->aer_correctable) && l->aer_correctable)
			text_printf(t, ", %lld corrected link errors", (long long)l->aer_correctable);
		if (known(l->aer_nonfatal) && l->aer_nonfatal)
			text_printf(t, ", %lld non-fatal errors", (long long)l->aer_nonfatal);
		if (known(l->aer_fatal) && l->aer_fatal)
			text_printf(t, ", %lld fatal errors", (long long)l->aer_fatal);
	}
}

void inspect_host_path_text(const struct drive *d, struct text *t)
{
	char size[TEXT_NUMBER_SIZE];

	if (d->iommu_type) {
		_cleanup_free_ char *type = text_escape_terminal(d->iommu_type);

		text_printf(t, "IOMMU %s", type ? type : "?");
	}
	if (known(d->interrupt_vectors))
		text_printf(t, "%s%lld interrupts", t->length ? ", " : "", (long long)d->interrupt_vectors);
	if (known(d->identify.hmb_bytes))
		text_printf(t, "%shost memory %s", t->length ? ", " : "",
			    d->identify.hmb_bytes ? text_bytes(size, (double)d->identify.hmb_bytes) : "none");
	if (d->mapping) {
		_cleanup_free_ char *mapping = text_escape_terminal(d->mapping);

		text_printf(t, "%sthrough %s", t->length ? ", " : "", mapping ? mapping : "?");
	}
}
