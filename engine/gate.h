/* SPDX-License-Identifier: GPL-2.0-only */
/* The engine's side of the start gate (record/gate.h): when a thread waits, and what it says. */
#ifndef NVMATCH_ENGINE_GATE_H
#define NVMATCH_ENGINE_GATE_H

#include <stdint.h>

struct thread_data;
struct gate;

/*
 * To be called while fio starts: remembers the process that all its jobs belong to, which is one
 * party at the gate.
 */
void engine_gate_init(void);

/*
 * Waits at the gate file path with this thread. On success 0, with *gate for
 * engine_gate_leave() and the moment of release on CLOCK_MONOTONIC. Prints and returns 1 if
 * the wait failed; td carries the error then.
 */
int engine_gate_wait(struct thread_data *td, const char *path, struct gate **gate,
		     uint64_t *start_ns);

/* The thread's section is over. Accepts NULL. */
void engine_gate_leave(struct gate *gate);

#endif
