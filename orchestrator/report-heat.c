/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The temperature of each slot: lowest, highest, and how fast it rose. */
#include "report-print.h"

#include <stdlib.h>
#include <string.h>

#define BRIEF_SLOTS 12		/* of a report for the terminal */

/* A slot of one drive, or of both at once. */
struct heat_row {
	const struct measurement *side[SIDES];
};

static bool seen(const struct measurement *m)
{
	return !isnan(m->temperature_min_c) && !isnan(m->temperature_max_c);
}

static void add_slots(const struct observation *o, struct heat_row *rows, size_t *n)
{
	const struct measurement *a = &o->side[SIDE_A], *b = &o->side[SIDE_B];
	bool at_once = a->slot && b->slot && !strcmp(a->slot, b->slot);
	int first = at_once || o->a_first ? SIDE_A : SIDE_B;

	if (at_once && (seen(a) || seen(b))) {
		rows[(*n)++] = (struct heat_row){ { a, b } };
		return;
	}
	for (int i = 0; i < SIDES && !at_once; i++) {
		const struct measurement *m = &o->side[i ? !first : first];

		if (!m->slot || !seen(m))
			continue;
		rows[*n] = (struct heat_row){ { NULL, NULL } };
		rows[(*n)++].side[m == b] = m;
	}
}

/* The slots in which a temperature was seen, in the order of running; the caller frees. */
static struct heat_row *list(const struct result *result, size_t *n)
{
	struct heat_row *rows;
	size_t room = 1;

	for (size_t w = 0; w < result->workloads_count; w++)
		room += 2 * result->workloads[w].observations_count;
	rows = calloc(room, sizeof(*rows));
	*n = 0;
	for (size_t w = 0; rows && w < result->workloads_count; w++)
		for (size_t i = 0; i < result->workloads[w].observations_count; i++)
			add_slots(&result->workloads[w].observations[i], rows, n);
	return rows;
}

static double hottest_c(const struct heat_row *row)
{
	double a = row->side[SIDE_A] ? row->side[SIDE_A]->temperature_max_c : NAN;

	return row->side[SIDE_B] ? fmax(a, row->side[SIDE_B]->temperature_max_c) : a;
}

/* Is it one of the few that a short report shows? Of equally hot ones the earlier. */
static bool is_hot(const struct heat_row *rows, size_t n, size_t at)
{
	double c = hottest_c(&rows[at]);
	size_t before = 0;

	for (size_t i = 0; i < n; i++)
		before += hottest_c(&rows[i]) > c || (i < at && hottest_c(&rows[i]) >= c);
	return before < BRIEF_SLOTS;
}

static void cells(struct report *r, struct report_table *t, const struct measurement *m)
{
	if (!m) {
		report_cell(r, t, "-");
		report_cell(r, t, "-");
		return;
	}
	if (!seen(m))
		report_cell(r, t, "not measured");
	else
		report_cell(r, t, "%.0f to %.0f C", m->temperature_min_c, m->temperature_max_c);
	if (isnan(m->temperature_slope_c_per_min))
		report_cell(r, t, "not known");
	else
		report_cell(r, t, "%+.1f C/min", m->temperature_slope_c_per_min);
}

void report_heat(struct report *r)
{
	static const char *const head[] = { "slot", "A", "slope of A", "B", "slope of B" };
	int sides = r->result->plan.one_side ? 1 : SIDES;
	struct report_table t = { .columns = 1 + 2 * (size_t)sides };
	size_t n;
	struct heat_row *rows = list(r->result, &n);
	bool few = r->print->brief && n > BRIEF_SLOTS;

	r->failed |= !rows;
	if (!n) {
		free(rows);
		return;
	}
	r->print->heading(r, 2, "Temperature in each slot");
	if (few)
		report_say(r, "The %d hottest of %zu slots; the Markdown report has all.", BRIEF_SLOTS, n);
	for (size_t i = 0; i < t.columns; i++)
		report_cell(r, &t, "%s", head[i]);
	for (size_t i = 0; i < n; i++) {
		const struct measurement *m = rows[i].side[SIDE_A] ? rows[i].side[SIDE_A] : rows[i].side[SIDE_B];

		if (few && !is_hot(rows, n, i))
			continue;
		report_cell(r, &t, "%s", m->slot);
		for (int s = 0; s < sides; s++)
			cells(r, &t, rows[i].side[s]);
	}
	r->print->table(r, &t);
	report_table_free(&t);
	free(rows);
}
