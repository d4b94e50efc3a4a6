/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One value after another in time: steady state, autocorrelation, queue occupancy. */
#ifndef NVMATCH_STATS_SERIES_H
#define NVMATCH_STATS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

/* The last five rounds. SNIA PTS 2.0.2, 2.1.24: range within 20 %, fitted line within 10 % of the mean. */
#define STATS_STEADY_ROUNDS 5
struct stats_steady {
	double mean, range, slope, excursion;	/* excursion: |slope| over the window */
	bool range_ok, slope_ok;
	bool steady;				/* both */
};
/* The judge's own, stricter limits are 5 % and 2 %. -EINVAL: fewer than five rounds, mean not positive. */
int stats_steady(const double *y, size_t n, double range_limit, double excursion_limit,
		 struct stats_steady *result);

/* fio's steadystate: |slope per interval| / mean in percent, and the same limit for a whole window. */
double stats_fio_slope_percent(const double *y, size_t n);
double stats_fio_slope_limit_percent(double excursion_percent, size_t samples);

/* Neighbouring seconds are alike, so n of them are worth fewer. 0, or -EINVAL for n < 3. */
struct stats_autocorrelation {
	double r1, effective_n;
	double naive_halfwidth, effective_halfwidth;	/* 95 %, of the mean */
};
int stats_autocorrelation(const double *y, size_t n, struct stats_autocorrelation *result);
/* 95 % half-width from the means of batches of equal length. */
int stats_batch_halfwidth(const double *y, size_t n, size_t batches, double *halfwidth);

/* Little's law: I/Os in flight = rate x mean latency; as a share of the depth asked. */
double stats_occupancy(double iops, double mean_latency_ns, double depth);

#endif
