/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two drives: which ranges hold one kind of data on both, at the same offsets. Pure. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "stats-design.h"
#include "survey.h"
#include "text.h"

static bool counted(int kind)
{
	return kind < SURVEY_KINDS && kind != KIND_UNREADABLE && kind != REC_UNCLASSIFIED;
}

/* Reads of these never reach the drive (files), or need not. */
static bool is_there(int kind)
{
	return counted(kind) && kind != KIND_HOLE && kind != KIND_UNWRITTEN && kind != KIND_DEALLOCATED;
}

static void add_pairs(const struct survey_samples samples[SIDES], struct survey *s)
{
	/* drawn once for both: entry i is the same block on A and on B */
	for (size_t i = 0; i < samples[SIDE_A].count; i++) {
		const struct survey_sample *a = &samples[SIDE_A].items[i], *b = &samples[SIDE_B].items[i];
		struct survey_pair *p = &s->pairs[a->range];

		if (!counted(a->kind) || !counted(b->kind))
			continue;
		p->pairs++;
		p->same_kind += a->kind == b->kind;
		p->same_hash += a->kind == b->kind && a->hash == b->hash;
	}
}

static void overlap_of(const struct survey_range *a, const struct survey_range *b, struct survey_pair *p)
{
	uint64_t counts[SIDES][SURVEY_KINDS];

	for (int k = 0; k < SURVEY_KINDS; k++) {
		counts[SIDE_A][k] = (uint64_t)a->counts.n[k];
		counts[SIDE_B][k] = (uint64_t)b->counts.n[k];
	}
	p->overlap = p->overlap_lower = NAN;
	if (!a->samples || !b->samples)
		return;
	p->overlap = 0;
	for (int k = 0; k < SURVEY_KINDS; k++)
		p->overlap += fmin((double)a->counts.n[k] / (double)a->samples,
				   (double)b->counts.n[k] / (double)b->samples);
	if (stats_overlap_lower(counts[SIDE_A], counts[SIDE_B], SURVEY_KINDS, &p->overlap_lower))
		p->overlap_lower = NAN;
	/* all blocks of both were read: nothing is estimated */
	if (a->samples == a->blocks && b->samples == b->blocks)
		p->overlap_lower = p->overlap;
}

static char *why_not(const struct survey_range *a, const struct survey_range *b, const struct survey_pair *p)
{
	if (!p->pairs)
		return text_format("no block was read on both");
	if (a->kind != b->kind)
		return text_format("A is mostly %s, B mostly %s", survey_kind_words(a->kind),
				   survey_kind_words(b->kind));
	if (a->counts.n[a->kind] == a->samples && b->counts.n[b->kind] == b->samples)
		return text_format("%lld blocks alike are too few to show %.0f %%", (long long)p->pairs,
				   100 * SURVEY_ALIKE);
	if (p->same_kind_low >= SURVEY_ALIKE)
		return text_format("several kinds of data on both, though alike at the same offsets");
	return text_format("%.1f %% of the offsets hold the same kind on both (at least %.1f %%, 95 %% confidence)",
			   floor(1000 * (double)p->same_kind / (double)p->pairs) / 10,
			   floor(1000 * fmin(p->same_kind_low, p->overlap_lower)) / 10);
}

static char *words_of(const struct survey_pair *p, bool all)
{
	double low = fmin(p->same_kind_low, p->overlap_lower);
	const char *hashes = p->same_hash == p->pairs ? ", all with equal hashes" : "";

	if (all)
		return text_format("%.1f %% of the blocks are %s on both%s (all were read)",
				   floor(1000 * low) / 10, survey_kind_words(p->kind), hashes);
	return text_format("at least %.1f %% of the blocks are alike on both, %s (95 %% confidence)%s",
			   floor(1000 * low) / 10, survey_kind_words(p->kind), hashes);
}

static int finish_pair(const struct survey_range *a, const struct survey_range *b, struct survey_pair *p)
{
	struct stats_interval in = { NAN, NAN };
	bool all = a->samples == a->blocks && b->samples == b->blocks && p->pairs == a->blocks;

	p->offset_bytes = a->offset_bytes;
	p->length_bytes = a->length_bytes;
	p->kind = a->kind;
	overlap_of(a, b, p);
	stats_clopper_pearson((uint64_t)p->same_kind, (uint64_t)p->pairs, SURVEY_CONFIDENCE, &in);
	p->same_kind_low = all ? (double)p->same_kind / (double)p->pairs : in.low;
	p->matched = a->kind == b->kind && a->share_low >= SURVEY_ALIKE && b->share_low >= SURVEY_ALIKE &&
		     p->same_kind_low >= SURVEY_ALIKE && p->overlap_lower >= SURVEY_ALIKE;
	p->text = p->matched ? words_of(p, all) : why_not(a, b, p);
	return p->text ? 0 : -ENOMEM;
}

/* Where anything else matches, zeros are left out: what a drive does with them is another question. */
static bool has_data(const struct survey_pair *p)
{
	return p->matched && is_there(p->kind) && p->kind != REC_ZERO;
}

static int propose(struct survey *s)
{
	size_t data = 0, zeros = 0, absent = 0;

	s->proposals = calloc(s->pairs_count + 1, sizeof(*s->proposals));
	if (!s->proposals)
		return -ENOMEM;
	for (size_t i = 0; i < s->pairs_count; i++) {
		data += has_data(&s->pairs[i]);
		zeros += s->pairs[i].matched && s->pairs[i].kind == REC_ZERO;
		absent += s->pairs[i].matched && !is_there(s->pairs[i].kind);
	}
	for (size_t i = 0; i < s->pairs_count; i++) {
		const struct survey_pair *p = &s->pairs[i];

		if (data ? !has_data(p) : !(p->matched && p->kind == REC_ZERO))
			continue;
		s->proposals[s->proposals_count++] = (struct survey_proposal){ p->offset_bytes, p->length_bytes, p->kind };
	}
	if (data)
		s->proposal_text = text_format("%zu of %zu ranges hold one kind of data on both drives%s", data,
					       s->pairs_count, zeros ? "; those that are zero-filled on both are "
					       "left out" : "");
	else if (zeros)
		s->proposal_text = text_format("%zu of %zu ranges match, all of them zero-filled on both drives: what "
					       "is measured there need not come from the flash", zeros, s->pairs_count);
	else
		s->proposal_text = text_format("no range holds one kind of data on both drives%s", absent ?
					       "; what matches is not there at all (holes, unwritten or "
					       "deallocated blocks)" : "");
	return s->proposal_text ? 0 : -ENOMEM;
}

int survey_match(const struct survey_samples samples[SIDES], struct survey *s)
{
	const struct survey_drive *d = s->drives;
	int ret = 0;

	s->pairs_count = d[SIDE_A].ranges_count;
	s->pairs = calloc(s->pairs_count + 1, sizeof(*s->pairs));
	if (!s->pairs)
		return -ENOMEM;
	add_pairs(samples, s);
	for (size_t i = 0; !ret && i < s->pairs_count; i++)
		ret = finish_pair(&d[SIDE_A].ranges[i], &d[SIDE_B].ranges[i], &s->pairs[i]);
	return ret ? ret : propose(s);
}
