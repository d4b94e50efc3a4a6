/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does another run fit this one? Of use before a run, to refuse, and when evidence is read, to leave
 * out what does not belong there. Pure. Functions give 0 (fits), 1 with *why (freed by the caller)
 * naming the first thing that differs, or -ENOMEM.
 */
#ifndef NVMATCH_OTHER_RUNS_H
#define NVMATCH_OTHER_RUNS_H

#include "model.h"

/* Copies what tells a drive. 0 or -ENOMEM. */
int drive_name_set(struct drive_name *name, const struct drive *drive);

/* One of the two drives, the same fio, engine and kernel, and at least one workload as it was run there. */
int calibration_fits(const struct calibration *calibration, const struct plan *plan,
		     const struct drive drives[SIDES], const struct host *host, char **why);

/* The calibrated workload that is run as this one, or NULL. */
const struct noise_floor *calibration_floor(const struct calibration *calibration,
					    const struct workload *workload);

/* Takes the slots of later rounds out of a plan. */
void plan_cut(struct plan *plan, int64_t rounds);

/* The same A and the same B, and the same workloads. */
int session_fits(const struct session *session, const struct plan *plan, const struct drive drives[SIDES],
		 char **why);

/* The same suite: workloads, ranges, times, order of modes; rounds and seeds may differ. */
int session_plans_fit(const struct plan *earlier, const struct plan *plan, char **why);

#endif
