/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratios with intervals and their verdicts. */
#include "judge-compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

static const struct metric {
	const char *name;
	size_t offset;			/* in struct measurement */
	bool higher_is_better;
} metrics[] = {
	{ "bw_bytes_per_s", offsetof(struct measurement, bw_bytes_per_s), true },
	{ "iops", offsetof(struct measurement, iops), true },
	{ "latency_p50_ns", offsetof(struct measurement, latency_p50_ns), false },
	{ "latency_p99_ns", offsetof(struct measurement, latency_p99_ns), false },
};
enum { METRIC_BW, METRIC_IOPS, METRICS = sizeof(metrics) / sizeof(*metrics) };

static double value_of(const struct measurement *m, size_t offset, int subset)
{
	if (subset == SUBSET_ALL)
		return *(const double *)((const char *)m + offset);
	return subset == SUBSET_MATCHED ? m->matched_bw_bytes_per_s : m->matched_class_bw_bytes_per_s[subset];
}

static bool comparable(const struct observation *o)
{
	return o->side[SIDE_A].usable && o->side[SIDE_B].usable && o->digest != DIGEST_DIFFERENT;
}

int round_values_get(const struct workload_result *w, bool concurrent, size_t offset, int subset,
		     struct round_values *v)
{
	size_t room = w->observations_count ? w->observations_count : 1;

	*v = (struct round_values){ calloc(room, sizeof(double)), calloc(room, sizeof(double)),
				    calloc(room, sizeof(bool)), 0 };
	if (!v->a || !v->b || !v->a_first) {
		round_values_free(v);
		return -ENOMEM;
	}
	for (size_t i = 0; i < w->observations_count; i++) {
		const struct observation *o = &w->observations[i];
		double a = value_of(&o->side[SIDE_A], offset, subset);
		double b = value_of(&o->side[SIDE_B], offset, subset);

		if (o->concurrent != concurrent || !comparable(o) || !(a > 0) || !(b > 0) ||
		    !isfinite(a) || !isfinite(b))
			continue;
		v->a[v->n] = a;
		v->b[v->n] = b;
		v->a_first[v->n++] = o->a_first;
	}
	return 0;
}

void round_values_free(struct round_values *v)
{
	free(v->a);
	free(v->b);
	free(v->a_first);
	*v = (struct round_values){ 0 };
}

static bool has_mode(const struct workload_result *w, bool concurrent)
{
	for (size_t i = 0; i < w->observations_count; i++) {
		if (w->observations[i].concurrent == concurrent)
			return true;
	}
	return false;
}

/* Why no round of this mode can be compared, or NULL. */
static const char *obstacle(const struct workload_result *w, bool concurrent)
{
	const char *reason = NULL;

	for (size_t i = 0; i < w->observations_count; i++) {
		const struct observation *o = &w->observations[i];

		if (o->concurrent != concurrent)
			continue;
		if (o->digest == DIGEST_DIFFERENT)
			return "the two sides did not do the same I/O: their offsets, sizes or directions differ";
		for (int s = 0; s < SIDES && !reason; s++) {
			if (!o->side[s].usable)
				reason = o->side[s].reason ? o->side[s].reason : "a measurement is not usable";
		}
	}
	return reason;
}

static bool digests_differ(const struct workload_result *w, bool concurrent)
{
	for (size_t i = 0; i < w->observations_count; i++) {
		if (w->observations[i].concurrent == concurrent &&
		    w->observations[i].digest == DIGEST_DIFFERENT)
			return true;
	}
	return false;
}

int judge_margin_verdict(const struct judging *j, const struct comparison *c, const struct stats_paired *p)
{
	static const int verdicts[] = {
		[STATS_DIFFERENT] = VERDICT_DIFFERENT,
		[STATS_EQUIVALENT] = VERDICT_EQUIVALENT,
		[STATS_EQUIVALENT_SMALL_DIFFERENCE] = VERDICT_EQUIVALENT_SMALL_DIFFERENCE,
		[STATS_DIFFERENT_SIZE_UNRESOLVED] = VERDICT_DIFFERENT_SIZE_UNRESOLVED,
		[STATS_INCONCLUSIVE] = VERDICT_INCONCLUSIVE,
	};

	return verdicts[stats_decide(p, c->higher_is_better ? j->limits->margin_ratio :
				     j->limits->latency_margin_ratio)];
}

static void decide(struct judging *j, struct comparison *c, const struct stats_paired *p)
{
	const struct thresholds *l = j->limits;

	c->verdict = judge_margin_verdict(j, c, p);
	if ((double)p->n < l->min_rounds) {
		c->verdict = VERDICT_INCONCLUSIVE;
		judge_string(j, &c->reason, "only %zu usable round%s; at least %.0f are needed for a claim",
			     p->n, p->n == 1 ? "" : "s", l->min_rounds);
	} else if (stats_disagree(p, l->alpha)) {
		c->verdict = VERDICT_INCONCLUSIVE;
		judge_string(j, &c->reason, "the tests disagree: t p %.2g, sign-flip p %.2g, mean ratio "
			     "%.3f, median ratio %.3f", p->p_t, p->p_sign_flip, p->ratio, exp(p->median_log));
	} else if (c->verdict == VERDICT_INCONCLUSIVE) {
		judge_string(j, &c->reason, "the interval %.3f to %.3f spans both 'equal' and 'different'",
			     p->ci95.low, p->ci95.high);
	}
}

static void fill(struct judging *j, struct comparison *c, const struct round_values *v, double scale)
{
	struct stats_paired p;

	c->rounds = (int64_t)v->n;
	c->a = stats_geometric_mean(v->a, v->n) * scale;
	c->b = stats_geometric_mean(v->b, v->n) * scale;
	c->ratio = c->a / c->b;
	c->verdict = VERDICT_INCONCLUSIVE;
	if (v->n < 2) {
		judge_string(j, &c->reason, "only one usable round; at least %.0f are needed for a claim",
			     j->limits->min_rounds);
		return;
	}
	if (stats_paired(v->a, v->b, v->n, &p)) {
		j->failed = true;
		return;
	}
	c->ratio = p.ratio;
	c->ci95_low = p.ci95.low;
	c->ci95_high = p.ci95.high;
	c->ci90_low = p.ci90.low;
	c->ci90_high = p.ci90.high;
	c->median_ratio = p.median_ratio;
	c->p_sign_flip = p.p_sign_flip;
	c->p_t = p.p_t;
	c->sd_log = p.sd_log;
	decide(j, c, &p);
}

static const char *subset_name(int subset)
{
	return subset == SUBSET_ALL ? "all" : subset == SUBSET_MATCHED ? "matched" : data_state_names[subset];
}

/* Geometric mean of one side's usable rounds of a mode, whatever the other side did. */
static double own_mean(const struct workload_result *w, bool concurrent, int side, size_t offset)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < w->observations_count; i++) {
		const struct measurement *m = &w->observations[i].side[side];
		double value = value_of(m, offset, SUBSET_ALL);

		if (w->observations[i].concurrent != concurrent || !m->usable || !(value > 0))
			continue;
		sum += log(value);
		n++;
	}
	return n ? exp(sum / (double)n) : NAN;
}

static void not_compared(struct judging *j, struct comparison *out, const struct workload_result *w,
			 size_t offset)
{
	const char *reason = j->alone ? "there is no B" : obstacle(w, out->concurrent);

	out->a = own_mean(w, out->concurrent, SIDE_A, offset);
	out->b = own_mean(w, out->concurrent, SIDE_B, offset);
	judge_string(j, &out->reason, "%s", reason ? reason : "one side did not give this number");
}

/* Adds one comparison; a subset that no round has is left out. */
static void compare(struct judging *j, const struct workload_case *c, bool concurrent,
		    const struct metric *metric, int subset)
{
	const struct workload_result *w = c->result;
	/* subsets are known as bytes per second; their I/O rate follows from the block size */
	double scale = subset != SUBSET_ALL && metric == &metrics[METRIC_IOPS] && c->plan &&
		       c->plan->block_bytes > 0 ? 1 / (double)c->plan->block_bytes : 1;
	bool differ = digests_differ(w, concurrent);
	struct round_values v;
	struct comparison *out;

	if (round_values_get(w, concurrent, metric->offset, subset, &v)) {
		j->failed = true;
		return;
	}
	out = v.n || subset == SUBSET_ALL ? judge_add_comparison(j) : NULL;
	if (out) {
		judge_string(j, &out->workload, "%s", judge_name(c));
		judge_string(j, &out->metric, "%s", metric->name);
		judge_string(j, &out->subset, "%s", subset_name(subset));
		out->concurrent = concurrent;
		out->higher_is_better = metric->higher_is_better;
		out->match_share = w->match.same_class_share;
		out->verdict = VERDICT_NOT_COMPARED;
		if (differ || !v.n)
			not_compared(j, out, w, metric->offset);
		else
			fill(j, out, &v, scale);
	}
	round_values_free(&v);
}

static bool is_random(const struct workload *w)
{
	return w && w->rw && !strncmp(w->rw, "rand", 4);
}

/* Of the comparisons from `first` on: single before concurrent, if it has enough rounds. */
static size_t find_head(const struct judging *j, const struct workload_case *c, size_t first)
{
	const char *metric = metrics[is_random(c->plan) ? METRIC_IOPS : METRIC_BW].name;
	const char *subset = c->match == MATCH_NARROWER ? "matched" : "all";
	size_t head = NO_HEAD;

	for (size_t i = first; i < j->verdict->comparisons_count; i++) {
		const struct comparison *x = &j->verdict->comparisons[i], *best;

		if (!x->metric || !x->subset || strcmp(x->metric, metric) || strcmp(x->subset, subset))
			continue;
		best = head == NO_HEAD ? NULL : &j->verdict->comparisons[head];
		if (!best || ((double)best->rounds < j->limits->min_rounds && x->rounds > best->rounds))
			head = i;
	}
	return head;
}

/* Losing rounds may make another comparison the head: that is not done in silence. */
static void say_switch(struct judging *j, const struct workload_case *c)
{
	const struct comparison *h = &j->verdict->comparisons[c->head];

	if (h->concurrent && has_mode(c->result, false))
		judge_condition(j, "In %s too few rounds of each drive on its own are usable (fewer than %.0f), so the "
				"rounds of both at once head it.", judge_name(c), j->limits->min_rounds);
}

void judge_compare(struct judging *j, struct workload_case *c)
{
	size_t first = j->verdict->comparisons_count;

	for (int concurrent = 0; concurrent < 2; concurrent++) {
		const struct metric *main = &metrics[is_random(c->plan) ? METRIC_IOPS : METRIC_BW];

		if (!has_mode(c->result, concurrent))
			continue;
		for (size_t m = 0; m < METRICS; m++)
			compare(j, c, concurrent, &metrics[m], SUBSET_ALL);
		compare(j, c, concurrent, main, SUBSET_MATCHED);
		for (int k = REC_ZERO; k < DATA_STATES; k++)
			compare(j, c, concurrent, main, k);
	}
	c->head = j->failed ? NO_HEAD : find_head(j, c, first);
	if (c->head != NO_HEAD) {
		j->verdict->comparisons[c->head].heads = true;
		say_switch(j, c);
	}
}

static bool is_claim(const struct comparison *c)
{
	return c->heads && c->verdict != VERDICT_NOT_COMPARED;
}

double judge_p(const struct comparison *c)
{
	return c->sessions > 1 ? c->p_t : c->p_sign_flip;
}

static size_t kinds_of_data(const struct verdict *v, const char *workload)
{
	size_t n = 0;

	for (size_t i = 0; i < v->classes_count; i++)
		n += !strcmp(v->classes[i].workload, workload);
	return n;
}

/*
 * A workload's bandwidth and I/O rate say the same: the one that heads it counts. And where all
 * data is alike, its parts are the whole.
 */
static bool is_repetition(const struct verdict *v, const struct comparison *c)
{
	if (c->heads)
		return false;
	if (!strcmp(c->subset, "matched") && c->match_share > 0.9995)
		return true;
	if (strcmp(c->subset, "all") && strcmp(c->subset, "matched") && kinds_of_data(v, c->workload) == 1)
		return true;
	if (strcmp(c->metric, "iops") && strcmp(c->metric, "bw_bytes_per_s"))
		return false;
	for (size_t i = 0; i < v->comparisons_count; i++) {
		const struct comparison *h = &v->comparisons[i];

		if (h->heads && !strcmp(h->workload, c->workload))
			return strcmp(h->metric, c->metric) != 0;
	}
	return !strcmp(c->metric, "iops");
}

static bool is_exploratory(const struct comparison *c)
{
	return !c->heads && !c->repeats && c->verdict != VERDICT_NOT_COMPARED;
}

/* Fills p with those of the comparisons that belong to a family, NaN for the others. */
static void family(const struct verdict *v, bool (*belongs)(const struct comparison *), double *p)
{
	for (size_t i = 0; i < v->comparisons_count; i++)
		p[i] = belongs(&v->comparisons[i]) ? judge_p(&v->comparisons[i]) : NAN;
}

void judge_adjust(struct judging *j)
{
	struct verdict *v = j->verdict;
	size_t n = v->comparisons_count;
	double *p = calloc(3 * n + 1, sizeof(*p)), *holm = p + n, *q = holm + n;

	if (!p || j->failed) {
		j->failed = true;
		free(p);
		return;
	}
	for (size_t i = 0; i < n; i++)
		v->comparisons[i].repeats = is_repetition(v, &v->comparisons[i]);
	family(v, is_claim, p);
	j->failed |= stats_holm(p, n, holm) != 0;
	family(v, is_exploratory, p);
	j->failed |= stats_benjamini_hochberg(p, n, q) != 0;
	for (size_t i = 0; i < n && !j->failed; i++) {
		v->comparisons[i].p_holm = holm[i];
		v->comparisons[i].q_benjamini_hochberg = q[i];
	}
	free(p);
}
