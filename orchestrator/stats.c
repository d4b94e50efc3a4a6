/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means, the paired comparison and its verdict. */
#include "stats.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats-random.h"

double stats_mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : NAN;
}

double stats_sd(const double *x, size_t n)
{
	double mean = stats_mean(x, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return n < 2 ? NAN : sqrt(sum / (double)(n - 1));
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double stats_median(const double *x, size_t n)
{
	double *sorted = n ? malloc(n * sizeof(*sorted)) : NULL, median;

	if (!sorted)
		return NAN;
	memcpy(sorted, x, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), ascending);
	median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	free(sorted);
	return median;
}

double stats_geometric_mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(x[i] > 0))
			return NAN;
		sum += log(x[i]);
	}
	return n ? exp(sum / (double)n) : NAN;
}

double stats_harmonic_mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(x[i] > 0))
			return NAN;
		sum += 1 / x[i];
	}
	return n ? (double)n / sum : NAN;
}

double stats_t_quantile(double p, double df)
{
	return gsl_cdf_tdist_Pinv(p, df);
}

int stats_t_interval(const double *x, size_t n, double confidence, struct stats_interval *interval)
{
	double mean, half;

	if (n < 2)
		return -EINVAL;
	mean = stats_mean(x, n);
	half = gsl_cdf_tdist_Qinv((1 - confidence) / 2, (double)(n - 1)) * stats_sd(x, n) / sqrt((double)n);
	if (!isfinite(half))
		return -EINVAL;
	*interval = (struct stats_interval){ mean - half, mean + half };
	return 0;
}

#define EXACT_SIGN_FLIPS 20
#define RANDOM_SIGN_FLIPS 99999
/* So that sums that are equal but for rounding count as equal. */
#define SUM_SLACK 1e-12

static double sign_flip_random(const double *d, size_t n, double observed)
{
	struct stats_random r = { 20 };	/* any fixed seed: the same data give the same p */
	uint64_t reached = 0;

	for (size_t k = 0; k < RANDOM_SIGN_FLIPS; k++) {
		uint64_t signs = 0;
		double sum = 0;

		for (size_t i = 0; i < n; i++) {
			if (i % 64 == 0)
				signs = stats_random_next(&r);
			sum += signs >> i % 64 & 1 ? d[i] : -d[i];
		}
		reached += fabs(sum) >= observed - SUM_SLACK;
	}
	return (double)(reached + 1) / (RANDOM_SIGN_FLIPS + 1);
}

double stats_sign_flip(const double *d, size_t n)
{
	uint64_t reached = 0, patterns;
	double observed = 0;

	for (size_t i = 0; i < n; i++)
		observed += d[i];
	observed = fabs(observed);
	if (!n || !isfinite(observed))
		return NAN;
	if (n > EXACT_SIGN_FLIPS)
		return sign_flip_random(d, n, observed);
	patterns = (uint64_t)1 << n;
	for (uint64_t signs = 0; signs < patterns; signs++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += signs >> i & 1 ? d[i] : -d[i];
		reached += fabs(sum) >= observed - SUM_SLACK;
	}
	return (double)reached / (double)patterns;
}

static bool positive(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!(isfinite(x[i]) && x[i] > 0))
			return false;
	}
	return true;
}

/* The interval of the mean of d, as a ratio. */
static struct stats_interval ratio_interval(const double *d, size_t n, double confidence)
{
	struct stats_interval i = { NAN, NAN };

	if (stats_t_interval(d, n, confidence, &i))
		return i;
	return (struct stats_interval){ exp(i.low), exp(i.high) };
}

/* t and p of the mean against 0. Without any spread the interval is a point: p is 0, or 1 at 0. */
static void test_mean(struct stats_paired *p)
{
	double error = p->sd_log / sqrt((double)p->n);

	if (error > 0) {
		p->t = p->mean_log / error;
		p->p_t = 2 * gsl_cdf_tdist_Q(fabs(p->t), (double)(p->n - 1));
	} else {
		p->t = p->mean_log == 0 ? 0 : copysign(INFINITY, p->mean_log);
		p->p_t = p->mean_log == 0 ? 1 : 0;
	}
}

int stats_paired(const double *a, const double *b, size_t n, struct stats_paired *result)
{
	struct stats_paired p = { .n = n };
	double *d;

	if (n < 2 || !positive(a, n) || !positive(b, n))
		return -EINVAL;
	d = malloc(n * sizeof(*d));
	if (!d)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		d[i] = log(a[i] / b[i]);
	p.mean_log = stats_mean(d, n);
	p.sd_log = stats_sd(d, n);
	p.median_log = stats_median(d, n);
	p.ratio = exp(p.mean_log);
	p.median_ratio = stats_median(a, n) / stats_median(b, n);
	p.ci95 = ratio_interval(d, n, 0.95);
	p.ci90 = ratio_interval(d, n, 0.90);
	test_mean(&p);
	p.p_sign_flip = stats_sign_flip(d, n);
	free(d);
	if (isnan(p.median_log) || isnan(p.median_ratio))
		return -ENOMEM;
	*result = p;
	return 0;
}

enum stats_verdict stats_decide(const struct stats_paired *p, double margin_ratio)
{
	double high = margin_ratio, low = 1 / margin_ratio;
	bool no_one = p->ci95.low > 1 || p->ci95.high < 1;	/* ratio 1 lies outside */

	if (p->ci95.low > high || p->ci95.high < low)
		return STATS_DIFFERENT;
	if (p->ci90.low > low && p->ci90.high < high)
		return no_one ? STATS_EQUIVALENT_SMALL_DIFFERENCE : STATS_EQUIVALENT;
	return no_one ? STATS_DIFFERENT_SIZE_UNRESOLVED : STATS_INCONCLUSIVE;
}

bool stats_disagree(const struct stats_paired *p, double alpha)
{
	return (p->p_t < alpha) != (p->p_sign_flip < alpha) ||
	       fabs(p->mean_log - p->median_log) > p->sd_log + SUM_SLACK;
}

double stats_explained(double possible_ratio, double observed_ratio)
{
	if (!(possible_ratio > 0) || !(observed_ratio > 0) || observed_ratio == 1)
		return NAN;
	return fabs(log(possible_ratio)) / fabs(log(observed_ratio));
}
