/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One slot and one side -> the text of a fio job, the same bytes every time, runnable by hand. Pure. */
#ifndef NVMATCH_JOBS_H
#define NVMATCH_JOBS_H

#include "model.h"

struct jobs_request {
	const struct plan *plan;
	const struct slot *slot;
	enum side side;
	const char *target;	/* path of the device or file */
	const char *engine;	/* path of datastate.so */
};

/* Names in the directory where fio runs. */
#define JOBS_FILE "job.fio"
#define JOBS_RECORD_PREFIX "records/rec"
#define JOBS_GATE "../gate"

/*
 * *text is the caller's to free. 0; -EINVAL after printing for a path that cannot be written
 * into a job file; -ENOMEM.
 */
int jobs_text(const struct jobs_request *request, char **text);

/*
 * Can this path stand in a job file? What fio would expand ($), take for a comment (# ;), or cannot
 * carry in one line has no escape there. 0, or -EINVAL after printing.
 */
int jobs_check_path(const char *path);

/* Sections that a slot has: fio reports so many entries times numjobs. */
int64_t jobs_entries(const struct workload *workload);

#endif
