/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations that SMART speaks of: wear and media errors; and whether its pages can be believed. */
#include "hypotheses-smart.h"
#include "pages.h"

#include <string.h>

enum alive { SMART_NONE, SMART_FROZEN, SMART_TOO_LITTLE, SMART_ALIVE };

#define UNIT_BYTES 512000.0

static double as_double(struct smart_counter c)
{
	return (double)c.high * 0x1p64 + (double)c.low;
}

double smart_rise(struct smart_counter before, struct smart_counter after)
{
	return as_double(after) - as_double(before);
}

static struct smart_span span_of(const struct judging *j, int side)
{
	struct smart_span s = { 0 };
	const struct measurement *m;

	for (size_t i = 0; (m = judge_measurement(j, side, &i));) {
		if (m->smart_before.valid && (!s.first || m->started_ns < s.first->started_ns))
			s.first = m;
		if (m->smart_after.valid && (!s.last || m->started_ns >= s.last->started_ns))
			s.last = m;
	}
	for (size_t i = 0; (m = judge_measurement(j, side, &i));) {
		if (s.first && s.last && (m->started_ns < s.first->started_ns || m->started_ns > s.last->started_ns))
			continue;
		if (known(m->moved_bytes) || known(m->bytes))
			s.bytes_asked += (double)(known(m->moved_bytes) ? m->moved_bytes : m->bytes);
	}
	if (s.first && s.last)
		s.units_moved = smart_rise(s.first->smart_before.data_units_read,
					   s.last->smart_after.data_units_read) +
				smart_rise(s.first->smart_before.data_units_written,
					   s.last->smart_after.data_units_written);
	return s;
}

/*
 * A page that does not count what was moved is frozen, and nothing on it can be trusted. It may count
 * more (others use the drive too); a unit at each end is rounding.
 */
static enum alive alive_of(const struct judging *j, const struct smart_span *s)
{
	double asked = s->bytes_asked / UNIT_BYTES;

	if (!s->first || !s->last)
		return SMART_NONE;
	if (s->units_moved >= 1 && asked >= 1 && s->units_moved + 1 >= j->limits->smart_alive * asked)
		return SMART_ALIVE;
	return asked >= j->limits->smart_min_units ? SMART_FROZEN : SMART_TOO_LITTLE;
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

bool smart_pages(struct judging *j, struct ledger_row *row, struct finding *f, struct smart_span span[SIDES])
{
	for (int s = 0; s < SIDES; s++)
		span[s] = span_of(j, s);
	for (int s = 0; s < SIDES; s++) {
		enum alive alive;

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
			found(j, f, LEDGER_NOT_MEASURED, "the SMART counters of %s did not move as they should: "
			      "%.0f MB although %.0f MB were asked for; the page is frozen, or the bytes never "
			      "reached the drive", side_name(s), span[s].units_moved * UNIT_BYTES / 1e6,
			      span[s].bytes_asked / 1e6);
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
static double recoveries_of(const struct measurement *m)
{
	int64_t n = ocp_read_recoveries(&m->ocp_before, &m->ocp_after);

	return known(n) ? (double)n : NAN;
}

void wear(struct judging *j, struct ledger_row *row, struct finding *f)
{
	_cleanup_text_ struct text counted = { 0 };
	double recovered[SIDES];
	struct smart_span span[SIDES];
	const struct smart *a, *b;

	if (!smart_pages(j, row, f, span))
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
	for (int s = 0; s < SIDES; s++) {
		recovered[s] = judge_sum(j, s, recoveries_of);
		judge_number(j, row, recovered[s], "reads_recovered_in_run_%c", s ? 'b' : 'a');
	}
	if (!isnan(recovered[SIDE_A]) && !isnan(recovered[SIDE_B])) {
		text_printf(&counted, "; reads that needed recovery in the run: %.0f on A, %.0f on B",
			    recovered[SIDE_A], recovered[SIDE_B]);
		f->blind_spot = "whole-drive estimates in 1 % steps; where the recovered reads lie is not told";
	}
	j->failed |= counted.failed;
	found(j, f, wear_sign(j, SIDE_A, a, b) || wear_sign(j, SIDE_B, b, a) ? LEDGER_POSSIBLE :
	      LEDGER_NOT_SUPPORTED, "Percentage used is %lld %% on A and %lld %% on B%s",
	      (long long)a->percent_used, (long long)b->percent_used, counted.data ? counted.data : "");
}

/* Entries of the error log that the run added with a media status; NaN: the log was not read. */
static double media_entries(const struct measurement *m)
{
	return known(m->error_entries_media) ? (double)m->error_entries_media : NAN;
}

void media_errors(struct judging *j, struct ledger_row *row, struct finding *f)
{
	double during[SIDES], lifetime[SIDES], logged[SIDES], decoded[SIDES];
	struct smart_span span[SIDES];
	int state = LEDGER_NOT_SUPPORTED;

	if (!smart_pages(j, row, f, span))
		return;
	for (int s = 0; s < SIDES; s++) {
		const struct smart *before = &span[s].first->smart_before, *after = &span[s].last->smart_after;

		during[s] = smart_rise(before->media_errors, after->media_errors);
		lifetime[s] = as_double(after->media_errors);
		logged[s] = smart_rise(before->num_err_log_entries, after->num_err_log_entries);
		decoded[s] = judge_sum(j, s, media_entries);
		judge_number(j, row, during[s], "media_errors_in_run_%c", s ? 'b' : 'a');
		judge_number(j, row, lifetime[s], "media_errors_lifetime_%c", s ? 'b' : 'a');
		judge_number(j, row, logged[s], "error_log_entries_in_run_%c", s ? 'b' : 'a');
		judge_number(j, row, decoded[s], "media_error_log_entries_in_run_%c", s ? 'b' : 'a');
		if ((during[s] > 0 || decoded[s] > 0) && is_slow(j, s))
			state = LEDGER_SUPPORTED;
		else if ((lifetime[s] > 0 || decoded[s] > 0) && state != LEDGER_SUPPORTED)
			state = LEDGER_POSSIBLE;
	}
	if (isnan(decoded[SIDE_A]) || isnan(decoded[SIDE_B]))
		found(j, f, state, "Media errors in the run: %.0f on A, %.0f on B; in the drives' lives: %.0f and "
		      "%.0f; new error-log entries: %.0f and %.0f, which may be harmless commands",
		      during[SIDE_A], during[SIDE_B], lifetime[SIDE_A], lifetime[SIDE_B], logged[SIDE_A],
		      logged[SIDE_B]);
	else
		found(j, f, state, "Media errors in the run: %.0f on A, %.0f on B; in the drives' lives: %.0f and "
		      "%.0f; new error-log entries: %.0f and %.0f, of which %.0f and %.0f have a media status",
		      during[SIDE_A], during[SIDE_B], lifetime[SIDE_A], lifetime[SIDE_B], logged[SIDE_A],
		      logged[SIDE_B], decoded[SIDE_A], decoded[SIDE_B]);
}
