/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as Markdown. */
#include "report.h"

#include <errno.h>

int report_md(FILE *out, const struct result *result, const struct verdict *verdict)
{
	(void)result;
	return fprintf(out, "%s\n", verdict->headline_text) < 0 ? -EIO : 0;
}
