/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One entry of fio's "jobs" list; for fio-json.c only. */
#ifndef NVMATCH_FIO_JSON_JOB_H
#define NVMATCH_FIO_JSON_JOB_H

#include <jansson.h>

#include "model.h"

/* An entry with the options that fio printed for it. */
struct fio_entry {
	const json_t *entry;
	const json_t *global;		/* "global options", or NULL */
};

/* The value of an option: the job's own, else the global one, else NULL. Owned by the document. */
const char *fio_option(const struct fio_entry *e, const char *name);

/*
 * Fills *job (set to unknown before) from one entry: numbers, and the states ok, failed, suspect,
 * not_run with the reason. What is odd but no reason to distrust goes to warnings. 0 or -ENOMEM.
 */
int fio_job_read(const struct fio_entry *e, struct fio_job *job, struct strings *warnings);

/* True for an entry with latencies in microseconds: fio 2, whose io_bytes are KiB as well. */
bool fio_job_is_old(const json_t *entry);

#endif
