/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch report: prints a run in one of the formats. */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd-report-html.h"
#include "command.h"
#include "derive.h"
#include "fail.h"
#include "json-text.h"
#include "options.h"
#include "report.h"
#include "store.h"
#include "verdict-json.h"

static int print_text(FILE *out, const struct result *result, const struct verdict *verdict)
{
	return report_text(out, result, verdict, false);
}

static int print_json(FILE *out, const struct result *result, const struct verdict *verdict)
{
	json_auto_t *json = verdict_to_json(verdict);

	(void)result;
	return json_print(json, out, JSON_SHOWN | JSON_REAL_PRECISION(12));
}

/* Adding a format: a printer in report.h and a row here. The help and docs/formats.md name them all. */
static const struct format {
	const char *name, *summary;
	/* one of the two: a stream, or files below a directory that the user names (-o) */
	int (*print)(FILE *out, const struct result *result, const struct verdict *verdict);
	int (*write)(const char *directory, const struct result *result, const struct verdict *verdict);
	bool no_gates;			/* has no place for them: failed ones are named on standard error */
} formats[] = {
	{ "text", "for a terminal", print_text, NULL, false },
	{ "md", "for an issue or a pull request", report_md, NULL, false },
	{ "html", "one page for a browser, with pictures; also below the run's plots/", report_html_page,
	  NULL, false },
	{ "json", "verdict.json", print_json, NULL, false },
	{ "csv", "every measurement", report_csv, NULL, true },
	{ "junit", "gates and comparisons as test cases", report_junit, NULL, false },
	{ "openmetrics", "for node_exporter's textfile collector", report_openmetrics, NULL, false },
	{ "fio-plot", "a new directory of files that fio-plot reads", NULL, report_fio_plot_files,
	  true },
};
#define FORMATS (sizeof(formats) / sizeof(*formats))

static char *format_names(const char *before_last)
{
	struct text t = { 0 };

	for (size_t i = 0; i < FORMATS; i++)
		text_printf(&t, "%s%s", !i ? "" : i == FORMATS - 1 ? before_last : ", ", formats[i].name);
	return text_steal(&t);
}

static int find_format(const char *name, const struct format **format)
{
	_cleanup_free_ char *names = format_names(", ");

	for (size_t i = 0; i < FORMATS; i++) {
		if (!strcmp(name, formats[i].name)) {
			*format = &formats[i];
			return 0;
		}
	}
	return fail(EXIT_USAGE, "report: unknown format %s (there are: %s)", name, names ? names : "");
}

/* A run directory holds evidence: of its own names a report takes those of reports only. */
static int refuse_evidence(const char *path, const char *run)
{
	_cleanup_free_ char *root = realpath(run, NULL), *whole = realpath(path, NULL), *copy = strdup(path);
	_cleanup_free_ char *dir = copy ? realpath(dirname(copy), NULL) : NULL;
	const char *name = path + (strrchr(path, '/') ? strrchr(path, '/') - path + 1 : 0), *inside;
	_cleanup_free_ char *made = dir && !whole ? text_format("%s/%s", dir, name) : NULL;

	inside = whole ? whole : made;
	if (!root || !inside || strncmp(inside, root, strlen(root)))
		return 0;
	inside += strlen(root);
	if (*inside && *inside != '/')
		return 0;
	if (!strncmp(inside, "/report.", 8) && !strchr(inside + 1, '/'))
		return 0;
	return fail(EXIT_USAGE, "%s lies in the run directory, among its evidence: there give a name that begins "
		    "with report., or another directory", path);
}

/* What was compared holds data that a report must not replace. */
static int refuse_target(const char *path, const struct result *result)
{
	struct stat st;

	if (stat(path, &st))
		return 0;
	for (int s = 0; s < SIDES; s++) {
		const struct drive *d = &result->drives[s];

		if (d->kind == TARGET_FILE && known(d->file_inode) && d->file_device == (int64_t)st.st_dev &&
		    d->file_inode == (int64_t)st.st_ino)
			return fail(-EPERM, "%s is a target of this run and is not written over: give another file", path);
	}
	return 0;
}

/* The file appears whole or not at all: something may be waiting for it. */
static int print_to_file(const char *path, const struct derived *d, const struct format *format)
{
	_cleanup_free_ char *data = NULL;
	size_t length = 0;
	int ret = refuse_target(path, &d->result);
	FILE *out = ret ? NULL : open_memstream(&data, &length);

	if (ret)
		return ret;
	ret = out ? format->print(out, &d->result, &d->verdict) : -ENOMEM;

	if (out && fclose(out) && !ret)
		ret = -ENOMEM;
	return ret ? fail(ret, "writing the report failed: %s", strerror(-ret)) :
		     store_publish(path, data, length);
}

static int print_to(const char *path, const char *run, const struct derived *d, const struct format *format,
		    bool no_color)
{
	bool color = !no_color && !getenv("NO_COLOR") && isatty(STDOUT_FILENO);
	int ret = path ? refuse_evidence(path, run) : 0;

	if (ret)
		return ret;

	if (format->write)
		return format->write(path, &d->result, &d->verdict);
	if (path)
		return print_to_file(path, d, format);
	ret = format->print == print_text ? report_text(stdout, &d->result, &d->verdict, color) :
					    format->print(stdout, &d->result, &d->verdict);
	return ret ? fail(ret, "writing the report failed: %s", strerror(-ret)) : 0;
}

static void name_failed_gates(const struct verdict *v)
{
	for (size_t i = 0; i < v->gates_count; i++)
		if (v->gates[i].failed)
			fail(0, "gate failed: %s (%s)", v->gates[i].expression, v->gates[i].text);
}

static int report_main(int argc, char **argv)
{
	_cleanup_free_ char *names = format_names(" or ");
	_cleanup_free_ char *help = text_format("%s (text)", names ? names : "");
	const char *name = "text", *output = NULL;
	struct strings gates = { 0 };
	bool no_color = false;
	const struct option_row rows[] = {
		{ "fail-if", 0, OPTION_STRINGS, &gates, "EXPR",
		  "a gate: exit status 1 if EXPR is true or cannot be told (docs/gates.md); repeatable", 0 },
		{ "format", 'f', OPTION_STRING, &name, "FORMAT", help ? help : "", 0 },
		{ "output", 'o', OPTION_STRING, &output, "PATH",
		  "file to write instead of standard output; the directory of a format that makes files", 0 },
		{ "no-color", 0, OPTION_FLAG, &no_color, NULL, "no colour (also: NO_COLOR)", 0 },
		{ 0 }
	};
	const struct format *format = NULL;
	struct derived derived;
	int operands, ret = command_options(&cmd_report, rows, argc, argv, &operands);

	if (!ret)
		ret = find_format(name, &format);
	if (!ret && format->write && !output)
		ret = fail(EXIT_USAGE, "report: the format %s makes files: name a directory with -o", name);
	if (ret)
		return ret;
	ret = derive(argv[1], &derived);
	if (!ret)
		ret = derive_gates(&derived, &gates);
	if (!ret)
		ret = print_to(output, argv[1], &derived, format, no_color);
	if (!ret && format->no_gates)
		name_failed_gates(&derived.verdict);
	if (!ret)
		ret = derive_exit_status(&derived);
	derive_free(&derived);
	strings_free(&gates);
	return ret;
}

const struct command cmd_report = {
	.name = "report",
	.synopsis = "RUN [--format FORMAT] [-o PATH] [--fail-if EXPR]",
	.summary = "print a run for people or for machines",
	.least = 1,
	.most = 1,
	.operands = "one run directory",
	.run = report_main,
};
