/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The byte accounts: what fio asked for, what the block device and the drive say they did. */
#include "report-print.h"

/* Sums over the slots of one side, and over both directions. */
struct account_sum {
	double asked, block, smart_low, smart_high;
	size_t slots, block_slots, smart_slots;
};

static void add(struct account_sum *sum, const struct accounting *c)
{
	if (!known(c->asked_bytes))
		return;
	sum->slots++;
	sum->asked += (double)c->asked_bytes;
	if (known(c->block_bytes)) {
		sum->block += (double)c->block_bytes;
		sum->block_slots++;
	}
	if (known(c->smart_low_bytes)) {
		sum->smart_low += (double)c->smart_low_bytes;
		sum->smart_high += (double)c->smart_high_bytes;
		sum->smart_slots++;
	}
}

static struct account_sum sum_of(const struct result *result, int side)
{
	struct account_sum sum = { 0 };

	for (size_t w = 0; w < result->workloads_count; w++)
		for (size_t i = 0; i < result->workloads[w].observations_count; i++)
			add(&sum, &result->workloads[w].observations[i].side[side].account);
	return sum;
}

static void row(struct report *r, struct report_table *t, int side, const struct account_sum *s)
{
	char a[TEXT_NUMBER_SIZE], b[TEXT_NUMBER_SIZE];

	report_cell(r, t, "%s", side ? "B" : "A");
	report_cell(r, t, "%s", text_bytes(a, s->asked));
	if (s->block_slots == s->slots)
		report_cell(r, t, "%s (%+.2f %%)", text_bytes(a, s->block), 100 * (s->block - s->asked) / s->asked);
	else
		report_cell(r, t, "not known");
	if (s->smart_slots == s->slots)
		report_cell(r, t, "%s to %s (%+.2f to %+.2f %%)", text_bytes(a, s->smart_low),
			    text_bytes(b, s->smart_high), 100 * (s->smart_low - s->asked) / s->asked,
			    100 * (s->smart_high - s->asked) / s->asked);
	else
		report_cell(r, t, "not known");
}

void report_traffic(struct report *r)
{
	static const char *const head[] = { "side", "asked for by fio", "moved by the block device",
					    "moved by the drive (SMART)" };
	struct report_table t = { .columns = sizeof(head) / sizeof(*head) };
	bool any = false;

	for (size_t i = 0; i < t.columns; i++)
		report_cell(r, &t, "%s", head[i]);
	for (int s = 0; s < SIDES; s++) {
		struct account_sum sum = sum_of(r->result, s);

		if (!sum.slots || !(sum.asked > 0) || (!sum.block_slots && !sum.smart_slots))
			continue;
		row(r, &t, s, &sum);
		any = true;
	}
	if (any) {
		r->print->heading(r, 2, "Bytes, by three counts");
		r->print->table(r, &t);
	}
	report_table_free(&t);
}
