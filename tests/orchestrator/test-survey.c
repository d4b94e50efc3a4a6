// SPDX-License-Identifier: GPL-3.0-or-later
/* Survey: which blocks are drawn, what they show, what matches, and the document. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "examples.h"
#include "stats-design.h"
#include "stats-random.h"
#include "survey.h"
#include "text.h"

static void draws_are_sets(void **state)
{
	static const struct { uint64_t n, count; } cases[] = { { 1, 1 }, { 5, 9 }, { 300, 300 }, { 301, 300 },
							       { 262144, 300 }, { UINT64_C(1) << 40, 1000 } };

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct stats_random a = { 7 }, b = { 7 }, other = { 8 };
		uint64_t n = cases[c].n, want = cases[c].count < n ? cases[c].count : n, drawn = 0, differ = 0;
		uint64_t *x = survey_draw(&a, n, cases[c].count, &drawn);
		uint64_t *y = survey_draw(&b, n, cases[c].count, &drawn);
		uint64_t *z = survey_draw(&other, n, cases[c].count, &drawn);

		assert_int_equal(drawn, want);
		for (uint64_t i = 0; i < drawn; i++) {
			assert_true(x[i] < n);
			assert_int_equal(x[i], y[i]);
			differ += x[i] != z[i];
			for (uint64_t k = 0; k < i; k++)
				assert_int_not_equal(x[i], x[k]);
		}
		assert_true(n == 1 || differ);
		free(x);
		free(y);
		free(z);
	}
}

/* Every block and every place in the order equally often: chi-square of 20 cells, fixed seed. */
static void draws_are_uniform(void **state)
{
	enum { N = 20, COUNT = 6, TIMES = 20000 };
	double first[N] = { 0 }, any[N] = { 0 }, chi_first = 0, chi_any = 0;
	struct stats_random r = { 1 };

	(void)state;
	for (int t = 0; t < TIMES; t++) {
		uint64_t drawn;
		uint64_t *x = survey_draw(&r, N, COUNT, &drawn);

		first[x[0]]++;
		for (uint64_t i = 0; i < drawn; i++)
			any[x[i]]++;
		free(x);
	}
	for (int i = 0; i < N; i++) {
		double e1 = (double)TIMES / N, e2 = (double)TIMES * COUNT / N;

		chi_first += (first[i] - e1) * (first[i] - e1) / e1;
		chi_any += (any[i] - e2) * (any[i] - e2) / e2;
	}
	/* 0.1 % point of 19 degrees of freedom */
	assert_true(chi_first < 43.8);
	assert_true(chi_any < 43.8);
}

static void ranges_cover_all(void **state)
{
	static const struct { int64_t ranges, range_bytes, bytes, block; size_t count; bool whole; } cases[] = {
		{ 32, UNKNOWN_I64, INT64_C(1000204886016), 4096, 32, true },
		{ 32, UNKNOWN_I64, 40960, 4096, 10, true },
		{ 1, UNKNOWN_I64, 4096, 4096, 1, true },
		{ 7, UNKNOWN_I64, 1 << 20, 4096, 7, true },
		{ 4, 65536, 1 << 20, 4096, 4, false },
		{ 1, 65536, 1 << 20, 4096, 1, false },
		{ 4, 1 << 20, 1 << 20, 4096, 4, true },
	};

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct survey_request r = { .ranges = cases[c].ranges, .range_bytes = cases[c].range_bytes };
		int64_t end = 0, whole = cases[c].bytes - cases[c].bytes % cases[c].block;
		struct range *ranges;
		size_t count;

		assert_int_equal(survey_ranges(&r, cases[c].bytes, cases[c].block, &ranges, &count), 0);
		assert_int_equal(count, cases[c].count);
		for (size_t i = 0; i < count; i++) {
			assert_true(cases[c].whole ? ranges[i].offset_bytes == end : ranges[i].offset_bytes >= end);
			assert_true(ranges[i].length_bytes >= cases[c].block);
			assert_int_equal(ranges[i].offset_bytes % cases[c].block, 0);
			assert_int_equal(ranges[i].length_bytes % cases[c].block, 0);
			end = ranges[i].offset_bytes + ranges[i].length_bytes;
		}
		assert_true(cases[c].whole || count == 1 ? end <= whole : end == whole);
		assert_true(!cases[c].whole || end == whole);
		free(ranges);
	}
}

/* One range on one drive: n blocks of which the first k are of another kind. */
#define MANY 4000
struct made {
	struct survey_sample items[MANY];
	struct survey_samples samples;
	struct survey_drive drive;
};

static void make(struct made *m, int64_t blocks, int64_t n, int kind, int64_t k, int other)
{
	memset(m, 0, sizeof(*m));
	for (int64_t i = 0; i < n; i++)
		m->items[i] = (struct survey_sample){ .offset_bytes = i * 4096, .hash = (uint64_t)i + 1000,
						      .kind = (uint8_t)(i < k ? other : kind) };
	m->samples = (struct survey_samples){ m->items, (size_t)n };
	m->drive.target = strdup("x");
	m->drive.ranges = calloc(1, sizeof(*m->drive.ranges));
	m->drive.ranges_count = 1;
	m->drive.ranges[0] = (struct survey_range){ .length_bytes = blocks * 4096, .blocks = blocks };
	assert_int_equal(survey_count(&m->samples, 10, &m->drive), 0);
}

static void empty(struct made *m)
{
	free(m->drive.target);
	free(m->drive.map);
	free(m->drive.ranges[0].text);
	free(m->drive.ranges);
}

/* The worked example's intervals of k exceptions in n. */
static void bounds_are_the_examples(void **state)
{
	json_t *all = examples("sampling"), *list = get(all, "clopper_pearson"), *c;
	static struct made m;
	size_t i;

	(void)state;
	assert_true(json_array_size(list) >= 4);
	json_array_foreach(list, i, c) {
		int64_t k = (int64_t)num(c, "k"), n = (int64_t)num(c, "n");
		double low = json_number_value(json_array_get(get(c, "expect"), 0));
		double high = json_number_value(json_array_get(get(c, "expect"), 1));
		const struct survey_range *r = &m.drive.ranges[0];

		if (2 * k > n)
			k = n - k;	/* the same interval, seen from the other kind */
		make(&m, 1 << 20, n, REC_ZERO, k, REC_INCOMPRESSIBLE);
		r = &m.drive.ranges[0];
		assert_int_equal(r->kind, REC_ZERO);
		if (2 * num(c, "k") > n) {
			assert_near(r->share_low, low, 1e-6);
			assert_near(r->share_high, high, 1e-6);
		} else {
			assert_near(r->share_low, 1 - high, 1e-6);
			assert_near(r->share_high, 1 - low, 1e-6);
		}
		empty(&m);
	}
	json_decref(all);
}

/* Zero exceptions: so many blocks say "fewer than so many odd ones", as the example's table. */
static void zero_exceptions(void **state)
{
	(void)state;
	assert_int_equal(stats_blocks_without_exception(0.01, 0.95), 299);
	assert_true(SURVEY_SAMPLES >= 299);
}

static void sentences(void **state)
{
	static const struct { int64_t blocks, n, k; const char *text; } cases[] = {
		{ 1 << 20, 300, 0, "at least 98.7 % of its blocks are zero-filled (95 % confidence)" },
		{ 1 << 20, 300, 3, "at least 97.1 % of its blocks are zero-filled (95 % confidence)" },
		{ 1 << 20, 300, 100, "mixed: 61.0 to 72.0 % of its blocks are zero-filled (95 % confidence)" },
		{ 1 << 20, 20, 0, "all 20 blocks seen are zero-filled, which shows at least 83.1 % (95 % confidence)" },
		{ 300, 300, 0, "100.0 % of its blocks are zero-filled (all were read)" },
		{ 300, 300, 30, "mixed: 90.0 % of its blocks are zero-filled (all were read)" },
		{ 300, 0, 0, "no block of it was read" },
	};
	static struct made m;

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		make(&m, cases[c].blocks, cases[c].n, REC_ZERO, cases[c].k, REC_INCOMPRESSIBLE);
		assert_string_equal(m.drive.ranges[0].text, cases[c].text);
		empty(&m);
	}
}

static void map_and_repeats(void **state)
{
	static struct made m;

	(void)state;
	make(&m, 1000, 1000, REC_INCOMPRESSIBLE, 450, REC_ZERO);
	assert_string_equal(m.drive.map, "....*#####");
	assert_int_equal(m.drive.ranges[0].repeated, 0);
	empty(&m);
	make(&m, 1000, 500, REC_INCOMPRESSIBLE, 0, REC_ZERO);
	assert_string_equal(m.drive.map, "#####     ");
	empty(&m);
}

struct pair_case {
	int64_t n, blocks;
	int kind[SIDES];
	int64_t k[SIDES];
	int other[SIDES];
	bool matched, proposed;
	const char *text;	/* a part of it */
};

static void pairs(void **state)
{
	enum { Z = REC_ZERO, I = REC_INCOMPRESSIBLE, C = REC_COMPRESSIBLE, H = KIND_HOLE, D = KIND_DEALLOCATED };
	static const struct pair_case cases[] = {
		{ 300, 1 << 20, { I, I }, { 0, 0 }, { I, I }, true, true, "incompressible" },
		/* the example: 300 of 300 against 297 of 300 */
		{ 300, 1 << 20, { I, I }, { 0, 3 }, { I, C }, true, true, "alike on both, incompressible" },
		{ 300, 1 << 20, { I, I }, { 0, 12 }, { I, C }, false, false, "96.0 % of the offsets" },
		{ 300, 1 << 20, { I, Z }, { 0, 0 }, { I, I }, false, false, "A is mostly incompressible, B mostly zero" },
		{ 300, 1 << 20, { Z, Z }, { 0, 0 }, { I, I }, true, true, "zero-filled" },
		/* zeros that are there are not the same as what is not there */
		{ 300, 1 << 20, { Z, H }, { 0, 0 }, { I, I }, false, false, "B mostly a hole" },
		{ 300, 1 << 20, { H, H }, { 0, 0 }, { I, I }, true, false, "hole" },
		{ 300, 1 << 20, { D, D }, { 0, 0 }, { I, I }, true, false, "deallocated" },
		{ 60, 1 << 20, { I, I }, { 0, 0 }, { I, I }, false, false, "too few" },
		{ 60, 60, { I, I }, { 0, 0 }, { I, I }, true, true, "all were read" },
		/* alike at every offset, but not of one kind */
		{ 3000, 1 << 20, { I, I }, { 1400, 1400 }, { C, C }, false, false, "several kinds" },
	};
	static struct made m[SIDES];

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct survey_samples samples[SIDES];
		struct survey_drive drives[SIDES];
		struct survey s = { .drives = drives, .drives_count = SIDES };

		for (int i = 0; i < SIDES; i++) {
			make(&m[i], cases[c].blocks, cases[c].n, cases[c].kind[i], cases[c].k[i], cases[c].other[i]);
			samples[i] = m[i].samples;
			drives[i] = m[i].drive;
		}
		assert_int_equal(survey_match(samples, &s), 0);
		if (s.pairs[0].matched != cases[c].matched || !strstr(s.pairs[0].text, cases[c].text))
			fail_msg("case %zu: matched %d, %s", c, s.pairs[0].matched, s.pairs[0].text);
		assert_int_equal(s.proposals_count, cases[c].proposed);
		assert_null(strstr(s.pairs[0].text, "same data"));
		s.drives_count = 0;
		s.drives = NULL;
		survey_free(&s);
		empty(&m[SIDE_A]);
		empty(&m[SIDE_B]);
	}
}

/* The example's bound is for three kinds; here more kinds are watched, so it may only be lower. */
static void overlap_is_no_better(void **state)
{
	json_t *all = examples("sampling"), *two = get(all, "two_region_rule");
	static struct made a, b;
	struct survey_samples samples[SIDES];
	struct survey_drive drives[SIDES];
	struct survey s = { .drives = drives, .drives_count = SIDES };
	double expected = num(get(two, "expect"), "overlap_lower");

	(void)state;
	make(&a, 1 << 20, 300, REC_INCOMPRESSIBLE, 0, REC_ZERO);
	make(&b, 1 << 20, 300, REC_INCOMPRESSIBLE, 3, REC_COMPRESSIBLE);
	samples[SIDE_A] = a.samples;
	samples[SIDE_B] = b.samples;
	drives[SIDE_A] = a.drive;
	drives[SIDE_B] = b.drive;
	assert_int_equal(survey_match(samples, &s), 0);
	assert_near(s.pairs[0].overlap, num(get(two, "expect"), "overlap_point"), 1e-9);
	assert_true(s.pairs[0].overlap_lower < expected && s.pairs[0].overlap_lower > 0.95);
	assert_int_equal(s.pairs[0].same_kind, 297);
	s.drives_count = 0;
	s.drives = NULL;
	survey_free(&s);
	empty(&a);
	empty(&b);
	json_decref(all);
}

static void spreads(void **state)
{
	struct survey_proposal list[3] = { { 0, 1 << 20, REC_ZERO }, { 1 << 20, 1 << 20, REC_ZERO },
					   { 8 << 20, 1 << 20, REC_ZERO } };
	static const struct { size_t proposals; int64_t count, bytes, align; int ret; size_t made; } cases[] = {
		{ 3, 3, 1 << 30, 4096, 0, 3 }, { 3, 8, 1 << 30, 4096, 0, 8 }, { 3, 2, 65536, 4096, 0, 2 },
		{ 1, 8, 1 << 30, 1 << 20, -EINVAL, 0 }, { 1, 1, 1 << 30, 1 << 20, 0, 1 },
		{ 1, 4, 1 << 30, 1 << 18, 0, 4 }, { 0, 3, 4096, 4096, -EINVAL, 0 },
	};

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct survey s = { .proposals = list, .proposals_count = cases[c].proposals };
		struct range *r;
		size_t made;
		int64_t end = 0;

		assert_int_equal(survey_spread(&s, cases[c].count, cases[c].bytes, cases[c].align, &r, &made),
				 cases[c].ret);
		assert_int_equal(made, cases[c].made);
		for (size_t i = 0; i < made; i++) {
			bool inside = false;

			for (size_t k = 0; k < cases[c].proposals; k++)
				inside |= r[i].offset_bytes >= list[k].offset_bytes && r[i].offset_bytes + r[i].length_bytes
					  <= list[k].offset_bytes + list[k].length_bytes;
			assert_true(inside && r[i].offset_bytes >= end && r[i].length_bytes <= cases[c].bytes);
			assert_int_equal(r[i].offset_bytes % cases[c].align, 0);
			assert_int_equal(r[i].length_bytes % cases[c].align, 0);
			end = r[i].offset_bytes + r[i].length_bytes;
		}
		free(r);
	}
}

static void document(void **state)
{
	static struct made m;
	struct survey s = { .seed = 3, .block_bytes = 4096, .samples_per_range = 300, .complete = true,
			    .drives_count = 1 }, back;
	json_t *json, *again;
	json_t *range;

	(void)state;
	make(&m, 1 << 20, 300, REC_ZERO, 3, KIND_DEALLOCATED);
	s.drives = &m.drive;
	m.drive.capacity_bytes = INT64_C(4096) << 20;
	json = survey_to_json(&s);
	assert_int_equal(survey_from_json(json, "x", &back), 0);
	again = survey_to_json(&back);
	assert_true(json_equal(json, again));
	survey_free(&back);
	json_decref(again);
	/* what does not fit is refused */
	range = json_array_get(get(json_array_get(get(json, "drives"), 0), "ranges"), 0);
	json_object_set_new(range, "length_bytes", json_integer(INT64_MAX));
	assert_int_equal(survey_from_json(json, "x", &back), -EBADMSG);
	json_object_set_new(range, "length_bytes", json_string("4096"));
	assert_int_equal(survey_from_json(json, "x", &back), -EBADMSG);
	json_object_del(range, "length_bytes");
	assert_int_equal(survey_from_json(json, "x", &back), -EBADMSG);
	json_object_clear(json);
	assert_int_equal(survey_from_json(json, "x", &back), -EBADMSG);
	json_decref(json);
	empty(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws_are_sets), cmocka_unit_test(draws_are_uniform),
		cmocka_unit_test(ranges_cover_all), cmocka_unit_test(bounds_are_the_examples),
		cmocka_unit_test(zero_exceptions), cmocka_unit_test(sentences), cmocka_unit_test(map_and_repeats),
		cmocka_unit_test(pairs), cmocka_unit_test(overlap_is_no_better), cmocka_unit_test(spreads),
		cmocka_unit_test(document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
