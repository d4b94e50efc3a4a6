/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Percentile bootstraps: shown beside the t interval, which decides. */
#include "stats.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "stats-random.h"

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of B sorted values the q quantile is number (B + 1) q - 1, counted from 0. */
static struct stats_interval percentiles(const double *sorted, double confidence)
{
	double tail = (1 - confidence) / 2;
	size_t low = (size_t)lround((STATS_BOOTSTRAP_SAMPLES + 1) * tail) - 1;
	size_t high = (size_t)lround((STATS_BOOTSTRAP_SAMPLES + 1) * (1 - tail)) - 1;

	return (struct stats_interval){ sorted[low], sorted[high] };
}

static void summarize(double *samples, struct stats_bootstrap *result)
{
	qsort(samples, STATS_BOOTSTRAP_SAMPLES, sizeof(*samples), ascending);
	result->percentile95 = percentiles(samples, 0.95);
	result->percentile90 = percentiles(samples, 0.90);
}

int stats_bootstrap_mean(const double *d, size_t n, uint64_t seed, struct stats_bootstrap *result)
{
	struct stats_random r = { seed };
	double *samples;

	if (n < 2)
		return -EINVAL;
	samples = malloc(STATS_BOOTSTRAP_SAMPLES * sizeof(*samples));
	if (!samples)
		return -ENOMEM;
	for (size_t k = 0; k < STATS_BOOTSTRAP_SAMPLES; k++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += d[stats_random_index(&r, n)];
		samples[k] = sum / (double)n;
	}
	summarize(samples, result);
	free(samples);
	return 0;
}

int stats_bootstrap_median_ratio(const double *a, const double *b, size_t n, uint64_t seed,
				 struct stats_bootstrap *result)
{
	struct stats_random r = { seed };
	double *samples, *drawn_a, *drawn_b;

	if (n < 2)
		return -EINVAL;
	samples = malloc((STATS_BOOTSTRAP_SAMPLES + 2 * n) * sizeof(*samples));
	if (!samples)
		return -ENOMEM;
	drawn_a = samples + STATS_BOOTSTRAP_SAMPLES;
	drawn_b = drawn_a + n;
	for (size_t k = 0; k < STATS_BOOTSTRAP_SAMPLES; k++) {
		for (size_t i = 0; i < n; i++) {
			size_t j = stats_random_index(&r, n);

			drawn_a[i] = a[j];
			drawn_b[i] = b[j];
		}
		samples[k] = stats_median(drawn_a, n) / stats_median(drawn_b, n);
	}
	summarize(samples, result);
	free(samples);
	return 0;
}

double stats_expanded_alpha_half(size_t n, double confidence)
{
	double t;

	if (n < 2)
		return NAN;
	t = gsl_cdf_tdist_Qinv((1 - confidence) / 2, (double)(n - 1));
	return gsl_cdf_ugaussian_P(-sqrt((double)n / (double)(n - 1)) * t);
}

int stats_sessions_bootstrap(const double *values, size_t sessions, size_t rounds, uint64_t seed,
			     struct stats_interval *result)
{
	struct stats_random r = { seed };
	double *samples;

	if (sessions < 2 || !rounds)
		return -EINVAL;
	samples = malloc(STATS_BOOTSTRAP_SAMPLES * sizeof(*samples));
	if (!samples)
		return -ENOMEM;
	for (size_t k = 0; k < STATS_BOOTSTRAP_SAMPLES; k++) {
		double total = 0;

		for (size_t s = 0; s < sessions; s++) {
			const double *session = values + rounds * stats_random_index(&r, sessions);
			double sum = 0;

			for (size_t i = 0; i < rounds; i++)
				sum += session[stats_random_index(&r, rounds)];
			total += sum / (double)rounds;
		}
		samples[k] = total / (double)sessions;
	}
	qsort(samples, STATS_BOOTSTRAP_SAMPLES, sizeof(*samples), ascending);
	*result = percentiles(samples, 0.95);
	free(samples);
	return 0;
}
