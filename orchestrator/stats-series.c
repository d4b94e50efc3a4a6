/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steady state, autocorrelation, occupancy. */
#include "stats-series.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stats.h"

/* Slope of the least-squares line over 0, 1, 2, ... */
static double slope(const double *y, size_t n)
{
	double middle = (double)(n - 1) / 2, xy = 0, xx = 0;

	for (size_t i = 0; i < n; i++) {
		xy += ((double)i - middle) * y[i];
		xx += ((double)i - middle) * ((double)i - middle);
	}
	return xy / xx;
}

int stats_steady(const double *y, size_t n, double range_limit, double excursion_limit,
		 struct stats_steady *result)
{
	struct stats_steady s = { 0 };
	double low = INFINITY, high = -INFINITY;

	if (n < STATS_STEADY_ROUNDS)
		return -EINVAL;
	y += n - STATS_STEADY_ROUNDS;
	n = STATS_STEADY_ROUNDS;
	for (size_t i = 0; i < n; i++) {
		low = fmin(low, y[i]);
		high = fmax(high, y[i]);
	}
	s.mean = stats_mean(y, n);
	if (!(s.mean > 0) || !isfinite(s.mean))
		return -EINVAL;
	s.range = high - low;
	s.slope = slope(y, n);
	s.excursion = fabs(s.slope) * (double)(n - 1);
	s.range_ok = s.range <= range_limit * s.mean;
	s.slope_ok = s.excursion <= excursion_limit * s.mean;
	s.steady = s.range_ok && s.slope_ok;
	*result = s;
	return 0;
}

double stats_fio_slope_percent(const double *y, size_t n)
{
	double mean = stats_mean(y, n);

	return n < 2 || !(mean > 0) ? NAN : 100 * fabs(slope(y, n)) / mean;
}

double stats_fio_slope_limit_percent(double excursion_percent, size_t samples)
{
	return samples < 2 ? NAN : excursion_percent / (double)(samples - 1);
}

static double halfwidth(double sd, double n, double df)
{
	return gsl_cdf_tdist_Qinv(0.025, df) * sd / sqrt(n);
}

int stats_autocorrelation(const double *y, size_t n, struct stats_autocorrelation *result)
{
	double mean = stats_mean(y, n), sd = stats_sd(y, n), lagged = 0, whole = 0;
	struct stats_autocorrelation a;

	if (n < 3 || !(sd > 0))
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		whole += (y[i] - mean) * (y[i] - mean);
		if (i)
			lagged += (y[i] - mean) * (y[i - 1] - mean);
	}
	a.r1 = lagged / whole;
	a.effective_n = (double)n * (1 - a.r1) / (1 + a.r1);
	a.naive_halfwidth = halfwidth(sd, (double)n, (double)(n - 1));
	a.effective_halfwidth = halfwidth(sd, a.effective_n, fmax(1, floor(a.effective_n) - 1));
	*result = a;
	return 0;
}

#define MOST_BATCHES 64

int stats_batch_halfwidth(const double *y, size_t n, size_t batches, double *half)
{
	double means[MOST_BATCHES];

	if (batches < 2 || batches > MOST_BATCHES || n < batches)
		return -EINVAL;
	for (size_t b = 0; b < batches; b++)
		means[b] = stats_mean(y + b * (n / batches), n / batches);
	*half = halfwidth(stats_sd(means, batches), (double)batches, (double)(batches - 1));
	return 0;
}

double stats_occupancy(double iops, double mean_latency_ns, double depth)
{
	return depth > 0 ? iops * mean_latency_ns / 1e9 / depth : NAN;
}
