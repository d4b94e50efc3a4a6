/* SPDX-License-Identifier: BSD-2-Clause */
/* The start gate; gate.h tells what it is for. */
#include "record/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/format.h"

/* From the last arrival to the start: longer than the nap of those who wait already. */
#define RELEASE_AHEAD_NS 2000000u
#define NAP_NS 200000u
/* The last bit before the start is spent on the CPU, as a timer may be late. */
#define SPIN_NS 300000u
#define NAPS_PER_LOOK 100	/* 20 ms: how often the partners' processes are looked at */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void sleep_ns(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	nanosleep(&t, NULL);
}

static int map(const char *path, int flags, bool create, struct gate **gate)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600), err = 0;
	struct stat st;
	void *p;

	if (fd < 0)
		return -errno;
	if (create && ftruncate(fd, sizeof(struct gate)))
		err = -errno;
	else if (fstat(fd, &st))
		err = -errno;
	else if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(struct gate))
		err = -EBADMSG;
	if (!err) {
		p = mmap(NULL, sizeof(struct gate), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (p == MAP_FAILED)
			err = -errno;
		else
			*gate = p;
	}
	close(fd);
	return err;
}

int gate_create(const char *path, unsigned int parties, unsigned int timeout_ms)
{
	struct gate *gate;
	int err;

	if (parties < 1 || parties > GATE_PARTIES_MAX)
		return -EINVAL;
	if (unlink(path) && errno != ENOENT)
		return -errno;
	err = map(path, O_RDWR | O_CREAT | O_EXCL, true, &gate);
	if (err)
		return err;
	gate->version = GATE_VERSION;
	gate->parties = parties;
	gate->timeout_ms = timeout_ms ? timeout_ms : GATE_TIMEOUT_DEFAULT_MS;
	memcpy(gate->magic, GATE_MAGIC, sizeof(gate->magic));
	gate_close(gate);
	return 0;
}

int gate_open(const char *path, struct gate **gate)
{
	struct gate *g;
	int err = map(path, O_RDWR, false, &g);

	if (err)
		return err;
	if (memcmp(g->magic, GATE_MAGIC, sizeof(g->magic)) || g->version != GATE_VERSION ||
	    g->parties < 1 || g->parties > GATE_PARTIES_MAX) {
		gate_close(g);
		return -EBADMSG;
	}
	*gate = g;
	return 0;
}

void gate_close(struct gate *gate)
{
	if (gate)
		munmap(gate, sizeof(*gate));
}

void gate_abort(struct gate *gate)
{
	__atomic_store_n(&gate->aborted, 1, __ATOMIC_RELEASE);
}

uint64_t gate_section_key(const char *job_name, unsigned int group)
{
	uint64_t key = rec_mix(group + REC_GOLDEN);

	for (; *job_name; job_name++)
		key = rec_mix(key + (unsigned char)*job_name);
	return key ? key : 1;
}

int gate_start_time(const struct gate *gate, uint64_t key, uint64_t *start_ns)
{
	for (unsigned int i = 0; i < GATE_SECTIONS_MAX; i++) {
		const struct gate_section *s = &gate->section[i];
		uint64_t start = __atomic_load_n(&s->start_ns, __ATOMIC_ACQUIRE);

		if (__atomic_load_n(&s->key, __ATOMIC_ACQUIRE) != key)
			continue;
		if (start)
			*start_ns = start;
		return start ? 0 : -EAGAIN;
	}
	return -EAGAIN;
}

/* The section of that key; the first free one when it is asked for first. NULL: none left. */
static struct gate_section *section_of(struct gate *gate, uint64_t key)
{
	for (unsigned int i = 0; i < GATE_SECTIONS_MAX; i++) {
		uint64_t there = 0;

		if (__atomic_compare_exchange_n(&gate->section[i].key, &there, key, false,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
		    there == key)
			return &gate->section[i];
	}
	return NULL;
}

/* A process that ended but was not waited for yet is gone too. */
static bool process_gone(int pid)
{
	char path[32], line[512], *after_name;
	ssize_t n;
	int fd;

	if (kill(pid, 0) && errno == ESRCH)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (n <= 0)
		return n < 0 && errno == ESRCH;
	line[n] = '\0';
	after_name = strrchr(line, ')');
	return after_name && (after_name[2] == 'Z' || after_name[2] == 'X');
}

/* The place of a process among the parties; the first free one when it comes first. */
static int party_of(struct gate *gate, int pid)
{
	for (unsigned int i = 0; i < gate->parties; i++) {
		int32_t there = 0;

		if (__atomic_compare_exchange_n(&gate->pid[i], &there, pid, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE) ||
		    there == pid)
			return (int)i;
	}
	return -EUSERS;
}

static bool has_arrived(const struct gate_section *s, unsigned int party)
{
	uint32_t expected = __atomic_load_n(&s->expected[party], __ATOMIC_ACQUIRE);

	return expected && __atomic_load_n(&s->arrived[party], __ATOMIC_ACQUIRE) >= expected;
}

/* Is there any sense in waiting on for this party? 0 or why not. */
static int worth_waiting(const struct gate *gate, const struct gate_section *s, unsigned int party,
			 uint64_t since_ns, bool look)
{
	int32_t pid = __atomic_load_n(&gate->pid[party], __ATOMIC_ACQUIRE);
	uint64_t idle_ns = __atomic_load_n(&gate->idle_since_ns[party], __ATOMIC_ACQUIRE);

	if (pid && look && process_gone(pid))
		return -EPIPE;
	if (has_arrived(s, party))
		return 0;
	if (pid && __atomic_load_n(&gate->running[party], __ATOMIC_ACQUIRE))
		return 0;
	if (idle_ns > since_ns)
		since_ns = idle_ns;
	return now_ns() - since_ns > (uint64_t)gate->timeout_ms * 1000000u ? -ETIMEDOUT : 0;
}

static bool all_arrived(const struct gate *gate, const struct gate_section *s)
{
	for (unsigned int i = 0; i < gate->parties; i++)
		if (!has_arrived(s, i))
			return false;
	return true;
}

/* Whoever sees first that all are here sets the moment of start. */
static void release(struct gate_section *s)
{
	uint64_t none = 0;

	__atomic_compare_exchange_n(&s->start_ns, &none, now_ns() + RELEASE_AHEAD_NS, false,
				    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static void wait_until(uint64_t start_ns)
{
	uint64_t now = now_ns();

	if (now + SPIN_NS < start_ns)
		sleep_ns(start_ns - now - SPIN_NS);
	while (now_ns() < start_ns)
		;
}

static int wait_for_all(struct gate *gate, struct gate_section *s, bool (*stop)(void *arg),
			void *arg, uint64_t *start_ns)
{
	uint64_t since_ns = now_ns();

	for (unsigned int naps = 0;; naps++) {
		*start_ns = __atomic_load_n(&s->start_ns, __ATOMIC_ACQUIRE);
		if (*start_ns)
			return 0;
		if (__atomic_load_n(&gate->aborted, __ATOMIC_ACQUIRE))
			return -ECANCELED;
		if (all_arrived(gate, s)) {
			release(s);
			continue;
		}
		if (stop && stop(arg))
			return -EINTR;
		for (unsigned int i = 0; i < gate->parties; i++) {
			int err = worth_waiting(gate, s, i, since_ns, naps % NAPS_PER_LOOK == 0);

			if (err)
				return err;
		}
		sleep_ns(NAP_NS);
	}
}

int gate_wait(struct gate *gate, int pid, uint64_t key, unsigned int threads,
	      bool (*stop)(void *arg), void *arg, uint64_t *start_ns)
{
	int me = party_of(gate, pid), err;
	struct gate_section *s;
	uint64_t start;

	if (me < 0)
		return me;
	s = section_of(gate, key);
	if (!s)
		return -ENOSPC;
	if (__atomic_load_n(&s->start_ns, __ATOMIC_ACQUIRE))
		return -EALREADY;
	__atomic_add_fetch(&s->expected[me], threads, __ATOMIC_ACQ_REL);
	__atomic_add_fetch(&s->arrived[me], 1, __ATOMIC_ACQ_REL);
	err = wait_for_all(gate, s, stop, arg, &start);
	if (err)
		return err;
	__atomic_add_fetch(&gate->running[me], 1, __ATOMIC_ACQ_REL);
	wait_until(start);
	*start_ns = start;
	return 0;
}

void gate_leave(struct gate *gate, int pid)
{
	for (unsigned int i = 0; i < gate->parties; i++) {
		if (gate->pid[i] != pid)
			continue;
		__atomic_store_n(&gate->idle_since_ns[i], now_ns(), __ATOMIC_RELEASE);
		__atomic_sub_fetch(&gate->running[i], 1, __ATOMIC_ACQ_REL);
	}
}
