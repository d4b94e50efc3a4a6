/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clones of one job (numjobs) as one. */
#include <errno.h>
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

/* *total has one clone's latencies already: mean and extremes can be joined, percentiles cannot. */
static int join_latency(struct fio_latency *total, const struct fio_latency *l)
{
	double samples = (double)total->samples;

	if (strcmp(total->kind, l->kind) != 0)
		return -EINVAL;
	total->mean_ns = (total->mean_ns * samples + l->mean_ns * (double)l->samples) /
			 (samples + (double)l->samples);
	total->samples += l->samples;
	if (l->min_ns < total->min_ns)
		total->min_ns = l->min_ns;
	if (l->max_ns > total->max_ns)
		total->max_ns = l->max_ns;
	total->stddev_ns = NAN;
	total->p50_ns = NAN;
	total->p90_ns = NAN;
	total->p99_ns = NAN;
	total->p99_9_ns = NAN;
	total->p99_99_ns = NAN;
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
	return total->kind ? 0 : -ENOMEM;
}

static int add_direction(struct fio_direction *total, const struct fio_direction *d)
{
	add_count(&total->bytes, d->bytes);
	add_count(&total->ios, d->ios);
	add_count(&total->short_ios, d->short_ios);
	if (d->runtime_ms > total->runtime_ms)
		total->runtime_ms = d->runtime_ms;
	add_number(&total->bw_bytes_per_s, d->bw_bytes_per_s);
	add_number(&total->iops, d->iops);
	return add_latency(&total->latency_ns, &d->latency_ns);
}

static int add_job(struct fio_job *total, const struct fio_job *job)
{
	int ret;

	if (job->runtime_ms > total->runtime_ms)
		total->runtime_ms = job->runtime_ms;
	if (job->elapsed_s > total->elapsed_s)
		total->elapsed_s = job->elapsed_s;
	add_number(&total->user_cpu_percent, job->user_cpu_percent);
	add_number(&total->system_cpu_percent, job->system_cpu_percent);
	add_count(&total->context_switches, job->context_switches);
	add_count(&total->depth_asked, job->depth_asked);
	add_number(&total->depth_reached, job->depth_reached);
	ret = add_direction(&total->read, &job->read);
	if (!ret)
		ret = add_direction(&total->write, &job->write);
	return ret ? ret : add_direction(&total->trim, &job->trim);
}

int fio_json_total(const struct fio_run *run, struct fio_job *total)
{
	int ret = 0;

	*total = (struct fio_job){ .state = run->state };
	fields_unknown(fio_job_fields, total);
	if (!run->jobs_count)
		return -ENODATA;
	if (run->jobs[0].name && !(total->name = strdup(run->jobs[0].name)))
		return -ENOMEM;
	for (size_t i = 0; !ret && i < run->jobs_count; i++)
		ret = add_job(total, &run->jobs[i]);
	if (!ret && run->reason && !(total->reason = strdup(run->reason)))
		ret = -ENOMEM;
	if (ret)
		fields_free(fio_job_fields, total);
	return ret;
}
