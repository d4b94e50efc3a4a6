/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the judge share: the case at hand, and adding to the verdict. After an
 * allocation failure `failed` stays set and the adding functions do nothing: judge_with() looks once.
 */
#ifndef NVMATCH_JUDGE_BUILD_H
#define NVMATCH_JUDGE_BUILD_H

#include <stdbool.h>

#include "model.h"
#include "thresholds.h"

enum match_state {
	MATCH_UNKNOWN,		/* no records: nothing is known about the data */
	MATCH_BY_SEED,		/* only writes: both sides were given the same bytes */
	MATCH_ALLOWED,		/* the same kind of data on both, as far as needed */
	MATCH_NARROWER,		/* enough common offsets for a comparison of those */
	MATCH_NONE,
};

/* What the judge knows of one workload besides the verdict. */
struct workload_case {
	const struct workload_result *result;
	const struct workload *plan;		/* NULL when the index is out of range */
	enum match_state match;
	size_t head;				/* index in verdict.comparisons, NO_HEAD: none */
	double class_effect[SIDES];		/* largest ratio between two classes of one drive; NaN */
	double class_effect_sure[SIDES];	/* the same of those whose interval excludes 1, if large enough; NaN */
};
#define NO_HEAD ((size_t)-1)

struct judging {
	const struct result *result;
	const struct thresholds *limits;
	struct verdict *verdict;
	struct workload_case *cases;		/* one for each of result->workloads */
	bool same_drive;			/* A/A: both sides are one drive */
	bool alone;				/* there is no B: nothing is compared */
	double gap;				/* matched A over B that is to be explained; NaN: none */
	int slower;				/* enum side, or -1 */
	bool failed;
};

static inline const char *side_name(int side)
{
	return side == SIDE_A ? "A" : "B";
}

static inline const char *judge_name(const struct workload_case *c)
{
	return c->result->name ? c->result->name : "unnamed";
}

/* The member arrays of the verdict, one more each; NULL after a failure. Numbers start unknown. */
struct comparison *judge_add_comparison(struct judging *j);
struct workload_verdict *judge_add_workload(struct judging *j);
struct class_row *judge_add_class(struct judging *j);
struct concurrency_row *judge_add_concurrency(struct judging *j);
struct rating_row *judge_add_rating(struct judging *j);
struct ledger_row *judge_add_row(struct judging *j);

void judge_sentence(struct judging *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
void judge_condition(struct judging *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets *string to a new one, or marks the failure. */
void judge_string(struct judging *j, char **string, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Marks a failure when text is NULL; returns text. */
char *judge_take(struct judging *j, char *text);

/* Numbers and evidence of a ledger row; an unknown number (NaN) is left out. row may be NULL. */
void judge_number(struct judging *j, struct ledger_row *row, double value, const char *name, ...)
	__attribute__((format(printf, 4, 5)));
/* Adds a limit, with the value that is used, to a list in the verdict. */
void judge_threshold(struct judging *j, struct number **list, size_t *count,
		     const struct threshold_info *info);
void judge_evidence(struct judging *j, struct ledger_row *row, const char *pointer, const char *file, ...)
	__attribute__((format(printf, 4, 5)));

/* All values of one side's measurements, in any workload and mode. */
typedef double measure_fn(const struct measurement *m);
double judge_max(const struct judging *j, int side, measure_fn *value);	/* NaN: none known */
double judge_min(const struct judging *j, int side, measure_fn *value);
double judge_sum(const struct judging *j, int side, measure_fn *value);	/* NaN: one is unknown, or none */

/* Calls for every measurement of the side: for (i = 0; (m = judge_measurement(j, side, &i));) */
const struct measurement *judge_measurement(const struct judging *j, int side, size_t *cursor);

/*
 * The share of rounds with a slot that started without having come through the cool-down gate, of
 * those that had one; NaN: none had. And a state of a row that rests on equal starts: where more than
 * the limit gate_missed started unequal, neither "supported" nor "ruled out" can be said.
 */
double judge_gate_missed_share(const struct judging *j);
int judge_cap_by_gate(const struct judging *j, int state);

#endif
