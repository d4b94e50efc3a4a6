/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes -> data state; the rules are in state.h. */
#include "record/state.h"

#include <errno.h>
#include <lz4.h>
#include <math.h>
#include <string.h>

static const char *const names[REC_STATES] = {
	[REC_UNCLASSIFIED] = "unclassified",
	[REC_ZERO] = "zero",
	[REC_PATTERN] = "pattern",
	[REC_HIGHLY_COMPRESSIBLE] = "highly_compressible",
	[REC_COMPRESSIBLE] = "compressible",
	[REC_INCOMPRESSIBLE] = "incompressible",
};

/* n * log2(n): in mixed data all 256 counts are small, so nearly all come from here. */
static double small_n_log2_n[64];

static double n_log2_n(uint32_t n)
{
	return n < 2 ? 0 : n * log2(n);
}

__attribute__((constructor)) static void fill_table(void)
{
	for (uint32_t n = 0; n < 64; n++)
		small_n_log2_n[n] = n_log2_n(n);
}

const char *state_name(enum rec_state state)
{
	return (unsigned int)state < REC_STATES ? names[state] : NULL;
}

int state_from_name(const char *name, enum rec_state *state)
{
	for (unsigned int i = 0; i < REC_STATES; i++) {
		if (!strcmp(name, names[i])) {
			*state = (enum rec_state)i;
			return 0;
		}
	}
	return -EINVAL;
}

double state_entropy_bits(const void *data, size_t length)
{
	/* equal bytes in a row would wait for one counter: four tables take turns */
	uint32_t count[4][256] = { 0 };
	const uint8_t *p = data;
	double sum = 0;
	size_t i = 0;

	for (; i + 8 <= length; i += 8) {
		uint64_t v;

		memcpy(&v, p + i, 8);
		count[0][(uint8_t)v]++;
		count[1][(uint8_t)(v >> 8)]++;
		count[2][(uint8_t)(v >> 16)]++;
		count[3][(uint8_t)(v >> 24)]++;
		count[0][(uint8_t)(v >> 32)]++;
		count[1][(uint8_t)(v >> 40)]++;
		count[2][(uint8_t)(v >> 48)]++;
		count[3][(uint8_t)(v >> 56)]++;
	}
	for (; i < length; i++)
		count[0][p[i]]++;
	for (i = 0; i < 256; i++) {
		uint32_t n = count[0][i] + count[1][i] + count[2][i] + count[3][i];

		sum += n < 64 ? small_n_log2_n[n] : n_log2_n(n);
	}
	return log2((double)length) - sum / (double)length;
}

double state_lz4_ratio(const void *data, size_t length)
{
	char out[LZ4_COMPRESSBOUND(STATE_UNIT_BYTES)];
	int n = LZ4_compress_default(data, out, (int)length, (int)sizeof(out));

	return (double)n / (double)length;
}

/*
 * Each of the allowed periods divides 64, so one comparison of the data with itself 64 bytes
 * on finds them all, and leaves at the first difference. A period must be seen twice.
 */
enum rec_state state_periodic(const void *data, size_t length)
{
	static const uint8_t zero[64];
	const uint8_t *p = data;

	if (length >= 128) {
		if (memcmp(p, p + 64, length - 64))
			return REC_UNCLASSIFIED;
		return memcmp(p, zero, 64) ? REC_PATTERN : REC_ZERO;
	}
	for (size_t period = 1; period <= length / 2; period *= 2)
		if (!memcmp(p, p + period, length - period))
			return memcmp(p, zero, period) ? REC_PATTERN : REC_ZERO;
	return REC_UNCLASSIFIED;
}

enum rec_state state_of_e(double e)
{
	if (e < STATE_HIGHLY_COMPRESSIBLE_BELOW)
		return REC_HIGHLY_COMPRESSIBLE;
	return e < STATE_COMPRESSIBLE_BELOW ? REC_COMPRESSIBLE : REC_INCOMPRESSIBLE;
}

enum rec_state state_of_unit(const void *data, size_t length, double *e)
{
	enum rec_state state = state_periodic(data, length);

	if (state == REC_ZERO) {
		*e = 0;
		return state;
	}
	*e = fmin(state_lz4_ratio(data, length), state_entropy_bits(data, length) / 8);
	return state == REC_PATTERN ? state : state_of_e(*e);
}

/* Examines unit number n (a multiple of 4 KiB of the device) as far as the I/O covers it. */
static void examine(const uint8_t *data, size_t length, uint64_t offset, uint64_t n,
		    struct state_io *out)
{
	uint64_t from = n * STATE_UNIT_BYTES, to = from + STATE_UNIT_BYTES;
	struct state_unit *unit = &out->unit[out->units];

	if (from < offset)
		from = offset;
	if (to > offset + length)
		to = offset + length;
	if (to - from < STATE_PIECE_MIN_BYTES)
		return;
	unit->bytes = to - from;
	unit->state = state_of_unit(data + (from - offset), unit->bytes, &unit->e);
	out->units++;
}

static void sum_up(struct state_io *out)
{
	unsigned int zero = 0, pattern = 0;
	double e = 0, bytes = 0;

	for (unsigned int i = 0; i < out->units; i++) {
		e += out->unit[i].e * (double)out->unit[i].bytes;
		bytes += (double)out->unit[i].bytes;
		zero += out->unit[i].state == REC_ZERO;
		pattern += out->unit[i].state == REC_PATTERN;
	}
	if (!out->units)
		return;
	out->e = e / bytes;
	if (pattern && zero + pattern == out->units)
		out->state = REC_PATTERN;
	else
		out->state = state_of_e(out->e);
}

/* The whole I/O repeats: one unit stands for all of it. */
static void sum_up_periodic(const void *data, size_t length, enum rec_state periodic,
			    struct state_io *out)
{
	double e = 0;

	if (periodic != REC_ZERO)
		state_of_unit(data, length < STATE_UNIT_BYTES ? length : STATE_UNIT_BYTES, &e);
	out->state = periodic;
	out->e = e;
	out->unit[0] = (struct state_unit){ periodic, length, e };
	out->units = 1;
}

void state_of_io_known(const void *data, size_t length, uint64_t offset, unsigned int max_units,
		       enum rec_state periodic, struct state_io *out)
{
	uint64_t first, units;

	out->state = REC_UNCLASSIFIED;
	out->units = 0;
	out->e = 0;
	if (!length)
		return;
	if (periodic != REC_UNCLASSIFIED) {
		sum_up_periodic(data, length, periodic, out);
		return;
	}
	if (offset > UINT64_MAX - length - STATE_UNIT_BYTES)
		offset = 0;
	first = offset / STATE_UNIT_BYTES;
	units = (offset + length - 1) / STATE_UNIT_BYTES - first + 1;
	if (max_units > STATE_UNITS_MAX)
		max_units = STATE_UNITS_MAX;
	if (units <= max_units)
		max_units = (unsigned int)units;
	for (unsigned int i = 0; i < max_units; i++) {
		uint64_t from = units * i / max_units, to = units * (i + 1) / max_units;

		examine(data, length, offset,
			first + from + rec_mix(offset + i + REC_GOLDEN) % (to - from), out);
	}
	sum_up(out);
}

void state_of_io(const void *data, size_t length, uint64_t offset, unsigned int max_units,
		 struct state_io *out)
{
	state_of_io_known(data, length, offset, max_units,
			  length ? state_periodic(data, length) : REC_UNCLASSIFIED, out);
}
