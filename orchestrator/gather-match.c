/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs the records of two sides by offset: are the same I/Os, the same data, and how fast where alike? */
#include "gather-slot.h"

#include <errno.h>
#include <stdlib.h>

#include "gather-items.h"

static void add_pair(const struct item *a, const struct item *b, struct match_sums *sums,
		     struct match_piece *piece)
{
	bool hashed = a->hashed && b->hashed, equal = hashed && a->hash == b->hash;

	if (hashed) {
		sums->hashed_pairs++;
		sums->hashed_bytes += a->length;
		piece->hashed_bytes += a->length;
		piece->same_hash_bytes += equal ? a->length : 0;
	}
	/* equal bytes are of one state, looked at or not; but unequal ones need a look at both, so if equal
	   ones counted without it, a sample would hold too many of them */
	if (a->state == REC_UNCLASSIFIED || b->state == REC_UNCLASSIFIED)
		return;
	sums->pairs++;
	sums->bytes += a->length;
	piece->bytes += a->length;
	piece->same_class_bytes += equal || a->state == b->state ? a->length : 0;
	piece->class_bytes[SIDE_A][a->state] += a->length;
	piece->class_bytes[SIDE_B][b->state] += a->length;
}

size_t gather_piece(const struct range *range, uint64_t offset)
{
	uint64_t at = offset - (uint64_t)range->offset_bytes, length = (uint64_t)range->length_bytes;

	return at < length ? (size_t)((unsigned __int128)at * BINS_PER_RANGE / length) : BINS_PER_RANGE - 1;
}

static void merge(const struct items *a, const struct items *b, const struct range *range,
		  struct match_sums *sums, struct match_piece *pieces)
{
	size_t i = 0, k = 0;

	while (i < a->count && k < b->count) {
		const struct item *x = &a->items[i], *y = &b->items[k];

		if (x->offset == y->offset && x->length == y->length) {
			add_pair(x, y, sums, &pieces[gather_piece(range, x->offset)]);
			i++;
			k++;
		} else if (x->offset < y->offset || (x->offset == y->offset && x->length < y->length)) {
			i++;
		} else {
			k++;
		}
	}
}

static int match_records(struct rec_reader *a, struct rec_reader *b, const struct range *range,
			 struct match_sums *sums, struct match_piece *pieces)
{
	unsigned int shift_a = rec_header(a)->thin_shift, shift_b = rec_header(b)->thin_shift;
	unsigned int shift = shift_a > shift_b ? shift_a : shift_b;
	struct items x = { 0 }, y = { 0 };
	int ret = items_load(a, shift, &x);

	if (!ret)
		ret = items_load(b, shift, &y);
	if (!ret)
		merge(&x, &y, range, sums, pieces);
	free(x.items);
	free(y.items);
	/* a damaged file gives no pairs; that is seen by their number */
	return ret == -ENOMEM ? ret : 0;
}

struct matched_speed {
	double bytes[SIDES][DATA_STATES], busy_ns[SIDES][DATA_STATES];
};

static void add_bin(const struct rec_bin *const bin[SIDES], struct match_sums *sums,
		    struct matched_speed *speed)
{
	int state = gather_pure_state(bin[SIDE_A]);

	if (!bin[SIDE_A]->bytes || !bin[SIDE_B]->bytes)
		return;
	sums->bins++;
	if (state == REC_UNCLASSIFIED || state != gather_pure_state(bin[SIDE_B]))
		return;
	sums->matched_bins++;
	for (int s = 0; s < SIDES; s++) {
		speed->bytes[s][state] += (double)bin[s]->bytes;
		speed->busy_ns[s][state] += (double)bin[s]->busy_ns;
	}
}

static int match_bins(struct rec_reader *const reader[SIDES], enum rec_direction d, struct match_sums *sums,
		       struct matched_speed *speed)
{
	const struct rec_header *a = rec_header(reader[SIDE_A]), *b = rec_header(reader[SIDE_B]);
	struct rec_bin rows[SIDES][REC_BINS];

	if (a->bin_base != b->bin_base || a->bin_shift != b->bin_shift || a->bin_shift > 62)
		return 0;
	for (int s = 0; s < SIDES; s++)
		if (gather_kinds(reader[s], d, rows[s]))
			return -ENOMEM;
	for (uint64_t i = 0; i < REC_BINS; i++) {
		const struct rec_bin *bin[SIDES] = { &rows[SIDE_A][i], &rows[SIDE_B][i] };

		add_bin(bin, sums, speed);
	}
	return 0;
}

static void take_digest(struct rec_reader *const reader[SIDES], struct observation *o)
{
	static const int map[] = {
		[REC_DIGEST_EQUAL_SEQUENCE] = DIGEST_EQUAL_SEQUENCE, [REC_DIGEST_EQUAL_SET] = DIGEST_EQUAL_SET,
		[REC_DIGEST_EQUAL_PREFIX] = DIGEST_EQUAL_PREFIX, [REC_DIGEST_DIFFERENT] = DIGEST_DIFFERENT,
		/* too short to be compared: says nothing for or against */
		[REC_DIGEST_UNKNOWN] = DIGEST_UNKNOWN,
	};
	uint64_t prefix = 0;
	int match = map[rec_digest_compare(rec_stream(reader[SIDE_A]), rec_stream(reader[SIDE_B]), &prefix)];

	o->digest_prefix_ios += (int64_t)prefix;
	if (match > o->digest)	/* the enum is ordered from best to worst */
		o->digest = match;
}

struct overlap {
	double common_ns, either_ns;
};

static void take_times(struct rec_reader *const reader[SIDES], struct observation *o, struct overlap *sum)
{
	double first[SIDES], last[SIDES], common;

	for (int s = 0; s < SIDES; s++) {
		const struct rec_header *h = rec_header(reader[s]);

		if (h->first_submit_ns == UINT64_MAX)
			return;
		/* one clock for both: they ran on one machine at one time */
		first[s] = (double)h->start_monotonic_ns + (double)h->first_submit_ns;
		last[s] = (double)h->start_monotonic_ns + (double)h->live.time_ns;
	}
	o->start_skew_ns = fmax(o->start_skew_ns, fabs(first[SIDE_A] - first[SIDE_B]));
	common = fmin(last[SIDE_A], last[SIDE_B]) - fmax(first[SIDE_A], first[SIDE_B]);
	sum->common_ns += common > 0 ? common : 0;
	sum->either_ns += fmax(last[SIDE_A], last[SIDE_B]) - fmin(first[SIDE_A], first[SIDE_B]);
}

static void finish_speed(const struct matched_speed *speed, double clones, struct observation *o)
{
	for (int s = 0; s < SIDES; s++) {
		double bytes = 0, busy = 0;

		for (int c = 0; c < DATA_STATES; c++) {
			bytes += speed->bytes[s][c];
			busy += speed->busy_ns[s][c];
			if (speed->busy_ns[s][c] > 0)
				o->side[s].matched_class_bw_bytes_per_s[c] =
					speed->bytes[s][c] * clones * 1e9 / speed->busy_ns[s][c];
		}
		if (busy > 0)
			o->side[s].matched_bw_bytes_per_s = bytes * clones * 1e9 / busy;
	}
}

static void add_classes(const struct measurement *m, enum side s, struct match_sums *sums)
{
	for (int c = 0; c < DATA_STATES; c++) {
		sums->all_bytes[s] += m->classes[c].bytes;
		if (c == REC_UNCLASSIFIED)
			continue;
		sums->examined_bytes[s] += m->classes[c].bytes;
	}
}

static void add_compress(struct rec_reader *const reader[SIDES], enum rec_direction d,
			 struct match_sums *sums)
{
	for (int s = 0; s < SIDES; s++) {
		const uint64_t *bytes = rec_compress(reader[s], d);

		for (int i = 0; i < REC_E_BUCKETS; i++)
			sums->compress_bytes[s][i] += (double)bytes[i];
	}
}

static int match_files(const struct workload *w, const char *const path[SIDES], int64_t range,
		       struct observation *o, struct match_sums *sums, struct matched_speed *speed,
		       struct overlap *overlap)
{
	struct rec_reader *reader[SIDES] = { NULL, NULL };
	int ret = rec_open(path[SIDE_A], &reader[SIDE_A]);

	if (!ret)
		ret = rec_open(path[SIDE_B], &reader[SIDE_B]);
	if (!ret) {
		take_digest(reader, o);
		add_compress(reader, w->writes ? REC_WRITE : REC_READ, sums);
		if (o->concurrent)
			take_times(reader, o, overlap);
		ret = match_bins(reader, w->writes ? REC_WRITE : REC_READ, sums, speed);
		if (!ret)
			ret = match_records(reader[SIDE_A], reader[SIDE_B], &w->ranges[range], sums,
					    sums->pieces + range * BINS_PER_RANGE);
	}
	rec_close(reader[SIDE_A]);
	rec_close(reader[SIDE_B]);
	return ret == -ENOMEM ? ret : 0;
}

int gather_pair(const struct workload *w, const struct record_files files[SIDES], struct observation *o,
		struct match_sums *sums)
{
	struct matched_speed speed = { 0 };
	struct overlap overlap = { 0 };
	const struct record_files *a = &files[SIDE_A], *b = &files[SIDE_B];
	size_t i = 0, k = 0;

	if (a->count != b->count && a->count && b->count)
		o->digest = DIGEST_DIFFERENT;
	while (i < a->count && k < b->count) {
		const struct record_file *x = &a->files[i], *y = &b->files[k];
		const char *path[SIDES] = { x->path, y->path };
		int ret;

		if (x->range != y->range || x->clone != y->clone) {
			if (x->range < y->range || (x->range == y->range && x->clone < y->clone))
				i++;
			else
				k++;
			continue;
		}
		i++;
		k++;
		if (x->range < 0 || x->range >= (int64_t)w->ranges_count)
			continue;
		ret = match_files(w, path, x->range, o, sums, &speed, &overlap);
		if (ret)
			return ret;
	}
	finish_speed(&speed, w->numjobs > 0 ? (double)w->numjobs : 1, o);
	o->overlap_share = overlap.either_ns > 0 ? overlap.common_ns / overlap.either_ns : NAN;
	add_classes(&o->side[SIDE_A], SIDE_A, sums);
	add_classes(&o->side[SIDE_B], SIDE_B, sums);
	return 0;
}

static double share(int64_t part, int64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : NAN;
}

/* Largest gap between the two cumulative distributions of e; NaN where one side was not examined. */
static double compress_distance(const struct match_sums *sums)
{
	double all[SIDES] = { 0, 0 }, below[SIDES] = { 0, 0 }, most = 0;

	for (int s = 0; s < SIDES; s++) {
		for (int i = 0; i < REC_E_BUCKETS; i++)
			all[s] += sums->compress_bytes[s][i];
		if (!(all[s] > 0))
			return NAN;
	}
	for (int i = 0; i < REC_E_BUCKETS; i++) {
		for (int s = 0; s < SIDES; s++)
			below[s] += sums->compress_bytes[s][i] / all[s];
		most = fmax(most, fabs(below[SIDE_A] - below[SIDE_B]));
	}
	return most;
}

/* As M is taken: in each piece first, and every piece counts by its length. */
static void class_shares(const struct match_sums *sums, int side, double seen_bytes,
			 double share[static DATA_STATES])
{
	for (int c = 0; c < DATA_STATES; c++) {
		double sum = 0;

		for (size_t i = 0; i < sums->pieces_count; i++) {
			const struct match_piece *p = &sums->pieces[i];

			sum += p->bytes > 0 ? p->length_bytes * p->class_bytes[side][c] / p->bytes : 0;
		}
		share[c] = seen_bytes > 0 ? sum / seen_bytes : NAN;
	}
}

void match_finish(const struct match_sums *sums, struct data_match *match)
{
	double seen = 0, same_class = 0, hashed = 0, same_hash = 0;

	for (size_t i = 0; i < sums->pieces_count; i++) {
		const struct match_piece *p = &sums->pieces[i];

		seen += p->bytes > 0 ? p->length_bytes : 0;
		same_class += p->bytes > 0 ? p->length_bytes * p->same_class_bytes / p->bytes : 0;
		hashed += p->hashed_bytes > 0 ? p->length_bytes : 0;
		same_hash += p->hashed_bytes > 0 ? p->length_bytes * p->same_hash_bytes / p->hashed_bytes : 0;
	}
	*match = (struct data_match){ .pairs = sums->pairs, .bytes = sums->bytes,
				      .same_class_share = seen > 0 ? same_class / seen : NAN,
				      .same_hash_share = hashed > 0 ? same_hash / hashed : NAN,
				      .compress_distance = compress_distance(sums),
				      .matched_bins = sums->matched_bins, .bins = sums->bins,
				      .changed_share = { NAN, NAN } };
	if (!sums->pairs && sums->hashed_pairs) {	/* hashes alone: what is unequal may be of any state */
		match->pairs = sums->hashed_pairs;
		match->bytes = sums->hashed_bytes;
		match->same_class_share = match->same_hash_share;
	}
	for (int s = 0; s < SIDES; s++) {
		match->classified_share[s] = share(sums->examined_bytes[s], sums->all_bytes[s]);
		class_shares(sums, s, seen, match->class_share[s]);
	}
	for (int c = 0; c < DATA_STATES; c++)
		match->overlap += fmin(match->class_share[SIDE_A][c], match->class_share[SIDE_B][c]);
}
