/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons and ledger. */
#include "report-print.h"

#include <string.h>

#include "report-words.h"

static void add_probability(struct report *r, struct report_table *t, double p, const char *unknown)
{
	if (isnan(p))
		report_cell(r, t, "%s", unknown);
	else
		report_cell(r, t, "%.2g", p);
}

static void add_row(struct report *r, struct report_table *t, const struct comparison *c)
{
	_cleanup_free_ char *a = report_metric_value(c->metric, c->a);
	_cleanup_free_ char *b = report_metric_value(c->metric, c->b);
	_cleanup_free_ char *words = report_verdict_words(c);

	if (!a || !b || !words) {
		r->failed = true;
		return;
	}
	report_cell(r, t, "%s%s", report_metric_words(c->metric), c->heads ? " *" : "");
	report_cell(r, t, "%s", c->subset);
	report_cell(r, t, "%s", a);
	report_cell(r, t, "%s", b);
	if (isnan(c->ratio))
		report_cell(r, t, "n/a");
	else
		report_cell(r, t, "%.3f", c->ratio);
	if (isnan(c->ci95_low))
		report_cell(r, t, "n/a");
	else
		report_cell(r, t, "%.3f to %.3f", c->ci95_low, c->ci95_high);
	add_probability(r, t, c->sessions > 1 ? c->p_t : c->p_sign_flip, "n/a");
	add_probability(r, t, c->q_benjamini_hochberg, c->heads ? "-" : "n/a");
	if (c->sessions > 1)
		report_cell(r, t, "%lld sessions", (long long)c->sessions);
	else
		report_cell(r, t, "%lld", (long long)c->rounds);
	report_cell(r, t, "%s", words);
}

static bool same_group(const struct comparison *a, const struct comparison *b)
{
	return !strcmp(a->workload, b->workload) && a->concurrent == b->concurrent;
}

/* Each distinct reason once, below its table. */
static void say_reasons(struct report *r, size_t first, size_t end)
{
	const struct verdict *v = r->verdict;

	for (size_t i = first; i < end; i++) {
		const char *reason = v->comparisons[i].reason;
		bool said = !reason || v->comparisons[i].repeats ||
			    !strncmp(reason, "the interval", 12);	/* the table shows it */

		for (size_t k = first; k < i && !said; k++)
			said = v->comparisons[k].reason && !strcmp(v->comparisons[k].reason, reason);
		if (!said)
			report_item(r, "%s: %s.", v->comparisons[i].verdict == VERDICT_NOT_COMPARED ?
				    "not compared" : "inconclusive", reason);
	}
}

/* The comparisons of one workload and mode; returns the index of the next ones. */
static size_t one_group(struct report *r, size_t first)
{
	static const char *const head[] = { "metric", "data", "A", "B", "A/B", "95 % interval", "p", "q",
					    "n", "verdict" };
	const struct verdict *v = r->verdict;
	const struct comparison *c = &v->comparisons[first];
	struct report_table t = { .columns = sizeof(head) / sizeof(*head) };
	_cleanup_free_ char *title = text_format("%s, %s", c->workload, c->concurrent ? "both drives at once" :
						 "each drive on its own");
	size_t end = first;

	if (!title)
		r->failed = true;
	else
		r->print->heading(r, 3, title);
	for (size_t i = 0; i < t.columns; i++)
		report_cell(r, &t, "%s", head[i]);
	for (; end < v->comparisons_count && same_group(c, &v->comparisons[end]); end++) {
		if (!v->comparisons[end].repeats)
			add_row(r, &t, &v->comparisons[end]);
	}
	r->print->table(r, &t);
	report_table_free(&t);
	if (c->sessions > 1)
		report_say(r, "Where n counts sessions, A/B, its interval and p (Student's t) are of the session means; A "
			   "and B are of this run alone.");
	say_reasons(r, first, end);
	return end;
}

/* One drive on its own: its speeds, workload by workload. */
static void report_speeds(struct report *r)
{
	static const char *const head[] = { "workload", "metric", "data", "A" };
	struct report_table t = { .columns = sizeof(head) / sizeof(*head) };

	r->print->heading(r, 2, "Speeds");
	report_say(r, "Geometric means over the rounds.");
	for (size_t i = 0; i < t.columns; i++)
		report_cell(r, &t, "%s", head[i]);
	for (size_t i = 0; i < r->verdict->comparisons_count; i++) {
		const struct comparison *c = &r->verdict->comparisons[i];
		_cleanup_free_ char *a = report_metric_value(c->metric, c->a);

		if (c->repeats || !isfinite(c->a))
			continue;
		report_cell(r, &t, "%s", c->workload);
		report_cell(r, &t, "%s", report_metric_words(c->metric));
		report_cell(r, &t, "%s", c->subset);
		report_cell(r, &t, "%s", a ? a : "");
		r->failed |= !a;
	}
	r->print->table(r, &t);
	report_table_free(&t);
}

void report_comparisons(struct report *r)
{
	if (r->result->plan.one_side && r->verdict->comparisons_count) {
		report_speeds(r);
		return;
	}
	r->print->heading(r, 2, "Comparisons");
	if (!r->verdict->comparisons_count) {
		report_say(r, "Nothing was measured on both sides.");
		return;
	}
	report_say(r, "A and B are geometric means over the rounds. The interval is Student's t on the "
		   "logarithms of the rounds' ratios; p is the exact sign-flip test, n the number of rounds. The row "
		   "marked * heads its workload, and only those make the headline, with p adjusted for all workloads "
		   "(Holm). All other rows are exploratory: q is p adjusted for all of them (Benjamini-Hochberg); of "
		   "rows with q up to 0.05 at most about one in twenty is expected to be chance.");
	for (size_t i = 0; i < r->verdict->comparisons_count;)
		i = one_group(r, i);
}

bool report_row_applies(const struct report *r, const struct ledger_row *row)
{
	static const char *const of_two[] = { "data_state_mismatch", "pcie_link_differs", "shared_uplink",
					      "firmware_differs", "lba_format_differs", "queue_settings_differ",
					      "order_effects", "host_path_differs", "numa_distance", "capacity_or_model_differs" };
	bool applies = true;

	for (size_t i = 0; r->result->plan.one_side && i < sizeof(of_two) / sizeof(*of_two); i++)
		applies &= strcmp(row->id, of_two[i]) != 0;
	return applies;
}

static char *numbers_of(struct report *r, const struct ledger_row *row)
{
	struct text t = { 0 };
	char *s;

	for (size_t i = 0; i < row->numbers_count; i++)
		text_printf(&t, "%s%s %.4g", i ? ", " : "", row->numbers[i].name, row->numbers[i].value);
	s = text_steal(&t);
	r->failed |= !s;
	return s;
}

static void list_state(struct report *r, int state)
{
	for (size_t i = 0; i < r->verdict->ledger_count; i++) {
		const struct ledger_row *row = &r->verdict->ledger[i];
		_cleanup_free_ char *numbers = NULL;

		if (row->state != state || !report_row_applies(r, row))
			continue;
		numbers = numbers_of(r, row);
		r->print->item(r, state, row->text ? row->text : "", numbers && *numbers ? numbers : NULL);
	}
}

static void list_not_measured(struct report *r)
{
	bool headed = false;

	for (size_t i = 0; i < r->verdict->ledger_count; i++) {
		const struct ledger_row *row = &r->verdict->ledger[i];

		if (row->state != LEDGER_NOT_MEASURED || !report_row_applies(r, row))
			continue;
		if (!headed)
			r->print->heading(r, 3, "Not measured, and how to measure it");
		headed = true;
		report_item(r, "%s: %s. To measure: %s.", row->name ? row->name : row->id,
			    row->finding ? row->finding : "not known why",
			    row->to_measure ? row->to_measure : "not known how");
	}
}

void report_ledger(struct report *r)
{
	r->print->heading(r, 2, r->result->plan.one_side ? "Possible influences" : "Possible explanations");
	report_say(r, "supported: it took part. possible: not excluded. not supported: looked, no sign. ruled out: "
		   "looked, and it %s. What was not measured is listed as such.",
		   r->result->plan.one_side ? "took no part" : "cannot account for the gap");
	list_state(r, LEDGER_SUPPORTED);
	list_state(r, LEDGER_POSSIBLE);
	list_state(r, LEDGER_RULED_OUT);
	list_state(r, LEDGER_NOT_SUPPORTED);
	list_not_measured(r);
}
