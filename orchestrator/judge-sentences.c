/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be said beside the headline, in plain sentences. */
#include "judge-words.h"

#include <stdlib.h>
#include <string.h>

#include "judge-data.h"
#include "judge-noise.h"
#include "judge-sessions.h"
#include "text.h"

const char *judge_state_words(int k)
{
	static const char *const words[DATA_STATES] = {
		"unclassified", "zero-filled", "pattern", "highly compressible", "compressible",
		"incompressible"
	};

	return k >= 0 && k < DATA_STATES ? words[k] : "unknown";
}

static int states_seen(const double *share, int *only)
{
	int n = 0;

	for (int k = 0; k < DATA_STATES; k++) {
		if (share[k] > SHARE_SEEN) {
			*only = k;
			n++;
		}
	}
	return n;
}

static void add_speed(struct text *t, double bw)
{
	char buffer[TEXT_NUMBER_SIZE];

	text_add(t, isnan(bw) ? "a speed that was not measured" : text_rate(buffer, bw));
}

/* " (shares of what was looked at, speeds from 14 % of the bytes)": nothing when that is all, or none. */
static void add_basis(struct text *t, const struct workload_result *w, int side, bool shares,
		      const struct kind_speed speed[static DATA_STATES])
{
	double behind = 0;

	for (int k = REC_ZERO; k < DATA_STATES; k++)
		behind += isnan(speed[k].bw_bytes_per_s) ? 0 : speed[k].behind;
	if (behind > 0 && (behind < WHOLE || w->match.classified_share[side] < WHOLE))
		text_printf(t, " (%s %.3g %% of the bytes)", shares ? "shares of what was looked at; speeds from" :
			    "from", 100 * behind);
}

/* "On A, zero-filled data read at 5.30 GB/s and incompressible data at 3.40 GB/s." */
static void say_classes(struct judging *j, const struct workload_result *w, int side)
{
	const double *share = w->match.class_share[side];
	struct kind_speed speed[DATA_STATES];
	_cleanup_text_ struct text t = { 0 };
	int only, n = states_seen(share, &only), said = 0;

	if (!n)
		return;
	class_speeds(j->limits, w, side, speed);
	text_printf(&t, "On %s, ", side_name(side));
	if (n == 1) {
		text_printf(&t, "all %s was %s, at ", w->match.classified_share[side] < WHOLE ?
			    "that was looked at" : "data", judge_state_words(only));
		add_speed(&t, speed[only].bw_bytes_per_s);
	}
	for (int k = 0; n > 1 && k < DATA_STATES; k++) {
		if (!(share[k] > SHARE_SEEN))
			continue;
		text_printf(&t, "%s%s data (%.0f %%) %sat ", !said ? "" : said == n - 1 ? " and " : ", ",
			    judge_state_words(k), 100 * share[k], said ? "" : "ran ");
		add_speed(&t, speed[k].bw_bytes_per_s);
		said++;
	}
	add_basis(&t, w, side, n > 1, speed);
	if (t.failed || !t.data)
		j->failed = true;
	else
		judge_sentence(j, "%s.", t.data);
}

/* The row of the table of comparisons for one kind of data, or NULL. */
static const struct comparison *row_of_kind(const struct judging *j, const char *workload, int k)
{
	for (size_t i = 0; i < j->verdict->comparisons_count; i++) {
		const struct comparison *c = &j->verdict->comparisons[i];

		if (!isnan(c->ratio) && !strcmp(c->workload, workload) && !strcmp(c->subset, data_state_names[k]))
			return c;
	}
	return NULL;
}

/* The ratio inside each state that both sides hold, as the table has it. */
static void say_common(struct judging *j, const struct workload_case *c)
{
	struct kind_speed speed[SIDES][DATA_STATES];

	for (int s = 0; s < SIDES; s++)
		class_speeds(j->limits, c->result, s, speed[s]);
	for (int k = REC_ZERO; k < DATA_STATES; k++) {
		const struct comparison *row = row_of_kind(j, judge_name(c), k);
		const char *words = judge_state_words(k);

		if (!row || isnan(speed[SIDE_A][k].bw_bytes_per_s) || isnan(speed[SIDE_B][k].bw_bytes_per_s))
			continue;
		if (isnan(row->ci95_low))
			judge_sentence(j, "In %s data, which both hold, A ran at %.3f times B.", words, row->ratio);
		else
			judge_sentence(j, "In %s data, which both hold, A ran at %.3f times B (at the same offsets, "
				       "95 %% interval %.3f to %.3f, %lld %s).", words, row->ratio, row->ci95_low, row->ci95_high,
				       (long long)(row->sessions > 1 ? row->sessions : row->rounds),
				       row->sessions > 1 ? "sessions" : "rounds");
	}
}

static double observed_ratio(const struct judging *j, const char *workload)
{
	for (size_t i = 0; i < j->verdict->comparisons_count; i++) {
		const struct comparison *c = &j->verdict->comparisons[i];

		if (!isnan(c->ratio) && !strcmp(c->workload, workload) && !strcmp(c->subset, "all") &&
		    !strcmp(c->metric, "bw_bytes_per_s"))
			return c->ratio;
	}
	return NAN;
}

/* If the mix of data alone gives the observed ratio, there is nothing left for the drives. */
static void say_prediction(struct judging *j, const struct workload_case *c)
{
	int reference;
	double predicted = predicted_ratio(j->limits, c->plan, c->result, &reference);
	double observed = observed_ratio(j, judge_name(c));
	bool b_over_a = predicted < 1;

	if (isnan(predicted) || isnan(observed))
		return;
	judge_sentence(j, "Giving %s the speeds that %s has for each kind of data predicts %s at %.3f times "
		       "%s; observed is %.3f.", side_name(!reference), side_name(reference),
		       side_name(b_over_a), b_over_a ? 1 / predicted : predicted, side_name(!b_over_a),
		       b_over_a ? 1 / observed : observed);
}

static void say_unmeasured(struct judging *j, const struct workload_result *w)
{
	for (int s = 0; s < SIDES; s++) {
		for (int k = REC_ZERO; k < DATA_STATES; k++) {
			if (w->match.class_share[!s][k] > SHARE_SEEN &&
			    !(w->match.class_share[s][k] > SHARE_SEEN))
				judge_sentence(j, "%s was not measured on %s data, so nothing is said about "
					       "that case.", side_name(s), judge_state_words(k));
		}
	}
}

static void say_mismatch(struct judging *j, const struct workload_case *c)
{
	say_classes(j, c->result, SIDE_A);
	say_classes(j, c->result, SIDE_B);
	say_common(j, c);
	say_prediction(j, c);
	say_unmeasured(j, c->result);
}

/* Measured on both sides, or -1. */
static int64_t percent_used(const struct judging *j, int side)
{
	const struct measurement *m;

	for (size_t i = 0; (m = judge_measurement(j, side, &i));) {
		if (m->smart_after.valid && known(m->smart_after.percent_used))
			return m->smart_after.percent_used;
	}
	return -1;
}

static void say_difference(struct judging *j)
{
	int64_t a = percent_used(j, SIDE_A), b = percent_used(j, SIDE_B);

	judge_sentence(j, "It is a difference under this narrower setup: it holds for these block sizes, "
		       "queue depths, offsets, data and this host; other setups were not tested.");
	if (a >= 0 && b >= 0)
		judge_sentence(j, "It does not establish physical wear: percentage used is %lld %% on A and "
			       "%lld %% on B, and nothing measured here shows retries or the state of cells.",
			       (long long)a, (long long)b);
	else
		judge_sentence(j, "It does not establish physical wear: nothing measured here shows wear, "
			       "retries or the state of cells.");
}

static void say_concurrency(struct judging *j)
{
	for (size_t i = 0; i < j->verdict->concurrency_count; i++) {
		const struct concurrency_row *r = &j->verdict->concurrency[i];

		judge_sentence(j, "With both at once in %s A ran %.1f %% %s and B %.1f %% %s than on its own; the "
			       "ratio A over B was %.3f times that of running alone (95 %% interval %.3f to "
			       "%.3f).", r->workload,
			       fabs(100 * r->interference[SIDE_A]), concurrency_word(r->interference[SIDE_A]),
			       fabs(100 * r->interference[SIDE_B]), concurrency_word(r->interference[SIDE_B]),
			       r->ratio_of_ratios, r->ci95_low, r->ci95_high);
	}
}

void judge_sentences(struct judging *j)
{
	bool several = j->verdict->workloads_count > 1, difference = false, mismatch = false;
	bool in_headline = judge_shared_reason(j);

	for (size_t i = 0; i < j->result->workloads_count && !j->failed; i++) {
		const struct workload_case *c = &j->cases[i];
		const struct workload_verdict *w = &j->verdict->workloads[i];

		if (several && !j->alone && !(in_headline && w->state == HEADLINE_INCONCLUSIVE))
			judge_sentence(j, "%s", w->text);
		if (c->match == MATCH_NONE || c->match == MATCH_NARROWER) {
			say_mismatch(j, c);
			mismatch = true;
		}
		difference |= (w->state == HEADLINE_VALID || w->state == HEADLINE_NARROWER) &&
			      c->head != NO_HEAD &&
			      j->verdict->comparisons[c->head].verdict == VERDICT_DIFFERENT;
	}
	if (j->failed)
		return;
	if (difference)
		say_difference(j);
	say_concurrency(j);
	if (j->alone)
		return;
	if (mismatch || difference)
		judge_sentence(j, "A logical offset is not a physical location: the controller places data "
			       "itself, so a slow offset does not point at particular flash.");
	judge_say_noise(j);
	judge_say_sessions(j);
}
