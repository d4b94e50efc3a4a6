/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread that samples the temperature of the drive beside the I/O. */
#ifndef NVMATCH_ENGINE_THERMAL_H
#define NVMATCH_ENGINE_THERMAL_H

#include <stddef.h>
#include <stdint.h>

struct thread_data;
struct rec_writer;
struct thermal;

/*
 * Finds what temp_source= means for the job: path is empty if nothing can be measured. A file
 * that cannot be read is an error of the user's: prints and returns 1.
 */
int thermal_source(struct thread_data *td, const char *temp_source, char *path, size_t size);

/*
 * Starts sampling path every interval_ns into the writer; the first sample is taken before it
 * returns. time_ns() gives the time as the records have it. Call in the process that does the
 * I/O: a fork would not take the thread along. NULL if it could not be started (printed).
 */
struct thermal *thermal_start(const char *path, uint64_t interval_ns, struct rec_writer *writer,
			      uint64_t (*time_ns)(void *arg), void *arg);

/* Ends the thread at once and frees. Accepts NULL. Before the writer is closed. */
void thermal_stop(struct thermal *thermal);

#endif
