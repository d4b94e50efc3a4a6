/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides whether a drive is cool, steady and rested enough for the next slot. */
#include "cooldown.h"

#include "text.h"

#define SECOND_NS INT64_C(1000000000)
#define SENSOR_STEP_C 1		/* the composite temperature comes in whole degrees */

const struct cooldown_rule cooldown_rule_method = {
	.enabled = true, .above_start_c = 2, .above_idle_c = 3, .below_threshold_c = 15, .steady_c = 1,
	.steady_ns = 60 * SECOND_NS, .rest_ns = 30 * SECOND_NS, .timeout_ns = 900 * SECOND_NS,
};

const struct cooldown_rule cooldown_rule_default = {
	.enabled = true, .above_start_c = 2, .above_idle_c = 3, .below_threshold_c = 15,
	.timeout_ns = 300 * SECOND_NS,
};

void cooldown_drive_start(struct cooldown_drive *drive, double threshold_c)
{
	*drive = (struct cooldown_drive){ .threshold_c = threshold_c, .start_c = NAN, .coolest_c = NAN,
					  .last_io_ns = UNKNOWN_I64 };
}

static const struct cooldown_sample *newest(const struct cooldown_drive *d)
{
	return d->taken ? &d->samples[(d->taken - 1) % COOLDOWN_SAMPLES] : NULL;
}

void cooldown_sample(struct cooldown_drive *drive, int64_t now_ns, double c)
{
	const struct cooldown_sample *last = newest(drive);

	if (isnan(c))
		return;
	drive->coolest_c = fmin(drive->coolest_c, c);
	/* more often than once a second: the newest one is brought up to date */
	if (last && drive->taken > 1) {
		const struct cooldown_sample *before = &drive->samples[(drive->taken - 2) % COOLDOWN_SAMPLES];

		if (now_ns - before->time_ns < SECOND_NS)
			drive->taken--;
	}
	drive->samples[drive->taken++ % COOLDOWN_SAMPLES] = (struct cooldown_sample){ now_ns, c };
}

void cooldown_slot_starts(struct cooldown_drive *drive)
{
	if (isnan(drive->start_c))
		drive->start_c = cooldown_now_c(drive);
}

void cooldown_slot_ended(struct cooldown_drive *drive, int64_t now_ns)
{
	drive->last_io_ns = now_ns;
}

double cooldown_now_c(const struct cooldown_drive *drive)
{
	const struct cooldown_sample *s = newest(drive);

	return s ? s->c : NAN;
}

double cooldown_gate_c(const struct cooldown_rule *rule, const struct cooldown_drive *drive)
{
	double gate_c, below_c = drive->threshold_c - rule->below_threshold_c;

	if (isnan(drive->start_c))
		return NAN;
	gate_c = fmax(drive->start_c + rule->above_start_c, drive->coolest_c + rule->above_idle_c);
	if (rule->below_threshold_c > 0 && gate_c > below_c)
		/* a drive that rests above that would wait in vain */
		gate_c = fmin(gate_c, fmax(below_c, drive->coolest_c + SENSOR_STEP_C));
	return gate_c;
}

/* Against the oldest sample of the window: a run that is younger has seen no more. */
static bool steady(const struct cooldown_rule *rule, const struct cooldown_drive *d, int64_t now_ns)
{
	size_t kept = d->taken < COOLDOWN_SAMPLES ? d->taken : COOLDOWN_SAMPLES;
	double oldest_c = cooldown_now_c(d);

	for (size_t i = 1; i <= kept; i++) {
		const struct cooldown_sample *s = &d->samples[(d->taken - i) % COOLDOWN_SAMPLES];

		if (now_ns - s->time_ns > rule->steady_ns)
			break;
		oldest_c = s->c;
	}
	return fabs(cooldown_now_c(d) - oldest_c) <= rule->steady_c;
}

enum cooldown_need cooldown_check(const struct cooldown_rule *rule, const struct cooldown_drive *drive,
				  int64_t now_ns)
{
	if (!rule->enabled || !drive->taken || isnan(drive->start_c))
		return COOLDOWN_READY;
	if (cooldown_now_c(drive) > cooldown_gate_c(rule, drive))
		return COOLDOWN_TOO_WARM;
	if (rule->rest_ns > 0 && known(drive->last_io_ns) && now_ns - drive->last_io_ns < rule->rest_ns)
		return COOLDOWN_NOT_RESTED;
	if (rule->steady_ns > 0 && known(drive->last_io_ns) && !steady(rule, drive, now_ns))
		return COOLDOWN_NOT_STEADY;
	return COOLDOWN_READY;
}

char *cooldown_words(const struct cooldown_rule *rule, const struct cooldown_drive *drive, enum side side,
		     int64_t now_ns)
{
	char name = "AB"[side];
	double now_c = cooldown_now_c(drive);

	switch (cooldown_check(rule, drive, now_ns)) {
	case COOLDOWN_TOO_WARM:
		return text_format("%c %.0f C, waiting for <= %.0f C", name, now_c, cooldown_gate_c(rule, drive));
	case COOLDOWN_NOT_RESTED:
		return text_format("%c %.0f C, rests %lld s more", name, now_c,
				   (long long)((rule->rest_ns - (now_ns - drive->last_io_ns) + SECOND_NS - 1) /
					       SECOND_NS));
	case COOLDOWN_NOT_STEADY:
		return text_format("%c %.0f C, waiting until it is steady (%g C in %lld s)", name, now_c,
				   rule->steady_c, (long long)(rule->steady_ns / SECOND_NS));
	default:
		return NULL;
	}
}
