/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as plain text of at most 100 columns. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "report-print.h"

#define WIDTH 100
#define GAP 2			/* blanks between columns */
#define LEAST_COLUMN 8
#define LEAST_LAST_COLUMN 16

/* Characters of valid UTF-8 (text_escape_terminal makes it so). */
static size_t width_of(const char *s, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

/* Bytes of the next line of at most `columns` characters; *next is where the line after it begins. */
static size_t break_line(const char *s, size_t columns, size_t *next)
{
	size_t bytes = 0, blank = 0, n = 0;

	while (s[bytes] && n <= columns) {
		if (s[bytes] == ' ')
			blank = bytes;
		bytes++;
		while (((unsigned char)s[bytes] & 0xc0) == 0x80)
			bytes++;
		n++;
	}
	if (n <= columns) {
		*next = bytes;
		return bytes;
	}
	if (blank) {
		*next = blank + 1;
		return blank;
	}
	do	/* one long word: cut it */
		bytes--;
	while (((unsigned char)s[bytes] & 0xc0) == 0x80);
	*next = bytes;
	return bytes;
}

static char *escape(struct report *r, const char *s)
{
	char *safe = text_escape_terminal(s);

	r->failed |= !safe;
	return safe;
}

/* Wrapped; `first` stands before the first line and counts, later lines are indented. */
static void wrap(struct report *r, const char *first, const char *code, size_t indent, const char *s)
{
	_cleanup_free_ char *safe = escape(r, s);
	size_t used = strlen(first);

	if (!safe)
		return;
	fprintf(r->out, "%s%s%s", r->color ? code : "", first, r->color && *code ? "\033[0m" : "");
	for (const char *p = safe; *p;) {
		size_t next, n = break_line(p, WIDTH - used, &next);

		fprintf(r->out, "%.*s\n", (int)n, p);
		p += next;
		used = indent;
		if (*p)
			fprintf(r->out, "%*s", (int)indent, "");
	}
}

static void heading(struct report *r, int level, const char *s)
{
	_cleanup_free_ char *safe = escape(r, s);
	static const char underline[] = { 0, '=', '-', 0 };

	if (!safe)
		return;
	fprintf(r->out, "%s%s%s%s%s\n", level > 1 ? "\n" : "", r->color ? "\033[1m" : "", safe,
		r->color ? "\033[0m" : "", level == 3 ? ":" : "");
	if (!underline[level])
		return;
	for (size_t i = width_of(safe, strlen(safe)); i > 0; i--)
		fputc(underline[level], r->out);
	fputs("\n", r->out);
}

static void paragraph(struct report *r, const char *s)
{
	wrap(r, "", "", 0, s);
}

/* The colour of the bullet; the words say the same. */
static const char *color_of(int state)
{
	static const char *const colors[] = {
		[LEDGER_NOT_MEASURED] = "\033[2m", [LEDGER_SUPPORTED] = "\033[1;31m",
		[LEDGER_POSSIBLE] = "\033[33m", [LEDGER_NOT_SUPPORTED] = "", [LEDGER_RULED_OUT] = "\033[32m",
	};

	return state < 0 ? "" : colors[state];
}

static void item(struct report *r, int state, const char *s, const char *numbers)
{
	wrap(r, "- ", color_of(state), 2, s);
	if (numbers)
		wrap(r, "  ", "", 2, numbers);
}

static void command(struct report *r, const char *s)
{
	_cleanup_free_ char *safe = escape(r, s);

	fprintf(r->out, "    %s\n", safe ? safe : "");
}

/* Widths of the columns: what the cells need, the widest ones cut until the line fits. */
static void find_widths(char **cells, size_t count, size_t columns, size_t *widths)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++) {
		size_t w = width_of(cells[i], strlen(cells[i]));

		if (w > widths[i % columns])
			widths[i % columns] = w;
	}
	for (size_t i = 0; i < columns; i++)
		total += widths[i] + (i ? GAP : 0);
	while (total > WIDTH) {
		size_t widest = 0;

		for (size_t i = 1; i < columns; i++)
			widest = widths[i] > widths[widest] ? i : widest;
		if (widths[columns - 1] > LEAST_LAST_COLUMN)
			widest = columns - 1;	/* words wrap better than numbers */
		if (widths[widest] <= LEAST_COLUMN)
			return;
		widths[widest]--;
		total--;
	}
}

/* One row, its cells wrapped: as many lines as the longest cell needs. rest: what is left of each. */
static void print_row(struct report *r, const char **rest, size_t columns, const size_t *widths)
{
	bool more = true;

	while (more) {
		size_t pending = 0;	/* blanks that are printed only if text follows */

		more = false;
		for (size_t i = 0; i < columns; i++) {
			size_t next, n = break_line(rest[i], widths[i], &next);

			if (n) {
				fprintf(r->out, "%*s%.*s", (int)pending, "", (int)n, rest[i]);
				pending = 0;
			}
			pending += widths[i] - width_of(rest[i], n) + GAP;
			rest[i] += next;
			more |= *rest[i] != '\0';
		}
		fputs("\n", r->out);
	}
}

static void table(struct report *r, const struct report_table *t)
{
	size_t *widths = calloc(t->columns, sizeof(*widths));
	char **safe = calloc(t->cells_count + 1, sizeof(*safe));
	const char **rest = calloc(t->columns, sizeof(*rest));
	bool whole = widths && safe && rest;

	for (size_t i = 0; whole && i < t->cells_count; i++) {
		safe[i] = text_escape_terminal(t->cells[i]);
		whole = safe[i] != NULL;
	}
	if (whole)
		find_widths(safe, t->cells_count, t->columns, widths);
	for (size_t i = 0; whole && i + t->columns <= t->cells_count; i += t->columns) {
		for (size_t k = 0; k < t->columns; k++)
			rest[k] = safe[i + k];
		print_row(r, rest, t->columns, widths);
	}
	r->failed |= !whole;
	for (size_t i = 0; safe && i < t->cells_count; i++)
		free(safe[i]);
	free(widths);
	free(safe);
	free(rest);
}

const struct report_printer report_text_printer = { heading, paragraph, item, command, table, .brief = true };

int report_text(FILE *out, const struct result *result, const struct verdict *verdict, bool color)
{
	struct report r = { .out = out, .print = &report_text_printer, .result = result, .verdict = verdict,
			    .color = color };

	return report_body(&r);
}
