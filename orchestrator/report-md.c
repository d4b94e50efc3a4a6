/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as GitHub-flavoured Markdown. */
#include "report.h"

#include "report-print.h"

/* Escaped, or "" with the failure marked. */
static void put(struct report *r, const char *before, const char *s, const char *after)
{
	_cleanup_free_ char *safe = text_escape_markdown(s);

	r->failed |= !safe;
	fprintf(r->out, "%s%s%s", before, safe ? safe : "", after);
}

static void heading(struct report *r, int level, const char *s)
{
	static const char *const marks[] = { "", "# ", "\n## ", "\n### " };

	put(r, marks[level], s, "\n\n");
}

static void paragraph(struct report *r, const char *s)
{
	put(r, "\n", s, "\n");
}

static void item(struct report *r, int state, const char *s, const char *numbers)
{
	bool strong = state == LEDGER_SUPPORTED || state == LEDGER_POSSIBLE;

	put(r, strong ? "- **" : "- ", s, strong ? "**" : "");
	if (numbers)
		put(r, " (", numbers, ")");
	fputs("\n", r->out);
}

/* Indented code: nothing in it is Markdown, and it ends with the line. */
static void command(struct report *r, const char *s)
{
	_cleanup_free_ char *safe = text_escape_terminal(s);

	r->failed |= !safe;
	fprintf(r->out, "\n    %s\n", safe ? safe : "");
}

static void table(struct report *r, const struct report_table *t)
{
	fputs("\n", r->out);
	for (size_t i = 0; i < t->cells_count; i++) {
		put(r, i % t->columns ? " | " : "| ", t->cells[i], "");
		if (i % t->columns != t->columns - 1)
			continue;
		fputs(" |\n", r->out);
		for (size_t k = 0; i == t->columns - 1 && k < t->columns; k++)
			fprintf(r->out, "%s%s", k ? "---|" : "|---|", k == t->columns - 1 ? "\n" : "");
	}
	fputs("\n", r->out);
}

const struct report_printer report_md_printer = { heading, paragraph, item, command, table, .brief = false };

int report_md(FILE *out, const struct result *result, const struct verdict *verdict)
{
	struct report r = { .out = out, .print = &report_md_printer, .result = result, .verdict = verdict };

	return report_body(&r);
}
