/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison of runs as text, Markdown and CSV. */
#include "compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report-print.h"
#include "report-words.h"
#include "report.h"

static void print_runs(struct report *r, const struct compare *c)
{
	for (size_t i = 0; i < c->runs_count; i++) {
		const struct compared_run *run = &c->runs[i];

		report_item(r, "run %zu%s: %s (%s, %s, started %s)", i + 1,
			    (int64_t)i + 1 == c->baseline ? ", the baseline" : "", run->run,
			    run->suite ? run->suite : "no suite", run->state ? run->state : "state not known",
			    run->started_utc ? run->started_utc : "not known when");
	}
	report_say(r, "Runs are not paired: they were made at different times, so drift of temperature, data and "
		   "host is in every change. Whether two drives differ is seen within one run.");
	for (size_t i = 0; i < c->notes.count; i++)
		report_item(r, "Note: %s.", c->notes.items[i]);
}

static void print_setup(struct report *r, const struct compare *c)
{
	struct report_table t = { .columns = 2 + c->runs_count };

	r->print->heading(r, 2, "What else differs");
	if (!c->setup_count) {
		report_say(r, "Nothing that was recorded.");
		return;
	}
	report_cell(r, &t, "what");
	report_cell(r, &t, "of");
	for (size_t i = 0; i < c->runs_count; i++)
		report_cell(r, &t, "run %zu", i + 1);
	for (size_t i = 0; i < c->setup_count; i++) {
		report_cell(r, &t, "%s", c->setup[i].what);
		report_cell(r, &t, "%s", c->setup[i].drive ? c->setup[i].drive : "host and run");
		for (size_t k = 0; k < c->setup[i].values.count; k++)
			report_cell(r, &t, "%s", c->setup[i].values.items[k]);
	}
	r->print->table(r, &t);
	report_table_free(&t);
}

static const char *word_of(int word)
{
	static const char *const words[] = { "baseline", "better", "worse", "no change beyond margin",
					     "not resolved", "not comparable" };

	return words[word];
}

static void add_change(struct report *r, struct report_table *t, const char *metric, const struct change *x)
{
	_cleanup_free_ char *value = report_metric_value(metric, x->value);

	report_cell(r, t, "%s", report_metric_words(metric));
	report_cell(r, t, "%lld", (long long)x->run);
	report_cell(r, t, "%s", value ? value : "n/a");
	report_cell(r, t, "%lld", (long long)x->rounds);
	if (isfinite(x->ratio))
		report_cell(r, t, "%+.1f %%", 100 * (x->ratio - 1));
	else
		report_cell(r, t, "%s", x->word == CHANGE_BASELINE ? "" : "n/a");
	if (isfinite(x->ci95_low))
		report_cell(r, t, "%+.1f to %+.1f %%", 100 * (x->ci95_low - 1), 100 * (x->ci95_high - 1));
	else
		report_cell(r, t, "%s", x->word == CHANGE_BASELINE ? "" : "n/a");
	report_cell(r, t, "%s", word_of(x->word));
}

static bool same_table(const struct change_row *a, const struct change_row *b)
{
	return !strcmp(a->workload, b->workload) && a->concurrent == b->concurrent && !strcmp(a->drive, b->drive);
}

/* Each distinct reason of a table once. */
static void print_reasons(struct report *r, const struct compare *c, size_t first, size_t end)
{
	const char *said = NULL;

	for (size_t run = 0; run < c->runs_count; run++) {
		said = NULL;
		for (size_t i = first; i < end; i++) {
			const struct change *x = &c->rows[i].changes[run];

			if (!x->reason || (said && !strcmp(said, x->reason)))
				continue;
			report_item(r, "Run %lld: %s.", (long long)x->run, x->reason);
			said = x->reason;
		}
	}
}

static void print_table(struct report *r, const struct compare *c, size_t first, size_t end)
{
	static const char *const head[] = { "metric", "run", "value", "rounds", "change", "95 % interval", "" };
	const struct change_row *row = &c->rows[first];
	_cleanup_free_ char *title = text_format("%s, %s: %s", row->workload,
						 row->concurrent ? "both drives at once" : "alone", row->drive);
	struct report_table t = { .columns = sizeof(head) / sizeof(*head) };

	r->print->heading(r, 3, title ? title : row->workload);
	for (size_t i = 0; i < t.columns; i++)
		report_cell(r, &t, "%s", head[i]);
	for (size_t i = first; i < end; i++)
		for (size_t k = 0; k < c->rows[i].changes_count; k++)
			add_change(r, &t, c->rows[i].metric, &c->rows[i].changes[k]);
	r->print->table(r, &t);
	report_table_free(&t);
	print_reasons(r, c, first, end);
}

static int print(struct report *r, const struct compare *c)
{
	r->print->heading(r, 1, "Runs compared");
	print_runs(r, c);
	print_setup(r, c);
	r->print->heading(r, 2, "Changes");
	if (!c->comparable)
		report_say(r, "Nothing here is comparable.");
	for (size_t i = 0, end; i < c->rows_count; i = end) {
		for (end = i + 1; end < c->rows_count && same_table(&c->rows[i], &c->rows[end]); end++)
			;
		print_table(r, c, i, end);
	}
	report_say(r, "Changes are against run %lld. Better and worse: the interval excludes no change, and the "
		   "change exceeds the margin (%.1f %% for rates, %.1f %% for latencies). The interval is Welch's t on "
		   "logarithms of the rounds, each row for itself: of many rows, some exclude no change by chance.",
		   (long long)c->baseline, 100 * (c->margin_ratio - 1), 100 * (c->latency_margin_ratio - 1));
	return r->failed ? -ENOMEM : ferror(r->out) ? -EIO : 0;
}

int compare_text(FILE *out, const struct compare *c)
{
	struct report r = { .out = out, .print = &report_text_printer };

	return print(&r, c);
}

int compare_md(FILE *out, const struct compare *c)
{
	struct report r = { .out = out, .print = &report_md_printer };

	return print(&r, c);
}

static int csv_cell(FILE *out, const char *s, const char *end)
{
	_cleanup_free_ char *safe = report_csv_text(s ? s : "");

	fprintf(out, "%s%s", safe ? safe : "", end);
	return safe ? 0 : -ENOMEM;
}

static void csv_number(FILE *out, double v)
{
	if (isfinite(v))
		fprintf(out, "%.12g", v);
	fputc(',', out);
}

static int csv_change(FILE *out, const struct compare *c, const struct change_row *row,
		      const struct change *x)
{
	int ret = csv_cell(out, row->workload, ",");

	fprintf(out, "%s,", row->concurrent ? "concurrent" : "single");
	ret = csv_cell(out, row->drive, ",") || ret ? -ENOMEM : 0;
	fprintf(out, "%s,%s,%lld,", row->metric, row->higher_is_better ? "true" : "false",
		(long long)x->run);
	ret = csv_cell(out, c->runs[x->run - 1].run, ",") || ret ? -ENOMEM : 0;
	fprintf(out, "%lld,", (long long)x->rounds);
	csv_number(out, x->value);
	csv_number(out, x->ratio);
	csv_number(out, x->ci95_low);
	csv_number(out, x->ci95_high);
	fprintf(out, "%s,", change_word_names[x->word]);
	return csv_cell(out, x->reason, "\r\n") || ret ? -ENOMEM : 0;
}

int compare_csv(FILE *out, const struct compare *c)
{
	int ret = 0;

	fputs("workload,mode,drive,metric,higher_is_better,run,run_path,rounds,value,ratio,"
	      "ci95_low,ci95_high,word,reason\r\n", out);
	for (size_t i = 0; i < c->rows_count; i++)
		for (size_t k = 0; !ret && k < c->rows[i].changes_count; k++)
			ret = csv_change(out, c, &c->rows[i], &c->rows[i].changes[k]);
	return ret ? ret : ferror(out) ? -EIO : 0;
}
