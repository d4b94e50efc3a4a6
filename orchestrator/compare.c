/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes from the baseline, with intervals and words. */
#include "compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model-json.h"
#include "stats.h"
#include "thresholds.h"

const char *const change_word_names[] = { "baseline", "better", "worse", "no_change_beyond_margin",
					  "not_resolved", "not_comparable", NULL };

static const struct field change_fields[] = {
	F_INT(struct change, run), F_INT(struct change, rounds), F_DOUBLE(struct change, value),
	F_DOUBLE(struct change, ratio), F_DOUBLE(struct change, ci95_low), F_DOUBLE(struct change, ci95_high),
	F_ENUM(struct change, word, change_word_names), F_STRING(struct change, reason), F_END
};
static const struct field row_fields[] = {
	F_STRING(struct change_row, workload), F_BOOL(struct change_row, concurrent),
	F_STRING(struct change_row, drive), F_STRING(struct change_row, metric),
	F_BOOL(struct change_row, higher_is_better), F_ARRAY(struct change_row, changes, change_fields), F_END
};
static const struct field compared_drive_fields[] = {
	F_STRING(struct compared_drive, name), F_STRING(struct compared_drive, known_by),
	F_STRINGS(struct compared_drive, sides), F_END
};
static const struct field setup_fields[] = {
	F_STRING(struct setup_row, what), F_STRING(struct setup_row, drive),
	F_STRINGS(struct setup_row, values), F_END
};
static const struct field run_fields[] = {
	F_STRING(struct compared_run, run), F_STRING(struct compared_run, started_utc),
	F_STRING(struct compared_run, state), F_STRING(struct compared_run, suite), F_END
};
const struct field compare_fields[] = {
	F_INT(struct compare, baseline), F_DOUBLE(struct compare, margin_ratio),
	F_DOUBLE(struct compare, latency_margin_ratio), F_INT(struct compare, comparable),
	F_ARRAY(struct compare, runs, run_fields), F_ARRAY(struct compare, drives, compared_drive_fields),
	F_ARRAY(struct compare, setup, setup_fields), F_ARRAY(struct compare, rows, row_fields),
	F_STRINGS(struct compare, notes), F_END
};

static const struct metric {
	const char *name;
	size_t offset;			/* in struct measurement */
	bool higher_is_better;
} metrics[] = {
	{ "bw_bytes_per_s", offsetof(struct measurement, bw_bytes_per_s), true },
	{ "iops", offsetof(struct measurement, iops), true },
	{ "latency_p50_ns", offsetof(struct measurement, latency_p50_ns), false },
	{ "latency_p99_ns", offsetof(struct measurement, latency_p99_ns), false },
	{ "latency_p99_9_ns", offsetof(struct measurement, latency_p99_9_ns), false },
};
#define METRICS (sizeof(metrics) / sizeof(*metrics))

struct comparing {
	const struct result *runs;
	size_t count, baseline;
	struct thresholds limits;
	struct compare *c;
	const int *sides;
};

void *compare_grow(void *array_pointer, size_t *count, size_t size)
{
	char **array = array_pointer, *grown = reallocarray(*array, *count + 1, size);

	if (!grown)
		return NULL;
	*array = grown;
	return memset(grown + size * (*count)++, 0, size);
}

static const struct workload_result *find_workload(const struct result *run, const char *name)
{
	for (size_t i = 0; i < run->workloads_count; i++)
		if (!strcmp(run->workloads[i].name, name))
			return &run->workloads[i];
	return NULL;
}

/* Logarithms of one drive's rounds; out has room for every observation. */
static size_t round_logs(const struct compared_side *s, bool concurrent, size_t offset, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->workload->observations_count; i++) {
		const struct observation *o = &s->workload->observations[i];
		double v = *(const double *)((const char *)&o->side[s->side] + offset);

		if (o->concurrent == concurrent && o->side[s->side].usable && isfinite(v) && v > 0)
			out[n++] = log(v);
	}
	return n;
}

/* A direction is claimed when all of the interval lies on its side and the change is beyond the margin. */
static enum change_word decide(const struct change *x, double margin, bool higher_is_better)
{
	bool up = x->ratio > 1;

	if (x->ci95_low >= 1 / margin && x->ci95_high <= margin)
		return CHANGE_NONE;
	if ((x->ci95_low <= 1 && x->ci95_high >= 1) || (x->ratio < margin && x->ratio > 1 / margin))
		return CHANGE_NOT_RESOLVED;
	return up == higher_is_better ? CHANGE_BETTER : CHANGE_WORSE;
}

static int not_comparable(struct change *x, char *reason)
{
	x->word = CHANGE_NOT_COMPARABLE;
	x->reason = reason;
	return reason ? 0 : -ENOMEM;
}

/* Of a workload that writes it does not matter. */
static bool data_is_known(const struct compared_side *s)
{
	return s->run->plan.workloads[s->workload->workload].writes ||
	       isfinite(s->workload->match.class_share[s->side][0]);
}

struct rounds {
	double *logs;
	size_t n;
};

static int fill_change(const struct comparing *j, const struct change_row *row, struct change *x,
		       const struct rounds *base, const struct rounds *now, bool data_known)
{
	double margin = row->higher_is_better ? j->limits.margin_ratio : j->limits.latency_margin_ratio;
	struct stats_two_groups g;

	if (!base->n || !now->n)
		return not_comparable(x, text_format("no usable round in run %zu", base->n ? (size_t)x->run :
						     j->baseline + 1));
	j->c->comparable++;
	x->ratio = exp(stats_mean(now->logs, now->n) - stats_mean(base->logs, base->n));
	x->word = CHANGE_NOT_RESOLVED;
	if (base->n < COMPARE_LEAST_ROUNDS || now->n < COMPARE_LEAST_ROUNDS) {
		x->reason = text_format("fewer than %d rounds: no interval", COMPARE_LEAST_ROUNDS);
		return x->reason ? 0 : -ENOMEM;
	}
	if (stats_welch_t(now->logs, now->n, base->logs, base->n, &g) || !isfinite(g.ci95.low)) {
		x->reason = strdup("the rounds do not differ at all, so that nothing is known of their scatter");
		return x->reason ? 0 : -ENOMEM;
	}
	x->ci95_low = exp(g.ci95.low);
	x->ci95_high = exp(g.ci95.high);
	x->word = decide(x, margin, row->higher_is_better);
	if (data_known)
		return 0;
	x->reason = strdup("the kind of data is not known in both runs: that it is alike is assumed");
	return x->reason ? 0 : -ENOMEM;
}

static int add_change(const struct comparing *j, struct change_row *row, const struct metric *m, size_t drive,
		      size_t run, const struct compared_side *base, const struct rounds *base_rounds)
{
	struct change *x = compare_grow(&row->changes, &row->changes_count, sizeof(*x));
	struct compared_side s = { &j->runs[run], find_workload(&j->runs[run], row->workload),
				   j->sides[drive * j->count + run] };
	_cleanup_free_ double *logs = NULL;
	struct rounds now;
	char *why = NULL;
	int ret;

	if (!x)
		return -ENOMEM;
	fields_unknown(change_fields, x);
	x->run = (int64_t)run + 1;
	x->rounds = 0;
	if (s.side < 0)
		return not_comparable(x, text_format("the drive is not in run %zu", run + 1));
	if (!s.workload)
		return not_comparable(x, text_format("the workload is not in run %zu", run + 1));
	logs = calloc(s.workload->observations_count + 1, sizeof(*logs));
	if (!logs)
		return -ENOMEM;
	now = (struct rounds){ logs, round_logs(&s, row->concurrent, m->offset, logs) };
	x->rounds = (int64_t)now.n;
	x->value = now.n ? exp(stats_mean(logs, now.n)) : NAN;
	if (run == j->baseline)
		return 0;
	ret = compare_obstacle(base, &s, j->limits.state_share_slack, &why);
	if (ret || why)
		return ret ? ret : not_comparable(x, why);
	return fill_change(j, row, x, base_rounds, &now, data_is_known(base) && data_is_known(&s));
}

/* One metric of one drive over all runs; none when the baseline does not have it. */
static int add_row(const struct comparing *j, const struct compared_side *base, size_t drive, bool concurrent,
		   const struct metric *m)
{
	_cleanup_free_ double *logs = calloc(base->workload->observations_count + 1, sizeof(*logs));
	struct rounds rounds = { logs, logs ? round_logs(base, concurrent, m->offset, logs) : 0 };
	struct change_row *row;
	int ret = 0;

	if (!rounds.n)
		return logs ? 0 : -ENOMEM;
	row = compare_grow(&j->c->rows, &j->c->rows_count, sizeof(*row));
	if (!row)
		return -ENOMEM;
	row->workload = strdup(base->workload->name);
	row->drive = strdup(j->c->drives[drive].name);
	row->metric = strdup(m->name);
	row->concurrent = concurrent;
	row->higher_is_better = m->higher_is_better;
	if (!row->workload || !row->drive || !row->metric)
		return -ENOMEM;
	for (size_t r = 0; !ret && r < j->count; r++)
		ret = add_change(j, row, m, drive, r, base, &rounds);
	return ret;
}

static int add_rows(const struct comparing *j)
{
	const struct result *run = &j->runs[j->baseline];
	int ret = 0;

	for (size_t w = 0; w < run->workloads_count; w++)
		for (int concurrent = 0; concurrent < 2; concurrent++)
			for (size_t d = 0; d < j->c->drives_count; d++)
				for (size_t m = 0; !ret && m < METRICS; m++) {
					struct compared_side base = { run, &run->workloads[w],
								      j->sides[d * j->count + j->baseline] };

					ret = add_row(j, &base, d, concurrent, &metrics[m]);
				}
	return ret;
}

static int add_runs(const struct comparing *j)
{
	for (size_t i = 0; i < j->count; i++) {
		const struct result *r = &j->runs[i];
		struct compared_run *run = compare_grow(&j->c->runs, &j->c->runs_count, sizeof(*run));

		if (!run)
			return -ENOMEM;
		run->run = text_make_utf8(r->run);
		run->started_utc = r->started_utc ? strdup(r->started_utc) : NULL;
		run->state = r->state ? strdup(r->state) : NULL;
		run->suite = r->plan.suite ? strdup(r->plan.suite) : NULL;
		if (!run->run)
			return -ENOMEM;
		if (run->state && strcmp(run->state, "complete")) {
			_cleanup_free_ char *note = text_format("run %zu is %s: only the rounds that it has count",
								i + 1, run->state);

			if (!note || strings_add(&j->c->notes, note))
				return -ENOMEM;
		}
	}
	return 0;
}

int compare(const struct result *runs, size_t count, size_t baseline, struct compare *c)
{
	_cleanup_free_ int *sides = calloc(SIDES * count, sizeof(*sides));
	struct comparing j = { .runs = runs, .count = count, .baseline = baseline, .c = c, .sides = sides };
	int ret;

	*c = (struct compare){ .baseline = (int64_t)baseline + 1 };
	thresholds_planned(&runs[baseline].plan, &j.limits);
	c->margin_ratio = j.limits.margin_ratio;
	c->latency_margin_ratio = j.limits.latency_margin_ratio;
	if (!sides)
		return -ENOMEM;
	ret = add_runs(&j);
	if (!ret)
		ret = compare_drives(runs, count, baseline, c, sides);
	if (!ret)
		ret = compare_setup(runs, count, c, sides);
	if (!ret)
		ret = add_rows(&j);
	return !ret && !c->rows_count ? -EINVAL : ret;
}
