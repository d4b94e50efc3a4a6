/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress line on stderr: one line that changes on a terminal, plain lines elsewhere. */
#ifndef NVMATCH_PROGRESS_H
#define NVMATCH_PROGRESS_H

#include "model.h"

struct run_progress;

struct progress {
	bool quiet, terminal, line_open;
	int64_t start_ns;		/* CLOCK_MONOTONIC of the run */
	const struct plan *plan;
	const struct slot *slot;
	bool plain_said;		/* a plain line for this slot was printed */
};

/* quiet: nothing is printed. */
void progress_start(struct progress *p, const struct plan *plan, bool quiet);
void progress_slot(struct progress *p, const struct slot *slot);
/* For run_slot(): context is a struct progress. */
void progress_update(void *context, const struct run_progress *now);
/* Ends the open line, so that other text can follow. */
void progress_end(struct progress *p);

#endif
