/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One slot: caches dropped, snapshots before, one fio per side, watched to its end, snapshots
 * after. Leaves files and parses nothing of what fio wrote.
 *
 *	<work>/slot.json            times, cache drop, cool-down gate
 *	<work>/A/ job.fio fio.json fio.stdout fio.stderr exit records/
 *	          smart-before.bin smart-after.bin (or .txt with the reason why not)
 *	          blk-before blk-after link.json link-load.csv
 */
#ifndef NVMATCH_RUN_H
#define NVMATCH_RUN_H

#include "model.h"

struct run_side {
	bool active;			/* takes part in this slot */
	const struct drive *drive;
	const char *job_text;
};

/* How far a slot is, for the progress line. */
struct run_progress {
	int64_t elapsed_ns;
	int64_t bytes[SIDES];		/* so far; unknown before the first I/O */
	double bytes_per_s[SIDES];	/* since the last call */
	double latency_ns[SIDES];	/* mean of what completed since the last call; NaN: nothing did, or not known */
	double temperature_c[SIDES];	/* NaN: no sensor */
};

struct run_request {
	const char *work;		/* an empty directory where fio runs; not on a drive under test */
	const char *fio;
	struct run_side sides[SIDES];
	bool writes;			/* else fio gets --readonly */
	bool drop_caches;
	struct cooldown_record cooldown[SIDES];	/* how it came through the gate; kept in slot.json */
	int64_t limit_ns;		/* a slot that takes longer is ended */
	void (*progress)(void *context, const struct run_progress *progress);
	void *context;
};

enum run_end { RUN_COMPLETE, RUN_FAILED, RUN_INTERRUPTED, RUN_TIMED_OUT };

/*
 * Runs the slot. *end says how it went: RUN_FAILED when a fio ended with an error (its own words
 * are in fio.stderr). 0, or -errno after printing when the slot could not be run at all.
 */
int run_slot(const struct run_request *request, enum run_end *end);

/* The first line that fio wrote on standard error (caller frees), NULL if there is none. */
char *run_first_error(const char *work, enum side side);

#endif
