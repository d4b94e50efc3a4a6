/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Printers: one format each, all from the same result and verdict.
 * They return 0, -ENOMEM, or -EIO when the stream failed. What comes from a drive or a path is
 * escaped for the format. What is unknown is "not measured" or "n/a", never 0.
 */
#ifndef NVMATCH_REPORT_H
#define NVMATCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "model.h"

/* Plain text of at most 100 columns; colour marks states only, so nothing is lost without it. */
int report_text(FILE *out, const struct result *result, const struct verdict *verdict, bool color);

/* GitHub-flavoured Markdown. */
int report_md(FILE *out, const struct result *result, const struct verdict *verdict);

/* Measurements, gates, metrics for programs: docs/formats.md. */
int report_csv(FILE *out, const struct result *result, const struct verdict *verdict);
int report_junit(FILE *out, const struct result *result, const struct verdict *verdict);
int report_openmetrics(FILE *out, const struct result *result, const struct verdict *verdict);

/* One cell of CSV: quoted where it must be, no control bytes, no formula. NULL: no memory. */
char *report_csv_text(const char *s);

#endif
