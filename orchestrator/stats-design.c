/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of rounds and of blocks. */
#include "stats-design.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#define MOST_ROUNDS 100000

/* Least n >= 2 with (t(p) + t(q)) sd / sqrt(n) <= width; q = 0.5 adds nothing. */
static size_t least_rounds(double sd, double width, double p, double q)
{
	size_t n = 2;

	if (!(sd > 0) || !(width > 0))
		return n;
	while (n < MOST_ROUNDS) {
		double df = (double)(n - 1);

		if ((gsl_cdf_tdist_Pinv(p, df) + gsl_cdf_tdist_Pinv(q, df)) * sd / sqrt((double)n) <= width)
			break;
		n++;
	}
	return n;
}

size_t stats_rounds_for_interval(double sd, double halfwidth)
{
	return least_rounds(sd, halfwidth, 0.975, 0.5);
}

size_t stats_rounds_for_power(double sd, double difference)
{
	return least_rounds(sd, difference, 0.975, 0.80);
}

/* Both one-sided tests must pass, so each has half of the chance to fail. */
size_t stats_rounds_for_equivalence(double sd, double margin)
{
	return least_rounds(sd, margin, 0.95, 0.90);
}

double stats_sign_flip_least_p(size_t rounds)
{
	return ldexp(2, -(int)rounds);
}

size_t stats_rounds_for_holm(size_t tests)
{
	size_t n = 2;

	while (stats_sign_flip_least_p(n) * (double)tests >= 0.05)
		n++;
	return n;
}

uint64_t stats_blocks_without_exception(double share, double confidence)
{
	return (uint64_t)ceil(log(1 - confidence) / log1p(-share));
}

uint64_t stats_blocks_of_finite(uint64_t blocks, double share, double confidence)
{
	uint64_t odd = (uint64_t)ceil(share * (double)blocks), n = 0;
	double none_found = 1;

	/* chance that n draws miss every odd block, one draw after another */
	while (none_found > 1 - confidence && n < blocks) {
		none_found *= n + odd >= blocks ? 0 : (double)(blocks - n - odd) / (double)(blocks - n);
		n++;
	}
	return n;
}

int stats_clopper_pearson(uint64_t k, uint64_t n, double confidence, struct stats_interval *interval)
{
	double tail = (1 - confidence) / 2;

	if (!n || k > n)
		return -EINVAL;
	interval->low = k ? gsl_cdf_beta_Pinv(tail, (double)k, (double)(n - k + 1)) : 0;
	interval->high = k < n ? gsl_cdf_beta_Qinv(tail, (double)(k + 1), (double)(n - k)) : 1;
	return 0;
}

int stats_overlap_lower(const uint64_t *a, const uint64_t *b, size_t classes, double *lower)
{
	double confidence = 1 - 0.05 / (2 * (double)classes), sum = 0;
	uint64_t all_a = 0, all_b = 0;

	for (size_t k = 0; k < classes; k++) {
		all_a += a[k];
		all_b += b[k];
	}
	for (size_t k = 0; k < classes; k++) {
		struct stats_interval in_a, in_b;

		if (stats_clopper_pearson(a[k], all_a, confidence, &in_a) ||
		    stats_clopper_pearson(b[k], all_b, confidence, &in_b))
			return -EINVAL;
		sum += fmin(in_a.low, in_b.low);
	}
	*lower = sum;
	return 0;
}

double stats_dkw_halfwidth(size_t n)
{
	return n ? sqrt(log(2 / 0.05) / (2 * (double)n)) : NAN;
}

void stats_quantile_ranks(uint64_t n, double quantile, uint64_t *lower, uint64_t *upper, double *coverage)
{
	uint64_t j = 0;

	while (gsl_cdf_binomial_P((unsigned)j, quantile, (unsigned)n) <= 0.025)
		j++;
	*lower = j;
	*coverage = NAN;
	*upper = 0;
	for (uint64_t u = j + 1; u <= n; u++) {
		if (gsl_cdf_binomial_Q((unsigned)(u - 1), quantile, (unsigned)n) <= 0.025) {
			*upper = u;
			*coverage = gsl_cdf_binomial_P((unsigned)(u - 1), quantile, (unsigned)n) -
				    (j ? gsl_cdf_binomial_P((unsigned)(j - 1), quantile, (unsigned)n) : 0);
			return;
		}
	}
}

/* Both ranks exist when the largest value lies above the quantile often enough. */
uint64_t stats_quantile_least_n(double quantile)
{
	return (uint64_t)ceil(log(0.025) / log(quantile));
}
