/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of gather: the I/Os of one record file by offset. */
#ifndef NVMATCH_GATHER_ITEMS_H
#define NVMATCH_GATHER_ITEMS_H

#include "record/reader.h"

struct item {
	uint64_t offset, hash;
	uint32_t length;
	uint8_t state;
	bool hashed;
};

struct items {
	struct item *items;
	size_t count;
};

/*
 * Each offset once, sorted; only offsets that the other side keeps too (its thin_shift, or the larger
 * of both). items is the caller's to free, after a failure too. 0, -ENOMEM, or as rec_next().
 */
int items_load(struct rec_reader *reader, unsigned int shift, struct items *items);

#endif
