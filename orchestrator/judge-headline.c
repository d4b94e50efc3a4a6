/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headlines. What is not allowed by the data state never gets a number as its headline. */
#include "judge-words.h"

#include <stdlib.h>
#include <string.h>

#include "hypotheses.h"
#include "judge-compare.h"
#include "judge-data.h"
#include "judge-noise.h"
#include "text.h"

#define FLOOR_UNKNOWN "Difference seen, noise floor unknown."

static const struct comparison *head_of(const struct judging *j, const struct workload_case *c)
{
	return c->head == NO_HEAD ? NULL : &j->verdict->comparisons[c->head];
}

/* "1.044 to 1.057, 10 rounds, sign-flip p 0.002" */
static void add_interval(struct text *t, const struct comparison *h)
{
	text_printf(t, "(95 %% interval %.3f to %.3f, ", h->ci95_low, h->ci95_high);
	if (h->sessions > 1)
		text_printf(t, "%lld sessions, t p %.2g", (long long)h->sessions, h->p_t);
	else
		text_printf(t, "%lld rounds, sign-flip p %.2g", (long long)h->rounds, h->p_sign_flip);
	if (h->p_holm > judge_p(h))
		text_printf(t, ", adjusted for all workloads %.2g", h->p_holm);
	text_add(t, ")");
}

static void add_setup(struct text *t, const struct workload_case *c, const struct comparison *h)
{
	const struct data_match *m = &c->result->match;

	text_printf(t, ": %s, ", h->concurrent ? "both drives at once" : "each drive on its own");
	if (c->match == MATCH_BY_SEED)
		text_add(t, "the same bytes written to both by construction");
	else if (c->match == MATCH_NARROWER)
		text_add(t, "only the offsets with the same kind of data on both");
	else if (m->same_hash_share >= 0.99)
		text_add(t, "identical bytes at identical offsets");
	else
		text_printf(t, "the same kind of data at the same offsets (%.0f %% of the bytes)",
			    100 * m->same_class_share);
	text_add(t, ".");
}

static void say_verdict(struct judging *j, const struct workload_case *c, const struct comparison *h,
			struct text *t)
{
	double percent = 100 * (j->limits->margin_ratio - 1);
	const char *name = judge_name(c);

	switch (h->verdict) {
	case VERDICT_DIFFERENT:
		text_printf(t, "A ran at %.3f times B in %s ", h->ratio, name);
		break;
	case VERDICT_EQUIVALENT:
		text_printf(t, "A and B are equivalent within %.0f %% in %s: ratio %.3f ", percent, name,
			    h->ratio);
		break;
	case VERDICT_EQUIVALENT_SMALL_DIFFERENCE:
		text_printf(t, "A and B are equivalent within %.0f %% in %s, with a small difference: A "
			    "ran at %.3f times B ", percent, name, h->ratio);
		break;
	default:
		text_printf(t, "A and B differ in %s, but it is not resolved whether by more than %.0f %%: "
			    "A ran at %.3f times B ", name, percent, h->ratio);
	}
	add_interval(t, h);
	add_setup(t, c, h);
	if (judge_is_difference(h->verdict) && judge_noise_unknown(j, (size_t)(c - j->cases)))
		text_add(t, " " FLOOR_UNKNOWN);
}

/* Inconclusive by its interval: the numbers say why. */
static bool is_interval(const struct comparison *h)
{
	return !isnan(h->ci95_low) && !strncmp(h->reason ? h->reason : "", "the interval", 12);
}

static void say_inconclusive(const struct workload_case *c, const struct comparison *h, struct text *t)
{
	const char *name = judge_name(c);

	if (is_interval(h))
		text_printf(t, "The data do not separate the drives in %s%s: interval %.3f to %.3f spans both "
			    "'equal' and 'different'.", name, h->concurrent ? ", both at once" : "", h->ci95_low,
			    h->ci95_high);
	else
		text_printf(t, "Nothing is claimed for %s: %s.", name, h->reason ? h->reason : "too few data");
}

static void say_mismatch(const struct workload_case *c, struct text *t)
{
	text_printf(t, "Headline comparison not valid: data state mismatch in %s. Only %.0f %% of the tested "
		    "offsets hold the same kind of data on both drives.", judge_name(c),
		    floor(100 * c->result->match.same_class_share + 1e-9));
}

/* Bytes that never reached a drive say nothing of it, and a ratio with them nothing of the two. */
static bool say_never_reached(struct judging *j, const struct workload_case *c, struct text *t)
{
	double share;
	int side = never_reached(j, c->result, &share);

	if (side < 0)
		return false;
	text_printf(t, "Headline comparison not valid in %s: ", judge_name(c));
	if (isnan(share))
		text_printf(t, "%s was read faster than its link can carry, so not all of it came from the drive.",
			    side_name(side));
	else
		text_printf(t, "%.1f %% of the bytes that fio counts on %s never reached its device, so the speed is "
			    "not the drive's alone.", 100 * share, side_name(side));
	return true;
}

static int say_not_valid(const struct workload_case *c, const struct comparison *h, struct text *t)
{
	if (c->match == MATCH_UNKNOWN)
		text_printf(t, "Headline comparison not valid: data state unknown in %s. There is no record "
			    "of what was read, so the drives may have held different kinds of data.",
			    judge_name(c));
	else if (c->match == MATCH_NONE)
		say_mismatch(c, t);
	else
		text_printf(t, "Headline comparison not valid in %s: %s.", judge_name(c),
			    h && h->reason ? h->reason : "nothing was measured on both sides");
	return HEADLINE_NOT_VALID;
}

/* The headline of one workload: its state, and its words into t. */
static int say_workload(struct judging *j, const struct workload_case *c, struct text *t)
{
	const struct comparison *h = head_of(j, c);
	bool narrower = c->match == MATCH_NARROWER;

	if (j->alone) {
		text_printf(t, "Only A was measured in %s, so nothing is compared.", judge_name(c));
		return HEADLINE_INCONCLUSIVE;
	}
	if (c->match == MATCH_UNKNOWN || c->match == MATCH_NONE || !h || h->verdict == VERDICT_NOT_COMPARED)
		return say_not_valid(c, h, t);
	if (say_never_reached(j, c, t))
		return HEADLINE_NOT_VALID;
	/* of what only part of the data allows, nothing but a difference is worth a headline */
	if (narrower && h->verdict != VERDICT_DIFFERENT) {
		say_mismatch(c, t);
		text_add(t, " In the part that does: ");
		if (h->verdict == VERDICT_INCONCLUSIVE)
			say_inconclusive(c, h, t);
		else
			say_verdict(j, c, h, t);
		return HEADLINE_NOT_VALID;
	}
	if (h->verdict == VERDICT_INCONCLUSIVE) {
		say_inconclusive(c, h, t);
		return HEADLINE_INCONCLUSIVE;
	}
	if (narrower)
		text_printf(t, "Data state mismatch in %s: only %.0f %% of the tested offsets hold the same kind "
			    "of data on both drives, so only those are compared. ", judge_name(c),
			    floor(100 * c->result->match.same_class_share + 1e-9));
	if (c->match == MATCH_ALLOWED && match_sampled(&c->result->match) &&
	    match_lower_bound(&c->result->match) < j->limits->match_valid) {
		narrower = true;
		text_printf(t, "Only the %lld sampled offsets are known to be alike (at least %.0f %% of "
			    "all, 95 %% confidence). ", (long long)c->result->match.pairs,
			    floor(100 * match_lower_bound(&c->result->match)));
	}
	if (narrower && h->verdict == VERDICT_DIFFERENT)
		text_add(t, "Real difference under this narrower setup: ");
	say_verdict(j, c, h, t);
	return narrower ? HEADLINE_NARROWER : HEADLINE_VALID;
}

static const char *offsets_words(const struct workload_result *w, int64_t *prefix)
{
	static const char *const words[] = {
		[DIGEST_UNKNOWN] = "it is not recorded whether both sides did the same I/O",
		[DIGEST_EQUAL_SEQUENCE] = "the same offsets, sizes and order on both sides",
		[DIGEST_EQUAL_SET] = "the same offsets and sizes on both sides, completed in another order",
		[DIGEST_EQUAL_PREFIX] = "the same offsets, sizes and order on both sides up to the I/O where "
					"the slower side stopped",
		[DIGEST_DIFFERENT] = "the two sides did different I/O",
	};
	int worst = -1;

	*prefix = UNKNOWN_I64;
	for (size_t i = 0; i < w->observations_count; i++) {
		const struct observation *o = &w->observations[i];

		if (!o->side[SIDE_A].usable || !o->side[SIDE_B].usable || o->digest < 0 ||
		    o->digest >= DIGEST_MATCHES)
			continue;
		if (o->digest == DIGEST_EQUAL_PREFIX && (!known(*prefix) || o->digest_prefix_ios < *prefix))
			*prefix = o->digest_prefix_ios;
		if (o->digest == DIGEST_UNKNOWN)
			return words[DIGEST_UNKNOWN];
		worst = o->digest > worst ? o->digest : worst;
	}
	return words[worst < 0 ? DIGEST_UNKNOWN : worst];
}

static void judge_workload(struct judging *j, const struct workload_case *c)
{
	struct workload_verdict *w = judge_add_workload(j);
	struct text t = { 0 };
	const char *words;
	int64_t prefix;

	if (!w)
		return;
	judge_string(j, &w->workload, "%s", judge_name(c));
	w->match_share = c->result->match.same_class_share;
	w->state = say_workload(j, c, &t);
	w->text = judge_take(j, text_steal(&t));
	words = offsets_words(c->result, &prefix);
	if (known(prefix) && prefix >= 0)
		judge_string(j, &w->offsets, "%s (at least %lld I/Os a round)", words, (long long)prefix);
	else
		judge_string(j, &w->offsets, "%s", words);
}

/* "seq-read-1m, rand-read-4k": the names of the workloads in a state. */
static size_t add_names(struct text *t, const struct verdict *v, int state)
{
	size_t n = 0;

	for (size_t i = 0; i < v->workloads_count; i++) {
		if (v->workloads[i].state == state)
			text_printf(t, "%s%s", n++ ? ", " : "", v->workloads[i].workload);
	}
	return n;
}

static size_t count_state(const struct verdict *v, int state)
{
	size_t n = 0;

	for (size_t i = 0; i < v->workloads_count; i++)
		n += v->workloads[i].state == state;
	return n;
}

/* The worst state wins, but that some workloads do not separate the drives spoils no other. */
static int overall(const struct verdict *v)
{
	if (!v->workloads_count || count_state(v, HEADLINE_NOT_VALID))
		return HEADLINE_NOT_VALID;
	if (count_state(v, HEADLINE_INCONCLUSIVE) == v->workloads_count)
		return HEADLINE_INCONCLUSIVE;
	return count_state(v, HEADLINE_NARROWER) ? HEADLINE_NARROWER : HEADLINE_VALID;
}

/*
 * " Equivalent in x (ratio 1.002)." of the workloads whose head has this verdict; before starts
 * with a blank.
 */
static size_t add_heads(struct text *t, struct judging *j, const char *before, int verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < j->result->workloads_count; i++) {
		const struct workload_case *c = &j->cases[i];
		const struct comparison *h = head_of(j, c);
		int state = j->verdict->workloads[i].state;

		if (!h || h->verdict != verdict || (state != HEADLINE_VALID && state != HEADLINE_NARROWER))
			continue;
		text_printf(t, "%s%s (ratio %.3f)", n++ ? ", " : t->length ? before : before + 1, judge_name(c), h->ratio);
	}
	if (n)
		text_add(t, ".");
	return n;
}

static bool difference_without_floor(const struct judging *j)
{
	bool seen = false;

	for (size_t i = 0; i < j->result->workloads_count; i++) {
		const struct comparison *h = head_of(j, &j->cases[i]);
		int state = j->verdict->workloads[i].state;

		seen |= h && judge_is_difference(h->verdict) && judge_noise_unknown(j, i) &&
			(state == HEADLINE_VALID || state == HEADLINE_NARROWER);
	}
	return seen;
}

/* The names of the workloads in which one drive, as A and B, came out so. */
static void add_self(struct judging *j, struct text *t, bool (*is)(int verdict), const char *before,
		     const char *after)
{
	size_t n = 0;

	for (size_t i = 0; i < j->result->workloads_count; i++) {
		const struct comparison *h = head_of(j, &j->cases[i]);

		if (is(h ? h->verdict : VERDICT_NOT_COMPARED))
			text_printf(t, "%s%s", n++ ? ", " : before, judge_name(&j->cases[i]));
	}
	if (n)
		text_add(t, after);
}

static bool is_equal(int verdict)
{
	return verdict == VERDICT_EQUIVALENT || verdict == VERDICT_EQUIVALENT_SMALL_DIFFERENCE;
}

static bool is_open(int verdict)
{
	return !is_equal(verdict) && !judge_is_difference(verdict);
}

static void say_calibration(struct judging *j, struct text *t)
{
	add_self(j, t, is_equal, "Calibration: the same drive twice came out as equivalent in ", ". ");
	add_self(j, t, judge_is_difference, "Calibration failed: the same drive twice came out as different in ",
		 ", so this setup makes differences of its own there. ");
	add_self(j, t, is_open, "Calibration is open: that the same drive twice is equivalent was not shown in ",
		 "; more or longer rounds may. ");
}

const char *judge_shared_reason(const struct judging *j)
{
	const char *shared = NULL;

	for (size_t i = 0; i < j->result->workloads_count; i++) {
		const struct comparison *h = head_of(j, &j->cases[i]);

		if (j->verdict->workloads[i].state != HEADLINE_INCONCLUSIVE)
			continue;
		if (!h || !h->reason || is_interval(h) || (shared && strcmp(shared, h->reason)))
			return NULL;
		shared = h->reason;
	}
	return j->result->workloads_count > 1 ? shared : NULL;
}

static void say_overall(struct judging *j, struct text *t)
{
	const char *reason = judge_shared_reason(j);
	struct verdict *v = j->verdict;
	size_t heads;

	if (v->headline == HEADLINE_NOT_VALID) {
		text_add(t, "Headline comparison not valid for ");
		add_names(t, v, HEADLINE_NOT_VALID);
		text_add(t, ": see each workload for the reason.");
	}
	if (v->headline == HEADLINE_NARROWER) {
		text_add(t, "Under a narrower setup for ");
		add_names(t, v, HEADLINE_NARROWER);
		text_add(t, ".");
	}
	heads = add_heads(t, j, " The drives differ in ", VERDICT_DIFFERENT);
	heads += add_heads(t, j, " They differ, size not resolved, in ", VERDICT_DIFFERENT_SIZE_UNRESOLVED);
	heads += add_heads(t, j, " Equivalent, with a small difference, in ", VERDICT_EQUIVALENT_SMALL_DIFFERENCE);
	heads += add_heads(t, j, " Equivalent in ", VERDICT_EQUIVALENT);
	if (count_state(v, HEADLINE_INCONCLUSIVE)) {
		text_add(t, t->length ? " Nothing is claimed for " : "Nothing is claimed for ");
		add_names(t, v, HEADLINE_INCONCLUSIVE);
		text_printf(t, "%s%s.", reason ? ": " : "", reason ? reason : "");
	}
	if (heads)
		text_add(t, " Ratios are A over B.");
	if (difference_without_floor(j))
		text_add(t, " " FLOOR_UNKNOWN);
}

void judge_headline(struct judging *j)
{
	struct verdict *v = j->verdict;
	struct text t = { 0 };

	for (size_t i = 0; i < j->result->workloads_count; i++)
		judge_workload(j, &j->cases[i]);
	if (j->failed)
		return;
	v->headline = overall(v);
	if (j->result->plan.calibration)
		say_calibration(j, &t);
	if (!v->workloads_count)
		text_add(&t, "Headline comparison not valid: nothing was measured.");
	else if (j->alone)
		text_add(&t, "Only A was measured, so nothing is compared. Its speeds are in the table.");
	else if (v->workloads_count == 1)
		text_add(&t, v->workloads[0].text);
	else
		say_overall(j, &t);
	v->headline_text = judge_take(j, text_steal(&t));
}
