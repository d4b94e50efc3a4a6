/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch history: the runs below a directory, by time. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "fail.h"
#include "history-trend.h"
#include "json-text.h"
#include "model-json.h"
#include "options.h"

/* A directory as it is called, whatever bytes that has, and what is known of it. */
struct entry {
	char *name;
	json_t *json;
};

static json_t *read_document(const char *dir, const char *run, const char *name)
{
	_cleanup_free_ char *path = text_format("%s/%s/%s", dir, run, name);

	return path ? json_load_file(path, 0, NULL) : NULL;
}

/* A copy of object[key], or null. New reference. */
static json_t *copy_of(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	return value ? json_deep_copy(value) : json_null();
}

/* "model serial", or how the drive was named; null: there is none. */
static json_t *drive_of(const json_t *drives, const char *side)
{
	const json_t *d = json_object_get(drives, side);
	const char *model = json_string_value(json_object_get(d, "model"));
	const char *serial = json_string_value(json_object_get(d, "serial"));
	_cleanup_free_ char *both = model && serial ? text_format("%s %s", model, serial) : NULL;

	return both ? json_string(both) : copy_of(d, "target");
}

/* The ratio that heads the first workload which has one. */
static json_t *ratio_of(const json_t *verdict)
{
	const json_t *list = json_object_get(verdict, "comparisons");

	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_is_true(json_object_get(json_array_get(list, i), "heads")))
			return copy_of(json_array_get(list, i), "ratio");
	return json_null();
}

/* What is known of one directory; a damaged or foreign one says so in "problem". */
static json_t *read_entry(const char *dir, const char *name)
{
	json_auto_t *run = read_document(dir, name, "run.json"), *plan = read_document(dir, name, "plan.json");
	json_auto_t *drives = read_document(dir, name, "drives.json");
	json_auto_t *verdict = read_document(dir, name, "verdict.json");
	_cleanup_free_ char *utf8 = text_make_utf8(name);
	const json_t *headline = json_object_get(verdict, "headline");
	const char *problem = !json_is_object(run) ? "not a run directory" : !json_is_object(plan) ||
			      !json_is_object(drives) ? "damaged: plan.json or drives.json cannot be read" :
			      !json_is_object(verdict) ? "not judged (nvmatch judge does it)" : NULL;

	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s?}", "run", utf8 ? utf8 : "", "started_utc",
			 copy_of(run, "started_utc"), "suite", copy_of(plan, "suite"), "a", drive_of(drives, "A"),
			 "b", drive_of(drives, "B"), "headline", copy_of(headline, "state"), "ratio",
			 ratio_of(verdict), "problem", problem);
}

static int no_dot(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN ||
					   entry->d_type == DT_LNK);
}

/* When it started, then its name; runs come before what is none. */
static int compare(const void *a, const void *b)
{
	const struct entry *one = a, *other = b;
	const char *x = json_string_value(json_object_get(one->json, "started_utc"));
	const char *y = json_string_value(json_object_get(other->json, "started_utc"));
	int order = strcmp(x ? x : "~", y ? y : "~");

	return order ? order : strcmp(one->name, other->name);
}

static void print_word(const json_t *entry, const char *key, int width)
{
	const char *s = json_string_value(json_object_get(entry, key));
	_cleanup_free_ char *safe = text_escape_terminal(s ? s : "-");

	printf("%-*s  ", width, safe ? safe : "?");
}

static void print_entry(const json_t *e)
{
	const json_t *ratio = json_object_get(e, "ratio");

	print_word(e, "started_utc", 20);
	print_word(e, "suite", 8);
	print_word(e, "headline", 12);
	if (json_is_number(ratio))
		printf("%-6.3f  ", json_number_value(ratio));
	else
		printf("%-6s  ", "-");
	print_word(e, "a", 24);
	print_word(e, "b", 24);
	print_word(e, "run", 0);
	if (json_is_string(json_object_get(e, "problem")))
		printf("(%s)", json_string_value(json_object_get(e, "problem")));
	putchar('\n');
}

static int print(const struct entry *entries, size_t count, bool json)
{
	json_auto_t *document = json ? model_document() : NULL;
	json_t *list = json ? json_array() : NULL;

	if (!json) {
		printf("%-20s  %-8s  %-12s  %-6s  %-24s  %-24s  run\n", "started", "suite", "headline", "A/B", "A", "B");
		for (size_t i = 0; i < count; i++)
			print_entry(entries[i].json);
		return 0;
	}
	for (size_t i = 0; i < count; i++)
		json_array_append(list, entries[i].json);
	if (json_object_set_new(document, "runs", list) ||
	    json_print(document, stdout, JSON_SHOWN | JSON_REAL_PRECISION(12)))
		return fail(-EIO, "history: writing JSON failed");
	return 0;
}

/* Blocks where they can be read: a UTF-8 locale, and nobody asked for plain output. */
static bool shows_blocks(bool no_color)
{
	const char *names[] = { getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG") };

	if (no_color || getenv("NO_COLOR") || !isatty(STDOUT_FILENO))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i] && *names[i])
			return strcasestr(names[i], "utf-8") || strcasestr(names[i], "utf8");
	}
	return false;
}

/* The runs are in order of time. */
static int gather_trends(const char *dir, const struct entry *entries, size_t count, struct trends *trends)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		const char *name = entries[i].name;
		json_auto_t *result = read_document(dir, name, "result.json"), *run = read_document(dir, name, "run.json");
		json_auto_t *drives = read_document(dir, name, "drives.json");

		ret = trends_add(trends, result, drives, run);
	}
	return ret ? fail(ret, "history: out of memory") : 0;
}

struct how {
	bool json, no_color;
	const char *plot;
};

static int show(const char *dir, const struct entry *entries, size_t count, const struct how *how)
{
	struct trends trends = { 0 };
	int ret = print(entries, count, how->json);

	if (!ret && (!how->json || how->plot))
		ret = gather_trends(dir, entries, count, &trends);
	if (!ret && !how->json)
		trends_print(&trends, shows_blocks(how->no_color));
	if (!ret && how->plot)
		ret = trends_plot(&trends, how->plot);
	trends_free(&trends);
	return ret;
}

static int history(const char *dir, const struct how *how)
{
	struct dirent **names = NULL;
	int n = scandir(dir, &names, no_dot, alphasort), ret = 0;
	struct entry *entries = n > 0 ? calloc((size_t)n, sizeof(*entries)) : NULL;

	if (n < 0)
		return fail(-EINVAL, "history: cannot read %s: %s", dir, strerror(errno));
	for (int i = 0; i < n; i++) {
		if (entries && !ret)
			entries[i] = (struct entry){ strdup(names[i]->d_name), read_entry(dir, names[i]->d_name) };
		ret = entries && entries[i].name && entries[i].json ? ret : -ENOMEM;
		free(names[i]);
	}
	free(names);
	if (!ret && n > 1)
		qsort(entries, (size_t)n, sizeof(*entries), compare);
	ret = ret ? fail(ret, "history: out of memory") : show(dir, entries, (size_t)n, how);
	for (int i = 0; entries && i < n; i++) {
		free(entries[i].name);
		json_decref(entries[i].json);
	}
	free(entries);
	return ret;
}

static int run(int argc, char **argv)
{
	struct how how = { 0 };
	const struct option_row rows[] = {
		{ "json", 0, OPTION_FLAG, &how.json, NULL, "print one JSON document", 0 },
		{ "plot", 0, OPTION_STRING, &how.plot, "FILE",
		  "draw the throughput of each drive over time (SVG, by gnuplot)", 0 },
		{ "no-color", 0, OPTION_FLAG, &how.no_color, NULL, "plain characters (also: NO_COLOR)", 0 },
		{ 0 },
	};
	int operands, ret = command_options(&cmd_history, rows, argc, argv, &operands);

	return ret ? ret : history(operands ? argv[1] : "results", &how);
}

const struct command cmd_history = {
	.name = "history",
	.synopsis = "[DIR] [--json] [--plot FILE]",
	.summary = "the runs below a directory, by time",
	.least = 0,
	.most = 1,
	.operands = "at most one directory",
	.run = run,
};
