/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beside model.h: what only pictures need (gather-pictures.c), and no rule looks at. */
#ifndef NVMATCH_MODEL_PICTURE_H
#define NVMATCH_MODEL_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model.h"

struct temperature_point {
	double time_s;			/* as in struct trace */
	double temperature_c;
};

/* One side of one slot over time. Times count from the first I/O of the run. */
struct trace {
	int64_t slot;			/* index in plan.slots */
	int side;			/* enum side */
	double start_s, end_s;		/* first submission, last completion */
	double *bw_bytes_per_s;		/* of pictures.step_s each, from start_s on; all jobs of the side together */
	size_t steps;
	struct temperature_point *temperatures;
	size_t temperatures_count;
};

/* fio's json+ histograms of all rounds of one workload, side and mode as one. */
struct latency_histogram {
	int64_t workload;		/* index in plan.workloads */
	int side;			/* enum side */
	bool concurrent;
	struct fio_latency_bin *bins;	/* ascending */
	size_t bins_count;
};

/* A job file as fio ran it: the first one of each workload and side. */
struct job_text {
	int64_t workload;
	int side;
	char *file;			/* relative to the run directory */
	char *text;
};

struct pictures {
	double step_s;
	struct trace *traces;
	size_t traces_count;
	struct latency_histogram *latencies;
	size_t latencies_count;
	struct job_text *jobs;
	size_t jobs_count;
};

#endif
