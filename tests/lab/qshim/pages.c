/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages on their way to the guest: when QEMU copies one to where it was announced (memmove), the
 * bytes of an overlay are laid over it.
 */
#undef _FORTIFY_SOURCE	/* memmove must be a function here, not a macro */
#include "qshim.h"

#include <string.h>

#define PAGES 16

/* Where a page is about to be copied to. */
static struct page {
	uint8_t *start;
	size_t length, offset;		/* offset of start in the page */
	const struct overlay *overlay;
} pages[PAGES];
static int pages_next, pages_used;

void put_over(struct overlay *o, int offset, uint64_t value, int bytes)
{
	store(o->value + offset, value, bytes);
	memset(o->mask + offset, 0xff, (size_t)bytes);
	o->used = true;
}

void put_text_over(struct overlay *o, int offset, const char *text, size_t bytes)
{
	size_t n = strlen(text);

	memset(o->value + offset, ' ', bytes);
	memcpy(o->value + offset, text, n < bytes ? n : bytes);
	memset(o->mask + offset, 0xff, bytes);
	o->used = true;
}

const struct overlay *served_page(const struct drive *d, uint8_t page)
{
	for (int i = 0; i < d->served_count; i++)
		if (d->served[i].page == page)
			return &d->served[i].overlay;
	return NULL;
}

struct overlay *serve_page(struct drive *d, unsigned int page)
{
	struct served *s = &d->served[d->served_count];

	if (page > 0xff)
		return NULL;
	if (served_page(d, (uint8_t)page))
		return (struct overlay *)served_page(d, (uint8_t)page);
	if (d->served_count == SERVED)
		return NULL;
	s->page = (uint8_t)page;
	memset(s->overlay.mask, 0xff, sizeof(s->overlay.mask));
	d->served_count++;
	return &s->overlay;
}

static void expect_piece(uint64_t address, size_t length, size_t offset, const struct overlay *overlay)
{
	uint64_t mapped = length;
	void *start = qemu.memory_map(address, &mapped, true);

	if (!start)
		return;
	qemu.memory_unmap(start, mapped, true, 0);
	pages[pages_next] = (struct page){ start, length, offset, overlay };
	pages_next = (pages_next + 1) % PAGES;
	__atomic_store_n(&pages_used, 1, __ATOMIC_RELEASE);
}

/* A page at PRP1 and, where it crosses a page of memory, PRP2. */
void expect_page(const uint8_t *command, size_t length, size_t offset, const struct overlay *overlay)
{
	uint64_t prp1 = fetch(command + 24, 8), prp2 = fetch(command + 32, 8);
	size_t first = PAGE_BYTES - prp1 % PAGE_BYTES;

	if (first > length)
		first = length;
	expect_piece(prp1, first, offset, overlay);
	if (first < length)
		expect_piece(prp2, length - first, offset + first, overlay);
}

static void lay_over(uint8_t *to, size_t length)
{
	for (int i = 0; i < PAGES; i++) {
		struct page *p = &pages[i];

		if (!p->overlay || to < p->start || to >= p->start + p->length)
			continue;
		for (size_t k = 0, at = p->offset + (size_t)(to - p->start); k < length && at < PAGE_BYTES; k++, at++)
			to[k] = (uint8_t)((to[k] & ~p->overlay->mask[at]) | (p->overlay->value[at] & p->overlay->mask[at]));
		if (to + length >= p->start + p->length)
			p->overlay = NULL;
		return;
	}
}

static void *copy(void *to, const void *from, size_t length)
{
	if (!qemu.memmove) {	/* before the constructor ran; volatile: no call to memmove is made of this */
		volatile uint8_t *t = to;
		const volatile uint8_t *f = from;

		for (size_t i = 0; i < length; i++)
			t[t < f ? i : length - 1 - i] = f[t < f ? i : length - 1 - i];
		return to;
	}
	qemu.memmove(to, from, length);
	if (length <= PAGE_BYTES && __atomic_load_n(&pages_used, __ATOMIC_ACQUIRE))
		lay_over(to, length);
	return to;
}

/* Not one by way of the other: the compiler would make a call to itself of that. */
__attribute__((visibility("default"))) void *memmove(void *to, const void *from, size_t length)
{
	return copy(to, from, length);
}

__attribute__((visibility("default"))) void *memcpy(void *restrict to, const void *restrict from,
						    size_t length)
{
	return copy(to, from, length);
}
