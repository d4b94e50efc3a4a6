/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is intended: workloads, slots, and the plan of a run. Part of model.h, which has the rules. */
#ifndef NVMATCH_MODEL_PLAN_H
#define NVMATCH_MODEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

enum side { SIDE_A, SIDE_B, SIDES };

enum slot_mode { MODE_A, MODE_B, MODE_AB };	/* on A alone, on B alone, on both at once */

/* A fingerprint pass reads a longer range in part: so many bytes at random offsets. */
#define FINGERPRINT_RANGE_BYTES (INT64_C(1) << 30)

/* Only timed slots are rounds. Plain ones are run by fio's own engine, without ours and its record. */
enum slot_purpose { SLOT_TIMED, SLOT_FINGERPRINT, SLOT_PLAIN };

struct range {
	int64_t offset_bytes, length_bytes;
};

struct workload {
	char *name;
	char *job_file;			/* where it came from */
	struct strings options;		/* fio options "name=value" of its section, [global] applied */
	char *rw;
	int64_t block_bytes, iodepth, numjobs;
	bool direct, writes, timed;
	int64_t ramp_ns;		/* fio's ramp_time: done before a range is timed, and not counted */
	int64_t runtime_ns;		/* of one range */
	int64_t io_bytes;		/* at most so many bytes of one range, or unknown: no bound */
	struct range *ranges;
	size_t ranges_count;
};

struct slot {
	int64_t number;			/* 1, 2, ... in the order of running */
	char *name;			/* 0001-seq-read-1m-A */
	int64_t workload;		/* index in plan.workloads */
	int64_t round;			/* 0, 1, ... */
	int mode;			/* enum slot_mode */
	int purpose;			/* enum slot_purpose */
};

/* When the next slot may start (cooldown.h). 0 takes below_threshold_c, steady_ns and rest_ns out. */
struct cooldown_rule {
	bool enabled;
	double above_start_c;		/* at most this much above the start of the first slot, */
	double above_idle_c;		/* or above the coolest seen in this run, whichever is more */
	double below_threshold_c;	/* and this much below the drive's own threshold */
	double steady_c;		/* changed by at most this ... */
	int64_t steady_ns;		/* ... in this time */
	int64_t rest_ns;		/* since the last I/O */
	int64_t timeout_ns;		/* then the slot starts anyway */
};

/* What a speed is rated by (baseline.h): workloads that read or write so in such blocks. */
struct baseline_row {
	char *rw, *metric;		/* bw_bytes_per_s or iops, in which the limits are */
	int64_t block_bytes;
	double good, excellent, exceptional;	/* from there on */
};

struct baseline {
	char *name, *summary;		/* name is NULL: nothing is rated */
	struct baseline_row *rows;
	size_t rows_count;
};

struct plan {
	char *suite, *base_engine;
	int64_t seed;			/* order of slots; and randseed of the jobs */
	int64_t rounds;
	int64_t budget_ns, budget_bytes;	/* bounds, or unknown */
	int64_t expected_ns, expected_bytes;	/* estimates for the whole run */
	char *cpus_a, *cpus_b;		/* CPU lists of the two sides, or NULL: not pinned */
	bool cpus_alternate;		/* the lists change sides every round, so that no side has the better CPU */
	bool one_side;			/* there is only A: nothing to compare */
	int64_t record_budget_bytes;	/* of one fio thread */
	char *classify;			/* the engine's option, in timed slots */
	struct cooldown_rule cooldown;
	struct strings gates;		/* what makes the run fail (gates.h): of the suite and of --fail-if */
	char *fingerprint;		/* what pass looks at the data: before, during, both, off; NULL: during */
	bool calibration;		/* one drive is both A and B: the scatter is the noise floor */
	char *until;			/* "precision=0.01": the rounds are settled after a pilot; or NULL */
	int64_t pilot_rounds;		/* or unknown */
	struct workload *workloads;
	size_t workloads_count;
	struct slot *slots;
	size_t slots_count;
	struct baseline baseline;
	struct number *thresholds;	/* all limits of the judge; none in runs of older versions */
	size_t thresholds_count;
};

#endif
