/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a PCIe link can carry, and what its speed and width say about its negotiation. */
#ifndef NVMATCH_PCIE_H
#define NVMATCH_PCIE_H

#include <stdbool.h>
#include <stddef.h>
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

#define PCIE_PAYLOAD_MIN_BYTES 128	/* every function can do this much */
#define PCIE_PAYLOAD_MAX_BYTES 4096	/* none can do more */

/* What one function says in its configuration space; unknown members are -1, unknown speeds NaN. */
enum pcie_port { PCIE_ENDPOINT = 0, PCIE_LEGACY_ENDPOINT = 1, PCIE_ROOT_PORT = 4, PCIE_UPSTREAM_PORT = 5,
		 PCIE_DOWNSTREAM_PORT = 6 };
struct pcie_config {
	int64_t port_type;		/* enum pcie_port, or another that has no link of interest here */
	int64_t max_payload_supported_bytes, max_payload_bytes, max_read_request_bytes;
	double current_speed_gt_per_s, max_speed_gt_per_s;
	int64_t current_width_lanes, max_width_lanes;
};
/*
 * Finds the PCI Express capability (PCI Express base specification 6.0, 7.5.3) in what could be
 * read: 64 bytes without privilege, then it lies beyond. false: not there, or no such function.
 */
bool pcie_config_decode(const unsigned char *space, size_t length, struct pcie_config *config);

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
