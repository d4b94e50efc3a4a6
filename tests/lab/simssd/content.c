/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks: what is in each, and reading, writing and discarding them. */
#include "simssd.h"

#include <string.h>
#include <sys/mman.h>

static uint8_t *memory, *states;

static void generate(uint8_t *block, uint64_t offset)
{
	uint64_t x = offset + (uint64_t)conf.seed * 0x9e3779b97f4a7c15;

	/* a multiplicative step and a shift: incompressible for any LZ, equal for an equal offset */
	for (size_t i = 0; i < BLOCK_BYTES; i += sizeof(x)) {
		uint64_t y;

		x += 0x9e3779b97f4a7c15;
		y = (x ^ x >> 31) * 0xbf58476d1ce4e5b9;
		y ^= y >> 29;
		memcpy(block + i, &y, sizeof(y));
	}
}

/* The block's bytes; *buffer is used when they are not in memory. */
static const uint8_t *block_at(uint64_t block, uint8_t buffer[BLOCK_BYTES])
{
	if (states[block] == DATA || states[block] == ZEROS)
		return memory + block * BLOCK_BYTES;
	if (states[block] == GENERATED)
		generate(buffer, block * BLOCK_BYTES);
	else
		memset(buffer, 0, BLOCK_BYTES);
	return buffer;
}

bool content_is_data(uint64_t block)
{
	return states[block] >= DATA;
}

/* The part of a block that a request from at to end has. */
static uint64_t piece(uint64_t at, uint64_t end)
{
	uint64_t n = BLOCK_BYTES - at % BLOCK_BYTES;

	return n < end - at ? n : end - at;
}

void content_read(void *data, uint32_t count, uint64_t offset)
{
	uint8_t buffer[BLOCK_BYTES], *to = data;

	for (uint64_t at = offset, n; at < offset + count; at += n) {
		n = piece(at, offset + count);
		memcpy(to + (at - offset), block_at(at / BLOCK_BYTES, buffer) + at % BLOCK_BYTES, n);
	}
}

void content_write(const void *data, uint32_t count, uint64_t offset)
{
	static const uint8_t zeros[BLOCK_BYTES];
	uint8_t buffer[BLOCK_BYTES];
	const uint8_t *from = data;

	for (uint64_t at = offset, n; at < offset + count; at += n) {
		uint64_t block = at / BLOCK_BYTES;
		uint8_t *to = memory + block * BLOCK_BYTES;
		const uint8_t *was = block_at(block, buffer);

		n = piece(at, offset + count);
		if (n < BLOCK_BYTES && was != to)
			memcpy(to, was, BLOCK_BYTES);
		memcpy(to + at % BLOCK_BYTES, from + (at - offset), n);
		states[block] = memcmp(to, zeros, BLOCK_BYTES) ? DATA : ZEROS;
	}
}

void content_trim(uint32_t count, uint64_t offset)
{
	uint64_t first = (offset + BLOCK_BYTES - 1) / BLOCK_BYTES, end = (offset + count) / BLOCK_BYTES;

	if (end > first) {
		memset(states + first, EMPTY, end - first);
		madvise(memory + first * BLOCK_BYTES, (end - first) * BLOCK_BYTES, MADV_DONTNEED);
	}
}

static void *reserve_memory(int64_t bytes)
{
	return mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

int content_make(void)
{
	if (conf.size <= 0 || conf.size % BLOCK_BYTES) {
		nbdkit_error("size= must be given, in whole blocks of 4096 bytes");
		return -1;
	}
	memory = reserve_memory(conf.size);
	states = reserve_memory(conf.size / BLOCK_BYTES);
	if (memory == MAP_FAILED || states == MAP_FAILED) {
		nbdkit_error("no memory: %m");
		return -1;
	}
	for (int i = 0; i < conf.populate_count; i++) {
		const struct area *a = &conf.populate[i];

		if (a->length > conf.size || a->offset > conf.size - a->length) {
			nbdkit_error("populate= beyond the end");
			return -1;
		}
		memset(states + a->offset / BLOCK_BYTES, GENERATED, (size_t)(a->length / BLOCK_BYTES));
	}
	return 0;
}
