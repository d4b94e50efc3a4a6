/* SPDX-License-Identifier: BSD-2-Clause */
/* The stream digest: did two threads send the same I/Os? Pure. */
#ifndef NVMATCH_RECORD_DIGEST_H
#define NVMATCH_RECORD_DIGEST_H

#include <stddef.h>

#include "record/format.h"

enum rec_digest_relation {
	REC_DIGEST_EQUAL_SEQUENCE,	/* the same I/Os in the same order */
	REC_DIGEST_EQUAL_SET,		/* the same I/Os, another order */
	REC_DIGEST_EQUAL_PREFIX,	/* one ended earlier; alike as far as it can be proved */
	REC_DIGEST_DIFFERENT,
	REC_DIGEST_UNKNOWN,		/* the shorter one has no point where they can be compared */
};

/* A digest with its checkpoints, which are sorted by .ios. */
struct rec_stream {
	struct rec_digest digest;
	size_t checkpoint_count;
	struct rec_checkpoint checkpoints[REC_CHECKPOINTS];
};

/* An empty stream. */
void rec_stream_init(struct rec_stream *stream);

/* Adds one submitted I/O. Used by tests; the writer does the same inside the file. */
void rec_stream_add(struct rec_stream *stream, uint64_t offset, uint64_t length,
		    enum rec_direction dir, unsigned int file);

/*
 * The same on a digest and a checkpoint array of REC_CHECKPOINTS that lie somewhere else;
 * *count is the number of checkpoints taken.
 */
void rec_digest_add(struct rec_digest *digest, struct rec_checkpoint *checkpoints, uint64_t *count,
		    uint64_t offset, uint64_t length, enum rec_direction dir, unsigned int file);

/*
 * How two streams relate. *prefix_ios is the number of I/Os from the start that are proved
 * equal: all of them, or up to the last checkpoint that both have and agree on.
 * EQUAL_PREFIX: the numbers of I/Os differ and every checkpoint that both have agrees. A
 * checkpoint stands for every stride-th I/O, so the proof may end up to one stride of the
 * longer stream before the shorter one ends.
 */
enum rec_digest_relation rec_digest_compare(const struct rec_stream *a, const struct rec_stream *b,
					    uint64_t *prefix_ios);

#endif
