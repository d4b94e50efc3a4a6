/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads blocks and says what they hold. A thread for each read in flight: simple, works where
 * io_uring is forbidden, and classifying goes to all CPUs by itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fail.h"
#include "interrupt.h"
#include "record/hash.h"
#include "survey.h"

/* More read errors than this share of the samples so far, and than this many, end a survey. */
#define ERRORS_SHARE 0.05
#define ERRORS_FEW 16
#define UNREADABLE_NAMED 32

struct work {
	const struct survey_reading *reading;
	struct survey_samples *samples;
	int fd;
	atomic_size_t next, done, errors;
	atomic_bool stop;
	atomic_int error;		/* the first errno of a read */
	sem_t ended;			/* posted by a thread that ends */
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* true: all of the block is in buffer. */
static bool read_block(int fd, void *buffer, int64_t bytes, int64_t offset, int *error)
{
	int64_t got = 0;

	while (got < bytes) {
		ssize_t n = pread(fd, (char *)buffer + got, (size_t)(bytes - got), offset + got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			*error = n ? errno : ENODATA;
			return false;
		}
		got += n;
	}
	return true;
}

static void note_error(struct work *w, int error)
{
	int none = 0;
	size_t errors = atomic_fetch_add(&w->errors, 1) + 1;

	atomic_compare_exchange_strong(&w->error, &none, error);
	if (errors > ERRORS_FEW && (double)errors > ERRORS_SHARE * (double)atomic_load(&w->done))
		atomic_store(&w->stop, true);
}

static void *reader(void *context)
{
	struct work *w = context;
	int64_t bytes = w->reading->block_bytes;
	void *buffer = NULL;
	size_t align = (size_t)(bytes > w->reading->page_bytes ? bytes : w->reading->page_bytes);

	if (posix_memalign(&buffer, align, (size_t)bytes)) {
		note_error(w, ENOMEM);
		sem_post(&w->ended);
		return NULL;
	}
	while (!atomic_load_explicit(&w->stop, memory_order_relaxed)) {
		size_t i = atomic_fetch_add(&w->next, 1);
		struct survey_sample *s = i < w->samples->count ? &w->samples->items[i] : NULL;
		struct state_io state;
		int error = 0;

		if (!s)
			break;
		if (read_block(w->fd, buffer, bytes, s->offset_bytes, &error)) {
			state_of_io(buffer, (size_t)bytes, (uint64_t)s->offset_bytes, STATE_UNITS_MAX, &state);
			s->kind = (uint8_t)state.state;
			s->hash = rec_hash(buffer, (size_t)bytes);
		} else {
			s->kind = KIND_UNREADABLE;
			note_error(w, error);
		}
		atomic_fetch_add_explicit(&w->done, 1, memory_order_relaxed);
	}
	free(buffer);
	sem_post(&w->ended);
	return NULL;
}

/* Past the page cache where that can be: not on tmpfs, for one. */
static int open_target(const struct survey_reading *r, bool *direct)
{
	int fd = open(r->drive->path, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NONBLOCK);

	*direct = fd >= 0;
	if (fd < 0 && errno == EINVAL)
		fd = open(r->drive->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		return fd;
	return fail(-errno, "%s cannot be read: %s%s", r->drive->target, strerror(errno), errno == EACCES ?
		    " (reading a raw device needs root or the group disk)" : "");
}

static void show_progress(const struct work *w, bool terminal, int *shown)
{
	int percent = (int)(100 * atomic_load(&w->done) / w->samples->count);

	/* a log gets a line for each quarter */
	if (!w->reading->label || (terminal ? percent == *shown : percent / 25 == *shown / 25))
		return;
	*shown = percent;
	fprintf(stderr, terminal ? "\r\033[Ksurvey of %s: %d %%" : "survey of %s: %d %%\n", w->reading->label,
		percent);
}

/* Until `threads` readers have ended: all is read, or something ends it. */
static void watch(struct work *w, size_t threads)
{
	bool terminal = isatty(STDERR_FILENO);
	int shown = 0;

	while (threads) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 50000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		if (!sem_timedwait(&w->ended, &until)) {
			threads--;
			continue;
		}
		if (interrupt_signal() || (known(w->reading->deadline_ns) && now_ns() > w->reading->deadline_ns))
			atomic_store(&w->stop, true);
		show_progress(w, terminal, &shown);
	}
	if (terminal && w->reading->label)
		fputs("\r\033[K", stderr);
}

static int read_all(struct work *w)
{
	pthread_t threads[SURVEY_THREADS];
	size_t n = 0;
	int ret = 0;

	sem_init(&w->ended, 0, 0);
	while (n < SURVEY_THREADS && n < w->samples->count && !ret) {
		ret = pthread_create(&threads[n], NULL, reader, w);
		n += !ret;
	}
	/* fewer reads in flight are slower, none is an error */
	watch(w, n);
	for (size_t i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	sem_destroy(&w->ended);
	return n ? 0 : fail(-ret, "survey: no thread could be started: %s", strerror(ret));
}

/* What was read of a pass that was not ended lies at its lower offsets: it is no sample of the range. */
static void drop_open_pass(struct survey_samples *samples)
{
	size_t end = 0, passes_end;

	while (end < samples->count && samples->items[end].kind < SURVEY_KINDS)
		end++;
	passes_end = end;
	if (end < samples->count)
		while (passes_end && samples->items[passes_end - 1].pass == samples->items[end].pass)
			passes_end--;
	for (size_t i = passes_end; i < samples->count; i++)
		samples->items[i].kind = SURVEY_KINDS;
}

static int take(const struct survey_samples *samples, int64_t block_bytes, struct survey_drive *d)
{
	d->unreadable_at = calloc(UNREADABLE_NAMED, sizeof(*d->unreadable_at));
	if (!d->unreadable_at)
		return -ENOMEM;
	for (size_t i = 0; i < samples->count; i++) {
		const struct survey_sample *s = &samples->items[i];

		if (s->kind == SURVEY_KINDS)
			continue;
		d->samples++;
		if (s->kind != KIND_UNREADABLE) {
			d->read_bytes += block_bytes;
			continue;
		}
		d->unreadable++;
		if (d->unreadable_at_count < UNREADABLE_NAMED)
			d->unreadable_at[d->unreadable_at_count++].offset_bytes = s->offset_bytes;
	}
	return 0;
}

int survey_read(const struct survey_reading *r, struct survey_samples *samples, struct survey_drive *d)
{
	struct work w = { .reading = r, .samples = samples };
	int64_t start = now_ns();
	size_t errors;
	int ret;

	w.fd = open_target(r, &d->direct);
	if (w.fd < 0)
		return w.fd;
	ret = samples->count ? read_all(&w) : 0;
	close(w.fd);
	d->read_ns = now_ns() - start;
	errors = atomic_load(&w.errors);
	if (!ret && errors > ERRORS_FEW && (double)errors > ERRORS_SHARE * (double)atomic_load(&w.done))
		return fail(-EIO, "survey: %zu of %zu blocks of %s could not be read (%s): is the drive still there?",
			    errors, atomic_load(&w.done), r->drive->target, strerror(atomic_load(&w.error)));
	drop_open_pass(samples);
	return ret ? ret : take(samples, r->block_bytes, d);
}
