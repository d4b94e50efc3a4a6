/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of paired rounds: ratio with intervals, exact sign-flip test, verdict against a margin
 * of equivalence, several tests at once. Pure arithmetic on what the caller gives.
 * Functions that return int give 0, or -EINVAL for too few values or values that cannot be used
 * (not finite, not positive where a logarithm is taken); results are then untouched.
 */
#ifndef NVMATCH_STATS_H
#define NVMATCH_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stats_interval {
	double low, high;
};

/* NaN for n = 0; the standard deviation (n - 1) is NaN for n < 2. Sums run from left to right. */
double stats_mean(const double *x, size_t n);
double stats_sd(const double *x, size_t n);
double stats_median(const double *x, size_t n);		/* NaN too when memory ran out */
double stats_geometric_mean(const double *x, size_t n);	/* NaN when a value is not positive */
double stats_harmonic_mean(const double *x, size_t n);	/* the total speed over equal pieces */

/* Quantile of Student's t. */
double stats_t_quantile(double p, double df);

/* Two-sided Student t interval of the mean; confidence as 0.95. -EINVAL for n < 2. */
int stats_t_interval(const double *x, size_t n, double confidence, struct stats_interval *interval);

/*
 * Share of the 2^n sign patterns whose |sum| reaches the observed one, two-sided. Exact up to 20
 * values; beyond, 99 999 patterns from a fixed seed and (count + 1) / (patterns + 1).
 */
double stats_sign_flip(const double *d, size_t n);

/* One value a round on each side. Everything is on d = ln(a / b), ratios are exp of that. */
struct stats_paired {
	size_t n;
	double mean_log, sd_log, median_log;
	double ratio;				/* geometric mean of a / b */
	double median_ratio;			/* median of a / median of b */
	struct stats_interval ci95, ci90;	/* of the ratio, Student t */
	double t, p_t;				/* two-sided, against ratio 1 */
	double p_sign_flip;
};
int stats_paired(const double *a, const double *b, size_t n, struct stats_paired *result);

enum stats_verdict { STATS_DIFFERENT, STATS_EQUIVALENT, STATS_EQUIVALENT_SMALL_DIFFERENCE,
		     STATS_DIFFERENT_SIZE_UNRESOLVED, STATS_INCONCLUSIVE };
/* Against a margin of equivalence (1.02: two per cent): the two one-sided tests by intervals. */
enum stats_verdict stats_decide(const struct stats_paired *paired, double margin_ratio);
/* The t interval and the sign-flip test disagree at alpha, or mean and median are over one sd apart. */
bool stats_disagree(const struct stats_paired *paired, double alpha);

/* Two independent groups. -EINVAL for fewer than two values in one. */
struct stats_two_groups {
	double difference;			/* mean of x - mean of y */
	struct stats_interval ci95;
	double t, df, p;
};
int stats_pooled_t(const double *x, size_t nx, const double *y, size_t ny, struct stats_two_groups *r);
int stats_welch_t(const double *x, size_t nx, const double *y, size_t ny, struct stats_two_groups *r);

/* Percentile bootstrap of the mean of d and of median(a)/median(b); 0 or -ENOMEM, -EINVAL. */
struct stats_bootstrap {
	struct stats_interval percentile95, percentile90;
};
#define STATS_BOOTSTRAP_SAMPLES 9999
int stats_bootstrap_mean(const double *d, size_t n, uint64_t seed, struct stats_bootstrap *result);
int stats_bootstrap_median_ratio(const double *a, const double *b, size_t n, uint64_t seed,
				 struct stats_bootstrap *result);
/* Tail on each side for the expanded percentile interval: wider, right for few values. */
double stats_expanded_alpha_half(size_t n, double confidence);

/* Adjusted p-values in the order of p. NaN is left NaN and does not count. 0 or -ENOMEM. */
int stats_holm(const double *p, size_t n, double *adjusted);
int stats_benjamini_hochberg(const double *p, size_t n, double *adjusted);

/*
 * Rounds in several sessions: rounds of one session share its luck, so the interval is that of the
 * session means. values: sessions x rounds, row after row.
 */
struct stats_sessions {
	double mean, icc;			/* icc: share of the variance that lies between sessions */
	struct stats_interval ci95, ci90;	/* Student t on session means */
	double p_t;				/* the same, against 0 */
	struct stats_interval pooled_ci95;	/* too narrow; shown for contrast */
};
/* The same from what is known of each; numbers of rounds may differ, a session's mean counts as one. */
struct stats_session {
	size_t n;
	double mean, sd;
};
int stats_session_means(const struct stats_session *sessions, size_t count, struct stats_sessions *result);
int stats_sessions(const double *values, size_t sessions, size_t rounds, struct stats_sessions *result);
/* Two-level bootstrap of the mean, 95 %: a picture, not the interval to decide by. */
int stats_sessions_bootstrap(const double *values, size_t sessions, size_t rounds, uint64_t seed,
			     struct stats_interval *result);

/* Share of a gap that something can explain: |ln possible| / |ln observed|. NaN when unknown. */
double stats_explained(double possible_ratio, double observed_ratio);

/* Spearman's rank correlation of x and y after a straight line over time is taken out of both; p by t. */
int stats_detrended_rank_correlation(const double *x, const double *y, size_t n, double *rho, double *p);

#endif
