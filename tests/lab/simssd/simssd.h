/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rooms of the simulated SSD share: params.c reads what it is to be, channel.c is the model
 * of its speed, heat and faults, content.c holds its blocks, publish.c tells what it did, simssd.c
 * is the nbdkit plugin around them.
 */
#ifndef LAB_SIMSSD_H
#define LAB_SIMSSD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define NBDKIT_API_VERSION 2
#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL
#include <nbdkit-plugin.h>

#define BLOCK_BYTES 4096
#define AREAS 16

/* What a block holds. Generated data takes no memory: it follows from the offset and the seed. */
enum block_state { EMPTY, ZEROS, DATA, GENERATED };

struct area {
	int64_t offset, length;
};

/* Speeds are bytes/s, 0 is unlimited. Temperatures are Kelvin. */
struct conf {
	int64_t size, seed;
	int64_t data, zero;			/* read speeds */
	int64_t write, slc_write, slc;		/* write speed after and within the first slc bytes */
	int64_t latency_us;
	double ambient, heat_per_gib, cool_seconds, hot, hot_end, hot_factor, hottest;
	bool counters;
	struct area populate[AREAS], bad[AREAS];
	int populate_count, bad_count;
	char *control, *truth, *health, *curve, *service;
};

/* What changes, all under the lock. Times are seconds of CLOCK_MONOTONIC. */
struct now {
	pthread_mutex_t lock;
	double busy_until, hang_until, last_tick;
	double temperature, hot_seconds;
	bool is_hot;
	int64_t hot_count, slc_used;
	int64_t reads, read_bytes, writes, written_bytes, errors;
	struct timespec control_time;
	double unix_offset;			/* what makes such a time one of CLOCK_REALTIME */
	FILE *curve, *service;
};

extern struct conf conf;
extern struct now now;

double seconds(clockid_t clock);

/* params.c */
extern const char simssd_help[];
int set_parameter(const char *key, const char *value);
void read_control(void);		/* the lock is held */

/* channel.c: the temperature at time t after that work (the lock is held); takes the channel for a
 * request and returns when it is done; room in the cache for writes by what was trimmed; whether it
 * touches a bad area. */
void thermal(double t, uint64_t bytes);
double take_channel(bool write, uint64_t offset, uint32_t count);
void cache_trim(uint32_t count);
void sleep_until(double t);
bool is_bad(uint64_t offset, uint32_t count);

/* content.c: 0 or -1, said to nbdkit. */
int content_make(void);
bool content_is_data(uint64_t block);
void content_read(void *to, uint32_t count, uint64_t offset);
void content_write(const void *from, uint32_t count, uint64_t offset);
void content_trim(uint32_t count, uint64_t offset);

/* publish.c: the files that the test and the shim read, every tick. */
void publish_open(void);
int publish_start(void);

#endif
