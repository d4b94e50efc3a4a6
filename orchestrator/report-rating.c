/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of ratings. */
#include "report-print.h"

#include "report-words.h"

static const char *const words[] = {
	[RATING_BELOW_GOOD] = "below good", [RATING_GOOD] = "good", [RATING_EXCELLENT] = "excellent",
	[RATING_EXCEPTIONAL] = "exceptional",
};

static void add_row(struct report *r, struct report_table *t, const struct rating_row *row)
{
	_cleanup_free_ char *value = report_metric_value(row->metric, row->value);
	_cleanup_free_ char *limit = report_metric_value(row->metric, row->link_limit);
	_cleanup_free_ char *good = report_metric_value(row->metric, row->good);
	_cleanup_free_ char *excellent = report_metric_value(row->metric, row->excellent);
	_cleanup_free_ char *exceptional = report_metric_value(row->metric, row->exceptional);

	if (!value || !limit || !good || !excellent || !exceptional) {
		r->failed = true;
		return;
	}
	report_cell(r, t, "%s", row->workload);
	if (!r->result->plan.one_side)
		report_cell(r, t, "%s", row->side == SIDE_B ? "B" : "A");
	report_cell(r, t, "%s", value);
	report_cell(r, t, "%s%s", words[row->rating], row->suspect ? ", SUSPECT" : "");
	if (isnan(row->link_share))
		report_cell(r, t, "not known");
	else
		report_cell(r, t, "%.0f %% of %s", 100 * row->link_share, limit);
	report_cell(r, t, "%s, %s, %s", good, excellent, exceptional);
}

void report_ratings(struct report *r)
{
	const struct baseline *by = &r->result->plan.baseline;
	static const char *const head[] = { "workload", "side", "value", "rating", "link limit",
					    "good, excellent, exceptional from" };
	struct report_table t = { .columns = r->result->plan.one_side ? 5 : 6 };
	bool suspect = false;

	if (!r->verdict->ratings_count)
		return;
	r->print->heading(r, 2, "Rating");
	report_say(r, "By the baseline %s%s%s. A rating is of one number on this host; it compares nothing.",
		   by->name, by->summary && *by->summary ? ": " : "", by->summary ? by->summary : "");
	for (size_t i = 0; i < 6; i++)
		if (i != 1 || !r->result->plan.one_side)
			report_cell(r, &t, "%s", head[i]);
	for (size_t i = 0; i < r->verdict->ratings_count; i++) {
		add_row(r, &t, &r->verdict->ratings[i]);
		suspect |= r->verdict->ratings[i].suspect;
	}
	r->print->table(r, &t);
	report_table_free(&t);
	if (suspect)
		report_say(r, "SUSPECT: above what the link of the drive carries, so not all of it came over the link: "
			   "the page cache, or a hole in a file, may have answered. It is no speed of the drive.");
}
