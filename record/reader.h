/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads record files, also of a job that still runs or was killed, and of anyone: every
 * number in the file is checked before use. Never prints, never maps (a mapping of a file
 * that somebody cuts would raise SIGBUS).
 */
#ifndef NVMATCH_RECORD_READER_H
#define NVMATCH_RECORD_READER_H

#include <stddef.h>

#include "record/digest.h"
#include "record/format.h"

struct rec_reader;

/*
 * Opens a record file. *reader is freed by rec_close(), which accepts NULL.
 * Returns 0, or -errno of the system, or
 *   -EPROTONOSUPPORT  a newer major version or another byte order
 *   -ENODATA          cut off before the records start: nothing in it can be trusted
 *   -EBADMSG          not a record file, or damaged
 */
int rec_open(const char *path, struct rec_reader **reader);
void rec_close(struct rec_reader *reader);

/* The header; strings are sure to end. Valid until rec_close(), as all pointers below. */
const struct rec_header *rec_header(const struct rec_reader *reader);

/* True if the engine ended the file in order; false: still running, or killed. */
bool rec_is_closed(const struct rec_reader *reader);

/* True if the file is shorter than its header says (its end was lost). */
bool rec_is_cut(const struct rec_reader *reader);

/* Files of the job. NULL if there is no such index. */
size_t rec_file_count(const struct rec_reader *reader);
const struct rec_file *rec_file(const struct rec_reader *reader, size_t index);

/*
 * The next record that belongs to the kept share (thin_shift of the header), in the order in
 * which they lie in the file, which is that of completion only until the first thinning.
 * Slots that were cut off in mid-write, or whose direction or file do not exist, are passed
 * over; a state that does not exist becomes unclassified.
 * Returns 1, 0 at the end, or -errno of a failed read.
 */
int rec_next(struct rec_reader *reader, struct rec_record *record);

/* Back to the first record. */
void rec_rewind(struct rec_reader *reader);

/* Slots in use: an upper bound of what rec_next() delivers. */
uint64_t rec_slot_count(const struct rec_reader *reader);

/* Complete totals of the measured phase: one row, or the sum over a direction's states. */
const struct rec_total *rec_total(const struct rec_reader *reader, enum rec_direction dir,
				  enum rec_state state);
void rec_total_direction(const struct rec_reader *reader, enum rec_direction dir,
			 struct rec_total *sum);

/* REC_BUCKETS counters of one row. */
const uint64_t *rec_histogram(const struct rec_reader *reader, enum rec_direction dir,
			      enum rec_state state);

/*
 * The latency below which share (0 to 1) of the I/Os in a histogram of REC_BUCKETS lies: upper
 * end of the bucket. Returns 0 or -ENODATA if the histogram is empty.
 */
int rec_histogram_quantile(const uint64_t *histogram, double share, uint64_t *latency_ns);

/* REC_BINS ranges of a direction (read, write or trim); bin_base and bin_shift of the header. */
const struct rec_bin *rec_bins(const struct rec_reader *reader, enum rec_direction dir);

/* REC_E_BUCKETS byte counts of a direction (read or write). */
const uint64_t *rec_compress(const struct rec_reader *reader, enum rec_direction dir);

/* The digest of the submitted stream with its checkpoints, for rec_digest_compare(). */
const struct rec_stream *rec_stream(const struct rec_reader *reader);

/* Samples of temperature, oldest first; count 0: not measured. */
const struct rec_temperature *rec_temperatures(const struct rec_reader *reader, size_t *count);

/*
 * The temperature at a time of the records, between two samples by interpolation.
 * Returns 0, or -ENODATA if there is no sample within two intervals of it.
 */
int rec_temperature_at(const struct rec_reader *reader, uint64_t time_ns, int32_t *millidegree_c);

/* What a running job has done so far; cheap, for progress. */
struct rec_live_view {
	struct rec_live live;
	bool closed;
	int32_t pid;
	uint64_t start_monotonic_ns;
	uint64_t gate_start_ns;		/* 0: no gate, or still waiting */
	char job_name[128];
	uint32_t thread_number;
	uint32_t worker;
	/* sums over all directions and states of the measured phase; 0 while the file is being made */
	uint64_t latency_ios, latency_sum_ns;
};

/* Errors as rec_open(); -ENODATA also while the file is being made. */
int rec_live_read(const char *path, struct rec_live_view *view);

#endif
