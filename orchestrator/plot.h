/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures: data, a gnuplot script, and what gnuplot made of them. A script begins with variables
 * that C writes and goes on with plot-common.gp and the .gp of its kind; the data are beside it, so
 * it can be run again by hand. No text that is not ours reaches gnuplot unquoted.
 */
#ifndef NVMATCH_PLOT_H
#define NVMATCH_PLOT_H

#include "model-picture.h"

struct plot {
	const char *kind;	/* offsets, ratios, modes, latency, time; history */
	int64_t workload;	/* index in plan.workloads; -1: of the whole run */
	char *name;		/* offsets-seq-read-1m: a file name of ours */
	char *caption;		/* what is to be seen, and how it is to be read */
	struct text variables;	/* the head of the script */
	struct text data;	/* NAME.tsv */
	char *svg, *svg_narrow;	/* NAME.svg and NAME-narrow.svg, or NULL */
};

struct plots {
	struct plot *plots;
	size_t count;
	char *problem;		/* why there are no pictures, and the way out; NULL: there are */
};

/*
 * Chooses the pictures of a run and builds data and scripts. 0 or -ENOMEM. Free with plots_free,
 * after a failure too.
 */
int plots_make(const struct result *result, const struct verdict *verdict, const struct pictures *pictures,
	       struct plots *plots);
void plots_free(struct plots *plots);

/*
 * Runs gnuplot and saves all below run/plots/: .tsv, .gp, .svg, -narrow.svg, .png. A gnuplot that
 * is missing or fails is no error: plots->problem says so, data and scripts are saved all the same.
 * run NULL: only into plots. 0 or -errno (printed).
 */
int plots_draw(const char *run, struct plots *plots);

/* ---- for the files that make one kind each: 0, -ENODATA (nothing to show), or -ENOMEM ---- */

struct plot_input {
	const struct result *result;
	const struct verdict *verdict;
	const struct pictures *pictures;
	int64_t workload;	/* index in result.workloads, -1: of the whole run */
};
int plot_offsets(const struct plot_input *in, struct plot *plot);
int plot_ratios(const struct plot_input *in, struct plot *plot);
int plot_modes(const struct plot_input *in, struct plot *plot);
int plot_latency(const struct plot_input *in, struct plot *plot);
int plot_time(const struct plot_input *in, struct plot *plot);

/* NAME = 'TEXT', escaped as for a terminal, cut to most characters, and quoted. */
void plot_string(struct plot *plot, const char *name, const char *text, size_t most);
void plot_number(struct plot *plot, const char *name, double value);
/* "A", or "A, LABEL" where there is one: the side in a picture. */
void plot_side_label(const struct plot_input *in, struct plot *plot);
/* The next block (index) of the data, which begins with a row of NaN. comment: what its columns are. */
void plot_block(struct plot *plot, const char *comment);

/* GB/s, MB/s or kIOPS so that most is readable: its name, and what to divide by. */
const char *plot_unit(const char *metric, double most, double *divisor);
/* The comparison that heads a workload; NULL: there is none. */
const struct comparison *plot_head(const struct plot_input *in);
/* The value of a metric (bw_bytes_per_s or iops) in a measurement, NaN unless usable. */
double plot_metric(const struct measurement *m, const char *metric);

#endif
