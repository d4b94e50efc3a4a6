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

static unsigned int word(const unsigned char *p)
{
	return p[0] | (unsigned int)p[1] << 8;
}

/* 128 << code bytes; 6 and 7 are reserved. */
static int64_t payload(unsigned int code)
{
	return code <= 5 ? INT64_C(128) << code : -1;
}

static double speed_of(unsigned int code)
{
	return code >= 1 && code <= sizeof(generation_gt_per_s) / sizeof(*generation_gt_per_s) ?
	       generation_gt_per_s[code - 1] : NAN;
}

static int64_t width_of(unsigned int code)
{
	return code >= 1 && code <= 32 ? (int64_t)code : -1;
}

/* Offset of the capability, 0: none. A list that runs in circles ends by its count. */
static size_t find_capability(const unsigned char *space, size_t length)
{
	size_t at = space[0x34] & 0xfc;

	if (!(space[6] & 0x10))
		return 0;
	for (int n = 0; n < 48 && at >= 0x40 && at + 2 <= length; n++, at = space[at + 1] & 0xfc)
		if (space[at] == 0x10)
			return at;
	return 0;
}

bool pcie_config_decode(const unsigned char *space, size_t length, struct pcie_config *config)
{
	const unsigned char *cap;
	size_t at;

	if (length < 64 || word(space) == 0xffff)
		return false;
	at = find_capability(space, length);
	if (!at || at + 0x14 > length)
		return false;
	cap = space + at;
	*config = (struct pcie_config){
		.port_type = cap[2] >> 4,
		.max_payload_supported_bytes = payload(cap[4] & 7),
		.max_payload_bytes = payload(cap[8] >> 5 & 7),
		.max_read_request_bytes = payload(cap[9] >> 4 & 7),
		.max_speed_gt_per_s = speed_of(cap[12] & 0xf),
		.max_width_lanes = width_of(word(cap + 12) >> 4 & 0x3f),
		.current_speed_gt_per_s = speed_of(cap[18] & 0xf),
		.current_width_lanes = width_of(word(cap + 18) >> 4 & 0x3f),
	};
	return true;
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
