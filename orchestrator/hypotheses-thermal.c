/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat: did the drive throttle where and when it was slow? */
#include "hypotheses-smart.h"
#include "pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

/* SMART counters of the model that are plain integers. */
static double delta_of(int64_t before, int64_t after)
{
	return known(before) && known(after) ? (double)after - (double)before : NAN;
}

int thermal_state(const struct thresholds *l, const struct thermal_input *in, const char **sign)
{
	double limit = fmin(in->warning_c, in->tmt1_c);

	*sign = "the drive's counters of warm minutes or thermal management rose";
	if (in->d_tmt1_count > 0 || in->d_tmt2_count > 0 || in->d_tmt1_s > 0 || in->d_tmt2_s > 0 ||
	    in->d_warning_min > 0 || in->d_critical_min > 0)
		return LEDGER_SUPPORTED;
	*sign = "the drive raised its temperature warning";
	if (in->critical_bit1)
		return LEDGER_SUPPORTED;
	*sign = "the drive's own log counted throttling";
	if (in->vendor_counted && (in->d_vendor_events > 0 || in->vendor_throttled))
		return LEDGER_SUPPORTED;
	*sign = "it was at its threshold, and slower there";
	if (!isnan(limit) && in->seconds_at_threshold > 0 && in->speed_when_hot_ratio <= 1 - l->speed_drop)
		return LEDGER_SUPPORTED;
	*sign = "no threshold is reported, so its counters stay 0";
	if ((!in->counters_alive || isnan(limit)) && !in->vendor_counted)
		return LEDGER_NOT_MEASURED;
	*sign = "it came near its threshold, and speed fell";
	if (in->t_max_c >= limit - l->thermal_near_c && in->drop >= l->speed_drop)
		return LEDGER_POSSIBLE;
	*sign = "warmer slots were slower";
	if (in->rho <= l->thermal_correlation && in->p < l->thermal_p)
		return LEDGER_POSSIBLE;
	*sign = "no sign";
	return LEDGER_NOT_SUPPORTED;
}

/* Do warmer slots run slower? Over the slots of one workload, the trend over time taken out. */
static void correlate(struct judging *j, int side, double *rho, double *p)
{
	*rho = *p = NAN;
	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_result *r = &j->result->workloads[w];
		double *x = calloc(2 * r->observations_count + 1, sizeof(*x)), rho1, p1;
		double *y = x ? x + r->observations_count : NULL;
		size_t n = 0;
		int ret;

		for (size_t i = 0; x && i < r->observations_count; i++) {
			const struct measurement *m = &r->observations[i].side[side];

			if (r->observations[i].concurrent || !m->usable || isnan(m->temperature_max_c) ||
			    isnan(m->bw_bytes_per_s))
				continue;
			x[n] = m->temperature_max_c;
			y[n++] = m->bw_bytes_per_s;
		}
		ret = x ? stats_detrended_rank_correlation(x, y, n, &rho1, &p1) : -ENOMEM;
		j->failed |= ret == -ENOMEM;
		if (!ret && !(p1 >= *p)) {
			*rho = rho1;
			*p = p1;
		}
		free(x);
	}
}

static double page_c(const struct smart *page)
{
	return page->valid && known(page->temperature_k) ? (double)page->temperature_k - 273 : NAN;
}

static double hottest_page_c(const struct measurement *m)
{
	return fmax(page_c(&m->smart_before), page_c(&m->smart_after));
}

static double coolest_page_c(const struct measurement *m)
{
	return fmin(page_c(&m->smart_before), page_c(&m->smart_after));
}

static double hottest_c(const struct measurement *m)
{
	return fmax(m->temperature_max_c, page_c(&m->smart_after));
}

static double coolest_c(const struct measurement *m)
{
	return fmin(m->temperature_min_c, page_c(&m->smart_before));
}

/*
 * What goes together in one slot: the heat of one and the fall of speed of another say nothing. The speed is
 * of seconds at the threshold, the fall of slots that came near it.
 */
static void heat_of_slots(const struct judging *j, int side, struct thermal_input *in)
{
	double near_c = fmin(in->warning_c, in->tmt1_c) - j->limits->thermal_near_c;
	const struct measurement *m;

	in->seconds_at_threshold = in->speed_when_hot_ratio = in->drop = NAN;
	for (size_t i = 0; (m = judge_measurement(j, side, &i));) {
		if (!isnan(m->seconds_at_threshold))
			in->seconds_at_threshold = m->seconds_at_threshold +
				(isnan(in->seconds_at_threshold) ? 0 : in->seconds_at_threshold);
		if (m->seconds_at_threshold > 0)
			in->speed_when_hot_ratio = fmin(in->speed_when_hot_ratio, m->speed_when_hot_ratio);
		if (m->usable && hottest_c(m) >= near_c)
			in->drop = fmax(in->drop, m->within_run_drop);
	}
}

/* Where and how long it was at or above the threshold: ", 7 s of that in 0001-x-A, 0004-x-AB". */
static char *hot_slots(const struct judging *j, int side)
{
	const struct measurement *m;
	struct text slots = { 0 };
	double seconds = 0;
	char *all;
	int n = 0;

	for (size_t i = 0; (m = judge_measurement(j, side, &i));) {
		if (!(m->seconds_at_threshold > 0))
			continue;
		seconds += m->seconds_at_threshold;
		if (n++ < 8)
			text_printf(&slots, "%s%s", n > 1 ? ", " : "", m->slot);
	}
	all = n ? text_format(", %.0f s at or above its threshold in %s%s", seconds, slots.data ? slots.data : "?",
			      n > 8 ? " and more" : "") : strdup("");
	text_free(&slots);
	return all;
}

static bool warning_bit1(const struct judging *j, int side)
{
	const struct measurement *m;

	for (size_t i = 0; (m = judge_measurement(j, side, &i));) {
		if ((m->smart_before.valid && known(m->smart_before.critical_warning) &&
		     m->smart_before.critical_warning & 2) ||
		    (m->smart_after.valid && known(m->smart_after.critical_warning) &&
		     m->smart_after.critical_warning & 2))
			return true;
	}
	return false;
}

static double throttle_events_of(const struct measurement *m)
{
	int64_t n = ocp_throttle_events(&m->ocp_before, &m->ocp_after);

	return known(n) ? (double)n : NAN;
}

static double throttle_level_of(const struct measurement *m)
{
	int64_t before = m->ocp_before.valid ? m->ocp_before.thermal_throttling_current_status : 0;
	int64_t after = m->ocp_after.valid ? m->ocp_after.thermal_throttling_current_status : 0;

	/* other values are reserved */
	return (before > 0 && before <= 3) || (after > 0 && after <= 3);
}

static struct thermal_input thermal_of(struct judging *j, int side, const struct smart_span *span, bool alive)
{
	static const struct smart none = {
		.warning_temp_time = UNKNOWN_I64, .critical_comp_time = UNKNOWN_I64,
		.thm_temp1_trans_count = UNKNOWN_I64, .thm_temp2_trans_count = UNKNOWN_I64,
		.thm_temp1_total_time = UNKNOWN_I64, .thm_temp2_total_time = UNKNOWN_I64,
	};
	const struct smart *b = alive ? &span->first->smart_before : &none;
	const struct smart *a = alive ? &span->last->smart_after : &none;
	const struct identify *id = &j->result->drives[side].identify;
	struct thermal_input in = {
		.warning_c = id->warning_temperature_c,
		.tmt1_c = known(id->tmt1_k) && id->tmt1_k > 0 ? (double)id->tmt1_k - 273 : NAN,
		.t_max_c = judge_max(j, side, hottest_c),
		.d_warning_min = delta_of(b->warning_temp_time, a->warning_temp_time),
		.d_critical_min = delta_of(b->critical_comp_time, a->critical_comp_time),
		.d_tmt1_count = delta_of(b->thm_temp1_trans_count, a->thm_temp1_trans_count),
		.d_tmt2_count = delta_of(b->thm_temp2_trans_count, a->thm_temp2_trans_count),
		.d_tmt1_s = delta_of(b->thm_temp1_total_time, a->thm_temp1_total_time),
		.d_tmt2_s = delta_of(b->thm_temp2_total_time, a->thm_temp2_total_time),
		.critical_bit1 = alive && warning_bit1(j, side),
		.counters_alive = alive,
	};

	heat_of_slots(j, side, &in);
	in.d_vendor_events = judge_sum(j, side, throttle_events_of);
	in.vendor_counted = !isnan(in.d_vendor_events);
	in.vendor_throttled = judge_max(j, side, throttle_level_of) > 0;
	correlate(j, side, &in.rho, &in.p);
	return in;
}

static int rank_of(int state)
{
	static const int order[] = { [LEDGER_SUPPORTED] = 4, [LEDGER_POSSIBLE] = 3, [LEDGER_NOT_MEASURED] = 2,
				     [LEDGER_NOT_SUPPORTED] = 1, [LEDGER_RULED_OUT] = 0 };

	return order[state];
}

/*
 * The whole page may stand still though its counters run: its temperature is believed when it moved by a
 * degree somewhere, or when the samples taken beside it agree with it.
 */
static bool temperature_alive(const struct judging *j, int side)
{
	const struct measurement *m;
	double low = judge_min(j, side, coolest_page_c), high = judge_max(j, side, hottest_page_c);

	if (isnan(low) || isnan(high) || high - low >= 1)
		return true;	/* nothing to believe, or it moves */
	for (size_t i = 0; (m = judge_measurement(j, side, &i));) {
		if (fabs(page_c(&m->smart_after) - m->temperature_end_c) <= 2)
			return true;
	}
	return false;
}

static bool sampled(const struct judging *j, int side)
{
	const struct measurement *m;
	bool any = false;

	for (size_t i = 0; (m = judge_measurement(j, side, &i));) {
		if (!known(m->temperature_samples) || m->temperature_samples <= 0)
			return false;
		any = true;
	}
	return any;
}

struct thermal_view {
	struct thermal_input in[SIDES];
	int state[SIDES];
	const char *sign[SIDES];
	double low_c[SIDES];
	int worst;
};

static void add_numbers(struct judging *j, struct ledger_row *row, const struct thermal_view *v)
{
	judge_number(j, row, judge_gate_missed_share(j), "gate_missed_share");
	for (int s = 0; s < SIDES; s++) {
		const struct thermal_input *in = &v->in[s];
		char suffix = s ? 'b' : 'a';

		judge_number(j, row, v->low_c[s], "temperature_min_c_%c", suffix);
		judge_number(j, row, in->t_max_c, "temperature_max_c_%c", suffix);
		judge_number(j, row, in->warning_c, "warning_temperature_c_%c", suffix);
		judge_number(j, row, in->tmt1_c, "light_throttle_temperature_c_%c", suffix);
		judge_number(j, row, in->d_warning_min, "warning_minutes_in_run_%c", suffix);
		judge_number(j, row, in->seconds_at_threshold, "seconds_at_threshold_%c", suffix);
		judge_number(j, row, in->drop, "largest_drop_near_threshold_%c", suffix);
		judge_number(j, row, in->rho, "temperature_speed_correlation_%c", suffix);
		if (!isnan(in->warning_c))
			judge_evidence(j, row, s ? "/B/identify/warning_temperature_c" :
				       "/A/identify/warning_temperature_c", "drives.json");
	}
}

static void say_clean(struct judging *j, struct finding *f, const struct thermal_view *v)
{
	const char *unwatched = sampled(j, SIDE_A) && sampled(j, SIDE_B) ? "" :
				"; excursions under a minute were not watched";
	double margin[SIDES];

	for (int s = 0; s < SIDES; s++)
		margin[s] = fmin(v->in[s].warning_c, v->in[s].tmt1_c) - v->in[s].t_max_c;
	if (isnan(margin[SIDE_A]) || isnan(margin[SIDE_B]))
		found(j, f, LEDGER_NOT_SUPPORTED, "no warm minute was counted; the temperature itself was not "
		      "recorded on both");
	else
		found(j, f, LEDGER_NOT_SUPPORTED, "A was at %.0f to %.0f C and B at %.0f to %.0f C, %.0f and %.0f C "
		      "below the lowest threshold, with no minute at or above the warning temperature%s",
		      v->low_c[SIDE_A], v->in[SIDE_A].t_max_c, v->low_c[SIDE_B], v->in[SIDE_B].t_max_c,
		      margin[SIDE_A], margin[SIDE_B], unwatched);
}

/*
 * The order of the method: a sign counts even where the page is not alive (seconds at the threshold come
 * from samples); then what could not be seen; then what only hints. The side with more of a sign speaks,
 * and one that could not be seen outranks one that looked clean.
 */
void thermal_throttling(struct judging *j, struct ledger_row *row, struct finding *f)
{
	struct smart_span span[SIDES];
	struct thermal_view v = { .worst = -1 };
	bool alive = smart_pages(j, row, f, span);

	for (int s = 0; s < SIDES; s++) {
		v.in[s] = thermal_of(j, s, &span[s], alive);
		if (alive && !temperature_alive(j, s))
			v.in[s].counters_alive = false;
		v.state[s] = where_slow(j, s, thermal_state(j->limits, &v.in[s], &v.sign[s]));
		if (v.state[s] == LEDGER_NOT_MEASURED && alive && !v.in[s].counters_alive)
			v.sign[s] = "its temperature never changed, and no other sensor confirms it";
		v.low_c[s] = judge_min(j, s, coolest_c);
		if (v.worst < 0 || rank_of(v.state[s]) > rank_of(v.state[v.worst]))
			v.worst = s;
	}
	if (!alive && v.state[v.worst] == LEDGER_NOT_MEASURED)
		return;		/* f says why */
	add_numbers(j, row, &v);
	if (v.state[v.worst] == LEDGER_NOT_MEASURED) {
		found(j, f, LEDGER_NOT_MEASURED, "%s: %s", side_name(v.worst), v.sign[v.worst]);
	} else if (v.state[v.worst] == LEDGER_NOT_SUPPORTED) {
		say_clean(j, f, &v);
	} else {
		_cleanup_free_ char *slots = hot_slots(j, v.worst);
		int state = judge_cap_by_gate(j, v.state[v.worst]);

		found(j, f, state, "On %s %s%s (A %.0f to %.0f C, B %.0f to %.0f C)%s",
		      side_name(v.worst), v.sign[v.worst], slots ? slots : "", v.low_c[SIDE_A],
		      v.in[SIDE_A].t_max_c, v.low_c[SIDE_B], v.in[SIDE_B].t_max_c,
		      state == v.state[v.worst] ? "" : "; too many rounds did not start cool");
	}
}
