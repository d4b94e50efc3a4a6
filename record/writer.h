/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes a record file through a shared mapping: what was written is in the file even if the
 * process is killed. Everything is mapped and touched in rec_writer_open(); after that
 * no call allocates, locks or makes a system call until rec_writer_close().
 *
 * One thread calls start, submit, batch and complete; another one may call temperature.
 */
#ifndef NVMATCH_RECORD_WRITER_H
#define NVMATCH_RECORD_WRITER_H

#include <stddef.h>

#include "record/format.h"
#include "record/state.h"

struct rec_writer_file {
	const char *name;
	uint64_t size_bytes;
	uint64_t io_offset;
	uint64_t io_size;
};

struct rec_writer_config {
	const char *fio_version;
	const char *engine_version;
	const char *base_engine;
	const char *job_name;
	uint32_t thread_number, worker, group, subjob;
	int32_t pid;
	uint32_t iodepth, direct;
	enum rec_classify classify;
	uint64_t record_budget_bytes;		/* at least one record is always kept */
	uint64_t block_min_bytes[3], block_max_bytes[3];
	uint64_t start_realtime_ns, start_monotonic_ns;
	const char *temperature_source;		/* NULL: not measured */
	uint64_t temperature_interval_ns;
	const struct rec_writer_file *files;
	size_t file_count;
};

struct rec_writer;

/*
 * Creates the file (an older one of that name is replaced, never followed if it is a link).
 * *writer is freed by rec_writer_close(). Returns 0, -EINVAL, or why it could not be made.
 */
int rec_writer_open(const char *path, const struct rec_writer_config *config,
		    struct rec_writer **writer);

/* Cuts the file to what is used, marks it as closed and frees. Accepts NULL. 0 or -errno. */
int rec_writer_close(struct rec_writer *writer);

/* The header inside the file. The owner may set phase, shifts, gate_start_ns, classify_ns. */
struct rec_header *rec_writer_header(struct rec_writer *writer);

/*
 * Describes the files anew, with what was not known when the writer was opened; at most as many
 * as then, and before the first I/O.
 */
void rec_writer_files(struct rec_writer *writer, const struct rec_writer_file *files, size_t count);

/* The first I/O is about to be sent. */
void rec_writer_start(struct rec_writer *writer, uint64_t time_ns);

/* One I/O was accepted by the base engine: goes into the digest. */
void rec_writer_submit(struct rec_writer *writer, uint64_t offset, uint64_t length,
		       enum rec_direction dir, unsigned int file);

/* count (1 or more) I/Os were found complete at time_ns; that many rec_writer_complete() follow. */
void rec_writer_batch(struct rec_writer *writer, uint64_t time_ns, unsigned int count);

/*
 * One completed I/O. record is complete but for F_VALID. data is what state_of_io() found, or
 * NULL if the I/O was not classified; then record->state is unclassified.
 */
void rec_writer_complete(struct rec_writer *writer, const struct rec_record *record,
			 const struct state_io *data);

/* One sample of temperature. */
void rec_writer_temperature(struct rec_writer *writer, uint64_t time_ns, int32_t millidegree_c);

#endif
