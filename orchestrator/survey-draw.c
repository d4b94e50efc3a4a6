/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which ranges are looked at, and which of their blocks. Pure. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "stats-random.h"
#include "survey.h"

/* A set of numbers with open addressing; 0 is stored as UINT64_MAX (never drawn). */
struct number_set {
	uint64_t *slots;
	uint64_t mask;
};

/* true: it was not in there */
static bool set_add(struct number_set *set, uint64_t v)
{
	struct stats_random mix = { v };
	uint64_t i = stats_random_next(&mix), stored = v ? v : UINT64_MAX;

	while (set->slots[i & set->mask] && set->slots[i & set->mask] != stored)
		i++;
	if (set->slots[i & set->mask])
		return false;
	set->slots[i & set->mask] = stored;
	return true;
}

static void shuffle(struct stats_random *random, uint64_t *v, uint64_t n)
{
	for (uint64_t i = n; i-- > 1;) {
		uint64_t j = stats_random_index(random, i + 1), kept = v[i];

		v[i] = v[j];
		v[j] = kept;
	}
}

/* Floyd's way to draw a set (Bentley and Floyd, CACM 30(9), 1987); then an order for it. */
uint64_t *survey_draw(struct stats_random *random, uint64_t n, uint64_t count, uint64_t *drawn)
{
	struct number_set set = { 0 };
	uint64_t size = 16, *list;

	if (count > n)
		count = n;
	while (size < 2 * count)
		size *= 2;
	set = (struct number_set){ calloc(size, sizeof(*set.slots)), size - 1 };
	list = calloc(count + 1, sizeof(*list));
	for (uint64_t i = 0; set.slots && list && i < count; i++) {
		uint64_t last = n - count + i, v = stats_random_index(random, last + 1);

		if (!set_add(&set, v))
			set_add(&set, v = last);
		list[i] = v;
	}
	if (!set.slots) {
		free(list);
		return NULL;
	}
	free(set.slots);
	if (list)
		shuffle(random, list, count);
	*drawn = count;
	return list;
}

/*
 * Contiguous pieces leave no place where nobody looked: a boundary between kinds of data then falls
 * into one range, which shows as mixed, and not between two.
 */
int survey_ranges(const struct survey_request *r, int64_t bytes, int64_t block, struct range **ranges,
		  size_t *count)
{
	int64_t blocks = bytes / block, n = r->ranges, length;

	if (blocks < 1)
		return fail(-EINVAL, "survey: %lld bytes are too few: one block has %lld", (long long)bytes,
			    (long long)block);
	if (known(r->range_bytes) && r->range_bytes < block)
		return fail(-EINVAL, "survey: a range of %lld bytes is shorter than a block (%lld)",
			    (long long)r->range_bytes, (long long)block);
	if (n > blocks)
		n = blocks;
	length = known(r->range_bytes) ? r->range_bytes / block : blocks;
	*ranges = calloc((size_t)n, sizeof(**ranges));
	if (!*ranges)
		return -ENOMEM;
	*count = (size_t)n;
	for (int64_t i = 0; i < n; i++) {
		int64_t from = (int64_t)((__int128)blocks * i / n), to = (int64_t)((__int128)blocks * (i + 1) / n);

		if (to - from > length) {
			/* spread from the first block to the last one */
			from = n == 1 ? 0 : (int64_t)((__int128)(blocks - length) * i / (n - 1));
			to = from + length;
		}
		(*ranges)[i] = (struct range){ from * block, (to - from) * block };
	}
	return 0;
}

/* Part i of k of a range, in whole steps of align; nothing when there is none. */
static struct range part_of(const struct survey_proposal *p, int64_t i, int64_t k, int64_t bytes,
			    int64_t align)
{
	int64_t from = p->offset_bytes + (int64_t)((__int128)p->length_bytes * i / k);
	int64_t to = p->offset_bytes + (int64_t)((__int128)p->length_bytes * (i + 1) / k);

	from += align - 1;
	from -= from % align;
	if (to - from > bytes)
		to = from + bytes;
	to -= to % align;
	return (struct range){ from, to > from ? to - from : 0 };
}

int survey_spread(const struct survey *s, int64_t count, int64_t bytes, int64_t align, struct range **ranges,
		  size_t *made)
{
	int64_t n = (int64_t)s->proposals_count, parts = n ? (count + n - 1) / n : 0, all = n * parts;

	*made = 0;
	*ranges = NULL;
	if (!n || count < 1)
		return -EINVAL;
	if (count > all)
		count = all;
	*ranges = calloc((size_t)count, sizeof(**ranges));
	if (!*ranges)
		return -ENOMEM;
	for (int64_t i = 0; i < count; i++) {
		/* the first and the last part, and those between at even steps */
		int64_t at = count == 1 ? 0 : i * (all - 1) / (count - 1);
		struct range r = part_of(&s->proposals[at / parts], at % parts, parts, bytes, align);

		if (r.length_bytes > 0)
			(*ranges)[(*made)++] = r;
	}
	if (*made)
		return 0;
	free(*ranges);
	*ranges = NULL;
	return -EINVAL;
}
