/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Suites (jobs/suites/NAME.json over job files in jobs/), and a user's own job file as a suite
 * whose sections are the workloads. Also where the program's own files lie.
 */
#ifndef NVMATCH_SUITE_H
#define NVMATCH_SUITE_H

#include <jansson.h>

#include "model.h"
#include "thresholds.h"

struct suite {
	char *name;
	char *summary;
	bool own_ranges;		/* offsets, sizes and times are the jobs' own */
	int64_t rounds;
	int64_t ranges, range_bytes;	/* how many, how long at most */
	int64_t range_runtime_ns, range_ramp_ns;
	int64_t range_io_bytes;		/* bound of bytes of one range in one slot */
	int64_t record_budget_bytes;
	int64_t file_bytes, free_bytes;	/* of the test file in a directory, free there before; or unknown */
	char *baseline;			/* name of what its numbers are rated by (baseline.h), or NULL */
	bool single, concurrent;
	struct thresholds thresholds;	/* the judge's limits: the defaults, and what the suite sets */
	struct strings gates;		/* expressions that make a run fail (gates.h) */
	struct cooldown_rule cooldown;	/* the default rule, and what the suite sets */
	struct workload *workloads;	/* without ranges: plan.c sets them */
	size_t workloads_count;
};

/* Is there a suite of that name, or does this look like a job file (ends in .fio, .job, .ini)? */
bool suite_exists(const char *name);

/* Loads a suite by name or a job file by path. Errors are printed; -ENOENT lists what there is. */
int suite_load(const char *name_or_path, struct suite *suite);
void suite_free(struct suite *suite);

/* May this fio engine do the I/O of a run? 0, or -EINVAL after printing which ones may. */
int suite_check_engine(const char *name);

/*
 * The member "thresholds" of a suite file, {"margin_ratio": 1.01, ...}: sets those in *limits. NULL sets
 * none. 0, or -EINVAL after printing: an unknown name (with the nearest one) or a value out of bounds.
 */
int suite_thresholds(const char *path, json_t *object, struct thresholds *limits);

/*
 * The member "cooldown" of a suite file, {"rest": "30s", ...}: the gate between slots (cooldown.h).
 * NULL sets nothing. 0, or -EINVAL after printing.
 */
int suite_cooldown(const char *path, json_t *object, struct cooldown_rule *rule);

/* Names of all suites, sorted; and of what else lies in a directory of the program's as NAME.json. */
int suite_names(struct strings *names);
int suite_list(const char *directory, struct strings *names);
/* A document of the program or of the user. 0 or -EINVAL (printed, with the line). */
int suite_json(const char *path, json_t **json);

/*
 * A file of the program: in the directory that the environment variable NVMATCH_JOBS names; else
 * beside the sources of a build (<program>/../jobs), or below PREFIX/share/nvmatch. Path is the
 * caller's to free; NULL when it is in neither place.
 */
char *suite_find(const char *name);
/* The engine: datastate.so beside the program, or in PREFIX/lib/nvmatch. */
char *suite_find_engine(void);

#endif
