/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which pictures there are, and the words of their scripts. */
#include "plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void plot_string(struct plot *plot, const char *name, const char *text, size_t most)
{
	_cleanup_free_ char *safe = text_escape_terminal(text);
	size_t n = 0;

	text_printf(&plot->variables, "%s = '", name);
	for (const char *p = safe ? safe : ""; *p; p++) {
		n += ((unsigned char)*p & 0xc0) != 0x80;
		if (n > most) {
			text_add(&plot->variables, "...");
			break;
		}
		/* in single quotes gnuplot knows one special character */
		text_add_bytes(&plot->variables, p, 1);
		if (*p == '\'')
			text_add_bytes(&plot->variables, p, 1);
	}
	text_add(&plot->variables, "'\n");
	plot->variables.failed |= !safe;
}

void plot_number(struct plot *plot, const char *name, double value)
{
	if (isfinite(value))
		text_printf(&plot->variables, "%s = %.10g\n", name, value);
	else
		text_printf(&plot->variables, "%s = NaN\n", name);
}

void plot_side_label(const struct plot_input *in, struct plot *plot)
{
	static const char *const names[SIDES] = { "label_a", "label_b" };

	for (int s = 0; s < SIDES; s++) {
		const char *side = s ? "B" : "A", *label = in->result->label[s];
		const char *model = in->result->drives[s].model;
		const char *more = label && strcmp(label, side) ? label : model;
		_cleanup_free_ char *text = more ? text_format("%s, %s", side, more) : strdup(side);

		plot->variables.failed |= !text;
		plot_string(plot, names[s], text ? text : "", 40);
	}
}

void plot_block(struct plot *plot, const char *comment)
{
	/* gnuplot does not count a block without a row */
	text_printf(&plot->data, "%s# %s\nNaN\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\n", plot->data.length ? "\n\n" : "",
		    comment);
}

const char *plot_unit(const char *metric, double most, double *divisor)
{
	bool iops = !strcmp(metric, "iops");

	*divisor = most >= 1e9 && !iops ? 1e9 : most >= 1e6 ? 1e6 : most >= 1e3 ? 1e3 : 1;
	if (iops)
		return *divisor >= 1e6 ? "million IOPS" : *divisor >= 1e3 ? "thousand IOPS" : "IOPS";
	return *divisor >= 1e9 ? "GB/s" : *divisor >= 1e6 ? "MB/s" : *divisor >= 1e3 ? "kB/s" : "B/s";
}

const struct comparison *plot_head(const struct plot_input *in)
{
	const char *workload = in->result->workloads[in->workload].name;

	for (size_t i = 0; i < in->verdict->comparisons_count; i++) {
		const struct comparison *c = &in->verdict->comparisons[i];

		if (c->heads && !strcmp(c->workload, workload))
			return c;
	}
	return NULL;
}

double plot_metric(const struct measurement *m, const char *metric)
{
	double value = !strcmp(metric, "iops") ? m->iops : m->bw_bytes_per_s;

	return m->usable && value > 0 ? value : NAN;
}

static const struct kind {
	const char *name;
	int (*make)(const struct plot_input *in, struct plot *plot);
	bool whole_run;
} kinds[] = {
	{ "offsets", plot_offsets, false }, { "ratios", plot_ratios, false }, { "modes", plot_modes, false },
	{ "latency", plot_latency, false }, { "time", plot_time, true },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static void plot_free(struct plot *plot)
{
	free(plot->name);
	free(plot->caption);
	text_free(&plot->variables);
	text_free(&plot->data);
	free(plot->svg);
	free(plot->svg_narrow);
}

void plots_free(struct plots *plots)
{
	for (size_t i = 0; i < plots->count; i++)
		plot_free(&plots->plots[i]);
	free(plots->plots);
	free(plots->problem);
	*plots = (struct plots){ 0 };
}

/* Two workloads may have names that differ only in what a file name cannot have. */
static char *plot_name(const struct kind *kind, const char *workload, const struct plots *plots)
{
	_cleanup_free_ char *safe = workload ? text_file_name(workload) : NULL;
	char *name = safe ? text_format("%s-%.80s", kind->name, safe) : strdup(kind->name);

	for (size_t i = 0; name && i < plots->count; i++) {
		char *other;

		if (strcmp(plots->plots[i].name, name))
			continue;
		other = text_format("%s-%zu", name, plots->count);
		free(name);
		name = other;
	}
	return name;
}

static int add_plot(const struct kind *kind, const struct plot_input *in, struct plots *plots)
{
	struct plot *plot = &plots->plots[plots->count];
	int ret;

	*plot = (struct plot){ .kind = kind->name, .workload = in->workload };
	plot->name = plot_name(kind, in->workload < 0 ? NULL : in->result->workloads[in->workload].name, plots);
	if (!plot->name)
		return -ENOMEM;
	plots->count++;
	text_printf(&plot->variables, "name = '%s'\n", plot->name);
	ret = kind->make(in, plot);
	if (!ret && (plot->variables.failed || plot->data.failed || !plot->caption))
		ret = -ENOMEM;
	if (ret == -ENODATA) {
		plot_free(plot);
		plots->count--;
		ret = 0;
	}
	return ret;
}

int plots_make(const struct result *result, const struct verdict *verdict, const struct pictures *pictures,
	       struct plots *plots)
{
	struct plot_input in = { result, verdict, pictures, 0 };
	int ret = 0;

	*plots = (struct plots){ .plots = calloc(result->workloads_count * KINDS + 1, sizeof(*plots->plots)) };
	if (!plots->plots)
		return -ENOMEM;
	for (; !ret && in.workload < (int64_t)result->workloads_count; in.workload++) {
		for (size_t k = 0; !ret && k < KINDS; k++)
			ret = kinds[k].whole_run ? 0 : add_plot(&kinds[k], &in, plots);
	}
	in.workload = -1;
	for (size_t k = 0; !ret && k < KINDS; k++)
		ret = kinds[k].whole_run ? add_plot(&kinds[k], &in, plots) : 0;
	return ret;
}
