/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the evidence of a run once more, for pictures. */
#include "gather-pictures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "fio-json.h"
#include "gather-slot.h"
#include "json-fields.h"
#include "model-json.h"
#include "record/reader.h"

#define STEPS_PER_RUN 400	/* as fine as a picture of that width shows */
#define LEAST_STEP_S 0.05
#define MOST_STEPS 100000
#define MOST_JOB_BYTES 65536

/* The first and last I/O of the whole run, in ns. */
static bool run_times(const struct result *result, double *first, double *last)
{
	*first = *last = NAN;
	for (size_t w = 0; w < result->workloads_count; w++) {
		const struct workload_result *x = &result->workloads[w];

		for (size_t i = 0; i < x->observations_count * SIDES; i++) {
			const struct measurement *m = &x->observations[i / SIDES].side[i % SIDES];

			if (known(m->first_io_ns) && known(m->last_io_ns)) {
				*first = fmin(*first, (double)m->first_io_ns);
				*last = fmax(*last, (double)m->last_io_ns);
			}
		}
	}
	return *last > *first;
}

/*
 * Adds one thread's bytes to the steps of its side. When records were thinned, those that are left
 * stand for the others too: their bytes are scaled to what the thread did.
 */
static int add_speed(struct rec_reader *reader, double start_s, double step_s, struct trace *trace)
{
	const struct rec_header *h = rec_header(reader);
	_cleanup_free_ double *bytes = calloc(trace->steps + 1, sizeof(*bytes));
	double kept = 0, all = 0;
	struct rec_record r;

	if (!bytes)
		return -ENOMEM;
	for (int d = 0; d < REC_DIRECTIONS; d++)
		all += (double)h->live.bytes[d];
	while (rec_next(reader, &r) == 1) {
		double step = (start_s + (double)r.time_ns / 1e9 - trace->start_s) / step_s;

		if (r.error)
			continue;
		kept += r.length;
		if (step >= 0 && step < (double)trace->steps)
			bytes[(size_t)step] += r.length;
	}
	for (size_t i = 0; kept > 0 && i < trace->steps; i++)
		trace->bw_bytes_per_s[i] += bytes[i] * all / kept / step_s;
	return 0;
}

static int add_temperatures(const struct rec_reader *reader, double start_s, struct trace *trace)
{
	size_t count;
	const struct rec_temperature *t = rec_temperatures(reader, &count);
	struct temperature_point *more =
		reallocarray(trace->temperatures, trace->temperatures_count + count + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	trace->temperatures = more;
	for (size_t i = 0; i < count; i++)
		more[trace->temperatures_count++] = (struct temperature_point){
			start_s + (double)t[i].time_ns / 1e9, t[i].millidegree_c / 1000.0 };
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct temperature_point *x = a, *y = b;

	return (x->time_s > y->time_s) - (x->time_s < y->time_s);
}

static int fill_trace(const struct record_files *files, double run_start_ns, double step_s,
		      struct trace *trace)
{
	for (size_t i = 0; i < files->count; i++) {
		struct rec_reader *reader;
		double start_s;
		int ret = rec_open(files->files[i].path, &reader);

		if (ret == -ENOMEM)
			return ret;
		if (ret)
			continue;
		start_s = ((double)rec_header(reader)->start_realtime_ns - run_start_ns) / 1e9;
		ret = add_speed(reader, start_s, step_s, trace);
		if (!ret && !files->files[i].clone)	/* clones look at the same sensor */
			ret = add_temperatures(reader, start_s, trace);
		rec_close(reader);
		if (ret)
			return ret;
	}
	/* threads that run at once look at the sensor in turn */
	if (trace->temperatures_count)
		qsort(trace->temperatures, trace->temperatures_count, sizeof(*trace->temperatures), by_time);
	return 0;
}

static int add_trace(const struct measurement *m, const struct record_files *files, double run_start_ns,
		     struct pictures *p, int64_t slot, int side)
{
	struct trace *trace = &p->traces[p->traces_count];
	double steps;

	if (!known(m->first_io_ns) || !known(m->last_io_ns))
		return 0;
	*trace = (struct trace){ .slot = slot, .side = side,
				 .start_s = ((double)m->first_io_ns - run_start_ns) / 1e9,
				 .end_s = ((double)m->last_io_ns - run_start_ns) / 1e9 };
	steps = ceil((trace->end_s - trace->start_s) / p->step_s);
	if (!(steps >= 1) || steps > MOST_STEPS)
		return 0;
	p->traces_count++;
	trace->steps = (size_t)steps;
	trace->bw_bytes_per_s = calloc(trace->steps, sizeof(*trace->bw_bytes_per_s));
	return trace->bw_bytes_per_s ? fill_trace(files, run_start_ns, p->step_s, trace) : -ENOMEM;
}

static struct latency_histogram *histogram_of(struct pictures *p, int64_t workload, int side, bool concurrent)
{
	struct latency_histogram *h;

	for (size_t i = 0; i < p->latencies_count; i++) {
		h = &p->latencies[i];
		if (h->workload == workload && h->side == side && h->concurrent == concurrent)
			return h;
	}
	h = &p->latencies[p->latencies_count++];
	*h = (struct latency_histogram){ .workload = workload, .side = side, .concurrent = concurrent };
	return h;
}

static int by_ns(const void *a, const void *b)
{
	const struct fio_latency_bin *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

static int add_bins(struct latency_histogram *h, const struct fio_latency_bin *bins, size_t count)
{
	struct fio_latency_bin *more = reallocarray(h->bins, h->bins_count + count + 1, sizeof(*more));
	size_t kept = 0;

	if (!more)
		return -ENOMEM;
	h->bins = more;
	for (size_t i = 0; i < count; i++)
		more[h->bins_count++] = bins[i];
	qsort(more, h->bins_count, sizeof(*more), by_ns);
	for (size_t i = 0; i < h->bins_count; i++) {
		if (kept && more[kept - 1].ns == more[i].ns)
			more[kept - 1].count += more[i].count;
		else
			more[kept++] = more[i];
	}
	h->bins_count = kept;
	return 0;
}

static int add_latency(const char *dir, const struct workload *w, struct latency_histogram *h)
{
	struct fio_run run;
	struct fio_job total = { 0 };
	int ret = gather_fio(dir, w, &run);

	if (!ret && run.state == FIO_OK && !fio_json_total(&run, &total)) {
		const struct fio_latency *l = &gather_direction(w, &total)->latency_ns;

		ret = add_bins(h, l->bins, l->bins_count);
		fields_free(fio_job_fields, &total);
	}
	fields_free(fio_run_fields, &run);
	return ret;
}

static int add_job(const char *run, const char *name, int64_t workload, int side, struct pictures *p)
{
	_cleanup_free_ char *path = text_format("%s/%s", run, name);
	struct job_text *job = &p->jobs[p->jobs_count];

	for (size_t i = 0; i < p->jobs_count; i++) {
		if (p->jobs[i].workload == workload && p->jobs[i].side == side)
			return 0;
	}
	*job = (struct job_text){ .workload = workload, .side = side };
	if (!path)
		return -ENOMEM;
	if (text_read_file(path, MOST_JOB_BYTES, &job->text, NULL))
		return 0;
	p->jobs_count++;
	job->file = strdup(name);
	return job->file ? 0 : -ENOMEM;
}

static int add_side(const struct result *result, int64_t index, int side, double run_start_ns,
		    struct pictures *p)
{
	const struct slot *slot = &result->plan.slots[index];
	const struct workload *w = &result->plan.workloads[slot->workload];
	_cleanup_free_ char *dir = text_format("%s/slots/%s/%c", result->run, slot->name, "AB"[side]);
	_cleanup_free_ char *job = text_format("slots/%s/%c/job.fio", slot->name, "AB"[side]);
	struct measurement m;
	struct record_files files;
	int ret = gather_side(result->run, slot->name, (enum side)side, w, &m, &files);

	if (!ret && (!dir || !job))
		ret = -ENOMEM;
	if (!ret)
		ret = add_trace(&m, &files, run_start_ns, p, index, side);
	if (!ret && m.usable)
		ret = add_latency(dir, w, histogram_of(p, slot->workload, side, slot->mode == MODE_AB));
	if (!ret)
		ret = add_job(result->run, job, slot->workload, side, p);
	record_files_free(&files);
	measurement_free(&m);
	return ret;
}

int gather_pictures(const struct result *result, struct pictures *p)
{
	size_t sides = result->plan.slots_count * SIDES + 1;
	double first, last;
	int ret = 0;

	*p = (struct pictures){ .traces = calloc(sides, sizeof(*p->traces)),
				.latencies = calloc(sides, sizeof(*p->latencies)),
				.jobs = calloc(sides, sizeof(*p->jobs)) };
	if (!p->traces || !p->latencies || !p->jobs)
		ret = -ENOMEM;
	p->step_s = LEAST_STEP_S;
	if (run_times(result, &first, &last))
		p->step_s = fmax(LEAST_STEP_S, (last - first) / 1e9 / STEPS_PER_RUN);
	for (size_t i = 0; !ret && i < result->plan.slots_count; i++) {
		int mode = result->plan.slots[i].mode;

		if (mode != MODE_B)
			ret = add_side(result, (int64_t)i, SIDE_A, first, p);
		if (!ret && mode != MODE_A)
			ret = add_side(result, (int64_t)i, SIDE_B, first, p);
	}
	return ret ? fail(ret, "cannot read %s for the pictures: %s", result->run, strerror(-ret)) : 0;
}

void gather_pictures_free(struct pictures *p)
{
	for (size_t i = 0; i < p->traces_count; i++) {
		free(p->traces[i].bw_bytes_per_s);
		free(p->traces[i].temperatures);
	}
	for (size_t i = 0; i < p->latencies_count; i++)
		free(p->latencies[i].bins);
	for (size_t i = 0; i < p->jobs_count; i++) {
		free(p->jobs[i].file);
		free(p->jobs[i].text);
	}
	free(p->traces);
	free(p->latencies);
	free(p->jobs);
	*p = (struct pictures){ 0 };
}
