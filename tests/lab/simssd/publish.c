/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the SSD did so far, for the test, and its health, for the shim (files, every tick). */
#include "simssd.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#define TICK_NS 100000000

/* In place with one write, so that a reader sees either text. */
static void publish(const char *path, const char *text, int length)
{
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644) : -1;

	if (fd < 0)
		return;
	if (pwrite(fd, text, (size_t)length, 0) != length || ftruncate(fd, length))
		nbdkit_error("%s: %m", path);
	close(fd);
}

static void publish_all(void)
{
	char text[512];
	int n;

	n = snprintf(text, sizeof(text), "reads=%" PRId64 "\nread_bytes=%" PRId64 "\nwrites=%" PRId64
		     "\nwritten_bytes=%" PRId64 "\nerrors=%" PRId64 "\ntemperature=%.2f\nhot_count=%" PRId64
		     "\nhot_seconds=%.1f\n", now.reads, now.read_bytes, now.writes, now.written_bytes, now.errors,
		     now.temperature, now.hot_count, now.hot_seconds);
	publish(conf.truth, text, n);
	n = snprintf(text, sizeof(text), "temperature=%.0f\n", now.temperature);
	if (conf.counters)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
			      "thm_temp1_trans_count=%" PRId64 "\nthm_temp1_total_time=%.0f\n", now.hot_count,
			      floor(now.hot_seconds));
	publish(conf.health, text, n);
	if (now.curve) {
		fprintf(now.curve, "%.3f %.2f %d\n", seconds(CLOCK_REALTIME), now.temperature, now.is_hot);
		fflush(now.curve);
	}
	if (now.service)
		fflush(now.service);
}

static void *ticker(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&now.lock);
		read_control();
		thermal(seconds(CLOCK_MONOTONIC), 0);
		publish_all();
		pthread_mutex_unlock(&now.lock);
		nanosleep(&(struct timespec){ 0, TICK_NS }, NULL);
	}
	return NULL;
}

void publish_open(void)
{
	now.unix_offset = seconds(CLOCK_REALTIME) - seconds(CLOCK_MONOTONIC);
	now.curve = conf.curve ? fopen(conf.curve, "we") : NULL;
	now.service = conf.service ? fopen(conf.service, "we") : NULL;
}

int publish_start(void)
{
	pthread_t thread;

	errno = pthread_create(&thread, NULL, ticker, NULL);
	return errno ? -1 : pthread_detach(thread);
}
