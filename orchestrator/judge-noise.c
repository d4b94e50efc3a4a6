/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The noise floor: what one drive against itself gave, and what may be claimed above it. */
#include "judge-compare.h"

#include <stdlib.h>
#include <string.h>

#include "judge-noise.h"
#include "other-runs.h"
#include "stats-design.h"

bool judge_is_difference(int verdict)
{
	return verdict == VERDICT_DIFFERENT || verdict == VERDICT_DIFFERENT_SIZE_UNRESOLVED;
}

static const struct comparison *head_of(const struct judging *j, size_t i)
{
	return j->cases[i].head == NO_HEAD ? NULL : &j->verdict->comparisons[j->cases[i].head];
}

/* A drive that differs from itself makes every difference one of the set-up. */
static void cap(struct judging *j, const char *workload, const struct noise_floor *floor)
{
	for (size_t i = 0; i < j->verdict->comparisons_count; i++) {
		struct comparison *c = &j->verdict->comparisons[i];

		if (strcmp(c->workload, workload) || !judge_is_difference(c->verdict))
			continue;
		c->verdict = VERDICT_INCONCLUSIVE;
		free(c->reason);
		c->reason = NULL;
		judge_string(j, &c->reason, "in the calibration run the drive differed from itself (ratio %.3f, 95 %% "
			     "interval %.3f to %.3f), so the data do not separate the drives from the set-up's own "
			     "scatter", floor->ratio, floor->ci95_low, floor->ci95_high);
	}
}

int64_t judge_rounds_needed(const struct judging *j, double sd_log)
{
	size_t n = sd_log > 0 ? stats_rounds_for_power(sd_log, j->limits->margin_ratio - 1) : 0;

	return (int64_t)fmax((double)n, j->limits->min_rounds);
}

void judge_noise(struct judging *j)
{
	struct verdict *v = j->verdict;
	size_t n = j->result->workloads_count;

	if (j->alone || j->same_drive || j->failed)
		return;
	v->noise_floor = calloc(n ? n : 1, sizeof(*v->noise_floor));
	j->failed |= !v->noise_floor;
	for (size_t i = 0; i < n && !j->failed; i++) {
		const struct workload_case *c = &j->cases[i];
		const struct noise_floor *floor = calibration_floor(&j->result->calibration, c->plan);
		struct noise_row *row = &v->noise_floor[v->noise_floor_count++];

		*row = (struct noise_row){ .state = NOISE_UNKNOWN, .sd_log = NAN, .ratio = NAN, .rounds = UNKNOWN_I64,
					   .rounds_needed = UNKNOWN_I64 };
		judge_string(j, &row->workload, "%s", judge_name(c));
		if (!floor || !(floor->sd_log >= 0))
			continue;
		row->state = judge_is_difference(floor->verdict) ? NOISE_FAILED : NOISE_MEASURED;
		row->sd_log = floor->sd_log;
		row->ratio = floor->ratio;
		row->rounds = floor->rounds;
		row->rounds_needed = judge_rounds_needed(j, floor->sd_log);
		if (row->state == NOISE_FAILED)
			cap(j, judge_name(c), floor);
	}
}

bool judge_noise_unknown(const struct judging *j, size_t i)
{
	return i < j->verdict->noise_floor_count && j->verdict->noise_floor[i].state == NOISE_UNKNOWN;
}

static void say_floor(struct judging *j, size_t i)
{
	const struct noise_row *row = &j->verdict->noise_floor[i];
	const struct comparison *h = head_of(j, i);
	const struct noise_floor *floor = calibration_floor(&j->result->calibration, j->cases[i].plan);
	double percent = 100 * (j->limits->margin_ratio - 1);

	if (row->state == NOISE_UNKNOWN || !floor)
		return;
	judge_sentence(j, "Noise floor of %s: one drive against itself gave the ratio %.3f (95 %% interval %.3f to "
		       "%.3f), its %lld rounds scattered by %.2f %%: %s.", row->workload, row->ratio, floor->ci95_low,
		       floor->ci95_high, (long long)row->rounds, 100 * row->sd_log, row->state == NOISE_FAILED ?
		       "it differed from itself, so the data do not separate the drives" : floor->verdict ==
		       VERDICT_INCONCLUSIVE ? "that does not show that it equals itself" : "equal to itself");
	if (h && h->rounds > 0 && h->rounds < row->rounds_needed)
		judge_sentence(j, "With that scatter it takes %lld rounds to see a difference of %.0f %% in four of "
			       "five runs; this one has %lld.", (long long)row->rounds_needed, percent,
			       (long long)h->rounds);
}

/* One drive on both sides: did it come out as equal to itself? */
static void say_self(struct judging *j)
{
	double sd = NAN;

	for (size_t i = 0; i < j->verdict->comparisons_count; i++)
		if (j->verdict->comparisons[i].heads)
			sd = fmax(sd, j->verdict->comparisons[i].sd_log);
	if (isnan(sd))
		judge_sentence(j, "This is an A/A run: both sides are one drive.");
	else
		judge_sentence(j, "This is an A/A run: both sides are one drive, so any difference is noise. "
			       "Its rounds scatter by %.2f %%.", 100 * sd);
}

void judge_say_noise(struct judging *j)
{
	const struct verdict *v = j->verdict;
	struct text names = { 0 };
	size_t unknown = 0;
	_cleanup_free_ char *list = NULL;

	if (j->same_drive) {
		say_self(j);
		return;
	}
	for (size_t i = 0; i < v->noise_floor_count; i++) {
		say_floor(j, i);
		if (judge_noise_unknown(j, i))
			text_printf(&names, "%s%s", unknown++ ? ", " : "", v->noise_floor[i].workload);
	}
	if (unknown)
		list = judge_take(j, text_steal(&names));
	if (unknown == v->noise_floor_count)
		judge_sentence(j, "No A/A run (one drive as both A and B) is part of this run, so the noise "
			       "floor of this setup is unknown.");
	else if (unknown)
		judge_sentence(j, "The A/A run does not cover %s, so the noise floor there is unknown.",
			       list ? list : "");
}
