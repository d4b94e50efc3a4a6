/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ledger of the page: rows that open, without a script. */
#include <string.h>

#include "report-html-parts.h"
#include "report-words.h"
#include "thresholds.h"

/* Limits that the rule of a row compares with (hypotheses-*.c). */
static const struct row_limits {
	const char *id, *limits[7];
} row_limits[] = {
	{ "data_state_mismatch", { "match_valid", "match_narrower", "class_effect_ratio", "state_share_slack",
				   "hash_identical" } },
	{ "sparse_or_unwritten_extents", { "foreign_some" } },
	{ "wear", { "wear_points", "wear_high_percent", "spare_margin_points", "smart_min_units" } },
	{ "media_errors", { "smart_min_units" } },
	{ "thermal_throttling", { "thermal_near_c", "speed_drop", "smart_min_units" } },
	{ "pcie_downtrained", { "link_near", "link_payload_bytes" } },
	{ "pcie_link_differs", { "link_near", "link_payload_bytes" } },
	{ "shared_uplink", { "uplink_bound", "interference_some", "interference_none", "link_payload_bytes" } },
	{ "host_cpu_bound", { "cpu_possible_percent", "queue_occupancy" } },
	{ "page_cache_hits", { "foreign_some", "link_bound" } },
	{ "background_io", { "foreign_some", "foreign_much", "explains_nothing", "explains_some" } },
	{ "gc_slc_state", { "speed_drop" } },
	{ "order_effects", { "alpha" } },
	{ "fill_level_overprovision", { "fill_points" } },
};

/* As the judge had it. */
static double value_of(const struct page *page, const struct threshold_info *info)
{
	for (size_t i = 0; i < page->r.verdict->thresholds_count; i++) {
		if (!strcmp(page->r.verdict->thresholds[i].name, info->name))
			return page->r.verdict->thresholds[i].value;
	}
	return threshold_value(&thresholds_default, info);
}

static void put_limits(struct page *page, const char *id)
{
	const char *const *names = NULL;
	struct report_table t = { .columns = 3 };

	for (size_t i = 0; i < sizeof(row_limits) / sizeof(*row_limits); i++) {
		if (!strcmp(row_limits[i].id, id))
			names = row_limits[i].limits;
	}
	if (!names)
		return;
	report_cell(&page->r, &t, "limit used");
	report_cell(&page->r, &t, "value");
	report_cell(&page->r, &t, "meaning");
	for (; *names; names++) {
		const struct threshold_info *i = threshold_find(*names);

		if (!i)
			continue;
		report_cell(&page->r, &t, "%s", i->name);
		report_cell(&page->r, &t, "%g", value_of(page, i));
		report_cell(&page->r, &t, "%s", i->meaning);
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
	put_limits(page, row->id);
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
