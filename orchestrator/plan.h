/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite x drives -> an ordered list of slots, fixed before the first byte is read. Pure. */
#ifndef NVMATCH_PLAN_H
#define NVMATCH_PLAN_H

#include "model.h"

struct suite;

struct plan_request {
	const struct suite *suite;
	const struct drive *drives[SIDES];	/* [SIDE_B] NULL: one drive alone */
	const struct survey *matched;		/* only the ranges that it proposes; or NULL */
	const char *base_engine, *classify;	/* classify: of the timed slots */
	const char *cpus[SIDES];		/* or NULL */
	bool cpus_alternate;
	int64_t page_bytes;			/* of the host */
	int64_t seed;
	const char *fingerprint;		/* before, during, both, off; NULL: during */
	bool calibration;			/* both drives are one */
	bool probe;				/* a plain slot in every round */
	const char *until;			/* or NULL */
	/* what the user asked for instead of the suite's; UNKNOWN_I64: the suite's */
	int64_t rounds, range_runtime_ns, budget_ns, budget_bytes;
};

/*
 * Fills plan (free with fields_free(plan_fields, plan)).
 * Ranges lie on the smaller side, aligned to the larger logical block and the page size.
 * A budget makes the slots shorter and then the rounds fewer, never below 6 rounds of 200 ms.
 * 0, or after printing: -EINVAL for a block size that a drive cannot do, a drive too small, a
 * budget too small.
 */
int plan_make(const struct plan_request *request, struct plan *plan);

/* Rounds after which a plan with `until` settles how many there are. */
#define PLAN_PILOT_ROUNDS 4
/* No run takes so many; it bounds the memory of a plan. */
#define PLAN_MOST_ROUNDS 10000

/* Time of one timed slot: its ranges, and starting fio and its sections. */
int64_t plan_slot_ns(const struct workload *workload);

#endif
