/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a run is, on stderr: lines that change on a terminal, one plain line a slot elsewhere; and for
 * those who watch from another terminal (live.h).
 */
#ifndef NVMATCH_PROGRESS_H
#define NVMATCH_PROGRESS_H

#include "live.h"

struct run_progress;

struct progress {
	bool quiet, terminal;
	int64_t start_ns;		/* CLOCK_MONOTONIC of the run */
	int64_t waited_ns;		/* at the cool-down gate, in all */
	int64_t said_ns, drawn_ns;
	const struct plan *plan;
	const struct slot *slot;
	int64_t slot_ns;		/* how long a slot of this workload takes, set by who knows */
	const char *work;		/* where the status is published; NULL: nowhere */
	bool plain_said;		/* a plain line for this slot was printed */
	struct live live;
	struct live_screen screen;
};

/* quiet: nothing is printed. labels and drives[SIDE_B] may be NULL. Free with progress_end. */
void progress_start(struct progress *p, const struct plan *plan, const struct drive *const drives[SIDES],
		    const char *const labels[SIDES], const char *work, bool quiet);
void progress_slot(struct progress *p, const struct slot *slot);
/* For cooldown_gate: context is a struct progress. */
void progress_waiting(void *context, const char *words, int64_t left_ns);
/* For run_slot(): context is a struct progress. */
void progress_update(void *context, const struct run_progress *now);
/* Takes the lines that change away, so that other text can follow. */
void progress_clear(struct progress *p);
void progress_end(struct progress *p);

#endif
