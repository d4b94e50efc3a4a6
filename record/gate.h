/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The start gate of a simultaneous slot: a small file that the fio processes map. Threads of
 * a section wait here until the same section of every party (fio process) has arrived
 * with all its threads; then all start at one moment of CLOCK_MONOTONIC.
 *
 * The orchestrator makes the file with gate_create(), starts one fio per party with the
 * engine's option gate=PATH, and may call gate_abort() if a party could not be started.
 */
#ifndef NVMATCH_RECORD_GATE_H
#define NVMATCH_RECORD_GATE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define GATE_MAGIC "NVMGATE\n"
#define GATE_VERSION 1u
#define GATE_PARTIES_MAX 8
#define GATE_SECTIONS_MAX 256
#define GATE_TIMEOUT_DEFAULT_MS 30000u

struct gate_section {
	uint64_t key;				/* gate_section_key(); 0: free */
	uint64_t start_ns;			/* CLOCK_MONOTONIC of the release; 0: not yet */
	uint32_t arrived[GATE_PARTIES_MAX];	/* threads of each party that wait */
	uint32_t expected[GATE_PARTIES_MAX];	/* threads this section has there; 0: unknown */
};
static_assert(sizeof(struct gate_section) == 80, "shared between processes");

struct gate {
	char magic[8];
	uint32_t version;
	uint32_t parties;			/* fio processes that must come */
	uint32_t timeout_ms;
	uint32_t aborted;			/* not 0: nobody shall wait */
	int32_t pid[GATE_PARTIES_MAX];		/* main process of each party; 0: has not come */
	uint32_t running[GATE_PARTIES_MAX];	/* threads that passed the gate and have not left */
	uint64_t idle_since_ns[GATE_PARTIES_MAX];	/* when running became 0 */
	struct gate_section section[GATE_SECTIONS_MAX];
};
static_assert(sizeof(struct gate) == 24 + 128 + 80 * GATE_SECTIONS_MAX, "shared between processes");

/*
 * Makes (or replaces) the gate file for parties (1 to GATE_PARTIES_MAX) processes. timeout_ms:
 * how long a thread waits for the others, 0 for the default of 30 s.
 * Returns 0, -EINVAL, or why the file could not be written.
 */
int gate_create(const char *path, unsigned int parties, unsigned int timeout_ms);

/*
 * Maps a gate file. *gate is unmapped by gate_close(), which accepts NULL.
 * Returns 0, -EBADMSG if the file is no gate, or why it could not be opened.
 */
int gate_open(const char *path, struct gate **gate);
void gate_close(struct gate *gate);

/* Makes every waiting thread give up with -ECANCELED. */
void gate_abort(struct gate *gate);

/* The same for the section of the same name in each party's job file; never 0. */
uint64_t gate_section_key(const char *job_name, unsigned int group);

/*
 * When the section was released, on CLOCK_MONOTONIC, through *start_ns.
 * Returns 0, -EAGAIN if it was not (yet).
 */
int gate_start_time(const struct gate *gate, uint64_t key, uint64_t *start_ns);

/*
 * Waits until all parties have come to the section with all their threads, then until the
 * common moment of start, which goes to *start_ns. pid is the main process of the caller's
 * party. threads is how many of its threads come to this section, given by one of them; the
 * others say 0. stop(arg) is asked now and then; true ends the wait.
 * The time limit runs while a partner has not come at all or has nothing running; one that
 * is still busy with an earlier section is waited for.
 * Returns 0, -ETIMEDOUT, -EPIPE (a partner's process is gone), -ECANCELED (gate_abort),
 * -EINTR (stop), -EALREADY (the section was released before: a gate file is used once),
 * -EUSERS (more processes than parties), -ENOSPC (too many sections).
 */
int gate_wait(struct gate *gate, int pid, uint64_t key, unsigned int threads,
	      bool (*stop)(void *arg), void *arg, uint64_t *start_ns);

/* A thread that gate_wait() let pass has ended its section. */
void gate_leave(struct gate *gate, int pid);

#endif
