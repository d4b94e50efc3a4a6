/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run keeps of its pilot and of other runs. Part of model.h, which has the rules. */
#ifndef NVMATCH_MODEL_RUNS_H
#define NVMATCH_MODEL_RUNS_H

#include "model-plan.h"

/* What is fixed after the pilot rounds of a run with `until` (stop.json). */
struct stop_pilot {
	char *workload;
	bool concurrent;
	int64_t rounds;			/* that could be used */
	double sd_log;			/* of ln(A/B); nothing else of the pilot is looked at */
	int64_t rounds_needed;
};

struct stop {
	char *until;
	int64_t rounds, most;		/* rounds to run; unknown: no stop was fixed. Bound of the plan */
	bool bounded;			/* the plan's bound is below what is needed */
	struct stop_pilot *pilots;
	size_t pilots_count;
};

/* Which drive, wherever it is plugged in; of what has no serial the target. */
struct drive_name {
	char *target, *model, *serial;
	int64_t namespace_id, capacity_bytes;
};

/* What one drive against itself gave, in one workload. */
struct noise_floor {
	char *workload;
	int verdict;			/* enum comparison_verdict; it must be equivalent */
	int64_t rounds;
	double ratio, ci95_low, ci95_high, sd_log;
	/* speed that the engine's recording costs, as a share: mean and 95 % interval; NaN: not measured */
	double overhead, overhead_low, overhead_high;
	int64_t overhead_rounds;
};

/* A calibration run, as the runs that use it keep it (calibration.json). */
struct calibration {
	char *run;			/* NULL: there is none */
	char *sums_sha256;		/* of its SHA256SUMS */
	char *started_utc, *suite, *kernel, *fio_version, *engine_fio_version, *base_engine, *classify;
	struct drive_name drive;
	struct workload *workloads;
	size_t workloads_count;
	struct noise_floor *floors;
	size_t floors_count;
};

/* One comparison of an earlier session; keys as in struct comparison. */
struct session_value {
	char *workload, *metric, *subset;
	bool concurrent;
	int64_t rounds;
	double ratio, sd_log;
};

/* An earlier session of this run (sessions/N/session.json). */
struct session {
	char *run, *sums_sha256, *started_utc, *suite, *base_engine, *classify;
	int64_t seed;
	struct drive_name a, b;
	struct workload *workloads;	/* as they were planned there */
	size_t workloads_count;
	struct session_value *values;
	size_t values_count;
};

#endif
