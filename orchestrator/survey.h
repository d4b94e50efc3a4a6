/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which kind of data lies where on a drive: reads uniformly random blocks of every range, and says
 * what share of a range they show at 95 % confidence. Nothing here writes to a target.
 *
 *	struct survey s;
 *	survey_run(&request, &s)	draws, reads, asks what is allocated, counts, matches
 *	survey_text(&s, stdout, color)	strip, tables and sentences
 *	survey_to_json(&s)
 *	survey_free(&s)
 */
#ifndef NVMATCH_SURVEY_H
#define NVMATCH_SURVEY_H

#include <jansson.h>
#include <stdio.h>

#include "model.h"

#define SURVEY_RANGES 32
#define SURVEY_SAMPLES 300
#define SURVEY_CONFIDENCE 0.95
#define SURVEY_ALIKE 0.95	/* share of a range that must be of one kind to call it alike */

struct survey_request {
	const struct drive *drives[SIDES];	/* [SIDE_B] NULL: one drive */
	int64_t ranges, range_bytes;		/* range_bytes unknown: contiguous pieces of all that is common */
	int64_t samples, seed, page_bytes;
	int64_t budget_bytes, budget_ns;	/* bounds, or unknown: of both drives together */
	int cells;				/* of the map of each drive */
	bool dulbe;				/* ask by Deallocated or Unwritten Logical Block Errors */
	bool quiet;				/* no progress on stderr */
};

/*
 * Fills survey (free with survey_free). A survey that was ended (signal, time) is not an error:
 * complete is false and its samples are those of whole passes, so still uniform.
 * 0 or -errno after printing: -EINVAL too small or a bound too small, -EACCES cannot be read, -EIO too
 * many read errors.
 */
int survey_run(const struct survey_request *request, struct survey *survey);
void survey_free(struct survey *survey);

/* ---- parts, apart for their tests ---- */

/* One block that is looked at. */
struct survey_sample {
	int64_t offset_bytes;
	uint64_t hash;
	uint32_t range;
	uint16_t pass;		/* every pass is a uniform sample of every range */
	uint8_t kind;		/* enum survey_kind; SURVEY_KINDS: not read */
};
#define SURVEY_PASSES 8

struct survey_samples {
	struct survey_sample *items;	/* by pass, then by offset */
	size_t count;
};

/*
 * `count` different ones of 0 ... n - 1, each set and order alike likely, from the seeded stream;
 * all of them when count >= n. How many: *drawn. NULL: out of memory.
 */
struct stats_random;
uint64_t *survey_draw(struct stats_random *random, uint64_t n, uint64_t count, uint64_t *drawn);

/* Ranges over `bytes`, aligned to block. Free the array. 0 or -EINVAL (printed), -ENOMEM. */
int survey_ranges(const struct survey_request *request, int64_t bytes, int64_t block, struct range **ranges,
		  size_t *count);

/* Reads and classifies all samples with SURVEY_THREADS reads in flight; sets hash and kind. */
#define SURVEY_THREADS 32
struct survey_reading {
	const struct drive *drive;
	int64_t block_bytes, page_bytes;
	int64_t deadline_ns;		/* CLOCK_MONOTONIC, or unknown */
	const char *label;		/* in front of progress; NULL: none */
};
int survey_read(const struct survey_reading *reading, struct survey_samples *samples,
		struct survey_drive *drive);

/* Marks samples that are not there (holes, deallocated): sets kind, and drive->allocation. 0 or -ENOMEM. */
int survey_allocation(const struct survey_request *request, const struct drive *drive, int64_t block_bytes,
		      struct survey_samples *samples, struct survey_drive *out);

/* Counts samples into out->ranges (set already), with shares, bounds and sentences; and the map. */
int survey_count(const struct survey_samples *samples, int cells, struct survey_drive *out);

/* Compares the samples of both drives and proposes ranges. 0 or -ENOMEM. */
int survey_match(const struct survey_samples samples[SIDES], struct survey *survey);

/* ---- showing and keeping ---- */

int survey_text(const struct survey *survey, FILE *out, bool color);	/* 0, -ENOMEM or -EIO */
const char *survey_kind_words(int kind);	/* "zero-filled", "incompressible", "hole", ... */
char survey_letter(int kind);			/* one letter for the strip; the same one in .map */
#define SURVEY_MIXED '*'
#define SURVEY_NOTHING ' '

extern const char *const survey_kind_names[];	/* in JSON */
json_t *survey_to_json(const struct survey *survey);	/* a whole document */
/* 0, or -EBADMSG after printing what is wrong in the document named name. */
int survey_from_json(const json_t *json, const char *name, struct survey *survey);

/*
 * The ranges for one workload of a plan: `count` of them, at most `bytes` long, spread over the
 * proposals and each inside one of them. 0, -EINVAL (none fits), -ENOMEM. Free *ranges.
 */
int survey_spread(const struct survey *survey, int64_t count, int64_t bytes, int64_t align,
		  struct range **ranges, size_t *made);

/* What is another one on the drive than when it was surveyed ("serial", "size", ...), or NULL. */
const char *survey_differs(const struct survey_drive *survey, const struct drive *drive);

/* Is it of these drives? 0, or -EPERM after printing which differs. */
int survey_check_drives(const struct survey *survey, const char *name, const struct drive *a,
			const struct drive *b);

#endif
