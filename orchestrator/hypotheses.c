/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of explanations and the words of each state. */
#include "hypotheses.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static const struct hypothesis {
	const char *id, *name;
	hypothesis_fn *look;
	const char *blind_spot;		/* of "not supported" */
	const char *to_measure;		/* of "not measured" */
	const char *limits;		/* names in thresholds.c that its rule compares with */
} hypotheses[] = {
	{ "data_state_mismatch", "Data state mismatch", data_state_mismatch,
	  "content is compared by kind, not byte by byte",
	  "run with the engine's records (classify=full) so that every read is classified",
	  "match_valid match_narrower class_effect_ratio min_class_share min_class_ios "
	  "hash_identical state_share_slack compress_slack" },
	{ "deallocated_or_zero_reads", "Deallocated or zero reads", deallocated_or_zero_reads,
	  "zero content alone does not show deallocation",
	  "run with the engine's records; ask the drive for its LBA status",
	  "class_effect_ratio min_class_share min_class_ios" },
	{ "sparse_or_unwritten_extents", "Sparse or unwritten extents", sparse_or_unwritten_extents,
	  "delayed allocation and dirty pages blur the extent map", "let FIEMAP list the extents of the file",
	  "foreign_some" },
	{ "wear", "Wear", wear,
	  "whole-drive estimates in 1 % steps; corrected errors and retries are not reported here",
	  "read the SMART page as root before and after",
	  "wear_points wear_high_percent spare_margin_points smart_alive smart_min_units" },
	{ "media_errors", "Media errors", media_errors,
	  "corrected errors and read retries are not counted in these fields",
	  "read the SMART page as root before and after",
	  "smart_alive smart_min_units" },
	{ "thermal_throttling", "Thermal throttling", thermal_throttling,
	  "the sensor is not a physical point; excursions under a minute need the 1 Hz samples",
	  "read SMART and hwmon during the run; repeat with a fan",
	  "smart_alive smart_min_units thermal_near_c speed_drop thermal_correlation thermal_p gate_missed" },
	{ "pcie_downtrained", "PCIe link below what both ends can do", pcie_downtrained,
	  "the link was not watched at every moment", "read current and maximum link speed of drive and port",
	  "link_near" },
	{ "pcie_link_differs", "PCIe links that differ", pcie_link_differs,
	  "the limit is that of the links, not of the host", "read link speed and width of both drives",
	  "link_near link_bound" },
	{ "shared_uplink", "Shared uplink", shared_uplink, "chipset uplinks are not visible as PCIe links",
	  "run single and simultaneous rounds; read the PCIe path of both drives",
	  "interference_some interference_none uplink_bound" },
	{ "host_cpu_bound", "Host CPU bound", host_cpu_bound,
	  "only a run with twice the jobs can exclude it", "keep fio's CPU figures; repeat with twice the jobs",
	  "cpu_possible_percent queue_occupancy" },
	{ "page_cache_hits", "Page cache hits", page_cache_hits, "the accounting sees this kernel's path only",
	  "read the block device's counters before and after",
	  "foreign_some" },
	{ "background_io", "Background I/O", background_io, "the accounting sees this kernel's path only",
	  "read the block device's counters before and after",
	  "foreign_some foreign_much explains_nothing explains_some" },
	{ "gc_slc_state", "Garbage collection or SLC cache state", gc_slc_state,
	  "firmware state cannot be read by the host",
	  "let the drive rest for 30 minutes, repeat, and compare",
	  "speed_drop" },
	{ "power_state_apst", "Power states", power_state_apst, "the drive's own changes are not visible",
	  "read the power management settings; repeat with APST off",
	  "" },
	{ "firmware_differs", "Firmware differs", firmware_differs, "a revision is a name, not its content",
	  "read the firmware revision of both drives",
	  "" },
	{ "lba_format_differs", "LBA format differs", lba_format_differs,
	  "formats say nothing about the page size of the flash", "read Identify Namespace as root",
	  "" },
	{ "queue_settings_differ", "Queue settings differ", queue_settings_differ,
	  "only the settings that are listed", "read /sys/block/*/queue of both drives",
	  "" },
	{ "misalignment", "Misalignment", misalignment, "the flash's own page size is not known",
	  "read the start of the partition and the block sizes",
	  "" },
	{ "data_age_or_layout", "Data age or layout", data_age_or_layout,
	  "where the controller put the data is not known",
	  "write both regions with one job, shortly before, and repeat",
	  "" },
	{ "numa_distance", "NUMA distance", numa_distance, "interrupt placement is not looked at",
	  "read numa_node of both drives; pin the jobs",
	  "" },
	{ "order_effects", "Order effects", order_effects, "only an effect that is the same in all rounds shows",
	  "run single rounds in both orders",
	  "alpha gate_missed" },
	{ "fill_level_overprovision", "Fill level", fill_level_overprovision,
	  "namespace use is the drive's own figure", "read Identify Namespace (NUSE) as root",
	  "fill_points" },
	{ "host_path_differs", "Host path differs", host_path_differs, "only the settings that are listed",
	  "compare MPS, MRRS, IOMMU and interrupt affinity of both drives",
	  "" },
	{ "link_errors", "Link errors", link_errors, "counters of the link partner may be absent",
	  "read aer_dev_correctable of drive and port before and after",
	  "speed_drop" },
	{ "probe_overhead", "Probe overhead", probe_overhead, "one workload was tried",
	  "run with --probe-overhead, or calibrate with --calibrate",
	  "probe_overhead" },
	{ "capacity_or_model_differs", "Capacity or model differs", capacity_or_model_differs,
	  "a model name is not a bill of materials", "read model and capacity of both drives",
	  "" },
};

void found(struct judging *j, struct finding *f, int state, const char *format, ...)
{
	struct text t = { 0 };
	va_list ap;

	va_start(ap, format);
	text_vprintf(&t, format, ap);
	va_end(ap);
	free(f->what);
	f->what = judge_take(j, text_steal(&t));
	f->state = state;
}

void point_at_slots(struct judging *j, struct ledger_row *row, const char *pointer, const char *file)
{
	const struct measurement *m;

	for (int s = 0; s < SIDES; s++) {
		for (size_t i = 0; (m = judge_measurement(j, s, &i));) {
			if (!m->usable || !m->slot)
				continue;
			judge_evidence(j, row, pointer, "slots/%s/%s/%s", m->slot, side_name(s), file);
			break;
		}
	}
}

int explained_state(const struct thresholds *l, enum sign sign, double share)
{
	if (share <= l->explains_nothing)
		return LEDGER_RULED_OUT;
	if (sign == SIGN_DIRECT)
		return LEDGER_SUPPORTED;
	if (sign == SIGN_INDIRECT)
		return LEDGER_POSSIBLE;
	return share >= l->explains_some ? LEDGER_POSSIBLE : LEDGER_NOT_SUPPORTED;
}

int where_slow(const struct judging *j, int side, int state)
{
	return state == LEDGER_SUPPORTED && j->slower >= 0 && j->slower != side ? LEDGER_POSSIBLE : state;
}

/* Without a gap that may be spoken of there is nothing to have a part in, but the data themselves. */
static const char *attribution(const struct judging *j, const struct hypothesis *h)
{
	if (isnan(j->gap) && h->look != data_state_mismatch)
		return "It was seen; no gap is established here that could be attributed to it.";
	return "This shows it took part, not that it is the whole cause.";
}

static void say(struct judging *j, const struct hypothesis *h, struct ledger_row *row,
		const struct finding *f)
{
	const char *todo = f->to_measure ? f->to_measure : h->to_measure;
	_cleanup_text_ struct text share = { 0 };

	if (f->explains < 0.001)
		text_add(&share, "less than 0.1 % of the gap");
	else if (f->explains < 1)
		text_printf(&share, "at most %.2g %% of the gap", 100 * f->explains);
	j->failed |= share.failed;
	if (f->state != LEDGER_NOT_MEASURED && f->state != LEDGER_RULED_OUT)
		f->what[0] = (char)toupper((unsigned char)f->what[0]);	/* begins a sentence there */
	switch (f->state) {
	case LEDGER_SUPPORTED:
		judge_string(j, &row->text, "%s: supported. %s. %s", h->name, f->what, attribution(j, h));
		break;
	case LEDGER_POSSIBLE:
		judge_string(j, &row->text, "%s: possible. %s%s%s.", h->name, f->what,
			     share.data ? "; it could account for " : "", share.data ? share.data : "");
		break;
	case LEDGER_NOT_SUPPORTED:
		judge_string(j, &row->text, "%s: not supported. %s; %s.", h->name, f->what,
			     f->blind_spot ? f->blind_spot : h->blind_spot);
		break;
	case LEDGER_RULED_OUT:
		judge_string(j, &row->text, "%s: ruled out%s: %s%s%s.", h->name,
			     isnan(j->gap) ? "" : " as an explanation of this gap", f->what,
			     share.data ? "; it could account for " : "", share.data ? share.data : "");
		break;
	default:
		judge_string(j, &row->text, "%s: not measured (%s). To measure: %s.", h->name, f->what, todo);
		judge_string(j, &row->to_measure, "%s", todo);
	}
}

/* The limits that the rule compares with, from their names in one string. */
static void add_limits(struct judging *j, struct ledger_row *row, const char *names)
{
	for (; *names; names += strspn(names, " ")) {
		size_t length = strcspn(names, " ");

		for (const struct threshold_info *i = thresholds_info; i->name; i++) {
			if (strlen(i->name) == length && !strncmp(i->name, names, length))
				judge_threshold(j, &row->thresholds, &row->thresholds_count, i);
		}
		names += length;
	}
}

bool hypothesis_exists(const char *id)
{
	for (size_t i = 0; i < sizeof(hypotheses) / sizeof(*hypotheses); i++)
		if (!strcmp(hypotheses[i].id, id))
			return true;
	return false;
}

void hypotheses_judge(struct judging *j)
{
	for (size_t i = 0; i < sizeof(hypotheses) / sizeof(*hypotheses); i++) {
		const struct hypothesis *h = &hypotheses[i];
		struct finding f = { .state = LEDGER_NOT_MEASURED, .explains = NAN };
		struct ledger_row *row = judge_add_row(j);

		if (!row)
			return;
		judge_string(j, &row->id, "%s", h->id);
		h->look(j, row, &f);
		row->state = f.state;
		if (!f.what)
			found(j, &f, f.state, "no evidence");
		judge_string(j, &row->name, "%s", h->name);
		if (f.what)
			say(j, h, row, &f);
		judge_number(j, row, f.explains, "explains_at_most");
		add_limits(j, row, h->limits);
		row->finding = f.what;
	}
}
