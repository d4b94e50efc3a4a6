/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes -> data state. Pure; no allocation.
 *
 * The rule for one unit of 4 KiB:
 *   zero                 every byte is 0
 *   pattern              exactly periodic with period 1, 2, 4, 8, 16, 32 or 64 bytes
 *   e = min(LZ4 ratio, entropy / 8)
 *   highly compressible  e < 0.15
 *   compressible         0.15 <= e < 0.90
 *   incompressible       e >= 0.90
 * LZ4 ratio is LZ4_compress_default of the unit over its length, entropy is Shannon's over
 * the histogram of bytes, in bits. Each alone is fooled: a counter has entropy 8, hex text
 * does not compress with LZ4. 0.90 and not more, because fio's own "random" buffers reach
 * only 0.92.
 *
 * An I/O is cut into units at multiples of 4096 of its offset. Pieces at its ends that are
 * shorter than 512 bytes are not examined: too few bytes for a histogram.
 *   zero                 every byte of the I/O is 0; all were tested
 *   pattern              the whole I/O is one period, all bytes tested; or every examined
 *                        unit is a pattern or zero by itself, and not all of them zero
 *   else                 by e of the I/O: the mean of its examined units by bytes, where
 *                        zero counts 0 (what share of it would remain, not a majority)
 *   unclassified         nothing could be examined (shorter than 512 bytes and not periodic)
 */
#ifndef NVMATCH_RECORD_STATE_H
#define NVMATCH_RECORD_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "record/format.h"

#define STATE_UNIT_BYTES 4096u
#define STATE_PIECE_MIN_BYTES 512u
#define STATE_HIGHLY_COMPRESSIBLE_BELOW 0.15
#define STATE_COMPRESSIBLE_BELOW 0.90

/* The name used in files and JSON: "zero", "pattern", ..., "unclassified"; NULL if none. */
const char *state_name(enum rec_state state);

/* The state of that name through *state. Returns 0 or -EINVAL. */
int state_from_name(const char *name, enum rec_state *state);

/* Entropy of the histogram of bytes, 0 to 8 bits. length must be 1 or more. */
double state_entropy_bits(const void *data, size_t length);

/* Compressed length by LZ4_compress_default over length; length 1 to STATE_UNIT_BYTES. */
double state_lz4_ratio(const void *data, size_t length);

/* Zero, pattern or unclassified (neither); looks at every byte only while they repeat. */
enum rec_state state_periodic(const void *data, size_t length);

/* State and e of one unit of up to STATE_UNIT_BYTES bytes. */
enum rec_state state_of_unit(const void *data, size_t length, double *e);

#define STATE_UNITS_MAX 16

struct state_unit {
	enum rec_state state;
	uint64_t bytes;
	double e;
};

struct state_io {
	enum rec_state state;
	double e;		/* meaningless if state is REC_UNCLASSIFIED */
	unsigned int units;	/* examined */
	struct state_unit unit[STATE_UNITS_MAX];
};

/*
 * State of an I/O of length bytes read or written at offset. At most max_units (1 to
 * STATE_UNITS_MAX) of its units are examined, spread over it and chosen by offset alone, so
 * that the same I/O on another drive looks at the same units. If the whole I/O is
 * periodic, .units is 1 and stands for all of it.
 */
void state_of_io(const void *data, size_t length, uint64_t offset, unsigned int max_units,
		 struct state_io *out);

/* The same if state_periodic() of all the data was asked already. */
void state_of_io_known(const void *data, size_t length, uint64_t offset, unsigned int max_units,
		       enum rec_state periodic, struct state_io *out);

/* The state that e stands for; e is not that of periodic data. */
enum rec_state state_of_e(double e);

#endif
