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

/*
 * One-way analysis of variance of sessions with n_i rounds each. All rounds together vary as within
 * plus between; the component of the sessions is (between - within) / n0.
 */
static void session_variance(const struct stats_session *s, size_t count, struct stats_sessions *result)
{
	double n = 0, squares = 0, grand = 0, within = 0, between = 0, n0, component, half;

	for (size_t i = 0; i < count; i++) {
		n += (double)s[i].n;
		squares += (double)s[i].n * (double)s[i].n;
		grand += (double)s[i].n * s[i].mean;
		within += (double)(s[i].n - 1) * s[i].sd * s[i].sd;
	}
	grand /= n;
	for (size_t i = 0; i < count; i++)
		between += (double)s[i].n * (s[i].mean - grand) * (s[i].mean - grand);
	half = stats_t_quantile(0.975, n - 1) * sqrt((within + between) / (n - 1) / n);
	result->pooled_ci95 = (struct stats_interval){ grand - half, grand + half };
	within /= n - (double)count;
	between /= (double)count - 1;
	n0 = (n - squares / n) / ((double)count - 1);
	component = fmax(0, (between - within) / n0);
	result->icc = component + within > 0 ? component / (component + within) : NAN;
}

int stats_session_means(const struct stats_session *s, size_t count, struct stats_sessions *result)
{
	double *means, error;
	int ret;

	for (size_t i = 0; i < count; i++)
		if (s[i].n < 2 || !isfinite(s[i].mean) || !isfinite(s[i].sd))
			return -EINVAL;
	if (count < 2)
		return -EINVAL;
	means = calloc(count, sizeof(*means));
	if (!means)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		means[i] = s[i].mean;
	ret = stats_t_interval(means, count, 0.95, &result->ci95);
	if (!ret)
		ret = stats_t_interval(means, count, 0.90, &result->ci90);
	result->mean = stats_mean(means, count);
	error = stats_sd(means, count) / sqrt((double)count);
	result->p_t = error > 0 ? 2 * gsl_cdf_tdist_Q(fabs(result->mean) / error, (double)(count - 1)) :
		      result->mean == 0;
	session_variance(s, count, result);
	free(means);
	return ret;
}

int stats_sessions(const double *values, size_t sessions, size_t rounds, struct stats_sessions *result)
{
	struct stats_session *s;
	int ret;

	if (sessions < 2 || rounds < 2)
		return -EINVAL;
	s = calloc(sessions, sizeof(*s));
	if (!s)
		return -ENOMEM;
	for (size_t i = 0; i < sessions; i++)
		s[i] = (struct stats_session){ rounds, stats_mean(values + i * rounds, rounds),
					       stats_sd(values + i * rounds, rounds) };
	ret = stats_session_means(s, sessions, result);
	free(s);
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
