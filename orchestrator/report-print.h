/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report is headings, paragraphs, items and tables; a printer knows how its format writes each.
 * report_body() walks the result and the verdict once, for every printer. Everything is passed
 * unescaped: a printer escapes all that it prints.
 */
#ifndef NVMATCH_REPORT_PRINT_H
#define NVMATCH_REPORT_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "model.h"

/* Cells row after row; the first row is the head. Cells are owned. */
struct report_table {
	size_t columns, cells_count;
	char **cells;
};

struct report;

struct report_printer {
	void (*heading)(struct report *r, int level, const char *s);	/* 1, 2, 3 */
	void (*paragraph)(struct report *r, const char *s);
	/* state: of the ledger, for emphasis; or REPORT_UNMARKED. numbers: behind the item, or NULL */
	void (*item)(struct report *r, int state, const char *s, const char *numbers);
	void (*command)(struct report *r, const char *s);		/* something to type */
	void (*table)(struct report *r, const struct report_table *t);
	bool brief;			/* long lists of little use on a terminal are shortened */
	bool groups;			/* the drives' table is cut into groups, each with a heading (3) */
};
#define REPORT_UNMARKED (-1)

/* For other tables than a run's report. */
extern const struct report_printer report_text_printer, report_md_printer;

struct report {
	FILE *out;
	const struct report_printer *print;
	const struct result *result;
	const struct verdict *verdict;
	bool color;
	bool failed;		/* memory ran out; stays set */
};

/* The whole report: 0, -ENOMEM or -EIO. */
int report_body(struct report *r);

/* One more cell, from left to right; marks a failure. */
void report_cell(struct report *r, struct report_table *t, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void report_table_free(struct report_table *t);

/* Formatted paragraph and item, without state or numbers. */
void report_say(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_item(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Parts of the body, for a printer that has an order of its own. */
void report_introduce(struct report *r);	/* items: who A and B are */
void report_drives(struct report *r);		/* side by side, differences marked */
void report_comparisons(struct report *r);	/* of one drive alone: its speeds */
void report_ratings(struct report *r);		/* nothing without a baseline */
void report_classes(struct report *r);
void report_gates(struct report *r);		/* nothing when there are none */
void report_concurrency(struct report *r);
void report_ledger(struct report *r);
/* False for what only two drives can differ in, when there is one. */
bool report_row_applies(const struct report *r, const struct ledger_row *row);
void report_conditions(struct report *r);
void report_missing(struct report *r);		/* items: what is unknown of the drives, and why */
void report_reproduce(struct report *r);
void report_thresholds(struct report *r);
void report_heat(struct report *r);		/* temperatures by slot; nothing when there are none */
void report_traffic(struct report *r);		/* bytes asked for, and moved */

#endif
