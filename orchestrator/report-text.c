/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as plain text. */
#include "report.h"

#include <errno.h>

int report_text(FILE *out, const struct result *result, const struct verdict *verdict, bool color)
{
	(void)result;
	(void)color;
	return fprintf(out, "%s\n", verdict->headline_text) < 0 ? -EIO : 0;
}
