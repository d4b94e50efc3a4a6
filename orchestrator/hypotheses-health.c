/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations that SMART speaks of: wear, media errors, heat. */
#include "hypotheses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

/* The first page before and the last page after, over all slots of a side. */
struct span {
	const struct measurement *first, *last;
	double units_moved;		/* data units read and written */
	double bytes_asked;		/* by fio in the same time */
};

enum alive { SMART_NONE, SMART_FROZEN, SMART_TOO_LITTLE, SMART_ALIVE };

static double as_double(struct smart_counter c)
{
	return (double)c.high * 0x1p64 + (double)c.low;
}

static double delta(struct smart_counter before, struct smart_counter after)
{
	return as_double(after) - as_double(before);
}

/* SMART counters of the model that are plain integers. */
static double delta_of(int64_t before, int64_t after)
{
	return known(before) && known(after) ? (double)after - (double)before : NAN;
}

static struct span span_of(const struct judging *j, int side)
{
	struct span s = { 0 };
	const struct measurement *m;

	for (size_t i = 0; (m = judge_measurement(j, side, &i));) {
		if (known(m->moved_bytes) || known(m->bytes))
			s.bytes_asked += (double)(known(m->moved_bytes) ? m->moved_bytes : m->bytes);
		if (m->smart_before.valid && (!s.first || m->started_ns < s.first->started_ns))
			s.first = m;
		if (m->smart_after.valid && (!s.last || m->started_ns >= s.last->started_ns))
			s.last = m;
	}
	if (s.first && s.last)
		s.units_moved = delta(s.first->smart_before.data_units_read, s.last->smart_after.data_units_read) +
			delta(s.first->smart_before.data_units_written, s.last->smart_after.data_units_written);
	return s;
}

/* A page that does not count what was moved is frozen, and nothing on it can be trusted. */
static enum alive alive_of(const struct judging *j, const struct span *s)
{
	if (!s->first || !s->last)
		return SMART_NONE;
	if (s->units_moved >= 1 && s->bytes_asked >= 512000)
		return SMART_ALIVE;
	return s->bytes_asked / 512000 >= j->limits->smart_min_units ? SMART_FROZEN : SMART_TOO_LITTLE;
}

/* Unknown counts as NVMe: the reason then says more than we do. */
static bool is_nvme(const struct drive *d)
{
	return !d->transport || !strncmp(d->transport, "nvme", 4);
}

static const char *reason_of(const struct judging *j, int side)
{
	const struct measurement *m;

	for (size_t i = 0; (m = judge_measurement(j, side, &i));) {
		if (m->smart_before.reason)
			return m->smart_before.reason;
		if (m->smart_after.reason)
			return m->smart_after.reason;
	}
	if (!is_nvme(&j->result->drives[side]))
		return "it is no NVMe drive, so there is no SMART page";
	return "no SMART page was read";
}

/* Both sides' pages, or the reason why the row is not measured. */
static bool pages(struct judging *j, struct ledger_row *row, struct finding *f, struct span span[SIDES])
{
	for (int s = 0; s < SIDES; s++) {
		enum alive alive;

		span[s] = span_of(j, s);
		alive = alive_of(j, &span[s]);
		if (alive == SMART_NONE && !is_nvme(&j->result->drives[s]))
			f->to_measure = "compare NVMe drives, this kind of device has no SMART page";
		if (span[s].first && span[s].first->slot)
			judge_evidence(j, row, NULL, "slots/%s/%s/smart-before.bin", span[s].first->slot,
				       side_name(s));
		if (span[s].last && span[s].last->slot)
			judge_evidence(j, row, NULL, "slots/%s/%s/smart-after.bin", span[s].last->slot,
				       side_name(s));
		if (alive == SMART_ALIVE)
			continue;
		if (alive == SMART_FROZEN)
			found(j, f, LEDGER_NOT_MEASURED, "the SMART counters of %s did not move although %.0f MB "
			      "were asked for: the page is frozen, or the bytes never reached the drive",
			      side_name(s), span[s].bytes_asked / 1e6);
		else if (alive == SMART_TOO_LITTLE)
			found(j, f, LEDGER_NOT_MEASURED, "too few bytes were moved on %s to see whether its SMART "
			      "counters count", side_name(s));
		else
			found(j, f, LEDGER_NOT_MEASURED, "%s: %s", side_name(s), reason_of(j, s));
		return false;
	}
	return true;
}

static bool is_slow(const struct judging *j, int side)
{
	return j->slower < 0 || j->slower == side;
}

static bool wear_sign(const struct judging *j, int side, const struct smart *mine, const struct smart *other)
{
	if (!is_slow(j, side))
		return false;
	return mine->percent_used - other->percent_used >= j->limits->wear_points ||
	       mine->percent_used >= j->limits->wear_high_percent ||
	       (known(mine->avail_spare) && known(mine->spare_thresh) &&
		(double)(mine->avail_spare - mine->spare_thresh) <= j->limits->spare_margin_points);
}

/* More than possible would need a counter of retries that the standard page does not have. */
void wear(struct judging *j, struct ledger_row *row, struct finding *f)
{
	struct span span[SIDES];
	const struct smart *a, *b;

	if (!pages(j, row, f, span))
		return;
	a = &span[SIDE_A].last->smart_after;
	b = &span[SIDE_B].last->smart_after;
	if (!known(a->percent_used) || !known(b->percent_used)) {
		found(j, f, LEDGER_NOT_MEASURED, "percentage used is not reported");
		return;
	}
	judge_number(j, row, (double)a->percent_used, "percent_used_a");
	judge_number(j, row, (double)b->percent_used, "percent_used_b");
	if (known(a->avail_spare) && known(b->avail_spare)) {
		judge_number(j, row, (double)a->avail_spare, "avail_spare_a");
		judge_number(j, row, (double)b->avail_spare, "avail_spare_b");
	}
	found(j, f, wear_sign(j, SIDE_A, a, b) || wear_sign(j, SIDE_B, b, a) ? LEDGER_POSSIBLE :
	      LEDGER_NOT_SUPPORTED, "Percentage used is %lld %% on A and %lld %% on B",
	      (long long)a->percent_used, (long long)b->percent_used);
}

void media_errors(struct judging *j, struct ledger_row *row, struct finding *f)
{
	double during[SIDES], lifetime[SIDES], logged[SIDES];
	struct span span[SIDES];
	int state = LEDGER_NOT_SUPPORTED;

	if (!pages(j, row, f, span))
		return;
	for (int s = 0; s < SIDES; s++) {
		const struct smart *before = &span[s].first->smart_before, *after = &span[s].last->smart_after;

		during[s] = delta(before->media_errors, after->media_errors);
		lifetime[s] = as_double(after->media_errors);
		logged[s] = delta(before->num_err_log_entries, after->num_err_log_entries);
		judge_number(j, row, during[s], "media_errors_in_run_%c", s ? 'b' : 'a');
		judge_number(j, row, lifetime[s], "media_errors_lifetime_%c", s ? 'b' : 'a');
		judge_number(j, row, logged[s], "error_log_entries_in_run_%c", s ? 'b' : 'a');
		if (during[s] > 0 && is_slow(j, s))
			state = LEDGER_SUPPORTED;
		else if (lifetime[s] > 0 && state != LEDGER_SUPPORTED)
			state = LEDGER_POSSIBLE;
	}
	found(j, f, state, "Media errors in the run: %.0f on A, %.0f on B; in the drives' lives: %.0f and %.0f; "
	      "new error-log entries: %.0f and %.0f, which may be harmless commands", during[SIDE_A],
	      during[SIDE_B], lifetime[SIDE_A], lifetime[SIDE_B], logged[SIDE_A], logged[SIDE_B]);
}

int thermal_state(const struct thresholds *l, const struct thermal_input *in, const char **sign)
{
	double limit = fmin(in->warning_c, in->tmt1_c);

	*sign = "the drive's counters of warm minutes or thermal management rose";
	if (in->d_tmt1_count > 0 || in->d_tmt2_count > 0 || in->d_tmt1_s > 0 || in->d_tmt2_s > 0 ||
	    in->d_warning_min > 0 || in->d_critical_min > 0 || in->critical_bit1)
		return LEDGER_SUPPORTED;
	*sign = "it was at its threshold, and slower there";
	if (!isnan(limit) && in->seconds_at_threshold > 0 && in->speed_when_hot_ratio <= 1 - l->speed_drop)
		return LEDGER_SUPPORTED;
	*sign = "no threshold is reported, so its counters stay 0";
	if (!in->counters_alive || isnan(limit))
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

static double hottest_c(const struct measurement *m)
{
	double kelvin = m->smart_after.valid && known(m->smart_after.temperature_k) ?
			(double)m->smart_after.temperature_k - 273 : NAN;

	return fmax(m->temperature_max_c, kelvin);
}

static double coolest_c(const struct measurement *m)
{
	double kelvin = m->smart_before.valid && known(m->smart_before.temperature_k) ?
			(double)m->smart_before.temperature_k - 273 : NAN;

	return fmin(m->temperature_min_c, kelvin);
}

static double seconds_hot(const struct measurement *m)
{
	return m->seconds_at_threshold;
}

static double speed_when_hot(const struct measurement *m)
{
	return m->speed_when_hot_ratio;
}

static double drop_within(const struct measurement *m)
{
	return m->usable ? m->within_run_drop : NAN;
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

static struct thermal_input thermal_of(struct judging *j, int side, const struct span *span)
{
	const struct smart *b = &span->first->smart_before, *a = &span->last->smart_after;
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
		.critical_bit1 = warning_bit1(j, side),
		.counters_alive = true,
		.seconds_at_threshold = judge_max(j, side, seconds_hot),
		.speed_when_hot_ratio = judge_min(j, side, speed_when_hot),
		.drop = judge_max(j, side, drop_within),
	};

	correlate(j, side, &in.rho, &in.p);
	return in;
}

static int rank_of(int state)
{
	static const int order[] = { [LEDGER_SUPPORTED] = 4, [LEDGER_POSSIBLE] = 3, [LEDGER_NOT_MEASURED] = 2,
				     [LEDGER_NOT_SUPPORTED] = 1, [LEDGER_RULED_OUT] = 0 };

	return order[state];
}

/* The side with more of a sign speaks; one that could not be seen outranks one that looked clean. */
void thermal_throttling(struct judging *j, struct ledger_row *row, struct finding *f)
{
	struct span span[SIDES];
	int worst = -1, state[SIDES];
	const char *sign[SIDES];
	double low[SIDES], high[SIDES];

	if (!pages(j, row, f, span))
		return;
	for (int s = 0; s < SIDES; s++) {
		struct thermal_input in = thermal_of(j, s, &span[s]);

		state[s] = where_slow(j, s, thermal_state(j->limits, &in, &sign[s]));
		low[s] = judge_min(j, s, coolest_c);
		high[s] = in.t_max_c;
		judge_number(j, row, low[s], "temperature_min_c_%c", s ? 'b' : 'a');
		judge_number(j, row, high[s], "temperature_max_c_%c", s ? 'b' : 'a');
		judge_number(j, row, in.warning_c, "warning_temperature_c_%c", s ? 'b' : 'a');
		judge_number(j, row, in.d_warning_min, "warning_minutes_in_run_%c", s ? 'b' : 'a');
		judge_number(j, row, in.seconds_at_threshold, "seconds_at_threshold_%c", s ? 'b' : 'a');
		if (worst < 0 || rank_of(state[s]) > rank_of(state[worst]))
			worst = s;
	}
	if (state[worst] == LEDGER_NOT_MEASURED)
		found(j, f, LEDGER_NOT_MEASURED, "%s: %s", side_name(worst), sign[worst]);
	else if (state[worst] == LEDGER_NOT_SUPPORTED && (isnan(high[SIDE_A]) || isnan(high[SIDE_B])))
		found(j, f, LEDGER_NOT_SUPPORTED, "no warm minute was counted; the temperature itself was not "
		      "recorded on both");
	else if (state[worst] == LEDGER_NOT_SUPPORTED)
		found(j, f, LEDGER_NOT_SUPPORTED, "A was at %.0f to %.0f C and B at %.0f to %.0f C, with no minute "
		      "at or above the warning temperature", low[SIDE_A], high[SIDE_A], low[SIDE_B],
		      high[SIDE_B]);
	else {
		_cleanup_free_ char *slots = hot_slots(j, worst);

		found(j, f, state[worst], "On %s %s%s (A %.0f to %.0f C, B %.0f to %.0f C)", side_name(worst),
		      sign[worst], slots ? slots : "", low[SIDE_A], high[SIDE_A], low[SIDE_B], high[SIDE_B]);
	}
}
