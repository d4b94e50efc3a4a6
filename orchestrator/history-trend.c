/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the documents of runs to throughput over time, and its line for a terminal. */
#include "history-trend.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stats.h"
#include "text.h"

#define LINE_MOST 40		/* runs in one line: the newest */

static const char *word(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static char *drive_name(const json_t *drive)
{
	const char *model = word(drive, "model"), *serial = word(drive, "serial");
	const char *target = word(drive, "target");

	if (serial)
		return text_format("%s%s%s", model ? model : "", model ? " " : "", serial);
	return text_format("%s (no serial)", target ? target : "?");
}

static struct trend *find(struct trends *trends, const char *drive, const char *workload, bool concurrent)
{
	struct trend *more;

	for (size_t i = 0; i < trends->count; i++) {
		struct trend *t = &trends->trends[i];

		if (t->concurrent == concurrent && !strcmp(t->drive, drive) && !strcmp(t->workload, workload))
			return t;
	}
	more = realloc(trends->trends, (trends->count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	trends->trends = more;
	more += trends->count;
	*more = (struct trend){ strdup(drive), strdup(workload), concurrent, NULL, 0 };
	trends->count += more->drive && more->workload;
	return more->drive && more->workload ? more : NULL;
}

/* The usable rounds of one side in one mode; values has room for all. */
static size_t speeds_of(const json_t *observations, const char *side, bool concurrent, double *values)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(observations); i++) {
		const json_t *o = json_array_get(observations, i), *m = json_object_get(o, side);
		double bw = json_number_value(json_object_get(m, "bw_bytes_per_s"));

		if (json_is_true(json_object_get(o, "concurrent")) == concurrent &&
		    json_is_true(json_object_get(m, "usable")) && bw > 0)
			values[n++] = bw;
	}
	return n;
}

static int add_point(struct trend *t, const double *values, size_t n, double time_s, const char *firmware)
{
	struct trend_point *more = realloc(t->points, (t->points_count + 1) * sizeof(*more));
	struct stats_interval interval = { NAN, NAN };

	if (!more)
		return -ENOMEM;
	t->points = more;
	stats_t_interval(values, n, 0.95, &interval);
	more[t->points_count++] = (struct trend_point){ time_s, stats_mean(values, n), interval.low, interval.high,
							firmware ? strdup(firmware) : NULL };
	return 0;
}

static int add_side(struct trends *trends, const json_t *workload, const json_t *drive, const char *side,
		    double time_s)
{
	const json_t *observations = json_object_get(workload, "observations");
	const char *name = word(workload, "name");
	_cleanup_free_ double *values = calloc(json_array_size(observations) + 1, sizeof(*values));
	_cleanup_free_ char *who = drive_name(drive);
	bool concurrent = false;
	struct trend *t;
	size_t n;

	if (!values || !who)
		return -ENOMEM;
	n = speeds_of(observations, side, false, values);
	if (!n) {
		concurrent = true;
		n = speeds_of(observations, side, true, values);
	}
	if (!n || !name)
		return 0;
	t = find(trends, who, name, concurrent);
	return t ? add_point(t, values, n, time_s, word(drive, "firmware")) : -ENOMEM;
}

int trends_add(struct trends *trends, const json_t *result, const json_t *drives, const json_t *run)
{
	const json_t *workloads = json_object_get(result, "workloads");
	const char *started = word(run, "started_utc");
	struct tm tm = { 0 };
	double time_s = started && strptime(started, "%Y-%m-%dT%H:%M:%SZ", &tm) ? (double)timegm(&tm) : NAN;
	int ret = 0;

	for (size_t i = 0; isfinite(time_s) && i < json_array_size(workloads); i++) {
		for (int s = 0; !ret && s < 2; s++)
			ret = add_side(trends, json_array_get(workloads, i), json_object_get(drives, s ? "B" : "A"),
				       s ? "B" : "A", time_s);
	}
	return ret;
}

void trends_free(struct trends *trends)
{
	for (size_t i = 0; i < trends->count; i++) {
		struct trend *t = &trends->trends[i];

		for (size_t k = 0; k < t->points_count; k++)
			free(t->points[k].firmware);
		free(t->points);
		free(t->drive);
		free(t->workload);
	}
	free(trends->trends);
	*trends = (struct trends){ 0 };
}

/* From 0 to the fastest: a line that only shows the change makes noise look large. */
static void print_line(const struct trend *t, size_t first, bool blocks)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const plain[] = { "_", ".", ":", "-", "=", "+", "*", "#" };
	double most = 0;

	for (size_t i = first; i < t->points_count; i++)
		most = fmax(most, t->points[i].bw_bytes_per_s);
	for (size_t i = first; i < t->points_count; i++) {
		int level = (int)(8 * t->points[i].bw_bytes_per_s / most);

		fputs((blocks ? bars : plain)[level > 7 ? 7 : level], stdout);
	}
}

static void print_trend(const struct trend *t, bool blocks)
{
	size_t first = t->points_count > LINE_MOST ? t->points_count - LINE_MOST : 0;
	const struct trend_point *a = &t->points[first], *b = &t->points[t->points_count - 1];
	_cleanup_free_ char *drive = text_escape_terminal(t->drive), *name = text_escape_terminal(t->workload);
	char from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];
	size_t changes = 0;

	for (size_t i = first + 1; i < t->points_count; i++)
		changes += t->points[i].firmware && t->points[i - 1].firmware &&
			   strcmp(t->points[i].firmware, t->points[i - 1].firmware);
	printf("%-24s  %-16s  ", drive ? drive : "?", name ? name : "?");
	print_line(t, first, blocks);
	printf("  %s to %s (%+.1f %%), %zu runs%s", text_rate(from, a->bw_bytes_per_s),
	       text_rate(to, b->bw_bytes_per_s), 100 * (b->bw_bytes_per_s / a->bw_bytes_per_s - 1),
	       t->points_count - first, t->concurrent ? ", both drives at once" : "");
	if (changes)
		printf(", firmware changed%s", changes > 1 ? " more than once" : "");
	putchar('\n');
}

void trends_print(const struct trends *trends, bool blocks)
{
	bool headed = false;

	for (size_t i = 0; i < trends->count; i++) {
		if (trends->trends[i].points_count < 2)
			continue;
		if (!headed)
			puts("\nThroughput from the first run to the last, as a share of the fastest. Set-ups may "
			     "differ.");
		headed = true;
		print_trend(&trends->trends[i], blocks);
	}
}
