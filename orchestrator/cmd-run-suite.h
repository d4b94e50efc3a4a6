/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the command run-suite: getting ready, and the loop over the slots. */
#ifndef NVMATCH_CMD_RUN_SUITE_H
#define NVMATCH_CMD_RUN_SUITE_H

#include "model.h"
#include "suite.h"

struct run_options {
	const char *output, *sysroot, *fio, *engine, *label[SIDES], *cpus, *base_engine, *classify;
	struct strings allow_write, gates;
	const char *fingerprint;
	bool calibrate, probe_overhead;
	int64_t rounds, runtime_ns, budget_ns, budget_bytes, seed, file_bytes, cooldown_timeout_ns;
	const char *matched;		/* NULL: no; "": survey now; else the document of a survey */
	bool dry_run, quiet, no_color, json, no_drop_caches, no_cooldown;
};

/* All that is settled before the first byte is read. */
struct prepared {
	struct suite suite;
	struct drive drives[SIDES];
	bool two;			/* there is a side B */
	struct host host;
	struct survey survey;		/* with --matched; else drives_count is 0 */
	struct plan plan;
	char *testfile[SIDES];		/* made by us in a directory target, removed by prepare_free */
	int exclusive_fd[SIDES];	/* O_EXCL on block devices that are written, or -1 */
	char *cpus[SIDES];
};

/*
 * Loads the suite, looks at the drives, refuses what must be refused, and plans.
 * 0 or -errno (printed). Free with prepare_free, after a failure too.
 */
int prepare(const struct run_options *options, const char *suite, const char *a, const char *b,
	    struct prepared *prepared);
void prepare_free(struct prepared *prepared);

/*
 * --matched: reads the survey or makes one, and checks it. -EPERM when no range matches, or the survey
 * is of other drives (printed).
 */
int matched_prepare(const struct run_options *options, struct prepared *prepared);
int64_t matched_bytes(const struct prepared *prepared);	/* read by the survey */

/* How a run ended. */
struct loop_end {
	const char *state;		/* complete, interrupted, failed */
	char *reason;			/* or NULL */
	int64_t slots_done;
};

/* Runs all slots into the run directory. 0 or -errno (printed) when the run could not go on. */
int loop_slots(const struct run_options *options, const struct prepared *prepared, const char *run,
	       struct loop_end *end);

#endif
