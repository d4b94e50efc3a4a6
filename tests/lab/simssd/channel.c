/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model. There is one channel; a request occupies it for as long as the state of its blocks asks
 * for, on a clock of its own, so that with two requests in flight the throughput is exactly the
 * configured one.
 */
#include "simssd.h"

#include <errno.h>
#include <math.h>

struct now now = { .lock = PTHREAD_MUTEX_INITIALIZER };

double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void sleep_until(double t)
{
	struct timespec end = { (time_t)t, (long)((t - floor(t)) * 1e9) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
		;
}

/* The temperature falls with time and rises by work. The lock is held. */
void thermal(double t, uint64_t bytes)
{
	double step = (t - now.last_tick) / conf.cool_seconds;

	if (now.is_hot)
		now.hot_seconds += t - now.last_tick;
	now.last_tick = t;
	now.temperature += (conf.ambient - now.temperature) * (1 - exp(-step));
	now.temperature = fmin(now.temperature + conf.heat_per_gib * (double)bytes / (1 << 30), conf.hottest);
	if (!now.is_hot && now.temperature >= conf.hot) {
		now.is_hot = true;
		now.hot_count++;
	} else if (now.is_hot && now.temperature < conf.hot_end) {
		now.is_hot = false;
	}
}

static double read_seconds(uint64_t offset, uint32_t count)
{
	int64_t data = 0;

	for (uint64_t at = offset; at < offset + count;) {
		uint64_t end = (at / BLOCK_BYTES + 1) * BLOCK_BYTES;

		if (end > offset + count)
			end = offset + count;
		if (content_is_data(at / BLOCK_BYTES))
			data += (int64_t)(end - at);
		at = end;
	}
	return (conf.data ? (double)data / (double)conf.data : 0) +
	       (conf.zero ? (double)(count - data) / (double)conf.zero : 0);
}

static double write_seconds(uint32_t count)
{
	int64_t speed = now.slc_used < conf.slc ? conf.slc_write : conf.write;

	now.slc_used += count;
	return speed ? (double)count / (double)speed : 0;
}

void cache_trim(uint32_t count)
{
	pthread_mutex_lock(&now.lock);
	now.slc_used = now.slc_used > count ? now.slc_used - count : 0;
	pthread_mutex_unlock(&now.lock);
}

/* Ends are counted from ends, not from when a thread woke up: being late does not add up. */
double take_channel(bool write, uint64_t offset, uint32_t count)
{
	double t = seconds(CLOCK_MONOTONIC), start, needed;

	pthread_mutex_lock(&now.lock);
	thermal(t, count);
	needed = write ? write_seconds(count) : read_seconds(offset, count);
	*(write ? &now.writes : &now.reads) += 1;
	*(write ? &now.written_bytes : &now.read_bytes) += count;
	if (now.is_hot)
		needed /= conf.hot_factor;
	start = fmax(fmax(t, now.busy_until), now.hang_until);
	now.busy_until = start + needed;
	if (now.service)
		fprintf(now.service, "%.6f %.6f %u %c\n", start + now.unix_offset, start + needed + now.unix_offset,
			count, write ? 'w' : 'r');
	pthread_mutex_unlock(&now.lock);
	return start + needed + (double)conf.latency_us * 1e-6;
}

bool is_bad(uint64_t offset, uint32_t count)
{
	bool bad = false;

	pthread_mutex_lock(&now.lock);
	for (int i = 0; i < conf.bad_count; i++)
		bad |= (int64_t)offset < conf.bad[i].offset + conf.bad[i].length &&
		       (int64_t)(offset + count) > conf.bad[i].offset;
	now.errors += bad;
	pthread_mutex_unlock(&now.lock);
	return bad;
}
