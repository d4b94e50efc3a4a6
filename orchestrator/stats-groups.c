/* SPDX-License-Identifier: GPL-3.0-or-later */
/* More than one sample: two groups, sessions of rounds, many tests, rank correlation. */
#include "stats.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static int finish_two_groups(double error, double df, struct stats_two_groups *r)
{
	double half;

	if (!(error >= 0) || !(df > 0))
		return -EINVAL;
	half = gsl_cdf_tdist_Qinv(0.025, df) * error;
	r->ci95 = (struct stats_interval){ r->difference - half, r->difference + half };
	r->df = df;
	r->t = error > 0 ? r->difference / error : copysign(INFINITY, r->difference);
	r->p = error > 0 ? 2 * gsl_cdf_tdist_Q(fabs(r->t), df) : r->difference == 0;
	return 0;
}

int stats_pooled_t(const double *x, size_t nx, const double *y, size_t ny, struct stats_two_groups *r)
{
	double df = (double)nx + (double)ny - 2, sx = stats_sd(x, nx), sy = stats_sd(y, ny), variance;

	if (nx < 2 || ny < 2)
		return -EINVAL;
	variance = ((double)(nx - 1) * sx * sx + (double)(ny - 1) * sy * sy) / df;
	r->difference = stats_mean(x, nx) - stats_mean(y, ny);
	return finish_two_groups(sqrt(variance * (1 / (double)nx + 1 / (double)ny)), df, r);
}

int stats_welch_t(const double *x, size_t nx, const double *y, size_t ny, struct stats_two_groups *r)
{
	double vx = pow(stats_sd(x, nx), 2) / (double)nx, vy = pow(stats_sd(y, ny), 2) / (double)ny;
	double df;

	if (nx < 2 || ny < 2)
		return -EINVAL;
	/* Welch and Satterthwaite; two samples without spread have the df of pooled ones */
	df = vx + vy > 0 ? (vx + vy) * (vx + vy) /
		(vx * vx / (double)(nx - 1) + vy * vy / (double)(ny - 1)) : (double)(nx + ny - 2);
	r->difference = stats_mean(x, nx) - stats_mean(y, ny);
	return finish_two_groups(sqrt(vx + vy), df, r);
}

struct ranked {
	double value;
	size_t place;
};

static int by_value(const void *a, const void *b)
{
	double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;

	return (x > y) - (x < y);
}

/* The known values, ascending, with their places; *count of them. NULL when memory ran out. */
static struct ranked *rank(const double *x, size_t n, size_t *count)
{
	struct ranked *sorted = calloc(n ? n : 1, sizeof(*sorted));

	*count = 0;
	for (size_t i = 0; sorted && i < n; i++) {
		if (!isnan(x[i]))
			sorted[(*count)++] = (struct ranked){ x[i], i };
	}
	if (sorted)
		qsort(sorted, *count, sizeof(*sorted), by_value);
	return sorted;
}

int stats_holm(const double *p, size_t n, double *adjusted)
{
	size_t m;
	struct ranked *sorted = rank(p, n, &m);
	double least = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		adjusted[i] = NAN;
	for (size_t k = 0; k < m; k++) {
		least = fmax(least, fmin(1, sorted[k].value * (double)(m - k)));
		adjusted[sorted[k].place] = least;
	}
	free(sorted);
	return 0;
}

int stats_benjamini_hochberg(const double *p, size_t n, double *adjusted)
{
	size_t m;
	struct ranked *sorted = rank(p, n, &m);
	double most = 1;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		adjusted[i] = NAN;
	for (size_t k = m; k-- > 0;) {
		most = fmin(most, sorted[k].value * (double)m / (double)(k + 1));
		adjusted[sorted[k].place] = most;
	}
	free(sorted);
	return 0;
}

/* Variance between sessions as a share of the whole, from the one-way analysis of variance. */
static double session_share(const double *values, const double *means, size_t sessions, size_t rounds)
{
	double between = (double)rounds * pow(stats_sd(means, sessions), 2), within = 0, component;

	for (size_t s = 0; s < sessions; s++)
		within += pow(stats_sd(values + s * rounds, rounds), 2) / (double)sessions;
	component = fmax(0, (between - within) / (double)rounds);
	return component + within > 0 ? component / (component + within) : NAN;
}

int stats_sessions(const double *values, size_t sessions, size_t rounds, struct stats_sessions *result)
{
	double *means;
	int ret;

	if (sessions < 2 || rounds < 2)
		return -EINVAL;
	means = calloc(sessions, sizeof(*means));
	if (!means)
		return -ENOMEM;
	for (size_t s = 0; s < sessions; s++)
		means[s] = stats_mean(values + s * rounds, rounds);
	ret = stats_t_interval(means, sessions, 0.95, &result->ci95);
	if (!ret)
		ret = stats_t_interval(values, sessions * rounds, 0.95, &result->pooled_ci95);
	result->mean = stats_mean(means, sessions);
	result->icc = session_share(values, means, sessions, rounds);
	free(means);
	return ret;
}

/* What is left of y after its straight line over 0, 1, 2, ... */
static void detrend(const double *y, size_t n, double *out)
{
	double mean = stats_mean(y, n), middle = (double)(n - 1) / 2, xy = 0, xx = 0;

	for (size_t i = 0; i < n; i++) {
		xy += ((double)i - middle) * (y[i] - mean);
		xx += ((double)i - middle) * ((double)i - middle);
	}
	for (size_t i = 0; i < n; i++)
		out[i] = y[i] - mean - xy / xx * ((double)i - middle);
}

int stats_detrended_rank_correlation(const double *x, const double *y, size_t n, double *rho, double *p)
{
	double *work, r, t;

	if (n < 4)
		return -EINVAL;
	work = calloc(4 * n, sizeof(*work));
	if (!work)
		return -ENOMEM;
	detrend(x, n, work);
	detrend(y, n, work + n);
	r = gsl_stats_spearman(work, 1, work + n, 1, n, work + 2 * n);
	free(work);
	if (!isfinite(r))
		return -EINVAL;
	/* one df less than usual for the line that was taken out */
	t = r * r < 1 ? r * sqrt((double)(n - 3) / (1 - r * r)) : INFINITY;
	*rho = r;
	*p = 2 * gsl_cdf_tdist_Q(fabs(t), (double)(n - 3));
	return 0;
}
