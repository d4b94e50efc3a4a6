/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads fio job files as far as nvmatch must: sections, options, [global]. What an option means
 * stays fio's business, but for the few that a plan needs (rw, bs, iodepth, ...).
 */
#ifndef NVMATCH_JOBFILE_H
#define NVMATCH_JOBFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

struct job_section {
	char *name;
	struct strings options;	/* "name=value" or "name", [global] first, names as fio canonicalises them */
};

struct job_file {
	char *path;
	struct job_section *sections;
	size_t sections_count;
};

/*
 * Reads a job file. [global] applies to the sections behind it. Printed errors, with the line:
 * -ENOENT and other reading errors, -EINVAL for a line outside a section, an include, no section.
 */
int jobfile_read(const char *path, struct job_file *file);
void jobfile_free(struct job_file *file);

/* The value of the last occurrence of an option: "" for one without a value, NULL if absent. */
const char *jobfile_option(const struct strings *options, const char *name);

/* Does this rw= write or trim? Unknown patterns count as writing. */
bool jobfile_writes(const char *rw);

#endif
