/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The links on the way from a drive to the root, and what each can carry. Pure. */
#include "pcie-path.h"

#include <math.h>
#include <string.h>

void pcie_path_payload(const struct drive *drive, double *low, double *high)
{
	bool all = drive->links_count > 0;

	*high = PCIE_PAYLOAD_MAX_BYTES;
	for (size_t i = 0; i < drive->links_count; i++) {
		const struct pci_link *l = &drive->links[i];

		/* what has no link of its own (an integrated controller) has no say */
		if (!known(l->max_payload_bytes))
			all = all && isnan(l->current_speed_gt_per_s);
		else
			*high = fmin(*high, (double)l->max_payload_bytes);
		if (known(l->max_payload_supported_bytes))
			*high = fmin(*high, (double)l->max_payload_supported_bytes);
	}
	*low = all && known(drive->links[0].max_payload_bytes) ? *high : PCIE_PAYLOAD_MIN_BYTES;
}

/* A port looks down: the link that its attributes describe is the one below it. */
static bool is_port(const struct pci_link *l, size_t index)
{
	if (l->port_type == PCIE_ROOT_PORT || l->port_type == PCIE_DOWNSTREAM_PORT)
		return true;
	/* without configuration space: downstream and root ports stand at odd places */
	return !known(l->port_type) && index % 2;
}

static void take_load(const struct link_load *load, struct pcie_hop *h)
{
	if (!isnan(load->speed_max_gt_per_s)) {
		h->speed_gt_per_s = load->speed_max_gt_per_s;
		h->varied = load->speed_min_gt_per_s < load->speed_max_gt_per_s;
	}
	if (known(load->width_max_lanes)) {
		h->lanes = load->width_max_lanes;
		h->varied |= load->width_min_lanes < load->width_max_lanes;
	}
}

/* Without a port that is known, a drive that runs at its own maximum is still not held back. */
static bool assess(const struct pci_link *lower, const struct pci_link *port, struct pcie_hop *h)
{
	if (port && pcie_assess(h->speed_gt_per_s, h->lanes, lower->max_speed_gt_per_s, lower->max_width_lanes,
				port->max_speed_gt_per_s, port->max_width_lanes, &h->state))
		return true;
	return pcie_assess(h->speed_gt_per_s, h->lanes, lower->max_speed_gt_per_s, lower->max_width_lanes,
			   lower->max_speed_gt_per_s, lower->max_width_lanes, &h->state) &&
	       !h->state.downtrained;
}

size_t pcie_hops(const struct drive *drive, const struct link_load *loads, size_t loads_count,
		 struct pcie_hop hops[PCIE_HOPS_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < drive->links_count && n < PCIE_HOPS_MAX; i++) {
		const struct pci_link *l = &drive->links[i], *above = i + 1 < drive->links_count ? l + 1 : NULL;
		struct pcie_hop *h = &hops[n];

		if (i && is_port(l, i))
			continue;
		if (above && !is_port(above, i + 1))
			above = NULL;
		*h = (struct pcie_hop){ .lower = i, .address = l->address, .port = above ? above->address : NULL,
					.speed_gt_per_s = l->current_speed_gt_per_s,
					.lanes = l->current_width_lanes };
		if (i < loads_count)
			take_load(&loads[i], h);
		h->assessed = assess(l, above, h);
		h->raw_bytes_per_s = known(h->lanes) ? pcie_raw_bytes_per_s(h->speed_gt_per_s, h->lanes) : NAN;
		n++;
	}
	return n;
}

bool pcie_is_shared(const struct drive *other, const char *address)
{
	for (size_t i = 0; address && i < other->links_count; i++)
		if (other->links[i].address && !strcmp(other->links[i].address, address))
			return true;
	return false;
}
