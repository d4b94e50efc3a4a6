/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page: its frame, the printer of its texts and tables, and the order of its parts. */
#include "report-html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report-html-parts.h"
#include "report-words.h"

static const char style[] =
#include "report.css.inc"
;

void page_put(struct page *page, const char *before, const char *text, const char *after)
{
	_cleanup_free_ char *safe = text_escape_html(text);

	page->r.failed |= !safe;
	fprintf(page->r.out, "%s%s%s", before, safe ? safe : "", after);
}

/* What a printer knows of its page: the report is its first member. */
static struct page *page_of(struct report *r)
{
	return (struct page *)r;
}

void page_end_list(struct page *page)
{
	if (page->in_list)
		fputs("</ul>\n", page->r.out);
	page->in_list = false;
}

static void heading(struct report *r, int level, const char *s)
{
	struct page *page = page_of(r);

	page_end_list(page);
	if (level == 2 && page->in_section)
		fputs("</section>\n", r->out);
	if (level == 2) {
		_cleanup_free_ char *class = text_file_name(s);

		fprintf(r->out, "<section class=\"%s\">", class ? class : "");
		page->in_section = true;
	}
	page_put(page, level == 2 ? "<h2>" : "<h3>", s, level == 2 ? "</h2>\n" : "</h3>\n");
}

static void paragraph(struct report *r, const char *s)
{
	page_end_list(page_of(r));
	page_put(page_of(r), "<p>", s, "</p>\n");
}

static void item(struct report *r, int state, const char *s, const char *numbers)
{
	struct page *page = page_of(r);

	(void)state;
	if (!page->in_list)
		fputs("<ul>\n", r->out);
	page->in_list = true;
	page_put(page, "<li>", s, "");
	if (numbers)
		page_put(page, " <small>", numbers, "</small>");
	fputs("</li>\n", r->out);
}

static void command(struct report *r, const char *s)
{
	page_end_list(page_of(r));
	page_put(page_of(r), "<pre>", s, "</pre>\n");
}

/* Numbers stand right, words left. */
static bool is_number(const char *s)
{
	return (*s >= '0' && *s <= '9') || !strcmp(s, "n/a") || (*s == '-' && s[1] >= '0' && s[1] <= '9');
}

static bool all_numbers(const struct report_table *t, size_t column)
{
	for (size_t i = t->columns + column; i < t->cells_count; i += t->columns) {
		if (!is_number(t->cells[i]))
			return false;
	}
	return column && t->cells_count > t->columns;
}

static void cell(struct page *page, const struct report_table *t, size_t i)
{
	const char *s = t->cells[i];
	size_t row = i / t->columns, column = i % t->columns;
	bool number = all_numbers(t, column);
	const char *class = number ? " class=\"number\"" : !strcmp(s, "not measured") ? " class=\"unknown\"" : "";

	if (!row)
		page_put(page, number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">", s, "</th>");
	else if (!column)
		page_put(page, "<th scope=\"row\">", s, "</th>");
	else if (!strcmp(s, "differs"))
		fputs("<td class=\"differs\">&#8800; differs</td>", page->r.out);
	else {
		fprintf(page->r.out, "<td%s>", class);
		page_put(page, "", s, "</td>");
	}
}

static void table(struct report *r, const struct report_table *t)
{
	page_end_list(page_of(r));
	fputs("<div class=\"scroll\" tabindex=\"0\"><table>\n", r->out);
	for (size_t i = 0; i < t->cells_count; i++) {
		size_t row = i / t->columns, column = i % t->columns;
		bool last = column == t->columns - 1;

		if (!column)
			fprintf(r->out, "%s<tr%s>", !row ? "<thead>" : row == 1 ? "<tbody>" : "",
				i + t->columns - 1 < t->cells_count &&
				!strcmp(t->cells[i + t->columns - 1], "differs") ? " class=\"differs\"" : "");
		cell(page_of(r), t, i);
		if (last)
			fprintf(r->out, "</tr>%s\n", !row ? "</thead>" : "");
	}
	fprintf(r->out, "%s</table></div>\n", t->cells_count > t->columns ? "</tbody>" : "");
}

static const struct report_printer html = { heading, paragraph, item, command, table, .groups = true };

/* Nothing may be loaded or run; styles are in the page, pictures too. */
static void page_head(struct page *page)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta name=\"generator\" content=\"nvmatch\">\n", page->r.out);
	page_put(page, "<title>", report_headline_words(page->r.verdict->headline), ": nvmatch report</title>\n");
	fprintf(page->r.out, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

/* All comparisons as tables: many numbers, so they open on demand. */
static void page_numbers(struct page *page)
{
	struct report *r = &page->r;
	bool alone = r->result->plan.one_side;

	heading(r, 2, "All numbers");
	fputs("<details><summary>Every metric with its interval, as tables</summary>\n", r->out);
	page->in_section = false;	/* a section begins inside of this one */
	if (!alone)
		report_comparisons(r);
	report_classes(r);
	if (!alone)
		report_concurrency(r);
	report_traffic(r);
	report_heat(r);
	page_end_list(page);
	if (page->in_section)
		fputs("</section>", r->out);
	fputs("</details>\n", r->out);
	page->in_section = true;
}

static void page_body(struct page *page)
{
	struct report *r = &page->r;

	page_verdict(page);
	report_gates(r);
	report_drives(r);
	if (r->result->plan.one_side)
		report_comparisons(r);
	report_ratings(r);
	page_figures(page);
	page_sentences(page);
	page_numbers(page);
	page_ledger(page);
	report_conditions(r);
	page_missing(page);
	report_reproduce(r);
	page_jobs(page);
	page_thresholds(page);
}

int report_html(FILE *out, const struct result *result, const struct verdict *verdict,
		const struct plots *plots, const struct pictures *pictures)
{
	struct page page = { .r = { .out = out, .print = &html, .result = result, .verdict = verdict },
			     .plots = plots, .pictures = pictures };

	page_head(&page);
	page_body(&page);
	page_end_list(&page);
	fputs("</section>\n</main>\n</body>\n</html>\n", out);
	if (page.r.failed)
		return -ENOMEM;
	return fflush(out) || ferror(out) ? -EIO : 0;
}
