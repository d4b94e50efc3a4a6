/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes and closes the record file of a thread of fio, and what belongs to it. */
#include "engine/observe.h"

#include <ctype.h>

#include "config.h"
#include "engine/thermal.h"

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The temperature thread's time, by the same clock as the records'. */
static uint64_t record_time_ns(void *arg)
{
	const struct observer *o = arg;
	struct timespec now;

	fio_gettime(&now, NULL);
	return ntime_since(&o->start, &now);
}

/*
 * PREFIX.JOB.THREAD.rec. An offload worker has no number of its own: PREFIX.JOB.wTID.rec.
 * Letters of the job name that are awkward in a file name become '_'.
 */
static int record_path(const struct thread_data *td, const char *prefix, bool worker, char *path,
		       size_t size)
{
	char job[100];
	int n;

	snprintf(job, sizeof(job), "%s", td->o.name ? td->o.name : "job");
	for (char *p = job; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("-_+=,", *p))
			*p = '_';
	if (worker)
		n = snprintf(path, size, "%s.%s.w%d.rec", prefix, job, (int)gettid());
	else
		n = snprintf(path, size, "%s.%s.%u.rec", prefix, job, td->thread_number);
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

/*
 * Array of td's files, to be freed; NULL without memory. The copies that an offload worker has
 * in its init know their names only, and it has no files_index.
 */
static struct rec_writer_file *describe_files(const struct thread_data *td, size_t *count)
{
	unsigned int n = td->thread_number ? td->files_index : td->o.nr_files;
	struct rec_writer_file *files = calloc(n + 1, sizeof(*files));

	*count = n;
	for (unsigned int i = 0; files && i < n; i++) {
		const struct fio_file *f = td->files[i];

		files[i].name = f->file_name;
		files[i].size_bytes = f->real_file_size;
		files[i].io_offset = f->file_offset;
		files[i].io_size = f->io_size;
	}
	return files;
}

void observe_adopt(struct observer *o, const struct thread_data *parent)
{
	struct rec_header *h = rec_writer_header(o->writer);
	size_t count;
	struct rec_writer_file *files = describe_files(parent, &count);

	h->thread_number = parent->thread_number;
	h->group = parent->groupid;
	h->subjob = parent->subjob_number;
	h->iodepth = parent->o.iodepth;
	if (files)
		rec_writer_files(o->writer, files, count);
	free(files);
}

static void describe(const struct thread_data *td, struct rec_writer_config *c)
{
	const struct engine_options *eo = td->eo;
	static const enum fio_ddir ddirs[3] = { DDIR_READ, DDIR_WRITE, DDIR_TRIM };

	c->fio_version = FIO_VERSION;
	c->engine_version = NVMATCH_VERSION;
	c->job_name = td->o.name;
	c->thread_number = td->thread_number;
	c->group = td->groupid;
	c->subjob = td->subjob_number;
	c->pid = getpid();
	c->iodepth = td->o.iodepth;
	c->direct = td->o.odirect;
	c->classify = eo->classify;
	c->record_budget_bytes = eo->record_budget;
	for (int i = 0; i < 3; i++) {
		c->block_min_bytes[i] = td->o.min_bs[ddirs[i]];
		c->block_max_bytes[i] = td->o.max_bs[ddirs[i]];
	}
}

/* Engines that move no data have nothing to look at, and GPU memory cannot be read here. */
static bool has_data(const struct thread_data *td, int base_flags)
{
	return !(base_flags & FIO_FAKEIO) && td->o.mem_type != MEM_CUDA_MALLOC;
}

static void start_clock(struct observer *o, struct rec_writer_config *c)
{
	fio_gettime(&o->start, NULL);
	c->start_monotonic_ns = clock_ns(CLOCK_MONOTONIC);
	c->start_realtime_ns = clock_ns(CLOCK_REALTIME);
}

static int open_writer(struct observer *o, struct thread_data *td, struct rec_writer_config *c)
{
	const struct engine_options *eo = td->eo;
	struct rec_writer_file *files = describe_files(td, &c->file_count);
	char path[PATH_MAX];
	int err = record_path(td, eo->record, o->worker, path, sizeof(path));

	c->files = files;
	if (!err)
		err = files ? rec_writer_open(path, c, &o->writer) : -ENOMEM;
	free(files);
	if (err) {
		fprintf(stderr, ENGINE_NAME ": cannot write record file %s: %s\n", path,
			strerror(-err));
		td_verror(td, -err, "record file");
	}
	return err;
}

int observe_open(struct observer *o, struct thread_data *td, const char *base_name, int base_flags)
{
	struct engine_options *eo = td->eo;
	struct rec_writer_config config = { .base_engine = base_name };
	char sensor[PATH_MAX];

	memset(o, 0, sizeof(*o));
	o->worker = !td->thread_number;
	/* with offload the workers do the I/O, and each has a file */
	if (!eo->record || (td->o.io_submit_mode == IO_MODE_OFFLOAD && !o->worker))
		return 0;
	if (thermal_source(td, eo->temp_source, sensor, sizeof(sensor))) {
		td_verror(td, EINVAL, "temp_source");
		return 1;
	}
	o->no_latency = !fio_fill_issue_time(td);
	o->may_ramp = td->o.ramp_time != 0;
	if (has_data(td, base_flags)) {
		o->hash = eo->classify == REC_CLASSIFY_HASH || eo->classify >= REC_CLASSIFY_FULL;
		o->classify = eo->classify >= REC_CLASSIFY_STATE;
	}
	o->sampled = eo->classify != REC_CLASSIFY_ALL;
	describe(td, &config);
	config.worker = o->worker;
	config.temperature_source = *sensor ? sensor : NULL;
	config.temperature_interval_ns = eo->temp_interval_us * 1000;
	start_clock(o, &config);
	if (open_writer(o, td, &config))
		return 1;
	if (*sensor)
		o->thermal = thermal_start(sensor, config.temperature_interval_ns, o->writer,
					   record_time_ns, o);
	return 0;
}

void observe_close(struct observer *o)
{
	int err;

	if (!o->writer)
		return;
	thermal_stop(o->thermal);
	rec_writer_header(o->writer)->classify_ns = (uint64_t)o->sampler.spent_ns;
	err = rec_writer_close(o->writer);
	if (err)
		fprintf(stderr, ENGINE_NAME ": record file: %s\n", strerror(-err));
	o->writer = NULL;
	o->thermal = NULL;
}
