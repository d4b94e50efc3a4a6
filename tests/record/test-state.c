/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classifier against worked numbers and against hand-made I/Os. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "record/state.h"

#define UNIT 4096

static uint64_t splitmix(uint64_t *s)
{
	uint64_t z = *s += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static void fill_random(uint8_t *p, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i += 8) {
		uint64_t v = splitmix(&seed);

		memcpy(p + i, &v, 8);
	}
}

static void fill_zero(uint8_t *p)
{
	memset(p, 0, UNIT);
}

static void fill_deadbeef(uint8_t *p)
{
	static const uint8_t word[] = { 0xde, 0xad, 0xbe, 0xef };

	for (size_t i = 0; i < UNIT; i++)
		p[i] = word[i % 4];
}

static void fill_counter(uint8_t *p)
{
	for (size_t i = 0; i < UNIT; i++)
		p[i] = (uint8_t)i;
}

static void fill_splitmix(uint8_t *p)
{
	fill_random(p, UNIT, 1);
}

static void fill_half(uint8_t *p)
{
	fill_random(p, UNIT, 1);
	memset(p + 2048, 0, 2048);
}

static void fill_hex(uint8_t *p)
{
	uint8_t raw[UNIT];

	fill_random(raw, UNIT, 1);
	for (size_t i = 0; i < 2048; i++) {
		p[2 * i] = "0123456789abcdef"[raw[i] >> 4];
		p[2 * i + 1] = "0123456789abcdef"[raw[i] & 15];
	}
}

static void fill_base64(uint8_t *p)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t raw[UNIT];

	fill_random(raw, UNIT, 1);
	for (size_t i = 0; i < 1024; i++) {
		uint32_t v = (uint32_t)raw[3 * i] << 16 | (uint32_t)raw[3 * i + 1] << 8 |
			     raw[3 * i + 2];

		for (size_t j = 0; j < 4; j++)
			p[4 * i + j] = (uint8_t)digits[v >> (18 - 6 * j) & 63];
	}
}

static const struct {
	const char *name;
	void (*fill)(uint8_t *p);
	double bits, lz4;
	enum rec_state state;
} units[] = {
	{ "zeros", fill_zero, 0.0, 0.0063, REC_ZERO },
	{ "deadbeef", fill_deadbeef, 2.0, 0.0071, REC_PATTERN },
	{ "counter", fill_counter, 8.0, 0.0686, REC_HIGHLY_COMPRESSIBLE },
	{ "splitmix", fill_splitmix, 7.953734, 1.0044, REC_INCOMPRESSIBLE },
	{ "half random", fill_half, 4.940976, 0.510, REC_COMPRESSIBLE },
	{ "hex", fill_hex, 3.998184, 0.999, REC_COMPRESSIBLE },
	{ "base64", fill_base64, 5.988465, 1.004, REC_COMPRESSIBLE },
};

static void test_units(void **state)
{
	uint8_t p[UNIT];

	(void)state;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		double e, low;

		print_message("# %s\n", units[i].name);
		units[i].fill(p);
		low = units[i].bits / 8;
		assert_true(state_entropy_bits(p, UNIT) > units[i].bits - 1e-6);
		assert_true(state_entropy_bits(p, UNIT) < units[i].bits + 1e-6);
		assert_true(state_lz4_ratio(p, UNIT) > units[i].lz4 - 0.01);
		assert_true(state_lz4_ratio(p, UNIT) < units[i].lz4 + 0.01);
		low = units[i].lz4 < low ? units[i].lz4 : low;
		assert_int_equal(state_of_unit(p, UNIT, &e), units[i].state);
		assert_true(e > low - 0.01 && e < low + 0.01);
	}
}

static void test_entropy_of_short_data(void **state)
{
	(void)state;
	assert_true(state_entropy_bits("a", 1) == 0);
	assert_true(state_entropy_bits("abcdefgh", 8) > 3 - 1e-9);
	assert_true(state_entropy_bits("aabbccddeeffg", 13) < 3);
}

static void test_periods(void **state)
{
	static const size_t lengths[] = { 2, 3, 63, 64, 65, 127, 128, 129, 512, 4095, 4096, 100000 };
	static uint8_t p[100000];

	(void)state;
	for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++) {
		size_t n = lengths[l];

		for (size_t period = 1; period <= 64 && period <= n / 2; period *= 2) {
			uint8_t cell[64];

			fill_random(cell, sizeof(cell), n * 131 + period);
			for (size_t i = 0; i < n; i++)
				p[i] = cell[i % period];
			assert_int_equal(state_periodic(p, n), REC_PATTERN);
			memset(p, 0, n);
			assert_int_equal(state_periodic(p, n), REC_ZERO);
			/* one odd byte anywhere makes it neither */
			if (n < 4)
				continue;
			p[n - 1] = 1;
			assert_int_equal(state_periodic(p, n), REC_UNCLASSIFIED);
			p[n - 1] = 0;
			p[n / 2] = 1;
			assert_int_equal(state_periodic(p, n), REC_UNCLASSIFIED);
		}
	}
	/* 96 is no allowed period */
	for (size_t i = 0; i < 4096; i++)
		p[i] = (uint8_t)(i % 96);
	assert_int_equal(state_periodic(p, 4096), REC_UNCLASSIFIED);
}

static void test_names(void **state)
{
	enum rec_state s;

	(void)state;
	for (int i = 0; i < REC_STATES; i++) {
		assert_int_equal(state_from_name(state_name((enum rec_state)i), &s), 0);
		assert_int_equal(s, i);
	}
	assert_null(state_name(REC_STATES));
	assert_true(state_from_name("zeros", &s) < 0);
}

static void test_io_zero_means_every_byte(void **state)
{
	static uint8_t p[1 << 20];
	struct state_io io;

	(void)state;
	memset(p, 0, sizeof(p));
	state_of_io(p, sizeof(p), 0, 8, &io);
	assert_int_equal(io.state, REC_ZERO);
	assert_int_equal(io.units, 1);
	assert_int_equal(io.unit[0].bytes, sizeof(p));
	for (size_t at = 0; at < sizeof(p); at += 99991) {
		p[at] = 1;
		state_of_io(p, sizeof(p), 0, 8, &io);
		assert_int_not_equal(io.state, REC_ZERO);
		p[at] = 0;
	}
	p[sizeof(p) - 1] = 1;
	state_of_io(p, sizeof(p), 0, 8, &io);
	assert_int_not_equal(io.state, REC_ZERO);
}

static void test_io_mixtures(void **state)
{
	static uint8_t p[64 * UNIT];
	struct state_io io;

	(void)state;
	fill_random(p, sizeof(p), 7);
	state_of_io(p, sizeof(p), 0, 8, &io);
	assert_int_equal(io.state, REC_INCOMPRESSIBLE);
	assert_int_equal(io.units, 8);
	/* half of it zero: half of it would remain */
	for (size_t i = 0; i < 64; i += 2)
		memset(p + i * UNIT, 0, UNIT);
	state_of_io(p, 16 * UNIT, 0, 16, &io);
	assert_int_equal(io.state, REC_COMPRESSIBLE);
	assert_true(io.e > 0.45 && io.e < 0.55);
	/* each unit another pattern: together no period, but patterns all the same */
	for (size_t i = 0; i < 64; i++)
		memset(p + i * UNIT, (int)i, UNIT);
	state_of_io(p, sizeof(p), 0, 16, &io);
	assert_int_equal(io.state, REC_PATTERN);
}

static void test_io_choice_depends_on_offset_only(void **state)
{
	static uint8_t p[64 * UNIT], q[64 * UNIT];
	struct state_io a, b;

	(void)state;
	/* unit i of both sides carries the same e, other bytes */
	for (size_t i = 0; i < 64; i++) {
		fill_random(p + i * UNIT, UNIT, 100 + i);
		memcpy(q + i * UNIT, p + i * UNIT, UNIT);
		memset(p + i * UNIT, 0, i * 32);
		memset(q + i * UNIT, 0, i * 32);
	}
	for (uint64_t offset = 0; offset < 100 * UNIT; offset += 512) {
		state_of_io(p, sizeof(p), offset, 8, &a);
		state_of_io(q, sizeof(q), offset, 8, &b);
		assert_int_equal(a.units, b.units);
		for (unsigned int i = 0; i < a.units; i++)
			assert_true(a.unit[i].e == b.unit[i].e && a.unit[i].bytes == b.unit[i].bytes);
	}
}

/* Lengths and offsets that are no multiple of a unit: pieces under 512 bytes are left out. */
static void test_io_odd_ends(void **state)
{
	static const struct {
		uint64_t offset;
		size_t length;
		unsigned int units;
		uint64_t bytes;
	} cases[] = {
		{ 0, 4096, 1, 4096 },	   { 512, 4096, 2, 4096 },   { 4096 - 511, 4096, 1, 3585 },
		{ 0, 511, 0, 0 },	   { 0, 512, 1, 512 },	     { 3900, 600, 0, 0 },
		{ 100, 8192, 2, 8092 },	   { 0, 12288, 3, 12288 },   { 0, 12289, 3, 12288 },
		{ UINT64_MAX - 5, 4096, 1, 4096 },
	};
	static uint8_t p[16384];
	struct state_io io;

	(void)state;
	fill_random(p, sizeof(p), 3);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t bytes = 0;

		state_of_io(p, cases[i].length, cases[i].offset, 16, &io);
		for (unsigned int u = 0; u < io.units; u++)
			bytes += io.unit[u].bytes;
		assert_int_equal(io.units, cases[i].units);
		if (cases[i].offset == 100)
			assert_int_equal(bytes, 3996 + 4096);
		else
			assert_int_equal(bytes, cases[i].bytes);
		assert_int_equal(io.state, io.units ? REC_INCOMPRESSIBLE : REC_UNCLASSIFIED);
	}
	state_of_io(p, 0, 0, 8, &io);
	assert_int_equal(io.state, REC_UNCLASSIFIED);
}

static void test_every_length_is_safe(void **state)
{
	struct state_io io;

	(void)state;
	for (size_t n = 1; n < 9000; n += n < 300 ? 1 : 97) {
		uint8_t *p = malloc(n);

		assert_non_null(p);
		for (size_t i = 0; i < n; i++)
			p[i] = (uint8_t)(i * i);
		for (uint64_t offset = 0; offset < 4096; offset += 511)
			state_of_io(p, n, offset, 1 + (unsigned int)(n % 16), &io);
		free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_entropy_of_short_data),
		cmocka_unit_test(test_periods),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_io_zero_means_every_byte),
		cmocka_unit_test(test_io_mixtures),
		cmocka_unit_test(test_io_choice_depends_on_offset_only),
		cmocka_unit_test(test_io_odd_ends),
		cmocka_unit_test(test_every_length_is_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
