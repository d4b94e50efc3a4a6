/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a record goes. While there is room: to the end. When the array is full the share of
 * offsets that is kept is halved, and each new record of that share takes the place of the
 * next old one that is no longer in it. So there is never a moment at which the whole
 * array is sorted out, and what is kept depends on offsets alone, not on speed or order.
 */
#include <stdatomic.h>

#include "record/writer-private.h"

/*
 * About every second slot is free after a halving. If so many in a row are not, some offsets
 * are used far more often than others: halve again instead of searching on.
 */
#define SEARCH_MAX 64

/* A slot is without F_VALID while it changes: a kill may come between any two stores. */
static void store(struct rec_record *slot, const struct rec_record *record)
{
	slot->flags = 0;
	atomic_signal_fence(memory_order_seq_cst);
	*slot = *record;	/* comes without F_VALID */
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&slot->flags, record->flags | REC_F_VALID, __ATOMIC_RELEASE);
}

/* The next slot from the cursor on whose record is not in the share any more, or NULL. */
static struct rec_record *stale_slot(struct rec_writer *writer, unsigned int shift)
{
	for (unsigned int i = 0; i < SEARCH_MAX && writer->cursor < writer->capacity; i++) {
		struct rec_record *slot = &writer->records[writer->cursor++];

		if (!rec_offset_passes(slot->offset, shift))
			return slot;
	}
	return NULL;
}

static __attribute__((noinline)) void replace(struct rec_writer *writer,
					      const struct rec_record *record)
{
	struct rec_header *h = writer->header;
	struct rec_record *slot;

	while (rec_offset_passes(record->offset, h->thin_shift)) {
		slot = stale_slot(writer, h->thin_shift);
		if (slot) {
			store(slot, record);
			return;
		}
		if (h->thin_shift == REC_SHIFT_MAX) {
			h->dropped++;
			return;
		}
		h->thin_shift++;
		writer->cursor = 0;
	}
}

void rec_thin_keep(struct rec_writer *writer, const struct rec_record *record)
{
	uint64_t n = writer->record_section->count;

	if (!rec_offset_passes(record->offset, writer->header->thin_shift))
		return;
	if (n == writer->capacity) {
		replace(writer, record);
		return;
	}
	store(&writer->records[n], record);
	/* memory that was never touched: have it here when the next record comes */
	__builtin_prefetch(&writer->records[n + 4], 1);
	__atomic_store_n(&writer->record_section->count, n + 1, __ATOMIC_RELEASE);
}
