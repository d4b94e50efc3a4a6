/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run directory. Evidence is written once, under a temporary name that is renamed; what is
 * derived (result.json, verdict.json, report.*, plots/) may be written again.
 * Names inside are relative, with '/', made by us; never taken from a drive.
 * Functions return 0 or -errno after printing the error, unless said otherwise.
 */
#ifndef NVMATCH_STORE_H
#define NVMATCH_STORE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/*
 * Makes a new run directory and gives its path (caller frees). path: the directory to make, which
 * must not exist; or NULL: "results/<UTC time>-<suite>" below the current directory, with
 * "-2", "-3", ... behind it when two runs start in one second.
 */
int store_create(const char *path, const char *suite, char **run);

/* Makes a directory (and its parents) inside the run. */
int store_mkdir(const char *run, const char *name);

/* Writes a file. Evidence that exists is not written again: -EEXIST. */
int store_write(const char *run, const char *name, const void *data, size_t length);

/* The same for derived files, which are replaced. */
int store_replace(const char *run, const char *name, const void *data, size_t length);

/*
 * Writes a file anywhere: under a temporary name, PATH.new, that is renamed, so that who waits for
 * it never sees half of it. What is no ordinary file (/dev/stdout, a pipe) is written as it is; a
 * block device is refused (-EPERM).
 */
int store_publish(const char *path, const void *data, size_t length);

/* JSON with two blanks, keys in the order of insertion, a final newline. Takes the reference. */
int store_write_json(const char *run, const char *name, json_t *json);
int store_replace_json(const char *run, const char *name, json_t *json);

/* Copies a file into the run; blocks of zeros become holes. */
int store_copy(const char *run, const char *name, const char *source);

/* Copies a whole directory tree of ordinary files. */
int store_copy_tree(const char *run, const char *name, const char *source);

/* Reads a JSON document of the run. -ENOENT is returned without a word. New reference. */
int store_read_json(const char *run, const char *name, json_t **json);

/* Is this a run directory (run.json and plan.json are there)? Says why not. */
int store_check(const char *run);

/* True for a name that is derived from the evidence. */
bool store_is_derived(const char *name);

/* Writes SHA256SUMS over all evidence, in the form of sha256sum(1), sorted by name. */
int store_seal(const char *run);

/* SHA-256 of one file of the run in hex; caller frees. -ENOENT and others are printed. */
int store_sum(const char *run, const char *name, char **sum);

/*
 * Compares the evidence with SHA256SUMS. Each difference is added to problems in words ("changed:
 * NAME", "missing: NAME", "not in SHA256SUMS: NAME"). -ENODATA when there is no SHA256SUMS.
 */
int store_verify(const char *run, struct strings *problems);

#endif
