/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The links on the way from a drive to the root, and what each can carry. Pure. */
#ifndef NVMATCH_PCIE_PATH_H
#define NVMATCH_PCIE_PATH_H

#include "model.h"
#include "pcie.h"

#define PCIE_HOPS_MAX 16

/* A link: the lower function (a drive, or a switch's upstream port) and the port above it. */
struct pcie_hop {
	size_t lower;			/* index in drive.links */
	const char *address;		/* of the lower function */
	const char *port;		/* address of the port, or NULL */
	double speed_gt_per_s;		/* now, or as `loads` saw it; NaN: unknown */
	int64_t lanes;			/* UNKNOWN_I64 */
	bool varied;			/* the loads saw it change */
	bool assessed;			/* state is known */
	struct pcie_link_state state;
	double raw_bytes_per_s;		/* NaN: unknown */
};

/*
 * All hops of the drive's path, lowest first; their number. loads: links as one slot saw them under
 * load, in the order of drive.links (NULL: none). Of these the highest speed counts: a link may
 * rest when nothing is asked of it.
 */
size_t pcie_hops(const struct drive *drive, const struct link_load *loads, size_t loads_count,
		 struct pcie_hop hops[PCIE_HOPS_MAX]);

/*
 * Payload of the path: the least of all functions on it. Equal when all are known; else what it may
 * lie between (PCIE_PAYLOAD_MIN_BYTES, what the drive supports at most).
 */
void pcie_path_payload(const struct drive *drive, double *low_bytes, double *high_bytes);

/* Is the function also on the way of the other drive? */
bool pcie_is_shared(const struct drive *other, const char *address);

#endif
