/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the command run-suite: getting ready, and the loop over the slots. */
#ifndef NVMATCH_CMD_RUN_SUITE_H
#define NVMATCH_CMD_RUN_SUITE_H

#include "model.h"
#include "suite.h"

struct run_options {
	const char *output, *sysroot, *fio, *engine, *label[SIDES], *cpus, *base_engine, *classify,
		   *baseline;
	struct strings allow_write, gates;
	const char *fingerprint, *until;
	const char *calibration, *session_of;	/* run directories, or NULL */
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
	struct baseline baseline;	/* until it is the plan's */
	struct plan plan;
	struct calibration calibration;	/* run is NULL: none */
	struct session *sessions;	/* earlier ones, oldest first */
	size_t sessions_count;
	char *until;			/* as in the plan, or NULL */
	bool stopped;			/* the rounds are settled */
	char *testfile[SIDES];		/* made by us in a directory target, removed by prepare_free */
	int testfile_fd[SIDES];		/* locked while it is in use, or -1 */
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

bool suite_writes(const struct suite *suite);
/*
 * May this suite write where it would? Block devices are held exclusively from then on. 0, or after
 * printing: -EBUSY in use, -EPERM not allowed by serial, or a file of the user's.
 */
int check_writes(const struct run_options *options, struct prepared *prepared);

/*
 * --matched: reads the survey or makes one, and checks it. -EPERM when no range matches, or the survey
 * is of other drives (printed).
 */
int matched_prepare(const struct run_options *options, struct prepared *prepared);
int64_t matched_bytes(const struct prepared *prepared);	/* read by the survey */

/*
 * --calibration and --session-of: reads those runs, and refuses what does not fit the plan. 0 or -errno
 * (printed); -EPERM when a run does not fit. Free with other_runs_free, after a failure too.
 */
int other_runs_take(const struct run_options *options, struct prepared *prepared);
int other_runs_write(const struct prepared *prepared, const char *run);	/* calibration.json, sessions/ */
void other_runs_free(struct prepared *prepared);

/* "precision=1%" -> "precision=0.01", the caller's. 0 or -EINVAL (printed). */
int until_parse(const char *text, char **until);
/* Rounds for that with this scatter; at least 6. */
int64_t until_rounds(const char *until, double sd_log);
/* From the judged pilot: the most that any workload needs, within the plan. Free with fields_free. */
int until_decide(const struct plan *plan, const struct verdict *pilot, struct stop *stop);
/* After the pilot: writes stop.json and cuts the plan. 0 or -errno (printed). */
int until_stop(struct prepared *prepared, const char *run);

/* How a run ended. */
struct loop_end {
	const char *state;		/* complete, interrupted, failed */
	char *reason;			/* or NULL */
	int64_t slots_done;
};

/* Runs all slots into the run directory. 0 or -errno (printed) when the run could not go on. */
int loop_slots(const struct run_options *options, struct prepared *prepared, const char *run,
	       struct loop_end *end);

#endif
