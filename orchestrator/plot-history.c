/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput of drives over several runs: one panel for each drive and workload. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "history-trend.h"
#include "plot.h"
#include "store.h"

#define PANELS_MOST 24

static void add_panel(struct plot *plot, const struct trend *t, int64_t panel)
{
	_cleanup_free_ char *name = text_format("title[%lld]", (long long)panel + 1);
	_cleanup_free_ char *title = text_format("%s, %s%s", t->workload, t->drive, t->concurrent ?
						 ", both at once" : "");
	double most = 0, divisor;

	for (size_t i = 0; i < t->points_count; i++)
		most = fmax(most, fmax(t->points[i].bw_bytes_per_s, isfinite(t->points[i].high) ?
				       t->points[i].high : 0));
	plot->variables.failed |= !name || !title;
	if (!name || !title)
		return;
	plot_string(plot, name, title, 80);
	text_printf(&plot->variables, "unit[%lld] = '%s'\n", (long long)panel + 1,
		    plot_unit("bw_bytes_per_s", most, &divisor));
	text_printf(&plot->variables, "most[%lld] = %.6g\n", (long long)panel + 1, most / divisor);
	plot_block(plot, "time (s since 1970)\tthroughput\tinterval from\tto");
	for (size_t i = 0; i < t->points_count; i++) {
		const struct trend_point *p = &t->points[i];
		double v = p->bw_bytes_per_s;

		text_printf(&plot->data, "%.0f\t%.6g\t%.6g\t%.6g\n", p->time_s, v / divisor,
			    fmax(0, isfinite(p->low) ? p->low : v) / divisor, (isfinite(p->high) ? p->high : v) / divisor);
	}
	size_t changes = 0;

	plot_block(plot, "firmware changed: time\tto");
	for (size_t i = 1; i < t->points_count; i++) {
		const char *was = t->points[i - 1].firmware, *is = t->points[i].firmware;
		_cleanup_free_ char *safe = is ? text_file_name(is) : NULL;

		if (!was || !safe || !strcmp(was, is))
			continue;
		changes++;
		text_printf(&plot->data, "%.0f\tfirmware %s\n",
			    (t->points[i - 1].time_s + t->points[i].time_s) / 2, safe);
	}
	text_printf(&plot->variables, "changes[%lld] = %zu\n", (long long)panel + 1, changes);
}

static void find_span(const struct trends *trends, double *first, double *last)
{
	for (size_t i = 0; i < trends->count; i++) {
		const struct trend *t = &trends->trends[i];

		for (size_t k = 0; k < t->points_count; k++) {
			*first = fmin(*first, t->points[k].time_s);
			*last = fmax(*last, t->points[k].time_s);
		}
	}
}

static int save(const struct plots *plots, const char *path)
{
	const char *svg = plots->plots[0].svg;

	if (plots->problem)
		return fail(EXIT_INCOMPLETE, "history: %s", plots->problem);
	return svg ? store_publish(path, svg, strlen(svg)) : fail(EXIT_INCOMPLETE, "history: gnuplot drew nothing");
}

int trends_plot(const struct trends *trends, const char *path)
{
	struct plots plots = { .plots = calloc(1, sizeof(struct plot)), .count = 1 };
	double first = INFINITY, last = -INFINITY;
	size_t panels = trends->count < PANELS_MOST ? trends->count : PANELS_MOST;
	struct plot *plot = plots.plots;
	int ret = 0;

	if (!plot)
		return fail(-ENOMEM, "history: out of memory");
	if (!panels) {
		plots_free(&plots);
		return fail(EXIT_USAGE, "history: nothing to draw: no run here has a result (nvmatch judge makes it)");
	}
	if (panels < trends->count)
		warning("only the first %d of %zu drives and workloads are drawn", PANELS_MOST, trends->count);
	*plot = (struct plot){ .kind = "history", .workload = -1, .name = strdup("history") };
	find_span(trends, &first, &last);
	text_printf(&plot->variables, "name = 'history'\npanels = %zu\nfirst = %.0f\nlast = %.0f\narray title[%zu]\n"
		    "array unit[%zu]\narray most[%zu]\narray changes[%zu]\n", panels, first, last, panels, panels,
		    panels, panels);
	for (size_t i = 0; i < panels; i++)
		add_panel(plot, &trends->trends[i], (int64_t)i);
	if (!plot->name || plot->variables.failed || plot->data.failed)
		ret = fail(-ENOMEM, "history: out of memory");
	if (!ret)
		ret = plots_draw(NULL, &plots);
	if (!ret)
		ret = save(&plots, path);
	plots_free(&plots);
	return ret;
}
