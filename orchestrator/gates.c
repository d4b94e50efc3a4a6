/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came of the gates: three-valued logic over the values that their names stand for. */
#include "gates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "gates-internal.h"
#include "model-json.h"
#include "report-words.h"

enum truth { NO, YES, NOT_KNOWN };

struct scene {
	const struct result *result;
	const struct verdict *verdict;
	struct text said;		/* the values that were looked at */
};

/* The expression, and a caret below the place, however wide what stands before it is when escaped. */
static int point(const char *expression, const struct gate *gate)
{
	_cleanup_free_ char *before = strndup(expression, gate->at);
	_cleanup_free_ char *safe = before ? text_escape_terminal(before) : NULL;
	_cleanup_free_ char *whole = text_escape_terminal(expression);
	int ret = fail(-EINVAL, "--fail-if: %s", gate->error);

	if (safe && whole)
		fprintf(stderr, "  %s\n  %*s^\n", whole, (int)strlen(safe), "");
	return ret;
}

int gates_check(const char *expression, const struct plan *plan)
{
	_cleanup_free_ struct gate *gate = malloc(sizeof(*gate));

	if (!gate)
		return -ENOMEM;
	return gate_parse(expression, plan, gate) ? point(expression, gate) : 0;
}

/* The comparison that a name means in one workload: what it does not say is as in the heading one. */
static const struct comparison *find(const struct scene *s, const struct gate_name *n, const char *workload)
{
	const struct verdict *v = s->verdict;
	const struct comparison *heading = NULL, *c;
	const char *metric = n->metric, *subset = n->subset;

	for (size_t i = 0; i < v->comparisons_count; i++)
		if (v->comparisons[i].heads && !strcmp(v->comparisons[i].workload, workload))
			heading = &v->comparisons[i];
	if (!heading)
		return NULL;
	if (!*metric)
		metric = heading->metric;
	if (!*subset)
		subset = *n->metric && strcmp(metric, heading->metric) ? "all" : heading->subset;
	for (size_t i = 0; i < v->comparisons_count; i++) {
		c = &v->comparisons[i];
		if (!strcmp(c->workload, workload) && !strcmp(c->metric, metric) && !strcmp(c->subset, subset) &&
		    c->concurrent == (n->mode < 0 ? heading->concurrent : n->mode == 1))
			return c;
	}
	return NULL;
}

/* What is not compared, of one side: the largest over the rounds of what is named max, else the mean. */
static double of_side(const struct scene *s, const struct gate_name *n, const char *workload, int side)
{
	bool max = !strcmp(n->metric, "latency_max_ns");
	double sum = 0, most = NAN;
	size_t count = 0;

	for (size_t i = 0; i < s->result->workloads_count; i++) {
		const struct workload_result *w = &s->result->workloads[i];

		for (size_t k = 0; !strcmp(w->name, workload) && k < w->observations_count; k++) {
			const struct measurement *m = &w->observations[k].side[side];
			double value = max && known(m->latency_max_ns) ? (double)m->latency_max_ns :
				       max ? NAN : m->latency_p99_9_ns;

			if (w->observations[k].concurrent != (n->mode == 1) || !m->usable || !(value > 0))
				continue;
			most = fmax(most, value);
			sum += log(value);
			count++;
		}
	}
	return max ? most : count ? exp(sum / (double)count) : NAN;
}

static double hottest(const struct scene *s, int side)
{
	double hot = NAN;

	for (size_t i = 0; i < s->result->workloads_count; i++)
		for (size_t k = 0; k < s->result->workloads[i].observations_count; k++) {
			const struct measurement *m = s->result->workloads[i].observations[k].side;

			for (int x = 0; x < SIDES; x++)
				if (side < 0 || side == x)
					hot = fmax(hot, m[x].temperature_max_c);
		}
	return hot;
}

static double of_comparison(const struct gate_name *n, const struct comparison *c)
{
	bool compared = c->verdict != VERDICT_NOT_COMPARED;

	switch (n->what) {
	case WHAT_A:
		return c->a;
	case WHAT_B:
		return c->b;
	case WHAT_RATIO:
		return compared ? c->ratio : NAN;
	case WHAT_LOW:
		return compared ? c->ci95_low : NAN;
	case WHAT_HIGH:
		return compared ? c->ci95_high : NAN;
	case WHAT_VERDICT:
		return c->verdict;
	default:
		return (double)c->rounds;
	}
}

static const struct workload_verdict *verdict_of(const struct scene *s, const char *workload)
{
	for (size_t i = 0; i < s->verdict->workloads_count; i++)
		if (!strcmp(s->verdict->workloads[i].workload, workload))
			return &s->verdict->workloads[i];
	return NULL;
}

static double ledger_state(const struct scene *s, const char *id)
{
	for (size_t i = 0; i < s->verdict->ledger_count; i++)
		if (!strcmp(s->verdict->ledger[i].id, id))
			return s->verdict->ledger[i].state;
	return NAN;
}

/* NaN: not known; *why then says more where more is known. */
static double value_of(const struct scene *s, const struct gate_name *n, const char *workload,
		       const char **why)
{
	const struct workload_verdict *w = verdict_of(s, workload);
	const struct comparison *c;

	*why = "was not measured";
	if (n->what == WHAT_RUN_HEADLINE)
		return s->verdict->headline;
	if (n->what == WHAT_TEMPERATURE)
		return hottest(s, n->side);
	if (n->what == WHAT_LEDGER)
		return ledger_state(s, n->ledger);
	if (n->what == WHAT_HEADLINE || n->what == WHAT_MATCH)
		return !w ? NAN : n->what == WHAT_MATCH ? w->match_share : w->state;
	if (!strcmp(n->metric, "latency_p99_9_ns") || !strcmp(n->metric, "latency_max_ns"))
		return n->what == WHAT_A || n->what == WHAT_B ?
		       of_side(s, n, workload, n->what == WHAT_A ? SIDE_A : SIDE_B) : NAN;
	c = find(s, n, workload);
	if (!c)
		return NAN;
	if (c->verdict == VERDICT_NOT_COMPARED && c->reason)
		*why = c->reason;
	return of_comparison(n, c);
}

static void say_value(struct text *t, enum gate_kind kind, double value)
{
	static const char *const metrics[] = { [KIND_RATE] = "bw_bytes_per_s", [KIND_IOPS] = "iops",
					       [KIND_TIME] = "latency" };
	_cleanup_free_ char *words = NULL;

	if (kind == KIND_RATE || kind == KIND_IOPS || kind == KIND_TIME) {
		words = report_metric_value(metrics[kind], value);
		text_add(t, words ? words : "?");
	} else if (kind == KIND_HEADLINE || kind == KIND_VERDICT || kind == KIND_LEDGER) {
		text_add(t, gate_state_name(kind, (int)value));
	} else {
		text_printf(t, "%.4g%s", value, kind == KIND_CELSIUS ? " C" : "");
	}
}

/* The value, and a word about it in the scene. */
static double look(struct scene *s, const struct gate_name *n, const char *workload)
{
	bool one_of = !strcmp(n->workload, "any") || !strcmp(n->workload, "all");
	const char *why;
	double value = value_of(s, n, workload, &why);
	struct text *t = &s->said;

	text_printf(t, "%s%s%s%s%s ", t->length ? "; " : "", n->text, one_of ? " (" : "", one_of ? workload : "",
		    one_of ? ")" : "");
	if (isnan(value)) {
		text_printf(t, "is not known: %s", why);
		return value;
	}
	text_add(t, "is ");
	say_value(t, n->kind, value);
	return value;
}

static enum truth compare(enum gate_relation relation, double a, double b)
{
	if (isnan(a) || isnan(b))
		return NOT_KNOWN;
	return relation == LESS ? a < b : relation == LESS_EQUAL ? a <= b : relation == GREATER ? a > b :
	       relation == GREATER_EQUAL ? a >= b : relation == EQUAL ? a == b : a != b;
}

static enum truth and(enum truth a, enum truth b)
{
	return a == NO || b == NO ? NO : a == YES && b == YES ? YES : NOT_KNOWN;
}

static enum truth not(enum truth a)
{
	return a == NOT_KNOWN ? a : a == YES ? NO : YES;
}

static enum truth or(enum truth a, enum truth b)
{
	return not(and(not(a), not(b)));
}

static bool is_unmeasured_row(const struct gate_name *n, double value)
{
	return n->what == WHAT_LEDGER && value == LEDGER_NOT_MEASURED;
}

/*
 * A comparison or known() in one workload. A row of the ledger that was not measured is no other state
 * either: whether it "is supported" cannot be told, only whether it is not_measured.
 */
static enum truth leaf(struct scene *s, const struct gate_node *n, const char *workload)
{
	const char *why;
	double a, b;

	if (n->op != NODE_COMPARE) {
		double value = value_of(s, &n->a.name, workload, &why);
		bool unknown = isnan(value) || is_unmeasured_row(&n->a.name, value);

		text_printf(&s->said, "%s%s is %sknown", s->said.length ? "; " : "", n->a.name.text,
			    unknown ? "not " : "");
		return unknown == (n->op == NODE_UNKNOWN);
	}
	a = look(s, &n->a.name, workload);
	b = n->b.is_name ? look(s, &n->b.name, workload) : n->b.value;
	if (is_unmeasured_row(&n->a.name, a) && b != LEDGER_NOT_MEASURED)
		return NOT_KNOWN;
	return compare(n->relation, a, b);
}

/* Over all workloads where the name says any or all. */
static enum truth leaves(struct scene *s, const struct gate_node *n)
{
	const char *workload = n->a.name.workload;
	bool all = !strcmp(workload, "all");
	enum truth truth = all ? YES : NO;

	if (!all && strcmp(workload, "any"))
		return leaf(s, n, *workload || !s->result->plan.workloads_count ? workload :
				  s->result->plan.workloads[0].name);
	for (size_t i = 0; i < s->result->plan.workloads_count; i++) {
		enum truth one = leaf(s, n, s->result->plan.workloads[i].name);

		truth = all ? and(truth, one) : or(truth, one);
	}
	return truth;
}

static enum truth evaluate(struct scene *s, const struct gate *g, int index)
{
	const struct gate_node *n = &g->nodes[index];
	enum truth left;

	if (n->op == NODE_COMPARE || n->op == NODE_KNOWN || n->op == NODE_UNKNOWN)
		return leaves(s, n);
	left = evaluate(s, g, n->left);
	if (n->op == NODE_NOT)
		return not(left);
	/* what can no longer change the outcome is not looked at */
	if (left == (n->op == NODE_AND ? NO : YES))
		return left;
	return n->op == NODE_AND ? and(left, evaluate(s, g, n->right)) : or(left, evaluate(s, g, n->right));
}

static int judge_one(const char *expression, const struct result *result, const struct verdict *verdict,
		     struct gate_result *out)
{
	struct scene s = { .result = result, .verdict = verdict };
	_cleanup_free_ struct gate *gate = calloc(1, sizeof(*gate));
	enum truth truth;

	if (!gate)
		return -ENOMEM;
	if (gate_parse(expression, &result->plan, gate)) {
		out->failed = true;
		out->text = text_format("cannot be read: %s", gate->error);
	} else {
		truth = evaluate(&s, gate, gate->root);
		out->failed = truth != NO;
		out->measured = truth != NOT_KNOWN;
		out->text = text_steal(&s.said);
	}
	out->expression = strdup(expression);
	text_free(&s.said);
	return out->text && out->expression ? 0 : -ENOMEM;
}

int gates_judge(const struct strings *gates, const struct result *result, struct verdict *v)
{
	for (size_t i = 0; i < gates->count; i++) {
		struct gate_result *grown = reallocarray(v->gates, v->gates_count + 1, sizeof(*grown));
		int ret;

		if (!grown)
			return -ENOMEM;
		v->gates = grown;
		grown[v->gates_count] = (struct gate_result){ 0 };
		ret = judge_one(gates->items[i], result, v, &grown[v->gates_count]);
		v->gates_count++;
		if (ret)
			return ret;
	}
	return 0;
}

bool gates_failed(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->gates_count; i++)
		if (verdict->gates[i].failed)
			return true;
	return false;
}
