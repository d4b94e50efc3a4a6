/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of plan: which slots there are, in which order, and what they take. */
#ifndef NVMATCH_PLAN_SLOTS_H
#define NVMATCH_PLAN_SLOTS_H

#include "plan.h"

/* Of the whole run, all workloads and purposes. */
int64_t plan_total_ns(const struct plan_request *request, const struct plan *plan);
/* How often one workload is read in the whole run, by timed and plain slots: both sides in AB slots. */
int64_t plan_side_slots(const struct plan_request *request, const struct plan *plan);
/* What the fingerprint pass reads, at most. */
int64_t plan_fingerprint_bytes(const struct plan_request *request, const struct plan *plan);

/* Fills plan->slots. 0 or -ENOMEM. */
int plan_order_slots(const struct plan_request *request, struct plan *plan);

#endif
