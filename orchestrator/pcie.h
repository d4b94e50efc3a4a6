/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a PCIe link can carry, and what its speed and width say about its negotiation. */
#ifndef NVMATCH_PCIE_H
#define NVMATCH_PCIE_H

#include <stdbool.h>
#include <stdint.h>

/* Line rate x encoding x lanes: 8b/10b for 2.5 and 5 GT/s, 128b/130b to 32 GT/s. NaN when unknown. */
double pcie_raw_bytes_per_s(double speed_gt_per_s, int64_t width_lanes);

/*
 * Share left for data after packet headers: what a drive sends to the host goes as memory writes
 * with 64-bit addresses, what it fetches comes as completions.
 */
double pcie_efficiency_to_host(double payload_bytes);
double pcie_efficiency_to_drive(double payload_bytes);

/* raw x efficiency towards the host. */
double pcie_limit_bytes_per_s(double speed_gt_per_s, int64_t width_lanes, double payload_bytes);

int pcie_generation(double speed_gt_per_s);	/* 1 to 6, 0 when unknown */

/* Negotiable is what both ends of the link can do. */
struct pcie_link_state {
	double negotiable_gt_per_s;
	int64_t negotiable_lanes;
	bool downtrained;	/* runs below negotiable */
	bool slot_limited;	/* the port can do less than the drive: a difference, not a fault */
};
/* The four maxima and the current values; false when one of them is unknown (NaN or negative). */
bool pcie_assess(double current_gt_per_s, int64_t current_lanes, double drive_max_gt_per_s,
		 int64_t drive_max_lanes, double port_max_gt_per_s, int64_t port_max_lanes,
		 struct pcie_link_state *state);

#endif
