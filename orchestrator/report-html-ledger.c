/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ledger of the page: rows that open, without a script. */
#include "report-html-parts.h"
#include "report-words.h"
#include "thresholds.h"

/* Limits that the rule of the row compares with, as the judge had them. */
static void put_limits(struct page *page, const struct ledger_row *row)
{
	struct report_table t = { .columns = 3 };

	if (!row->thresholds_count)
		return;
	report_cell(&page->r, &t, "limit used");
	report_cell(&page->r, &t, "value");
	report_cell(&page->r, &t, "meaning");
	for (size_t i = 0; i < row->thresholds_count; i++) {
		const struct threshold_info *info = threshold_find(row->thresholds[i].name);

		report_cell(&page->r, &t, "%s", row->thresholds[i].name);
		report_cell(&page->r, &t, "%g", row->thresholds[i].value);
		report_cell(&page->r, &t, "%s", info ? info->meaning : "");
	}
	page->r.print->table(&page->r, &t);
	report_table_free(&t);
}

static void put_numbers(struct page *page, const struct ledger_row *row)
{
	struct report_table t = { .columns = 2 };

	if (!row->numbers_count)
		return;
	report_cell(&page->r, &t, "number");
	report_cell(&page->r, &t, "value");
	for (size_t i = 0; i < row->numbers_count; i++) {
		report_cell(&page->r, &t, "%s", row->numbers[i].name);
		report_cell(&page->r, &t, "%.6g", row->numbers[i].value);
	}
	page->r.print->table(&page->r, &t);
	report_table_free(&t);
}

static void put_evidence(struct page *page, const struct ledger_row *row)
{
	if (!row->evidence_count) {
		fputs("<p class=\"files\">No file of the run was looked at for this.</p>\n", page->r.out);
		return;
	}
	fputs("<ul class=\"files\">\n", page->r.out);
	for (size_t i = 0; i < row->evidence_count; i++) {
		page_put(page, "<li>", row->evidence[i].file ? row->evidence[i].file : "?", "");
		if (row->evidence[i].pointer)
			page_put(page, " <span>", row->evidence[i].pointer, "</span>");
		fputs("</li>\n", page->r.out);
	}
	fputs("</ul>\n", page->r.out);
}

static void put_row(struct page *page, const struct ledger_row *row)
{
	static const char *const marks[] = {
		[LEDGER_NOT_MEASURED] = "&#8211;", [LEDGER_SUPPORTED] = "&#9679;", [LEDGER_POSSIBLE] = "&#9680;",
		[LEDGER_NOT_SUPPORTED] = "&#9675;", [LEDGER_RULED_OUT] = "&#10005;",
	};
	FILE *out = page->r.out;

	fprintf(out, "<details class=\"row state-%d\"><summary><span class=\"mark\" aria-hidden=\"true\">%s</span>"
		"<span class=\"state\">%s</span>", row->state, marks[row->state], report_ledger_words(row->state));
	page_put(page, "<span class=\"name\">", row->name ? row->name : row->id, "</span></summary>\n<div>\n");
	page_put(page, "<p>", row->text ? row->text : "", "</p>\n");
	put_numbers(page, row);
	put_limits(page, row);
	put_evidence(page, row);
	if (row->to_measure && row->state != LEDGER_NOT_MEASURED)
		page_put(page, "<p>Next: ", row->to_measure, ".</p>\n");
	fputs("</div></details>\n", out);
}

void page_ledger(struct page *page)
{
	static const int order[] = { LEDGER_SUPPORTED, LEDGER_POSSIBLE, LEDGER_NOT_SUPPORTED, LEDGER_RULED_OUT,
				     LEDGER_NOT_MEASURED };
	struct report *r = &page->r;

	r->print->heading(r, 2, r->result->plan.one_side ? "Possible influences" : "Possible explanations");
	report_say(r, "Supported: it took part. Possible: not excluded. Not supported: looked, no sign. Ruled out: "
		   "looked, and it %s. Each row opens to its numbers, the limits used, and the "
		   "files of the run that it rests on.", r->result->plan.one_side ? "took no part" :
		   "cannot account for the gap");
	fputs("<div class=\"ledger\">\n", r->out);
	for (size_t k = 0; k < sizeof(order) / sizeof(*order); k++) {
		for (size_t i = 0; i < r->verdict->ledger_count; i++) {
			if (r->verdict->ledger[i].state == order[k] && report_row_applies(r, &r->verdict->ledger[i]))
				put_row(page, &r->verdict->ledger[i]);
		}
	}
	fputs("</div>\n", r->out);
}
