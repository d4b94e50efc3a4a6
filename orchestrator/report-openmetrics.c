/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict in the OpenMetrics text format, of which node_exporter's textfile collector reads the
 * part that is used here: gauges only. What is unknown has no sample.
 */
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "model-json.h"

struct metrics {
	FILE *out;
	const char *name, *unit, *help;		/* of the family that is open */
	bool headed, failed;
};

static void family(struct metrics *m, const char *name, const char *unit, const char *help)
{
	m->name = name;
	m->unit = unit;
	m->help = help;
	m->headed = false;
}

/* A sample with labels, given as name, value, name, value, ..., NULL. A value of NULL is left out. */
static void sample(struct metrics *m, double value, ...) __attribute__((sentinel));
static void sample(struct metrics *m, double value, ...)
{
	const char *label, *text;
	bool first = true;
	va_list ap;

	if (!isfinite(value))
		return;
	if (!m->headed) {
		fprintf(m->out, "# TYPE %s gauge\n", m->name);
		if (m->unit)
			fprintf(m->out, "# UNIT %s %s\n", m->name, m->unit);
		fprintf(m->out, "# HELP %s %s\n", m->name, m->help);
		m->headed = true;
	}
	fputs(m->name, m->out);
	va_start(ap, value);
	while ((label = va_arg(ap, const char *))) {
		_cleanup_free_ char *safe = NULL;

		text = va_arg(ap, const char *);
		safe = text ? text_escape_terminal(text) : NULL;
		m->failed |= text && !safe;
		if (!safe)
			continue;
		fprintf(m->out, "%s%s=\"", first ? "{" : ",", label);
		for (const char *p = safe; *p; p++) {
			if (*p == '\\' || *p == '"')
				fputc('\\', m->out);
			fputc(*p, m->out);
		}
		fputc('"', m->out);
		first = false;
	}
	va_end(ap);
	fprintf(m->out, "%s %.12g\n", first ? "" : "}", value);
}

static const char *mode_of(const struct comparison *c)
{
	return c->concurrent ? "concurrent" : "single";
}

/* The comparisons of metrics that begin with `prefix`, in the unit that 1/scale makes of ours. */
static void values_of(struct metrics *m, const struct verdict *v, const char *metric, const char *percentile,
		      double scale)
{
	for (size_t i = 0; i < v->comparisons_count; i++) {
		const struct comparison *c = &v->comparisons[i];

		if (strcmp(c->metric, metric))
			continue;
		sample(m, c->a * scale, "workload", c->workload, "mode", mode_of(c), "data", c->subset, "percentile",
		       percentile, "side", "A", NULL);
		sample(m, c->b * scale, "workload", c->workload, "mode", mode_of(c), "data", c->subset, "percentile",
		       percentile, "side", "B", NULL);
	}
}

static void speeds(struct metrics *m, const struct verdict *v)
{
	family(m, "nvmatch_bandwidth_bytes_per_second", "bytes_per_second", "Geometric mean over the rounds.");
	values_of(m, v, "bw_bytes_per_s", NULL, 1);
	family(m, "nvmatch_ios_per_second", "ios_per_second", "I/Os in a second, geometric mean over the rounds.");
	values_of(m, v, "iops", NULL, 1);
	family(m, "nvmatch_latency_seconds", "seconds", "Completion latency, geometric mean over the rounds.");
	values_of(m, v, "latency_p50_ns", "50", 1e-9);
	values_of(m, v, "latency_p99_ns", "99", 1e-9);
}

static double ratio_of(const struct comparison *c, int which)
{
	return c->verdict == VERDICT_NOT_COMPARED ? NAN :
	       which == 0 ? c->ratio : which == 1 ? c->ci95_low : c->ci95_high;
}

static void ratios(struct metrics *m, const struct verdict *v)
{
	static const char *const names[][2] = {
		{ "nvmatch_comparison_ratio", "A over B, where they may be compared." },
		{ "nvmatch_comparison_low_ratio", "Lower end of the 95 % interval of A over B." },
		{ "nvmatch_comparison_high_ratio", "Upper end of the 95 % interval of A over B." },
	};

	for (int k = 0; k < 3; k++) {
		family(m, names[k][0], "ratio", names[k][1]);
		for (size_t i = 0; i < v->comparisons_count; i++) {
			const struct comparison *c = &v->comparisons[i];

			sample(m, ratio_of(c, k), "workload", c->workload, "mode", mode_of(c), "data", c->subset,
			       "metric", c->metric, NULL);
		}
	}
	family(m, "nvmatch_data_match_ratio", "ratio", "Share of bytes of the same kind on both sides.");
	for (size_t i = 0; i < v->workloads_count; i++)
		sample(m, v->workloads[i].match_share, "workload", v->workloads[i].workload, NULL);
}

static double hottest(const struct result *result, int side)
{
	double hot = NAN;

	for (size_t i = 0; i < result->workloads_count; i++)
		for (size_t k = 0; k < result->workloads[i].observations_count; k++)
			hot = fmax(hot, result->workloads[i].observations[k].side[side].temperature_max_c);
	return hot;
}

static void drives(struct metrics *m, const struct result *result)
{
	static const char *const sides[SIDES] = { "A", "B" };

	family(m, "nvmatch_drive", NULL, "The drives that were compared; the value is 1.");
	for (int s = 0; s < SIDES; s++) {
		const struct drive *d = &result->drives[s];

		if (d->target || d->path)
			sample(m, 1, "side", sides[s], "target", d->target, "model", d->model, "serial", d->serial,
			       "firmware", d->firmware, NULL);
	}
	family(m, "nvmatch_temperature_max_celsius", "celsius", "Highest temperature while the drive was read.");
	for (int s = 0; s < SIDES; s++)
		sample(m, hottest(result, s), "side", sides[s], NULL);
}

int report_openmetrics(FILE *out, const struct result *result, const struct verdict *v)
{
	struct metrics m = { .out = out };
	const char *name = strrchr(result->run, '/');

	family(&m, "nvmatch_run_complete", NULL, "1: the run was complete.");
	sample(&m, !strcmp(result->state, "complete"), "run", name ? name + 1 : result->run, "suite",
	       result->plan.suite, NULL);
	family(&m, "nvmatch_headline", NULL, "1 for the state of the headline, 0 for the others.");
	for (int i = 0; headline_names[i]; i++)
		sample(&m, i == v->headline, "state", headline_names[i], NULL);
	drives(&m, result);
	speeds(&m, v);
	ratios(&m, v);
	family(&m, "nvmatch_explanation", NULL, "The state of each possible explanation; the value is 1.");
	for (size_t i = 0; i < v->ledger_count; i++)
		sample(&m, 1, "id", v->ledger[i].id, "state", ledger_state_names[v->ledger[i].state], NULL);
	family(&m, "nvmatch_gate_failed", NULL, "1: the gate failed.");
	for (size_t i = 0; i < v->gates_count; i++)
		sample(&m, v->gates[i].failed, "gate", v->gates[i].expression, NULL);
	fputs("# EOF\n", out);
	if (m.failed)
		return -ENOMEM;
	return fflush(out) || ferror(out) ? -EIO : 0;
}
