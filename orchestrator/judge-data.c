/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data states of both sides. */
#include "judge-data.h"

#include <stdlib.h>
#include <string.h>

#include "judge-compare.h"
#include "stats-design.h"
#include "stats.h"

double match_overlap(const double *a, const double *b)
{
	double sum = 0;

	for (int k = 0; k < DATA_STATES; k++)
		sum += fmin(a[k], b[k]);
	return sum;
}

double match_total_speed(const double *share, const double *speed)
{
	double time = 0, all = 0;

	for (int k = 0; k < DATA_STATES; k++) {
		if (!(share[k] > SHARE_SEEN))
			continue;
		time += share[k] / speed[k];
		all += share[k];
	}
	return all > 0 ? all / time : NAN;
}

bool match_sampled(const struct data_match *m)
{
	return m->classified_share[SIDE_A] < WHOLE || m->classified_share[SIDE_B] < WHOLE;
}

double match_lower_bound(const struct data_match *m)
{
	struct stats_interval i;

	if (!known(m->pairs) || m->pairs <= 0 || isnan(m->same_class_share) ||
	    stats_clopper_pearson((uint64_t)llround(fmin(1, m->same_class_share) * (double)m->pairs),
				  (uint64_t)m->pairs, 0.95, &i))
		return NAN;
	return i.low;
}

static bool only_writes(const struct workload *w)
{
	return w && w->rw && w->writes && (!strcmp(w->rw, "write") || !strcmp(w->rw, "randwrite"));
}

/* Rounds of the better mode in which both sides have a speed over the common offsets. */
static size_t matched_rounds(struct judging *j, const struct workload_result *w)
{
	size_t most = 0;

	for (int concurrent = 0; concurrent < 2; concurrent++) {
		struct round_values v;

		if (round_values_get(w, concurrent, 0, SUBSET_MATCHED, &v)) {
			j->failed = true;
			return 0;
		}
		most = v.n > most ? v.n : most;
		round_values_free(&v);
	}
	return most;
}

void judge_match(struct judging *j, struct workload_case *c)
{
	const struct data_match *m = &c->result->match;
	const struct thresholds *l = j->limits;

	if (!known(m->pairs) || m->pairs <= 0 || isnan(m->same_class_share))
		c->match = only_writes(c->plan) ? MATCH_BY_SEED : MATCH_UNKNOWN;
	else if (m->same_class_share >= l->match_valid)
		c->match = MATCH_ALLOWED;
	else if (m->same_class_share >= l->match_narrower && known(m->matched_bins) &&
		 (double)m->matched_bins >= l->min_matched_offsets &&
		 (double)matched_rounds(j, c->result) >= l->min_rounds)
		c->match = MATCH_NARROWER;
	else
		c->match = MATCH_NONE;
}

static double class_speed(const struct class_speed *c)
{
	return known(c->bytes) && c->bytes > 0 && c->busy_ns > 0 ? (double)c->bytes / c->busy_ns * 1e9 : NAN;
}

static bool has_usable(const struct workload_result *w, bool concurrent)
{
	for (size_t i = 0; i < w->observations_count; i++) {
		const struct observation *o = &w->observations[i];

		if (o->concurrent == concurrent && (o->side[SIDE_A].usable || o->side[SIDE_B].usable))
			return true;
	}
	return false;
}

/* The one mode whose rounds speeds by kind are taken from: alone where there are such rounds. */
static bool class_mode(const struct workload_result *w)
{
	return !has_usable(w, false);
}

void class_speeds(const struct thresholds *limits, const struct workload_result *w, int side,
		  struct kind_speed speed[static DATA_STATES])
{
	bool concurrent = class_mode(w);
	double all = 0;

	for (int k = 0; k < DATA_STATES; k++) {
		double sum = 0, ios = 0, bytes = 0;
		size_t n = 0;

		for (size_t i = 0; i < w->observations_count; i++) {
			const struct measurement *m = &w->observations[i].side[side];
			double one = class_speed(&m->pure[k]);

			if (w->observations[i].concurrent != concurrent || !m->usable || isnan(one))
				continue;
			sum += log(one);
			n++;
			ios += (double)m->pure[k].ios;
			bytes += (double)m->pure[k].bytes;
		}
		all += bytes;
		speed[k] = (struct kind_speed){ n && ios >= limits->min_class_ios ? exp(sum / (double)n) : NAN,
						bytes };
	}
	for (int k = 0; k < DATA_STATES; k++) {
		speed[k].behind = all > 0 ? speed[k].behind / all : 0;
		/* what was not looked at, or is mixed, is no kind */
		if (k == REC_UNCLASSIFIED || speed[k].behind < limits->min_class_share)
			speed[k].bw_bytes_per_s = NAN;
	}
}

/* Two classes of one drive, compared over its rounds: the interval of the logarithm of a paired ratio. */
static int effect_by_rounds(struct judging *j, const struct workload_result *w, int side, int k1,
			    int k2, struct stats_interval *in)
{
	double *d = calloc(w->observations_count + 1, sizeof(*d));
	bool concurrent = class_mode(w);
	size_t n = 0;
	int ret = -1;

	j->failed |= !d;
	for (size_t i = 0; d && i < w->observations_count; i++) {
		const struct measurement *m = &w->observations[i].side[side];
		double r = class_speed(&m->pure[k1]) / class_speed(&m->pure[k2]);

		if (w->observations[i].concurrent == concurrent && m->usable && r > 0)
			d[n++] = log(r);
	}
	if (d && n >= 3)
		ret = stats_t_interval(d, n, 0.95, in);
	free(d);
	return ret;
}

/* ln of the speeds of the offsets where this side holds nothing but one state. */
static size_t pure_bins(const struct workload_result *w, int side, int state, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < w->bins_count; i++) {
		const struct bin *b = &w->bins[i];
		int64_t all = 0;

		for (int k = REC_ZERO; k < DATA_STATES; k++)
			all += known(b->class_bytes[side][k]) ? b->class_bytes[side][k] : 0;
		if (all > 0 && b->class_bytes[side][state] == all && b->bw_bytes_per_s[side] > 0)
			out[n++] = log(b->bw_bytes_per_s[side]);
	}
	return n;
}

/* The same over offsets, where rounds are too few: says that places differ, not how it repeats. */
static int effect_by_bins(struct judging *j, const struct workload_result *w, int side, int k1, int k2,
			  struct stats_interval *in)
{
	double *x = calloc(2 * w->bins_count + 1, sizeof(*x));
	struct stats_two_groups g;
	int ret = -1;

	j->failed |= !x;
	if (x) {
		size_t n1 = pure_bins(w, side, k1, x), n2 = pure_bins(w, side, k2, x + n1);

		ret = stats_welch_t(x, n1, x + n1, n2, &g);
	}
	free(x);
	if (!ret)
		*in = g.ci95;
	return ret;
}

/* How far two classes are apart is the ratio of their speeds; the interval says if that is sure. */
static void class_effect(struct judging *j, struct workload_case *c, int side,
			 const struct kind_speed speed[static DATA_STATES])
{
	double least = log(j->limits->class_effect_ratio);

	c->class_effect[side] = c->class_effect_sure[side] = NAN;
	for (int k1 = REC_ZERO; k1 < DATA_STATES; k1++) {
		for (int k2 = k1 + 1; k2 < DATA_STATES; k2++) {
			double effect = log(speed[k1].bw_bytes_per_s / speed[k2].bw_bytes_per_s);
			struct stats_interval in;

			if (isnan(effect))
				continue;
			c->class_effect[side] = fmax(c->class_effect[side], exp(fabs(effect)));
			if (effect_by_rounds(j, c->result, side, k1, k2, &in) &&
			    effect_by_bins(j, c->result, side, k1, k2, &in))
				continue;
			if (fabs(effect) >= least && (effect > 0 ? in.low > 0 : in.high < 0))
				c->class_effect_sure[side] = fmax(c->class_effect_sure[side],
								  exp(fabs(effect)));
		}
	}
}

void side_class_shares(const struct workload_result *w, int side, double share[static DATA_STATES])
{
	double all = 0;

	for (int k = 0; k < DATA_STATES; k++)
		share[k] = w->match.class_share[side][k];
	if (known(w->match.pairs) && w->match.pairs > 0)
		return;
	for (int k = 0; k < DATA_STATES; k++) {
		share[k] = 0;
		for (size_t i = 0; k != REC_UNCLASSIFIED && i < w->observations_count; i++) {
			const struct class_speed *c = &w->observations[i].side[side].classes[k];

			share[k] += known(c->bytes) ? (double)c->bytes : 0;
		}
		all += share[k];
	}
	for (int k = 0; k < DATA_STATES; k++)
		share[k] = all > 0 ? share[k] / all : 0;
}

void judge_classes(struct judging *j, struct workload_case *c)
{
	struct kind_speed speed[SIDES][DATA_STATES];
	double share[SIDES][DATA_STATES];

	for (int s = 0; s < SIDES; s++) {
		class_speeds(j->limits, c->result, s, speed[s]);
		side_class_shares(c->result, s, share[s]);
		class_effect(j, c, s, speed[s]);
	}
	for (int k = 0; k < DATA_STATES; k++) {
		struct class_row *row;

		if (!(share[SIDE_A][k] > 0) && !(share[SIDE_B][k] > 0))
			continue;
		row = judge_add_class(j);
		if (!row)
			return;
		judge_string(j, &row->workload, "%s", judge_name(c));
		judge_string(j, &row->data_state, "%s", data_state_names[k]);
		for (int s = 0; s < SIDES; s++) {
			row->share[s] = share[s][k];
			row->behind_share[s] = speed[s][k].behind;
			row->bw_bytes_per_s[s] = speed[s][k].bw_bytes_per_s;
		}
	}
}

/* Shares of the kinds on one side of one range: of each of its pieces, or over all where none is known. */
static void range_shares(const struct workload_result *w, const struct range *range, int side,
			 double share[static DATA_STATES])
{
	double pieces = 0;

	memset(share, 0, DATA_STATES * sizeof(*share));
	for (size_t i = 0; i < w->bins_count; i++) {
		const struct bin *b = &w->bins[i];
		double all = 0;

		if (b->offset_bytes < range->offset_bytes ||
		    b->offset_bytes >= range->offset_bytes + range->length_bytes)
			continue;
		for (int k = REC_ZERO; k < DATA_STATES; k++)
			all += (double)b->class_bytes[side][k];
		pieces += all > 0;
		for (int k = REC_ZERO; all > 0 && k < DATA_STATES; k++)
			share[k] += (double)b->class_bytes[side][k] / all;
	}
	for (int k = 0; k < DATA_STATES; k++)
		share[k] = pieces > 0 ? share[k] / pieces : w->match.class_share[side][k];
}

/* How long a range of that speed is timed: a runtime bounds it, or its bytes, less those of the ramp. */
static double range_ns(const struct workload *plan, const struct range *range, double speed)
{
	double bytes = known(plan->io_bytes) ? (double)plan->io_bytes : (double)range->length_bytes;
	double ns = bytes * (double)plan->numjobs / speed * 1e9;

	if (!plan->timed || !known(plan->runtime_ns))
		return ns;
	if (!known(plan->io_bytes))
		return (double)plan->runtime_ns;
	return fmin((double)plan->runtime_ns, fmax(0, ns - (plan->ramp_ns > 0 ? (double)plan->ramp_ns : 0)));
}

/*
 * Speed that a side's mix gives. Within a range a byte takes 1/speed; but ranges of equal runtime are
 * of equal time, and then the fast ones count more bytes.
 */
static double mix_speed(const struct workload *plan, const struct workload_result *w, int side,
			const double speed[static DATA_STATES])
{
	double bytes = 0, ns = 0;

	for (size_t i = 0; plan && i < plan->ranges_count; i++) {
		double share[DATA_STATES], one, time_ns;

		range_shares(w, &plan->ranges[i], side, share);
		one = match_total_speed(share, speed);
		time_ns = range_ns(plan, &plan->ranges[i], one);
		bytes += one * time_ns;
		ns += time_ns;
	}
	return plan && plan->ranges_count ? bytes / ns : match_total_speed(w->match.class_share[side], speed);
}

double predicted_ratio(const struct thresholds *limits, const struct workload *plan,
		       const struct workload_result *w, int *reference)
{
	for (int s = 0; s < SIDES; s++) {
		struct kind_speed kinds[DATA_STATES];
		double speed[DATA_STATES], ratio;

		class_speeds(limits, w, s, kinds);
		for (int k = 0; k < DATA_STATES; k++)
			speed[k] = kinds[k].bw_bytes_per_s;
		ratio = mix_speed(plan, w, SIDE_A, speed) / mix_speed(plan, w, SIDE_B, speed);
		if (isfinite(ratio)) {
			*reference = s;
			return ratio;
		}
	}
	return NAN;
}
