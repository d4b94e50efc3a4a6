/* SPDX-License-Identifier: GPL-3.0-or-later */
/* I/Os by offset, and what became of the same place from one pass to the other. */
#include "gather-items.h"

#include <errno.h>
#include <stdlib.h>

#include "gather-slot.h"

static int by_offset(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	/* of several visits the one that tells most comes first */
	return (y->state != REC_UNCLASSIFIED) - (x->state != REC_UNCLASSIFIED);
}

int items_load(struct rec_reader *reader, unsigned int shift, struct items *out)
{
	struct rec_record r;
	size_t n = 0, kept = 0;
	int ret;

	*out = (struct items){ .items = malloc((size_t)(rec_slot_count(reader) + 1) * sizeof(struct item)) };
	if (!out->items)
		return -ENOMEM;
	while ((ret = rec_next(reader, &r)) == 1) {
		if (r.direction > REC_WRITE || (r.flags & (REC_F_ERROR | REC_F_VERIFY)) ||
		    !rec_offset_passes(r.offset, shift))
			continue;
		out->items[n++] = (struct item){ r.offset, r.hash, r.length, r.state,
						 !(r.flags & REC_F_NOT_HASHED) };
	}
	qsort(out->items, n, sizeof(struct item), by_offset);
	for (size_t i = 0; i < n; i++)
		if (!kept || out->items[i].offset != out->items[kept - 1].offset ||
		    out->items[i].length != out->items[kept - 1].length)
			out->items[kept++] = out->items[i];
	out->count = kept;
	return ret;
}

static void count_changes(const struct items *a, const struct items *b, double *hashed, double *changed)
{
	size_t i = 0, k = 0;

	while (i < a->count && k < b->count) {
		const struct item *x = &a->items[i], *y = &b->items[k];
		int order = by_offset(x, y);

		/* by_offset puts two of one place in an order of their own */
		if (x->offset == y->offset && x->length == y->length) {
			if (x->hashed && y->hashed) {
				*hashed += x->length;
				*changed += x->hash != y->hash ? x->length : 0;
			}
			i++;
			k++;
		} else if (order < 0) {
			i++;
		} else {
			k++;
		}
	}
}

/* One file of each pass. What cannot be read tells of no change. */
static int changed_files(const char *first, const char *second, double *hashed, double *changed)
{
	struct rec_reader *a = NULL, *b = NULL;
	struct items x = { 0 }, y = { 0 };
	int ret = rec_open(first, &a);

	if (!ret)
		ret = rec_open(second, &b);
	if (!ret)
		ret = items_load(a, rec_header(b)->thin_shift, &x);
	if (!ret)
		ret = items_load(b, rec_header(a)->thin_shift, &y);
	if (!ret)
		count_changes(&x, &y, hashed, changed);
	free(x.items);
	free(y.items);
	rec_close(a);
	rec_close(b);
	return ret == -ENOMEM ? ret : 0;
}

int gather_changed(const struct record_files *first, const struct record_files *second, double *hashed,
		   double *changed)
{
	for (size_t i = 0; i < first->count; i++)
		for (size_t k = 0; k < second->count; k++) {
			int ret = first->files[i].range == second->files[k].range ?
				  changed_files(first->files[i].path, second->files[k].path, hashed, changed) : 0;

			if (ret)
				return ret;
		}
	return 0;
}
