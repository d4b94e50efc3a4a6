/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples the temperature; a failed reading is a missing sample, never a 0. */
#include "engine/thermal.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "engine/fio-api.h"
#include "engine/sensor.h"
#include "record/writer.h"

struct thermal {
	char path[PATH_MAX];
	uint64_t interval_ns;
	struct rec_writer *writer;
	uint64_t (*time_ns)(void *arg);
	void *arg;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop;
};

int thermal_source(struct thread_data *td, const char *source, char *path, size_t size)
{
	int32_t unused;
	int err;

	path[0] = '\0';
	if (!source || !strcmp(source, "none"))
		return 0;
	if (strcmp(source, "auto")) {
		err = sensor_read(source, &unused);
		if (err) {
			fprintf(stderr, ENGINE_NAME ": temp_source=%s: %s\n", source,
				err == -EINVAL ? "no temperature in it" : strerror(-err));
			return 1;
		}
		snprintf(path, size, "%s", source);
		return 0;
	}
	/* drives of several files: the first one that has a sensor */
	for (unsigned int i = 0; i < td->o.nr_files && i < td->files_index; i++) {
		if (!sensor_find("/sys", td->files[i]->file_name, path, size))
			return 0;
		path[0] = '\0';
	}
	return 0;
}

static void sample(struct thermal *t)
{
	int32_t millidegree_c;

	if (!sensor_read(t->path, &millidegree_c))
		rec_writer_temperature(t->writer, t->time_ns(t->arg), millidegree_c);
}

/* cpus_allowed= is for the I/O; reading a sensor shall not take its time there. */
static void use_any_cpu(void)
{
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
}

static void add_ns(struct timespec *t, uint64_t ns)
{
	ns += (uint64_t)t->tv_nsec;
	t->tv_sec += (time_t)(ns / 1000000000u);
	t->tv_nsec = (long)(ns % 1000000000u);
}

static void *run(void *arg)
{
	struct thermal *t = arg;
	struct timespec next;

	use_any_cpu();
	clock_gettime(CLOCK_MONOTONIC, &next);
	pthread_mutex_lock(&t->lock);
	while (!t->stop) {
		add_ns(&next, t->interval_ns);
		while (!t->stop && pthread_cond_timedwait(&t->wake, &t->lock, &next) != ETIMEDOUT)
			;
		if (t->stop)
			break;
		/* reading asks the drive and may take a while: thermal_stop() is not to wait */
		pthread_mutex_unlock(&t->lock);
		sample(t);
		pthread_mutex_lock(&t->lock);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* All signals are fio's. */
static int start_thread(struct thermal *t)
{
	pthread_condattr_t attr;
	sigset_t all, before;
	int err;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->wake, &attr);
	pthread_condattr_destroy(&attr);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&t->thread, NULL, run, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

struct thermal *thermal_start(const char *path, uint64_t interval_ns, struct rec_writer *writer,
			      uint64_t (*time_ns)(void *arg), void *arg)
{
	struct thermal *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	snprintf(t->path, sizeof(t->path), "%s", path);
	t->interval_ns = interval_ns;
	t->writer = writer;
	t->time_ns = time_ns;
	t->arg = arg;
	sample(t);
	if (start_thread(t)) {
		fprintf(stderr, ENGINE_NAME ": cannot start the temperature thread\n");
		free(t);
		return NULL;
	}
	return t;
}

void thermal_stop(struct thermal *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_signal(&t->wake);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	sample(t);
	pthread_cond_destroy(&t->wake);
	pthread_mutex_destroy(&t->lock);
	free(t);
}
