/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of run: what is read from a drive before and after fio, into files. */
#ifndef NVMATCH_RUN_SNAPSHOT_H
#define NVMATCH_RUN_SNAPSHOT_H

#include "model.h"

/* Writes DIRECTORY/NAME. 0 or -errno (printed). */
int snapshot_file(const char *directory, const char *name, const void *data, size_t length);

/*
 * In directory: smart-WHEN, and what else the drive offers of endurance-WHEN, ocp-WHEN and
 * error-log-WHEN, each as .bin or, if it could not be read, the reason as .txt; blk-WHEN; before a
 * slot also smart-before-pages: the page as it was before the others were read. when is "before" or
 * "after".
 */
int snapshot_take(const struct drive *drive, const char *directory, const char *when);

/* Adds the links as they are now to an array of link.json under the key `when`. */
void snapshot_link(const struct drive *drive, const char *when, void *json_object);

/* sync, then drop the page cache. True when done; else *reason (caller frees) says why not. */
bool snapshot_drop_caches(char **reason);

#endif
