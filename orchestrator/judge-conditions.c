/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions and limits: what was held, what was not, and what was not watched. */
#include "judge-words.h"

#include <stdlib.h>
#include <string.h>

#include "file-system.h"
#include "jobfile.h"
#include "judge-data.h"
#include "text.h"

static double start_c(const struct measurement *m)
{
	return m->temperature_start_c;
}

static double highest_c(const struct measurement *m)
{
	return m->temperature_max_c;
}

/* "1 MiB", "4 KiB", "512 bytes" */
static char *block_words(int64_t bytes)
{
	if (bytes > 0 && bytes % (1 << 20) == 0)
		return text_format("%lld MiB", (long long)bytes >> 20);
	if (bytes > 0 && bytes % 1024 == 0)
		return text_format("%lld KiB", (long long)bytes >> 10);
	return known(bytes) ? text_format("%lld bytes", (long long)bytes) : text_format("unknown size");
}

/* A job that is told how fast to go shows drives as equal that are not. */
static void say_pace(struct judging *j, const struct workload_case *c)
{
	static const char *const names[] = { "rate", "rate_iops", "thinktime" };

	for (size_t i = 0; c->plan && i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = jobfile_option(&c->plan->options, names[i]);

		if (value)
			judge_condition(j, "%s: the job is paced (%s=%s): a drive that could be faster does not show it.",
					judge_name(c), names[i], value);
	}
}

static void say_workload(struct judging *j, const struct workload_case *c, const struct workload_verdict *v)
{
	const struct workload *p = c->plan;
	_cleanup_free_ char *block = judge_take(j, block_words(p ? p->block_bytes : UNKNOWN_I64));

	if (p && block)
		judge_condition(j, "%s: %s, blocks of %s, depth %lld, %lld job%s, %s, %zu range%s.",
				judge_name(c), p->rw ? p->rw : "?", block,
				(long long)p->iodepth, (long long)p->numjobs, p->numjobs == 1 ? "" : "s",
				p->direct ? "direct I/O" : "through the page cache", p->ranges_count,
				p->ranges_count == 1 ? "" : "s");
	if (!j->alone)
		judge_condition(j, "%s: %s.", judge_name(c), v->offsets);
	if (c->result->match.pairs > 0 && match_sampled(&c->result->match))
		judge_condition(j, "%s: a sample of the data was classified: %lld offsets, of which at least "
				"%.0f %% are alike (95 %% confidence).", judge_name(c),
				(long long)c->result->match.pairs,
				floor(100 * match_lower_bound(&c->result->match)));
}

/* How well the two processes of a simultaneous slot ran together. */
static void say_overlap(struct judging *j, const struct workload_case *c)
{
	double least = NAN, skew = NAN;

	for (size_t i = 0; i < c->result->observations_count; i++) {
		const struct observation *o = &c->result->observations[i];

		if (!o->concurrent)
			continue;
		least = fmin(least, o->overlap_share);
		skew = fmax(skew, o->start_skew_ns);
	}
	if (isnan(least))
		return;
	judge_condition(j, "%s: both drives at once overlapped for at least %.0f %% of the time%s.",
			judge_name(c), floor(100 * least),
			least < 0.9 ? "; for the rest one of them ran alone" : "");
	if (!isnan(skew))
		judge_condition(j, "%s: the two drives started up to %.1f ms apart.", judge_name(c), skew / 1e6);
}

static void say_cache(struct judging *j)
{
	const struct measurement *m;

	for (int s = 0; s < SIDES; s++) {
		for (size_t i = 0; (m = judge_measurement(j, s, &i));) {
			if (m->usable && !m->cache_dropped && m->cache_reason) {
				judge_condition(j, "The page cache was not dropped before every slot: %s.",
						m->cache_reason);
				return;
			}
		}
	}
}

/* What fio doubts the reader has to know; the slots hold the rest of it. */
static void say_warnings(struct judging *j)
{
	const struct measurement *m, *first = NULL;
	int count = 0;

	for (int s = 0; s < SIDES; s++) {
		for (size_t i = 0; (m = judge_measurement(j, s, &i));) {
			count += m->fio_warning != NULL;
			first = first || !m->fio_warning ? first : m;
		}
	}
	if (first)
		judge_condition(j, "fio warned in %d of its runs (fio.stderr in its slot), first in %s: %s", count,
				first->slot, first->fio_warning);
}

static void say_temperature(struct judging *j)
{
	for (int s = 0; s < (j->alone ? 1 : SIDES); s++) {
		double low = judge_min(j, s, start_c), high = judge_max(j, s, start_c);
		double highest = judge_max(j, s, highest_c);

		if (isnan(low) || isnan(highest))
			judge_condition(j, "The temperature of %s was not measured.", side_name(s));
		else if (low == high)
			judge_condition(j, "%s started its slots at %.0f C and reached %.0f C.", side_name(s),
					low, highest);
		else
			judge_condition(j, "%s started its slots at %.0f to %.0f C and reached %.0f C.",
					side_name(s), low, high, highest);
	}
}

static void say_file_system(struct judging *j)
{
	for (int s = 0; s < (j->alone ? 1 : SIDES); s++) {
		const struct drive *d = &j->result->drives[s];
		const char *doubt = d->kind == TARGET_BLOCK ? NULL : file_system_doubt(d->file_system);

		if (doubt)
			judge_condition(j, "The file of %s is on %s: %s.", side_name(s), d->file_system, doubt);
	}
}

static bool had_gate(const struct measurement *m)
{
	return m->cooldown.outcome == COOLDOWN_PASSED || m->cooldown.outcome == COOLDOWN_MISSED;
}

double judge_gate_missed_share(const struct judging *j)
{
	size_t had = 0, missed = 0;

	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_result *r = &j->result->workloads[w];

		for (size_t i = 0; i < r->observations_count; i++) {
			const struct measurement *m = r->observations[i].side;

			had += had_gate(&m[SIDE_A]) || had_gate(&m[SIDE_B]);
			missed += m[SIDE_A].cooldown.outcome == COOLDOWN_MISSED ||
				  m[SIDE_B].cooldown.outcome == COOLDOWN_MISSED;
		}
	}
	return had ? (double)missed / (double)had : NAN;
}

int judge_cap_by_gate(const struct judging *j, int state)
{
	bool sure = state == LEDGER_SUPPORTED || state == LEDGER_RULED_OUT;

	return sure && judge_gate_missed_share(j) > j->limits->gate_missed ? LEDGER_POSSIBLE : state;
}

static double waited_s(const struct measurement *m)
{
	return known(m->cooldown.waited_ns) ? (double)m->cooldown.waited_ns / 1e9 : NAN;
}

/* How the slots came through the cool-down gate; drives without a sensor are told elsewhere. */
static void say_cooldown(struct judging *j)
{
	double missed = judge_gate_missed_share(j), longest = fmax(judge_max(j, SIDE_A, waited_s),
								  judge_max(j, SIDE_B, waited_s));
	bool off = !j->result->plan.cooldown.enabled && known(j->result->plan.cooldown.timeout_ns);

	for (int s = 0; s < (j->alone ? 1 : SIDES); s++) {
		const struct measurement *m;
		bool without = false;

		for (size_t i = 0; (m = judge_measurement(j, s, &i));)
			without |= m->cooldown.outcome == COOLDOWN_NO_SENSOR && isnan(m->cooldown.start_c);
		if (without)
			judge_condition(j, "%s has no temperature sensor, so no slot waited for it to cool down.",
					side_name(s));
	}
	if (off)
		judge_condition(j, "Slots did not wait for the drives to cool down.");
	else if (missed > 0)
		judge_condition(j, "In %.0f %% of the rounds a slot started without its drives having cooled down as "
				"far as asked (the longest wait was %.0f s)%s.", 100 * missed, longest,
				missed > j->limits->gate_missed ? ": nothing about heat or order can be sure" : "");
	else if (missed == 0)
		judge_condition(j, "Every slot started with its drives cooled down as far as asked (the longest wait "
				"was %.0f s).", longest);
}

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* How many rounds there are was settled by the scatter of the pilot. */
static void say_stop(struct judging *j)
{
	const struct stop *stop = &j->result->stop;

	for (size_t i = 0; j->result->plan.until && i < stop->pilots_count; i++) {
		const struct stop_pilot *p = &stop->pilots[i];

		if (isnan(p->sd_log))
			judge_condition(j, "%s: the pilot gave no scatter, so all planned rounds were run.",
					p->workload ? p->workload : "unnamed");
		else
			judge_condition(j, "%s: the %lld rounds of the pilot scattered by %.2f %%, for which %s needs %lld "
					"rounds; their ratio was not looked at.", p->workload ? p->workload : "unnamed",
					(long long)p->rounds, 100 * p->sd_log, j->result->plan.until,
					(long long)p->rounds_needed);
	}
	if (j->result->plan.until && known(stop->rounds))
		judge_condition(j, "After the pilot the number of rounds was fixed at %lld%s.",
				(long long)stop->rounds, stop->bounded ? ", the most that the plan allows: fewer than needed" :
				"");
}

/* What was done with the bytes of a workload. */
static const char *moved_word(const struct workload *w)
{
	if (!w || !w->rw || !w->writes)
		return "that were read";
	if (strcmp(w->rw, "write") && strcmp(w->rw, "randwrite"))
		return "that were read or written";
	return "that were written";
}

/* What the verdict on the data rests on. */
static void say_classified(struct judging *j)
{
	const char *when = j->result->plan.fingerprint;
	bool pass = when && (!strcmp(when, "before") || !strcmp(when, "both"));

	for (size_t i = 0; i < j->result->workloads_count; i++) {
		const struct data_match *m = &j->result->workloads[i].match;
		double a = m->classified_share[SIDE_A], b = m->classified_share[SIDE_B];

		if (!j->alone && a > 0 && b > 0)
			judge_condition(j, "%s: of the bytes %s, %.3g %% were classified on A and %.3g %% on B.",
					judge_name(&j->cases[i]), pass ? "of the ranges" : moved_word(j->cases[i].plan), 100 * a, 100 * b);
	}
}

void judge_conditions(struct judging *j)
{
	const struct result *r = j->result;

	if (r->state && strcmp(r->state, "complete"))
		judge_condition(j, "The run is not complete (%s): what is there was judged.", r->state);
	for (size_t i = 0; i < r->workloads_count && i < j->verdict->workloads_count; i++) {
		say_workload(j, &j->cases[i], &j->verdict->workloads[i]);
		say_pace(j, &j->cases[i]);
		say_overlap(j, &j->cases[i]);
	}
	if (r->survey.proposals_count)
		judge_condition(j, "The ranges were chosen by a survey, as those where both drives hold one kind of data: "
				"nothing is said of the others.");
	if (r->plan.base_engine)
		judge_condition(j, "The I/O was done by fio's %s, unless a job names another engine.",
				r->plan.base_engine);
	say_stop(j);
	say_classified(j);
	say_temperature(j);
	say_cooldown(j);
	say_cache(j);
	say_warnings(j);
	say_file_system(j);
	if (!j->same_drive && same_text(r->drives[SIDE_A].serial, r->drives[SIDE_B].serial) &&
	    (same_text(r->drives[SIDE_A].model, r->drives[SIDE_B].model) ||
	     (!r->drives[SIDE_A].model && !r->drives[SIDE_B].model)))
		judge_condition(j, "A and B lie on one drive.");
	judge_condition(j, "Latencies are service times of a closed loop: waiting during a stall is not in "
			"them.");
	judge_condition(j, "Rounds are the unit of all intervals; seconds and offsets are not replicates.");
}
