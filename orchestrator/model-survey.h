/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of model.h that says what a survey found: which kind of data lies where, seen in blocks
 * drawn at random (survey.h). Kept in a run as survey.json; JSON keys are the member names.
 */
#ifndef NVMATCH_MODEL_SURVEY_H
#define NVMATCH_MODEL_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/state.h"

/* What a block is: the data states of record/format.h, then what is no data at all. */
enum survey_kind {
	KIND_HOLE = REC_STATES,		/* of a file: no extent. Its reads never reach the drive */
	KIND_UNWRITTEN,			/* of a file: an extent that was allocated and never written: the same */
	KIND_DEALLOCATED,		/* the drive says so */
	KIND_UNREADABLE,		/* read error */
	SURVEY_KINDS
};

struct survey_counts {
	int64_t n[SURVEY_KINDS];	/* blocks by enum survey_kind */
};

/* One piece of one drive. */
struct survey_range {
	int64_t offset_bytes, length_bytes;
	int64_t blocks;			/* how many there are */
	int64_t samples;		/* how many were looked at */
	struct survey_counts counts;
	int64_t repeated;		/* samples whose content hash another sample of the range has */
	int kind;			/* enum survey_kind of most samples */
	double share;			/* of that kind */
	double share_low, share_high;	/* 95 % interval (Clopper and Pearson) */
	char *text;			/* what that shows, as a sentence */
};

/* How zeros that were written were told from what is not there. */
struct survey_allocation {
	char *source;			/* fiemap, get_lba_status, dulbe, none */
	bool separable;			/* true: a zero block that is counted as zero was written */
	int64_t asked, deallocated;	/* blocks; holes and unwritten ones of a file count as deallocated */
	char *text;			/* the finding, or why not */
};

struct survey_drive {
	char *target, *model, *serial, *transport;
	int64_t namespace_id;
	int64_t capacity_bytes;		/* of the target; of a file its size */
	int64_t partition_start_bytes;
	int64_t file_device, file_inode;
	bool direct;			/* read past the page cache */
	int64_t samples, read_bytes, unreadable;
	int64_t read_ns;		/* time of reading and classifying */
	struct survey_allocation allocation;
	char *map;			/* one letter for a cell: survey_letter() */
	struct survey_range *ranges;	/* the same ranges on both drives */
	size_t ranges_count;
	struct survey_offset *unreadable_at;	/* the first of them */
	size_t unreadable_at_count;
};

struct survey_offset {
	int64_t offset_bytes;
};

/* One range on both drives: the same blocks were looked at on each. */
struct survey_pair {
	int64_t offset_bytes, length_bytes;
	int kind;			/* of most blocks on A */
	int64_t pairs, same_kind, same_hash;
	double same_kind_low;		/* 95 %, of blocks that are of one kind on both at the same offset */
	double overlap, overlap_lower;	/* of the shares of the kinds; lower bound at 95 % */
	bool matched;			/* one kind on both, at the same offsets */
	char *text;
};

struct survey_proposal {
	int64_t offset_bytes, length_bytes;
	int kind;
};

struct survey {
	int64_t seed, block_bytes, samples_per_range;
	char *started_utc;
	bool complete;			/* false: it was ended before all samples were read */
	char *reason;			/* why not */
	struct survey_drive *drives;	/* one or two */
	size_t drives_count;
	struct survey_pair *pairs;	/* of two drives: one for each range */
	size_t pairs_count;
	struct survey_proposal *proposals;	/* matched ranges that a run can use, neighbours not joined */
	size_t proposals_count;
	char *proposal_text;		/* what is proposed, or why nothing is */
};

#endif
