/* SPDX-License-Identifier: BSD-2-Clause */
/* The stream digest; format.h has the formula. */
#include "record/digest.h"

#include <string.h>

void rec_stream_init(struct rec_stream *stream)
{
	memset(stream, 0, sizeof(*stream));
	stream->digest.stride = 1;
}

/* All checkpoints are multiples of stride: those of 2 * stride stay. */
static uint64_t thin_out(struct rec_digest *digest, struct rec_checkpoint *checkpoints)
{
	for (unsigned int i = 0; i < REC_CHECKPOINTS / 2; i++)
		checkpoints[i] = checkpoints[2 * i + 1];
	digest->stride *= 2;
	return REC_CHECKPOINTS / 2;
}

void rec_digest_add(struct rec_digest *digest, struct rec_checkpoint *checkpoints, uint64_t *count,
		    uint64_t offset, uint64_t length, enum rec_direction dir, unsigned int file)
{
	uint64_t what = length + REC_GOLDEN * (8u * (uint64_t)file + (uint64_t)dir);
	uint64_t item = rec_mix(offset + rec_mix(what));

	digest->sequence = rec_mix(digest->sequence + item);
	digest->set[0] += item;
	digest->set[1] += rec_mix(item + REC_GOLDEN);
	if (++digest->ios & (digest->stride - 1))
		return;
	if (*count == REC_CHECKPOINTS) {
		*count = thin_out(digest, checkpoints);
		if (digest->ios & (digest->stride - 1))
			return;
	}
	checkpoints[*count] = (struct rec_checkpoint){ digest->ios, digest->sequence };
	++*count;
}

void rec_stream_add(struct rec_stream *stream, uint64_t offset, uint64_t length,
		    enum rec_direction dir, unsigned int file)
{
	uint64_t count = stream->checkpoint_count;

	rec_digest_add(&stream->digest, stream->checkpoints, &count, offset, length, dir, file);
	stream->checkpoint_count = count;
}

/* Checkpoint i, where the end of the stream counts as the last one. False behind that. */
static bool point(const struct rec_stream *stream, size_t i, struct rec_checkpoint *out)
{
	if (i < stream->checkpoint_count)
		*out = stream->checkpoints[i];
	else if (i == stream->checkpoint_count)
		*out = (struct rec_checkpoint){ stream->digest.ios, stream->digest.sequence };
	else
		return false;
	return true;
}

enum rec_digest_relation rec_digest_compare(const struct rec_stream *a, const struct rec_stream *b,
					    uint64_t *prefix_ios)
{
	const struct rec_digest *x = &a->digest, *y = &b->digest;
	struct rec_checkpoint p, q;
	uint64_t equal = 0;
	bool differ = false;

	for (size_t i = 0, j = 0; !differ && point(a, i, &p) && point(b, j, &q);) {
		if (p.ios == q.ios) {
			differ = p.sequence != q.sequence;
			if (!differ)
				equal = p.ios;
		}
		i += p.ios <= q.ios;
		j += q.ios <= p.ios;
	}
	*prefix_ios = equal;
	if (x->ios == y->ios) {
		if (x->sequence == y->sequence)
			return REC_DIGEST_EQUAL_SEQUENCE;
		if (x->set[0] == y->set[0] && x->set[1] == y->set[1])
			return REC_DIGEST_EQUAL_SET;
		return REC_DIGEST_DIFFERENT;
	}
	if (differ)
		return REC_DIGEST_DIFFERENT;
	return equal ? REC_DIGEST_EQUAL_PREFIX : REC_DIGEST_UNKNOWN;
}
