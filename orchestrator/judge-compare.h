/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparisons of one workload: every mode, metric and subset of the data, and which one heads. */
#ifndef NVMATCH_JUDGE_COMPARE_H
#define NVMATCH_JUDGE_COMPARE_H

#include "judge-build.h"
#include "stats.h"

/* Adds the comparisons of a case and sets its head; needs its match state. */
void judge_compare(struct judging *j, struct workload_case *c);

/* enum comparison_verdict that the intervals of p mean against the margin of c's metric. */
int judge_margin_verdict(const struct judging *j, const struct comparison *c, const struct stats_paired *p);

/* The p-value that counts: of session means Student's t, as so few cannot be small in a sign-flip test. */
double judge_p(const struct comparison *c);

/* p-values of the heading comparisons, adjusted for their number (Holm). */
void judge_adjust(struct judging *j);

/* What running both at once did: a row of the verdict when both modes have rounds. */
void judge_concurrency(struct judging *j, const struct workload_case *c);

/* Pairs the finite, positive values of usable rounds. Returns their number; arrays hold them all. */
struct round_values {
	double *a, *b;
	bool *a_first;
	size_t n;
};
/* 0 or -ENOMEM; free with round_values_free. subset: -2 all, -1 matched, else a data state. */
enum { SUBSET_ALL = -2, SUBSET_MATCHED = -1 };
int round_values_get(const struct workload_result *w, bool concurrent, size_t metric_offset, int subset,
		     struct round_values *values);
void round_values_free(struct round_values *values);

#endif
