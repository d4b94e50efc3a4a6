/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets fio's bytes beside those of the block device and those of the drive. */
#include "gather-traffic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reconcile.h"
#include "smart.h"

/* Data units read and written by the drive during the slot. */
struct units {
	int64_t read, written;
};

static bool reported(struct smart_counter c)
{
	return c.low || c.high;		/* 0 means that the drive does not count it */
}

/* NULL, or why it cannot be said. */
static const char *units_of(const struct drive *drive, const struct measurement *m, struct units *u)
{
	const struct smart *b = &m->smart_before, *a = &m->smart_after;

	if (!b->valid || !a->valid)
		return b->reason ? b->reason : a->reason ? a->reason : "no SMART page was read";
	if (drive->stat_paths.count > 1)
		return "the drive has several paths, and a SMART page counts one controller";
	if (!reported(a->data_units_read) && !reported(a->data_units_written))
		return "the drive does not count data units";
	if (!smart_counter_delta(b->data_units_read, a->data_units_read, &u->read) ||
	    !smart_counter_delta(b->data_units_written, a->data_units_written, &u->written))
		return "the drive's data units went back";
	return NULL;
}

/* Of both directions together; neither can be below 0. */
static void bounds_of(const struct units *u, int64_t step, int64_t *low, int64_t *high)
{
	int64_t read[2], written[2];

	reconcile_bounds(u->read, step, &read[0], &read[1]);
	reconcile_bounds(u->written, step, &written[0], &written[1]);
	if (__builtin_add_overflow(read[0] > 0 ? read[0] : 0, written[0] > 0 ? written[0] : 0, low) ||
	    __builtin_add_overflow(read[1], written[1], high))
		*low = *high = UNKNOWN_I64;
}

static int64_t difference(int64_t a, int64_t b)
{
	int64_t d;

	return known(a) && known(b) && !__builtin_sub_overflow(a, b, &d) ? d : UNKNOWN_I64;
}

static int account_for(const struct drive *drive, int64_t step, struct measurement *m)
{
	struct accounting *c = &m->account;
	struct units units;
	const char *why = units_of(drive, m, &units);

	if (known(m->block.read_bytes) && known(m->block.written_bytes))
		c->block_bytes = m->block.read_bytes + m->block.written_bytes;
	c->block_foreign_bytes = difference(c->block_bytes, c->asked_bytes);
	if (why) {
		c->smart_reason = strdup(why);
		return c->smart_reason ? 0 : -ENOMEM;
	}
	bounds_of(&units, step, &c->smart_low_bytes, &c->smart_high_bytes);
	c->smart_foreign_low_bytes = difference(c->smart_low_bytes, c->asked_bytes);
	c->smart_foreign_high_bytes = difference(c->smart_high_bytes, c->asked_bytes);
	return 0;
}

/* Calls for each measurement of a side that has a slot; index counts up from 0. */
static struct measurement *nth(struct result *result, int side, size_t *workload, size_t *observation)
{
	for (; *workload < result->workloads_count; ++*workload, *observation = 0) {
		struct workload_result *w = &result->workloads[*workload];

		while (*observation < w->observations_count) {
			struct measurement *m = &w->observations[(*observation)++].side[side];

			if (m->slot)
				return m;
		}
	}
	return NULL;
}

static int gather_side_traffic(struct result *result, int side)
{
	const struct drive *drive = &result->drives[side];
	_cleanup_free_ int64_t *deltas = calloc(2 * result->plan.slots_count + 2, sizeof(*deltas));
	struct measurement *m;
	size_t n = 0;
	int64_t step;
	int ret = deltas ? 0 : -ENOMEM;

	for (size_t w = 0, o = 0; !ret && n < 2 * result->plan.slots_count && (m = nth(result, side, &w, &o));) {
		struct units u;

		if (units_of(drive, m, &u))
			continue;
		deltas[n++] = u.read;
		deltas[n++] = u.written;
	}
	step = ret ? 1 : reconcile_step_units(deltas, n);
	for (size_t w = 0, o = 0; !ret && (m = nth(result, side, &w, &o));)
		ret = account_for(drive, step, m);
	return ret;
}

int gather_traffic(struct result *result)
{
	int ret = gather_side_traffic(result, SIDE_A);

	return ret ? ret : gather_side_traffic(result, SIDE_B);
}
