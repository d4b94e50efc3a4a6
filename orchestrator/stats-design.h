/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many rounds and how many blocks are needed, and what so many can show. */
#ifndef NVMATCH_STATS_DESIGN_H
#define NVMATCH_STATS_DESIGN_H

#include <stddef.h>
#include <stdint.h>

#include "stats.h"

/* sd: of the log ratios of single rounds (0.01: one per cent). Results are rounds, at least 2. */
size_t stats_rounds_for_interval(double sd, double halfwidth);	/* 95 % interval of +-halfwidth */
size_t stats_rounds_for_power(double sd, double difference);	/* detect it with 80 % power */
size_t stats_rounds_for_equivalence(double sd, double margin);	/* show it is smaller, 80 % power */

double stats_sign_flip_least_p(size_t rounds);
/* Rounds with which the sign-flip test can pass Holm's correction over so many tests at 5 %. */
size_t stats_rounds_for_holm(size_t tests);

/* Random blocks, all of one kind, that show at this confidence that the share of others is < share. */
uint64_t stats_blocks_without_exception(double share, double confidence);
/* The same, drawn without replacement from `blocks`. */
uint64_t stats_blocks_of_finite(uint64_t blocks, double share, double confidence);

/* Exact binomial interval of a share, k of n (Clopper and Pearson). -EINVAL: n = 0 or k > n. */
int stats_clopper_pearson(uint64_t k, uint64_t n, double confidence, struct stats_interval *interval);

/*
 * Sampled counts of each class on two sides -> least overlap of their class shares with 95 %
 * confidence (Bonferroni over classes and sides).
 */
int stats_overlap_lower(const uint64_t *a, const uint64_t *b, size_t classes, double *lower);

/* Half-width of the 95 % band around an empirical distribution of n values (Dvoretzky et al.). */
double stats_dkw_halfwidth(size_t n);

/*
 * 1-based ranks l, u of the order statistics that enclose the quantile with >= 95 %, for
 * independent values. *upper is 0 when n is too small; *coverage is then NaN.
 */
void stats_quantile_ranks(uint64_t n, double quantile, uint64_t *lower, uint64_t *upper, double *coverage);
uint64_t stats_quantile_least_n(double quantile);	/* least n with both ranks */

#endif
