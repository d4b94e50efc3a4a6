/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a run stands at this moment, for eyes only: never evidence. live_frame() makes the lines that
 * run-suite and watch show; live_publish() and live_find() carry it from one to the other:
 *
 *	RUN/live.json                which process runs, and where its status is; gone when the run has ended
 *	/dev/shm/nvmatch-.../status.json   struct live, renamed into place about twice a second. In memory, so that
 *	                             nothing is written to a drive while one is measured.
 */
#ifndef NVMATCH_LIVE_H
#define NVMATCH_LIVE_H

#include "model.h"

struct live_side {
	char *name;			/* label, model or target; NULL: there is no such side */
	bool active;			/* takes part in the slot */
	double share;			/* of the slot's time; NaN: not begun */
	double bytes_per_s;		/* in the last moment */
	double latency_ns;		/* mean of the I/Os that completed in the last moment */
	int64_t bytes;			/* in this slot */
	double temperature_c, threshold_c;
};

struct live {
	int64_t slot, slots, round, rounds, left_ns;
	char *workload;
	int mode;			/* enum slot_mode */
	char *waiting;			/* at the cool-down gate: for what; NULL: not there */
	int64_t waiting_left_ns;
	struct live_side a, b;
};

/*
 * At most 5 lines, each followed by a newline and at most `columns` - 1 wide; what does not fit is left out.
 * All names are escaped.
 */
void live_frame(struct text *out, const struct live *live, size_t columns);
/* The same as one line of any width, for a log. */
void live_line(struct text *out, const struct live *live);

/* ---- a terminal on which the last lines change ---- */

struct live_screen {
	int fd;
	size_t lines, widest;		/* of the frame that stands there */
};

/*
 * Draws a frame over the last one by one write(2). The cursor is hidden within that write only, so it
 * is there however the program ends.
 */
void live_draw(struct live_screen *screen, const struct live *live);
/* Takes the frame away. */
void live_erase(struct live_screen *screen);

/* ---- from a run to those who watch it ---- */

/* Who publishes. 0 or -errno (printed). live_withdraw removes it. */
int live_announce(const char *run, const char *work);
void live_withdraw(const char *run);
/* Renames WORK/status.json into place. Errors only mean that watchers see less. */
void live_publish(const char *work, const struct live *live);

enum live_state { LIVE_RUNNING, LIVE_ENDED, LIVE_KILLED, LIVE_NOT_YET };
/* For LIVE_RUNNING *live is filled (live_free), or -EACCES: it belongs to another user. Else 0. */
int live_find(const char *run, enum live_state *state, struct live *live);
void live_free(struct live *live);

#endif
