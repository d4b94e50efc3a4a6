/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch report: prints a run in one of the formats. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "derive.h"
#include "fail.h"
#include "options.h"
#include "report.h"

static int print_json(FILE *out, const struct derived *d)
{
	return fputs(d->documents[1].data, out) < 0 ? -EIO : 0;
}

static int print(FILE *out, const struct derived *d, const char *format, bool color)
{
	if (!strcmp(format, "text"))
		return report_text(out, &d->result, &d->verdict, color);
	if (!strcmp(format, "md"))
		return report_md(out, &d->result, &d->verdict);
	return print_json(out, d);
}

static int print_to(const char *path, const struct derived *d, const char *format, bool no_color)
{
	bool color = !path && !no_color && !getenv("NO_COLOR") && isatty(STDOUT_FILENO);
	FILE *out = path ? fopen(path, "we") : stdout;
	int ret;

	if (!out)
		return fail(-errno, "cannot write %s: %s", path, strerror(errno));
	ret = print(out, d, format, color);
	if (path && fclose(out) && !ret)
		ret = -EIO;
	return ret ? fail(ret, "writing the report failed: %s", strerror(-ret)) : 0;
}

static int report_main(int argc, char **argv)
{
	const char *format = "text", *output = NULL;
	bool no_color = false;
	const struct option_row rows[] = {
		{ "format", 'f', OPTION_STRING, &format, "FORMAT", "text, md or json (text)", 0 },
		{ "output", 'o', OPTION_STRING, &output, "PATH", "file to write instead of standard output", 0 },
		{ "no-color", 0, OPTION_FLAG, &no_color, NULL, "no colour (also: NO_COLOR)", 0 },
		{ 0 }
	};
	struct derived derived;
	int operands, ret = command_options(&cmd_report, rows, argc, argv, &operands);

	if (ret)
		return ret;
	if (strcmp(format, "text") && strcmp(format, "md") && strcmp(format, "json"))
		return fail(EXIT_USAGE, "report: unknown format %s (there are: text, md, json)", format);
	ret = derive(argv[1], &derived);
	if (!ret)
		ret = print_to(output, &derived, format, no_color);
	if (!ret)
		ret = derive_exit_status(&derived);
	derive_free(&derived);
	return ret;
}

const struct command cmd_report = {
	.name = "report",
	.synopsis = "RUN [--format FORMAT] [-o PATH]",
	.summary = "print a run as text, md or json",
	.least = 1,
	.most = 1,
	.operands = "one run directory",
	.run = report_main,
};
