/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PCIe arithmetic. Rates by generation as in the PCI Express base specification. */
#include "pcie.h"

#include <math.h>
#include <stddef.h>

/*
 * Bytes around the data of one packet: framing, sequence number and CRC, and a header of four words
 * (memory write with a 64-bit address) or three (completion).
 */
#define FRAMING_BYTES 8
#define HEADER_TO_HOST_BYTES 16
#define HEADER_TO_DRIVE_BYTES 12

static const double generation_gt_per_s[] = { 2.5, 5, 8, 16, 32, 64 };

int pcie_generation(double speed_gt_per_s)
{
	for (size_t i = 0; i < sizeof(generation_gt_per_s) / sizeof(*generation_gt_per_s); i++) {
		if (fabs(speed_gt_per_s - generation_gt_per_s[i]) < 0.05)
			return (int)i + 1;
	}
	return 0;
}

double pcie_raw_bytes_per_s(double speed_gt_per_s, int64_t width_lanes)
{
	double encoding = speed_gt_per_s < 6 ? 8.0 / 10 : speed_gt_per_s < 48 ? 128.0 / 130 : 242.0 / 256;

	if (!(speed_gt_per_s > 0) || width_lanes <= 0)
		return NAN;
	return speed_gt_per_s * 1e9 * encoding * (double)width_lanes / 8;
}

double pcie_efficiency_to_host(double payload_bytes)
{
	return payload_bytes / (payload_bytes + FRAMING_BYTES + HEADER_TO_HOST_BYTES);
}

double pcie_efficiency_to_drive(double payload_bytes)
{
	return payload_bytes / (payload_bytes + FRAMING_BYTES + HEADER_TO_DRIVE_BYTES);
}

double pcie_limit_bytes_per_s(double speed_gt_per_s, int64_t width_lanes, double payload_bytes)
{
	return pcie_raw_bytes_per_s(speed_gt_per_s, width_lanes) * pcie_efficiency_to_host(payload_bytes);
}

bool pcie_assess(double current_gt_per_s, int64_t current_lanes, double drive_max_gt_per_s,
		 int64_t drive_max_lanes, double port_max_gt_per_s, int64_t port_max_lanes,
		 struct pcie_link_state *state)
{
	if (!(current_gt_per_s > 0) || !(drive_max_gt_per_s > 0) || !(port_max_gt_per_s > 0) ||
	    current_lanes <= 0 || drive_max_lanes <= 0 || port_max_lanes <= 0)
		return false;
	state->negotiable_gt_per_s = fmin(drive_max_gt_per_s, port_max_gt_per_s);
	state->negotiable_lanes = drive_max_lanes < port_max_lanes ? drive_max_lanes : port_max_lanes;
	state->downtrained = current_gt_per_s < state->negotiable_gt_per_s ||
			     current_lanes < state->negotiable_lanes;
	state->slot_limited = port_max_gt_per_s < drive_max_gt_per_s || port_max_lanes < drive_max_lanes;
	return true;
}
