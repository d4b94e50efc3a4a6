/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of a drive -> shares of every range with their bounds, and the map. Pure. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats-design.h"
#include "survey.h"
#include "text.h"

/* A cell of the map shows a kind when this share of its samples is of it. */
#define CELL_ALIKE 0.8

static const struct {
	const char *name, *words;
	char letter;
} kinds[SURVEY_KINDS] = {
	[REC_UNCLASSIFIED] = { "unclassified", "unclassified", '?' },
	[REC_ZERO] = { "zero", "zero-filled", '.' },
	[REC_PATTERN] = { "pattern", "a pattern", '-' },
	[REC_HIGHLY_COMPRESSIBLE] = { "highly_compressible", "highly compressible", ':' },
	[REC_COMPRESSIBLE] = { "compressible", "compressible", '+' },
	[REC_INCOMPRESSIBLE] = { "incompressible", "incompressible", '#' },
	[KIND_HOLE] = { "hole", "a hole", '_' },
	[KIND_UNWRITTEN] = { "unwritten", "unwritten", 'u' },
	[KIND_DEALLOCATED] = { "deallocated", "deallocated", 'd' },
	[KIND_UNREADABLE] = { "unreadable", "unreadable", '!' },
};

const char *survey_kind_words(int kind)
{
	return kind >= 0 && kind < SURVEY_KINDS ? kinds[kind].words : "unknown";
}

char survey_letter(int kind)
{
	return kind >= 0 && kind < SURVEY_KINDS ? kinds[kind].letter : SURVEY_MIXED;
}

static int largest(const int64_t counts[SURVEY_KINDS])
{
	int best = 0;

	for (int k = 1; k < SURVEY_KINDS; k++)
		if (counts[k] > counts[best])
			best = k;
	return best;
}

/*
 * "at least 98.8 % of its blocks are zero-filled (95 % confidence)": never the same data, as only the
 * kind of each block was looked at.
 */
static char *sentence(const struct survey_range *r)
{
	const char *words = survey_kind_words(r->kind);

	if (!r->samples)
		return text_format("no block of it was read");
	if (r->samples == r->blocks)
		return text_format("%s%.1f %% of its blocks are %s (all were read)",
				   r->counts.n[r->kind] == r->blocks ? "" : "mixed: ", 100 * r->share, words);
	if (r->share_low >= SURVEY_ALIKE)
		return text_format("at least %.1f %% of its blocks are %s (95 %% confidence)",
				   floor(1000 * r->share_low) / 10, words);
	if (r->counts.n[r->kind] == r->samples)
		return text_format("all %lld blocks seen are %s, which shows at least %.1f %% (95 %% confidence)",
				   (long long)r->samples, words, floor(1000 * r->share_low) / 10);
	return text_format("mixed: %.1f to %.1f %% of its blocks are %s (95 %% confidence)",
			   floor(1000 * r->share_low) / 10, ceil(1000 * r->share_high) / 10, words);
}

static int finish_range(struct survey_range *r)
{
	struct stats_interval in = { NAN, NAN };

	r->kind = largest(r->counts.n);
	r->share = NAN;
	if (r->samples) {
		uint64_t k = (uint64_t)r->counts.n[r->kind], n = (uint64_t)r->samples;

		r->share = (double)k / (double)n;
		stats_clopper_pearson(k, n, SURVEY_CONFIDENCE, &in);
		/* where all blocks were read there is no sampling error */
		if (r->samples == r->blocks)
			in = (struct stats_interval){ r->share, r->share };
	}
	r->share_low = in.low;
	r->share_high = in.high;
	r->text = sentence(r);
	return r->text ? 0 : -ENOMEM;
}

struct hashed {
	uint32_t range;
	uint64_t hash;
};

static int by_range_and_hash(const void *a, const void *b)
{
	const struct hashed *x = a, *y = b;

	if (x->range != y->range)
		return x->range < y->range ? -1 : 1;
	return (x->hash > y->hash) - (x->hash < y->hash);
}

/* Blocks with the same content as another sample of the range; zeros are not meant. */
static int count_repeated(const struct survey_samples *samples, struct survey_drive *d)
{
	_cleanup_free_ struct hashed *list = calloc(samples->count + 1, sizeof(*list));
	size_t n = 0;

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < samples->count; i++) {
		const struct survey_sample *s = &samples->items[i];

		if (s->kind > REC_ZERO && s->kind < REC_STATES)
			list[n++] = (struct hashed){ s->range, s->hash };
	}
	qsort(list, n, sizeof(*list), by_range_and_hash);
	for (size_t i = 0; i < n; i++)
		if ((i && !by_range_and_hash(&list[i - 1], &list[i])) ||
		    (i + 1 < n && !by_range_and_hash(&list[i], &list[i + 1])))
			d->ranges[list[i].range].repeated++;
	return 0;
}

static char letter_of(const int64_t counts[SURVEY_KINDS])
{
	int64_t all = 0;
	int best = largest(counts);

	for (int k = 0; k < SURVEY_KINDS; k++)
		all += counts[k];
	if (!all)
		return SURVEY_NOTHING;
	return (double)counts[best] >= CELL_ALIKE * (double)all ? survey_letter(best) : SURVEY_MIXED;
}

/* Cells of equal size from the first byte to the end of the last range. */
static int make_map(const struct survey_samples *samples, int cells, struct survey_drive *d)
{
	const struct survey_range *last = &d->ranges[d->ranges_count - 1];
	int64_t bytes = last->offset_bytes + last->length_bytes;
	_cleanup_free_ int64_t (*counts)[SURVEY_KINDS] = calloc((size_t)cells, sizeof(*counts));

	d->map = calloc((size_t)cells + 1, 1);
	if (!counts || !d->map)
		return -ENOMEM;
	for (size_t i = 0; i < samples->count; i++) {
		const struct survey_sample *s = &samples->items[i];

		if (s->kind < SURVEY_KINDS && s->offset_bytes < bytes)
			counts[(__int128)s->offset_bytes * cells / bytes][s->kind]++;
	}
	for (int i = 0; i < cells; i++)
		d->map[i] = letter_of(counts[i]);
	return 0;
}

int survey_count(const struct survey_samples *samples, int cells, struct survey_drive *d)
{
	int ret = 0;

	for (size_t i = 0; i < samples->count; i++) {
		const struct survey_sample *s = &samples->items[i];

		if (s->kind >= SURVEY_KINDS)
			continue;
		d->ranges[s->range].samples++;
		d->ranges[s->range].counts.n[s->kind]++;
	}
	for (size_t i = 0; !ret && i < d->ranges_count; i++)
		ret = finish_range(&d->ranges[i]);
	if (!ret)
		ret = count_repeated(samples, d);
	return ret ? ret : make_map(samples, cells, d);
}
