/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of gather: one side of one slot, and the two sides of a pair. */
#ifndef NVMATCH_GATHER_SLOT_H
#define NVMATCH_GATHER_SLOT_H

#include "model.h"
#include "record/format.h"

struct rec_reader;

/* The record files of one side of one slot, sorted by range and clone. */
struct record_file {
	char *path;
	int64_t range;		/* index of the range of the workload */
	int64_t clone;		/* which of numjobs */
};

struct record_files {
	struct record_file *files;
	size_t count;
};

/*
 * Reads run/slots/SLOT/SIDE. m gets what was measured or why not; files (freed by the caller)
 * the record files that can be read. 0 or -ENOMEM.
 */
int gather_side(const char *run, const char *slot, enum side side, const struct workload *workload,
		struct measurement *m, struct record_files *files);
void record_files_free(struct record_files *files);
void measurement_free(struct measurement *m);
void measurement_unknown(struct measurement *m);	/* nothing known, not usable */
/* Not usable, because ...; the first reason stays, it is the cause of the later ones. */
void measurement_unusable(struct measurement *m, const char *reason);

/*
 * Takes back what is of another drive, slot or time than it lies at: the whole measurement (with the
 * file named in its reason), or one snapshot (named in result.notes). 0 or -ENOMEM.
 */
int gather_integrity(struct result *result, const struct workload *workload, enum side side,
		     struct measurement *m, struct record_files *files);
/* The counters of a drive's SMART pages only rise, or none of its pages is believed. 0 or -ENOMEM. */
int gather_smart_order(struct result *result);

/* The records below dir/records: part of gather_side. 0 or -ENOMEM. */
int gather_records(const char *dir, const struct workload *workload, struct measurement *m,
		   struct record_files *files);

/*
 * The bins of one direction as the reader has them, with the states that the I/Os of the ramp had added:
 * those are not timed, but what lies at an offset they tell as well, and where the sampler looks less
 * soon they are all that was looked at. So states may be of more bytes than the bin. 0 or -ENOMEM.
 */
int gather_kinds(struct rec_reader *reader, enum rec_direction direction,
		 struct rec_bin bins[static REC_BINS]);
/* The state of a bin: one of them, or REC_UNCLASSIFIED when it is mixed or nothing of it was looked at. */
int gather_pure_state(const struct rec_bin *bin);

/* Log pages beside the SMART page, of which the smart_before of m is already there. 0 or -ENOMEM. */
int gather_pages(const char *dir, struct measurement *m);
void gather_pages_unknown(struct measurement *m);

/*
 * Speed over the seconds of the slot: its fall, and how it was at or above threshold_c (NaN: not
 * known). 0 or -ENOMEM.
 */
int gather_series(const struct record_files *files, double threshold_c, struct measurement *m);

/*
 * Pairs in one piece of a range. A fast piece is sampled more thinly than a slow one, so shares are
 * taken in each piece first, and every piece counts by its length.
 */
struct match_piece {
	double length_bytes, bytes, same_class_bytes, hashed_bytes, same_hash_bytes;
	double class_bytes[SIDES][DATA_STATES];	/* of bytes */
};

/* Sums of all pairs of one workload, while they are being added up. */
struct match_sums {
	struct match_piece *pieces;	/* BINS_PER_RANGE for each range */
	size_t pieces_count;
	int64_t pairs, bytes;		/* of which the state is known on both sides */
	int64_t hashed_pairs, hashed_bytes;
	int64_t examined_bytes[SIDES], all_bytes[SIDES];
	int64_t matched_bins, bins;
	double compress_bytes[SIDES][REC_E_BUCKETS];	/* distribution of e (record/format.h) */
};

#define BINS_PER_RANGE 16

/* Throughput by offset of one workload, while it is being added up. */
struct bin_sums {
	int64_t offset_bytes, length_bytes;
	double bytes[SIDES], busy_ns[SIDES];
	int64_t class_bytes[SIDES][DATA_STATES];
};

/*
 * Compares the records of the two sides of one observation: digests, start and overlap, data
 * states by offset, speed where they match. 0 or -ENOMEM.
 */
int gather_pair(const struct workload *workload, const struct record_files files[SIDES],
		struct observation *observation, struct match_sums *sums);

/* The piece of a range (0 is its first one) that an offset in it lies in. */
size_t gather_piece(const struct range *range, uint64_t offset);

/* Adds one side's speed and states by offset; bins: BINS_PER_RANGE for each range. 0 or -ENOMEM. */
int gather_bins(const struct workload *workload, const struct record_files *files, enum side side,
		struct bin_sums *bins);

/* fio's own output of one side of one slot; the caller frees it with fio_run_fields. 0 or -ENOMEM. */
int gather_fio(const char *dir, const struct workload *workload, struct fio_run *run);

/* The direction that counts: read, write, or trim. */
const struct fio_direction *gather_direction(const struct workload *workload, const struct fio_job *job);

/*
 * Of the I/Os that both passes of one side hashed, at the same offset and of the same length: all
 * their bytes are added to hashed, those whose hash differs to changed. 0 or -ENOMEM.
 */
int gather_changed(const struct record_files *first, const struct record_files *second, double *hashed,
		   double *changed);

/* Sums -> shares. */
void match_finish(const struct match_sums *sums, struct data_match *match);

#endif
