/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a saved output of fio (--output-format=json or json+) says, as struct fio_run. The files
 * fio-json*.c are the only ones that know fio's keys. Nothing here prints or reads a file, and
 * the text may be hostile: whatever it is, the answer is a state and a reason.
 */
#ifndef NVMATCH_FIO_JSON_H
#define NVMATCH_FIO_JSON_H

#include "model.h"

struct fio_expect {
	int exit_status;		/* fio's, as a shell tells it (128+n: killed by n); -1: not known */
	int64_t asked_runtime_ms;	/* of time_based jobs only; UNKNOWN_I64: no time was asked */
	int64_t planned_jobs;		/* entries expected, clones included; UNKNOWN_I64: any number */
};
#define FIO_EXPECT_NOTHING { .exit_status = -1, .asked_runtime_ms = UNKNOWN_I64, .planned_jobs = UNKNOWN_I64 }

/*
 * Reads text[0..length). Returns 0 for every text, however broken (run->state and run->reason
 * then say so), or -ENOMEM. The caller frees run with fields_free(fio_run_fields, run).
 *
 * States of the whole run, the first that fits:
 *   no_result    no document, a cut one, no jobs, other entries than planned, or drives merged
 *                by group_reporting, or the units of fio 2: there are no numbers
 *   interrupted  ended by a signal or before the asked time; numbers are partial
 *   failed       a job has an error, or fio's exit status is not 0
 *   suspect      numbers contradict each other: see the jobs' reasons
 *   not_run      a job did no I/O
 *   ok
 * Jobs have their own states: in a failed run the other jobs may be ok.
 * Numbers that fio did not give, or that do not fit in 63 bits, are unknown.
 */
int fio_json_read(const char *text, size_t length, const struct fio_expect *expect, struct fio_run *run);

/*
 * All entries of run as one. Neighbours of one name are clones (numjobs) that ran at once: counts,
 * rates, depths and CPU shares are added and the longest runtime counts. Entries of other names ran
 * one after another, as in our job files (stonewall): counts and runtimes are added, rates, depths
 * and CPU shares are means weighted by runtime. Latencies are joined by samples; percentiles are
 * those of the joined histograms (json+) and unknown without them, unless one entry has all samples.
 * *total is the caller's to free with fields_free(fio_job_fields, total).
 * -ENODATA without jobs, -EINVAL when completion and total latencies would have to be joined, -ENOMEM.
 */
int fio_json_total(const struct fio_run *run, struct fio_job *total);

#endif
