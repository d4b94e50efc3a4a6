/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several runs -> what changed from one to the others: for each workload, mode, drive and metric.
 * Pure, as the judge is. Runs are not paired: they were made at other times, so whatever else changed
 * meanwhile (temperature, age of the data, the host) is in every number here.
 */
#ifndef NVMATCH_COMPARE_H
#define NVMATCH_COMPARE_H

#include <stdio.h>

#include "json-fields.h"
#include "model.h"

#define COMPARE_RUNS_MAX 64
#define COMPARE_LEAST_ROUNDS 3	/* on each side of an interval */

enum change_word { CHANGE_BASELINE, CHANGE_BETTER, CHANGE_WORSE, CHANGE_NONE, CHANGE_NOT_RESOLVED,
		   CHANGE_NOT_COMPARABLE };

/* One metric in one run. */
struct change {
	int64_t run;			/* 1, 2, ... */
	int64_t rounds;
	double value;			/* geometric mean over the rounds */
	double ratio;			/* over the baseline */
	double ci95_low, ci95_high;	/* of the ratio: Welch's t on logarithms; NaN: too few rounds */
	int word;			/* enum change_word */
	char *reason;
};

struct change_row {
	char *workload;
	bool concurrent;
	char *drive;			/* name of a compared_drive */
	char *metric;
	bool higher_is_better;
	struct change *changes;		/* one for each run */
	size_t changes_count;
};

/* A drive of the baseline, found again in other runs. */
struct compared_drive {
	char *name;			/* model and serial, or how it was named */
	char *known_by;			/* serial, label, target */
	struct strings sides;		/* by run: A, B, or "" when it is not there */
};

/* Something that is not the same in all runs. */
struct setup_row {
	char *what;
	char *drive;			/* name of a compared_drive; NULL: of the host or the run */
	struct strings values;		/* by run */
};

struct compared_run {
	char *run, *started_utc, *state, *suite;
};

struct compare {
	int64_t baseline;		/* 1, 2, ... */
	double margin_ratio, latency_margin_ratio;
	int64_t comparable;		/* changes that could be compared */
	struct compared_run *runs;
	size_t runs_count;
	struct compared_drive *drives;
	size_t drives_count;
	struct setup_row *setup;
	size_t setup_count;
	struct change_row *rows;
	size_t rows_count;
	struct strings notes;
};

extern const struct field compare_fields[];
extern const char *const change_word_names[];	/* baseline, better, worse, no_change_beyond_margin, ... */

/*
 * baseline: index into runs. 0; -EINVAL when no metric of the baseline is known; -ENOMEM. Free with
 * fields_free(compare_fields, ...), after a failure too.
 */
int compare(const struct result *runs, size_t count, size_t baseline, struct compare *c);

/* For a terminal, Markdown, CSV: 0, -ENOMEM or -EIO. */
int compare_text(FILE *out, const struct compare *c);
int compare_md(FILE *out, const struct compare *c);
int compare_csv(FILE *out, const struct compare *c);

/* ---- between the parts ---- */

/* Grows an array of structs by one zeroed element, which is returned; NULL: no memory. */
void *compare_grow(void *array_pointer, size_t *count, size_t size);
/* Finds the drives of the baseline in all runs. sides[drive * count + run]: enum side, or -1. */
int compare_drives(const struct result *runs, size_t count, size_t baseline, struct compare *c, int *sides);
int compare_setup(const struct result *runs, size_t count, struct compare *c, const int *sides);
/* Why the two cannot be compared, the caller's; NULL and 0: they can. -ENOMEM. */
struct compared_side {
	const struct result *run;
	const struct workload_result *workload;
	int side;
};
int compare_obstacle(const struct compared_side *x, const struct compared_side *y, double state_slack,
		     char **why);

#endif
