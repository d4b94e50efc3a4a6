/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The throughput of each drive and workload over several runs: a line of blocks for a terminal, and
 * a picture. A drive is its model and serial; without a serial, how it was named, and said so.
 */
#ifndef NVMATCH_HISTORY_TREND_H
#define NVMATCH_HISTORY_TREND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* One run. What is not known is NaN or NULL. */
struct trend_point {
	double time_s;			/* since 1970, UTC */
	double bw_bytes_per_s;		/* mean over the usable rounds */
	double low, high;		/* 95 % interval of that mean (Student's t) */
	char *firmware;
};

struct trend {
	char *drive, *workload;
	bool concurrent;		/* rounds with the other drive at once; there were no others */
	struct trend_point *points;	/* in order of time as they were added */
	size_t points_count;
};

struct trends {
	struct trend *trends;
	size_t count;
};

/* Adds one run, by its documents (result.json, drives.json, run.json). 0 or -ENOMEM. */
int trends_add(struct trends *trends, const json_t *result, const json_t *drives, const json_t *run);
void trends_free(struct trends *trends);

/* A line for each drive and workload with two runs or more. blocks: the terminal shows UTF-8. */
void trends_print(const struct trends *trends, bool blocks);

/* SVG of the same, drawn by gnuplot, to path. 0 or -errno (printed). */
int trends_plot(const struct trends *trends, const char *path);

#endif
