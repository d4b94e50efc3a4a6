/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All entries of a run as one: clones at once, ranges one after another. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fio-json.h"
#include "model-json.h"

static void add_count(int64_t *total, int64_t v)
{
	if (known(v) && __builtin_add_overflow(known(*total) ? *total : 0, v, total))
		*total = UNKNOWN_I64;
}

static void add_number(double *total, double v)
{
	if (!isnan(v))
		*total = (isnan(*total) ? 0 : *total) + v;
}

static void longest(int64_t *total, int64_t v)
{
	if (v > *total)
		*total = v;
}

/* *total held for total_ms before, v for v_ms now. */
static void mean_over_time(double *total, int64_t total_ms, double v, int64_t v_ms)
{
	if (isnan(v) || v_ms <= 0)
		return;
	*total = isnan(*total) || total_ms <= 0 ? v :
		 (*total * (double)total_ms + v * (double)v_ms) / (double)(total_ms + v_ms);
}

/* Both ascending; the result too. Without bins on one side there are none. */
static int join_bins(struct fio_latency *total, const struct fio_latency *l)
{
	size_t a = 0, b = 0, n = 0;
	struct fio_latency_bin *bins = NULL;

	if (total->bins_count && l->bins_count) {
		bins = calloc(total->bins_count + l->bins_count, sizeof(*bins));
		if (!bins)
			return -ENOMEM;
	}
	while (bins && (a < total->bins_count || b < l->bins_count)) {
		bool from_a = b == l->bins_count || (a < total->bins_count && total->bins[a].ns <= l->bins[b].ns);
		struct fio_latency_bin bin = from_a ? total->bins[a++] : l->bins[b++];

		if (n && bins[n - 1].ns == bin.ns)
			add_count(&bins[n - 1].count, bin.count);
		else
			bins[n++] = bin;
	}
	free(total->bins);
	total->bins = bins;
	total->bins_count = n;
	return 0;
}

/* As fio counts: the first bin up to which at least this share of samples lies. */
static double percentile(const struct fio_latency *l, double percent)
{
	double samples = 0, sum = 0;

	for (size_t i = 0; i < l->bins_count; i++)
		samples += (double)l->bins[i].count;
	for (size_t i = 0; i < l->bins_count; i++) {
		sum += (double)l->bins[i].count;
		if (sum >= samples * percent / 100)
			return (double)l->bins[i].ns;
	}
	return NAN;
}

static int join_latency(struct fio_latency *total, const struct fio_latency *l)
{
	double samples = (double)total->samples;
	int ret;

	if (strcmp(total->kind, l->kind) != 0)
		return -EINVAL;
	ret = join_bins(total, l);
	if (ret)
		return ret;
	total->mean_ns = (total->mean_ns * samples + l->mean_ns * (double)l->samples) /
			 (samples + (double)l->samples);
	add_count(&total->samples, l->samples);
	if (l->min_ns < total->min_ns)
		total->min_ns = l->min_ns;
	longest(&total->max_ns, l->max_ns);
	total->stddev_ns = NAN;
	total->p50_ns = percentile(total, 50);
	total->p90_ns = percentile(total, 90);
	total->p99_ns = percentile(total, 99);
	total->p99_9_ns = percentile(total, 99.9);
	total->p99_99_ns = percentile(total, 99.99);
	return 0;
}

static int add_latency(struct fio_latency *total, const struct fio_latency *l)
{
	if (!l->kind)
		return 0;
	if (total->kind)
		return join_latency(total, l);
	*total = *l;
	total->kind = strdup(l->kind);
	total->bins = NULL;
	total->bins_count = 0;
	if (l->bins_count) {
		total->bins = calloc(l->bins_count, sizeof(*l->bins));
		if (!total->bins)
			return -ENOMEM;
		memcpy(total->bins, l->bins, l->bins_count * sizeof(*l->bins));
		total->bins_count = l->bins_count;
	}
	return total->kind ? 0 : -ENOMEM;
}

static int add_direction(struct fio_direction *total, const struct fio_direction *d, bool at_once)
{
	add_count(&total->bytes, d->bytes);
	add_count(&total->ios, d->ios);
	add_count(&total->short_ios, d->short_ios);
	if (at_once) {
		add_number(&total->bw_bytes_per_s, d->bw_bytes_per_s);
		add_number(&total->iops, d->iops);
		longest(&total->runtime_ms, d->runtime_ms);
	} else {
		mean_over_time(&total->bw_bytes_per_s, total->runtime_ms, d->bw_bytes_per_s, d->runtime_ms);
		mean_over_time(&total->iops, total->runtime_ms, d->iops, d->runtime_ms);
		add_count(&total->runtime_ms, d->runtime_ms);
	}
	return add_latency(&total->latency_ns, &d->latency_ns);
}

static int add_directions(struct fio_job *total, const struct fio_job *job, bool at_once)
{
	int ret = add_direction(&total->read, &job->read, at_once);

	if (!ret)
		ret = add_direction(&total->write, &job->write, at_once);
	return ret ? ret : add_direction(&total->trim, &job->trim, at_once);
}

static int add_clone(struct fio_job *total, const struct fio_job *job)
{
	add_number(&total->user_cpu_percent, job->user_cpu_percent);
	add_number(&total->system_cpu_percent, job->system_cpu_percent);
	add_count(&total->context_switches, job->context_switches);
	add_count(&total->depth_asked, job->depth_asked);
	add_number(&total->depth_reached, job->depth_reached);
	longest(&total->runtime_ms, job->runtime_ms);
	longest(&total->elapsed_s, job->elapsed_s);
	return add_directions(total, job, true);
}

static int add_range(struct fio_job *total, const struct fio_job *range)
{
	int64_t before = total->runtime_ms, now = range->runtime_ms;

	mean_over_time(&total->user_cpu_percent, before, range->user_cpu_percent, now);
	mean_over_time(&total->system_cpu_percent, before, range->system_cpu_percent, now);
	mean_over_time(&total->depth_reached, before, range->depth_reached, now);
	add_count(&total->context_switches, range->context_switches);
	longest(&total->depth_asked, range->depth_asked);
	add_count(&total->runtime_ms, now);
	longest(&total->elapsed_s, range->elapsed_s);
	return add_directions(total, range, false);
}

static bool same_name(const struct fio_job *a, const struct fio_job *b)
{
	return a->name && b->name && !strcmp(a->name, b->name);
}

int fio_json_total(const struct fio_run *run, struct fio_job *total)
{
	int ret = 0;

	*total = (struct fio_job){ .state = run->state };
	fields_unknown(fio_job_fields, total);
	if (!run->jobs_count)
		return -ENODATA;
	for (size_t i = 0; !ret && i < run->jobs_count;) {
		struct fio_job range = { 0 };
		size_t first = i;

		fields_unknown(fio_job_fields, &range);
		for (; !ret && i < run->jobs_count && (i == first || same_name(&run->jobs[first], &run->jobs[i])); i++)
			ret = add_clone(&range, &run->jobs[i]);
		if (!ret)
			ret = add_range(total, &range);
		fields_free(fio_job_fields, &range);
	}
	if (!ret && run->jobs[0].name && !(total->name = strdup(run->jobs[0].name)))
		ret = -ENOMEM;
	if (!ret && run->reason && !(total->reason = strdup(run->reason)))
		ret = -ENOMEM;
	if (ret)
		fields_free(fio_job_fields, total);
	return ret;
}
