/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of I/Os compared by their digests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "record/digest.h"

static uint64_t offset_of(uint64_t i)
{
	return rec_mix(i) % 100000 * 4096;
}

static void run(struct rec_stream *s, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
		rec_stream_add(s, offset_of(i), 4096, REC_READ, 0);
}

static void make(struct rec_stream *s, uint64_t ios)
{
	rec_stream_init(s);
	run(s, 0, ios);
}

static void test_equal(void **state)
{
	static const uint64_t counts[] = { 0, 1, 5, 127, 128, 129, 256, 257, 1000, 100000 };
	struct rec_stream a, b;
	uint64_t prefix;

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		make(&a, counts[i]);
		make(&b, counts[i]);
		assert_int_equal(rec_digest_compare(&a, &b, &prefix), REC_DIGEST_EQUAL_SEQUENCE);
		assert_int_equal(prefix, counts[i]);
	}
}

static void test_checkpoints_are_multiples_of_stride(void **state)
{
	struct rec_stream s;

	(void)state;
	for (uint64_t n = 1; n < 5000; n += 37) {
		make(&s, n);
		assert_int_equal(s.checkpoint_count, n / s.digest.stride);
		for (size_t i = 0; i < s.checkpoint_count; i++)
			assert_int_equal(s.checkpoints[i].ios, (i + 1) * s.digest.stride);
	}
}

static void test_set(void **state)
{
	struct rec_stream a, b;
	uint64_t prefix;

	(void)state;
	rec_stream_init(&a);
	rec_stream_init(&b);
	run(&a, 0, 3000);
	run(&b, 0, 1000);
	run(&b, 2000, 3000);
	run(&b, 1000, 2000);
	assert_int_equal(rec_digest_compare(&a, &b, &prefix), REC_DIGEST_EQUAL_SET);
	assert_in_range(prefix, 1000 - a.digest.stride, 1000);
}

static void test_prefix(void **state)
{
	static const uint64_t counts[][2] = {
		{ 100, 101 }, { 128, 4000 }, { 1000, 1500 }, { 65537, 99999 }, { 1000000, 1300000 },
	};
	struct rec_stream a, b;
	uint64_t prefix;

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		make(&a, counts[i][0]);
		make(&b, counts[i][1]);
		assert_int_equal(rec_digest_compare(&a, &b, &prefix), REC_DIGEST_EQUAL_PREFIX);
		assert_true(prefix <= counts[i][0] && prefix + b.digest.stride > counts[i][0]);
		assert_int_equal(rec_digest_compare(&b, &a, &prefix), REC_DIGEST_EQUAL_PREFIX);
	}
}

static void test_different(void **state)
{
	struct rec_stream a, b;
	uint64_t prefix;

	(void)state;
	/* the 500th of 1000 I/Os differs in one property */
	for (int what = 0; what < 4; what++) {
		make(&a, 1000);
		make(&b, 499);
		rec_stream_add(&b, offset_of(499) + (what == 0 ? 512 : 0), what == 1 ? 8192 : 4096,
			       what == 2 ? REC_WRITE : REC_READ, what == 3);
		run(&b, 500, 1000);
		assert_int_equal(rec_digest_compare(&a, &b, &prefix), REC_DIGEST_DIFFERENT);
		assert_true(prefix <= 499 && prefix >= 499 - a.digest.stride);
		run(&b, 1000, 1200);
		assert_int_equal(rec_digest_compare(&a, &b, &prefix), REC_DIGEST_DIFFERENT);
		assert_true(prefix <= 499);
	}
}

static void test_nothing_to_compare(void **state)
{
	struct rec_stream a, b;
	uint64_t prefix;

	(void)state;
	make(&a, 100);
	make(&b, 1000000);
	assert_int_equal(rec_digest_compare(&a, &b, &prefix), REC_DIGEST_UNKNOWN);
	assert_int_equal(prefix, 0);
}

static void test_sets_add_up(void **state)
{
	struct rec_stream all, one, two;

	(void)state;
	make(&all, 1000);
	make(&one, 300);
	rec_stream_init(&two);
	run(&two, 300, 1000);
	for (int i = 0; i < 2; i++)
		assert_int_equal(all.digest.set[i], one.digest.set[i] + two.digest.set[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_checkpoints_are_multiples_of_stride),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_prefix),
		cmocka_unit_test(test_different),
		cmocka_unit_test(test_nothing_to_compare),
		cmocka_unit_test(test_sets_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
