/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch compare: the same drives or suites in several runs. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "compare.h"
#include "fail.h"
#include "gather.h"
#include "json-text.h"
#include "model-json.h"
#include "options.h"
#include "store.h"

static int print_json(FILE *out, const struct compare *c)
{
	json_auto_t *document = model_document(), *body = fields_to_json(compare_fields, c);

	if (!document || !body || json_object_update(document, body))
		return -ENOMEM;
	return json_print(document, out, JSON_SHOWN | JSON_REAL_PRECISION(12));
}

static const struct format {
	const char *name;
	int (*print)(FILE *out, const struct compare *c);
} formats[] = {
	{ "text", compare_text }, { "md", compare_md }, { "csv", compare_csv }, { "json", print_json }, { 0 },
};

static int find_format(const char *name, const struct format **format)
{
	for (*format = formats; (*format)->name; (*format)++)
		if (!strcmp((*format)->name, name))
			return 0;
	return fail(EXIT_USAGE, "compare: unknown format %s (there are: text, md, csv, json)", name);
}

/* One run twice, or a copy of one, is no comparison. */
static int check_twice(char **runs, size_t count)
{
	char *sums[COMPARE_RUNS_MAX] = { 0 };
	int ret = 0;

	for (size_t i = 0; i < count; i++) {
		_cleanup_free_ char *path = text_format("%s/SHA256SUMS", runs[i]);

		if (!path || (text_read_file(path, 1 << 26, &sums[i], NULL) && !sums[i]))
			continue;	/* an unfinished run has none */
		for (size_t k = 0; k < i && !ret; k++)
			if (sums[k] && !strcmp(sums[i], sums[k]))
				ret = fail(-EINVAL, "compare: %s and %s are the same run", runs[k], runs[i]);
	}
	for (size_t i = 0; i < count; i++)
		free(sums[i]);
	return ret;
}

static int check_paths(char **runs, size_t count)
{
	char *real[COMPARE_RUNS_MAX] = { 0 };
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		real[i] = realpath(runs[i], NULL);
		if (!real[i])
			ret = fail(-EINVAL, "compare: no run %s: %s", runs[i], strerror(errno));
		for (size_t k = 0; k < i && !ret; k++)
			if (!strcmp(real[i], real[k]))
				ret = fail(-EINVAL, "compare: %s is given twice", runs[i]);
	}
	for (size_t i = 0; i < count; i++)
		free(real[i]);
	return ret;
}

static int compare_and_print(const struct result *results, size_t count, size_t baseline, const char *output,
			     const struct format *format)
{
	_cleanup_free_ char *data = NULL;
	size_t length = 0;
	struct compare c;
	int ret = compare(results, count, baseline, &c);
	FILE *out = ret ? NULL : open_memstream(&data, &length);

	if (ret)
		ret = ret == -EINVAL ? fail(EXIT_INCOMPLETE, "compare: %s has no usable round", results[baseline].run) :
				       fail(ret, "compare: out of memory");
	else
		ret = out ? format->print(out, &c) : -ENOMEM;
	if (out && fclose(out) && !ret)
		ret = -ENOMEM;
	if (!ret && output)
		ret = store_publish(output, data, length);
	else if (!ret && (fwrite(data, 1, length, stdout) != length || fflush(stdout)))
		ret = fail(-EIO, "compare: writing failed");
	if (!ret && !c.comparable)
		ret = fail(EXIT_NOT_VALID, "compare: nothing is comparable; the reasons are in the table");
	fields_free(compare_fields, &c);
	return ret;
}

static int compare_runs(char **runs, size_t count, size_t baseline, const char *output,
			const struct format *format)
{
	struct result *results = calloc(count, sizeof(*results));
	size_t n = 0;
	int ret = results ? check_paths(runs, count) : -ENOMEM;

	while (!ret && n < count) {
		ret = gather(runs[n], &results[n]);
		if (!ret)
			n++;
	}
	if (!ret)
		ret = check_twice(runs, count);
	if (!ret)
		ret = compare_and_print(results, count, baseline, output, format);
	for (size_t i = 0; i < n; i++)
		gather_free(&results[i]);
	free(results);
	return ret;
}

static int compare_main(int argc, char **argv)
{
	const char *name = NULL, *output = NULL;
	int64_t baseline = 1;
	bool json = false;
	const struct option_row rows[] = {
		{ "baseline", 0, OPTION_I64, &baseline, "N",
		  "the run that the others are compared with (1, the first)", 1 },
		{ "format", 'f', OPTION_STRING, &name, "FORMAT", "text, md, csv or json (text)", 0 },
		{ "json", 0, OPTION_FLAG, &json, NULL, "the same as --format json", 0 },
		{ "output", 'o', OPTION_STRING, &output, "PATH", "file to write instead of standard output", 0 },
		{ 0 }
	};
	const struct format *format;
	int operands, ret = command_options(&cmd_compare, rows, argc, argv, &operands);

	if (ret)
		return ret;
	if (json && name && strcmp(name, "json"))
		return fail(EXIT_USAGE, "compare: --json and --format %s contradict each other", name);
	if (baseline > operands)
		return fail(EXIT_USAGE, "compare: --baseline %lld, but there are %d runs",
			    (long long)baseline, operands);
	ret = find_format(json ? "json" : name ? name : "text", &format);
	return ret ? ret : compare_runs(argv + 1, (size_t)operands, (size_t)baseline - 1, output, format);
}

const struct command cmd_compare = {
	.name = "compare",
	.synopsis = "RUN RUN [RUN...] [--baseline N] [--json]",
	.summary = "the same drives or suites over time, firmware or hardware changes",
	.least = 2,
	.most = COMPARE_RUNS_MAX,
	.operands = "two or more run directories",
	.run = compare_main,
};
