/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of model.h that says what the judge says (judge.c) and what gates made of it. */
#ifndef NVMATCH_MODEL_VERDICT_H
#define NVMATCH_MODEL_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

/* ---- what is said (judge.c) -------------------------------------------------------------- */

enum headline_state { HEADLINE_VALID, HEADLINE_NARROWER, HEADLINE_NOT_VALID, HEADLINE_INCONCLUSIVE };

enum comparison_verdict { VERDICT_DIFFERENT, VERDICT_EQUIVALENT, VERDICT_EQUIVALENT_SMALL_DIFFERENCE,
			  VERDICT_DIFFERENT_SIZE_UNRESOLVED, VERDICT_INCONCLUSIVE, VERDICT_NOT_COMPARED };

enum ledger_state { LEDGER_NOT_MEASURED, LEDGER_SUPPORTED, LEDGER_POSSIBLE, LEDGER_NOT_SUPPORTED,
		    LEDGER_RULED_OUT };

struct comparison {
	char *workload;
	bool concurrent;
	char *metric;			/* bw_bytes_per_s, iops, latency_p50_ns, ... */
	bool higher_is_better;
	char *subset;			/* all, matched, or the name of a data state */
	double match_share;
	double a, b;			/* geometric means over the rounds */
	double ratio, ci95_low, ci95_high, ci90_low, ci90_high, median_ratio;	/* A over B */
	double p_sign_flip, p_t, sd_log;
	double p_holm;			/* p_sign_flip adjusted over the heading comparisons; NaN for the others */
	double q_benjamini_hochberg;	/* p adjusted over the exploratory comparisons; NaN for heads and repetitions */
	bool heads;			/* the one comparison that heads its workload */
	bool repeats;			/* says what another comparison of its workload says, too */
	int64_t rounds;
	int64_t sessions;		/* 3 or more: ratio and intervals are of the session means */
	int verdict;			/* enum comparison_verdict */
	char *reason;
};

struct evidence {
	char *file;			/* relative to the run directory */
	char *pointer;			/* JSON pointer into it, or NULL */
};

struct ledger_row {
	char *id, *name;
	int state;			/* enum ledger_state */
	char *text;			/* name, state and finding as sentences */
	char *finding;			/* what was seen; for not measured: why it was not */
	struct number *numbers;
	size_t numbers_count;
	struct number *thresholds;	/* the limits that its rule compares with */
	size_t thresholds_count;
	struct evidence *evidence;
	size_t evidence_count;
	char *to_measure;		/* next step, when not measured */
};

/* What running both at once did to one workload. */
struct concurrency_row {
	char *workload;
	double interference[SIDES];	/* 1 - concurrent speed / single speed */
	double interference_high[SIDES];	/* upper end of its 95 % interval */
	double ratio_of_ratios;		/* (A/B when both at once) / (A/B alone) */
	double ci95_low, ci95_high;	/* of the ratio of ratios */
	double total_bw_bytes_per_s;	/* A and B together when both at once */
};

/* What a drive was beside the other one, by its interference (1 - speed / speed alone). */
static inline const char *concurrency_word(double interference)
{
	return interference < 0 ? "faster" : "slower";
}

/* One workload's own headline. */
struct workload_verdict {
	char *workload;
	int state;			/* enum headline_state */
	char *text;
	char *offsets;			/* what the digests show about the I/O of both sides */
	double match_share;		/* M; NaN: data state unknown or not applicable */
};

/* How fast each side read each data state: the within-drive effect. */
struct class_row {
	char *workload, *data_state;
	double share[SIDES];		/* of classified bytes */
	double behind_share[SIDES];	/* of all bytes: those that the speed is taken from */
	double bw_bytes_per_s[SIDES];
};

/* One speed of one side by the baseline of the plan. */
enum rating { RATING_BELOW_GOOD, RATING_GOOD, RATING_EXCELLENT, RATING_EXCEPTIONAL };

struct rating_row {
	char *workload, *metric;
	int side;			/* enum side */
	double value;
	int rating;			/* enum rating */
	double good, excellent, exceptional;
	double link_limit;		/* in the metric's unit; NaN: the link is not known */
	double link_share;		/* value / link_limit */
	bool suspect;			/* above what the link carries: it cannot all have come over it */
};

/* An expression of --fail-if, and what came of it. */
struct gate_result {
	char *expression;		/* as it was given */
	bool failed;
	bool measured;			/* false: a value is not known, so that it failed */
	char *text;			/* the values: "seq-read-1m.single.ratio is 0.853" */
};

/* The noise floor that a workload's verdict stands on. */
enum noise_state { NOISE_UNKNOWN, NOISE_MEASURED, NOISE_FAILED };	/* failed: the drive differed from itself */

struct noise_row {
	char *workload;
	int state;			/* enum noise_state */
	double sd_log, ratio;		/* of the calibration run */
	int64_t rounds, rounds_needed;	/* its rounds; rounds that detect the margin in four of five runs */
};

/* A heading comparison over sessions. */
struct session_ratio {
	char *run, *started_utc;
	int64_t rounds;
	double ratio;
};

struct session_row {
	char *workload, *metric, *subset;
	bool concurrent;
	double ratio, ci95_low, ci95_high, pooled_ci95_low, pooled_ci95_high;
	double icc;			/* share of the variance that lies between sessions */
	struct session_ratio *sessions;
	size_t sessions_count;
};

struct verdict {
	int headline;			/* enum headline_state */
	char *headline_text;
	struct strings sentences;	/* what can be said beside the headline, in order */
	struct comparison *comparisons;
	size_t comparisons_count;
	struct workload_verdict *workloads;
	size_t workloads_count;
	struct class_row *classes;
	size_t classes_count;
	struct concurrency_row *concurrency;
	size_t concurrency_count;
	struct ledger_row *ledger;
	size_t ledger_count;
	struct rating_row *ratings;
	size_t ratings_count;
	struct noise_row *noise_floor;
	size_t noise_floor_count;
	struct session_row *sessions;
	size_t sessions_count;
	struct strings conditions;	/* conditions and limits */
	struct number *thresholds;	/* all limits that were used, in the order of thresholds_info */
	size_t thresholds_count;
	struct gate_result *gates;	/* not judged: put in by gates_judge() */
	size_t gates_count;
};

#endif
