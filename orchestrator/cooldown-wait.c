/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits until the drives of the next slot are as cool, steady and rested as the rule wants them. */
#include "cooldown-wait.h"

#include <poll.h>
#include <stdlib.h>
#include <time.h>

#include "drive.h"
#include "interrupt.h"

#define LOOK_EVERY_MS 1000

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Where it may begin to slow down: its warning temperature or its first throttle point. */
static double threshold_of(const struct drive *d)
{
	const struct identify *id = &d->identify;
	double tmt1_c = known(id->tmt1_k) && id->tmt1_k > 0 ? (double)id->tmt1_k - 273 : NAN;

	return fmin(id->warning_temperature_c, tmt1_c);
}

void cooldown_gate_start(struct cooldown_gate *gate, const struct cooldown_rule *rule,
			 const struct drive *a, const struct drive *b)
{
	*gate = (struct cooldown_gate){ .rule = rule, .targets = { a, b }, .until_ns = INT64_MAX };
	for (int s = 0; s < SIDES; s++) {
		double c = NAN;

		if (!gate->targets[s])
			continue;
		cooldown_drive_start(&gate->drives[s], threshold_of(gate->targets[s]));
		gate->sensor[s] = !drive_temperature_now(gate->targets[s], &c);
		cooldown_sample(&gate->drives[s], now_ns(), c);
	}
}

static void look(struct cooldown_gate *gate, const bool active[SIDES])
{
	for (int s = 0; s < SIDES; s++) {
		double c = NAN;

		if (active[s] && gate->sensor[s] && !drive_temperature_now(gate->targets[s], &c))
			cooldown_sample(&gate->drives[s], now_ns(), c);
	}
}

/* What is waited for on all active drives, or NULL: nothing. */
static char *words_of(const struct cooldown_gate *gate, const bool active[SIDES])
{
	struct text t = { 0 };

	for (int s = 0; s < SIDES; s++) {
		_cleanup_free_ char *words = active[s] ? cooldown_words(gate->rule, &gate->drives[s], (enum side)s,
								       now_ns()) : NULL;

		if (words)
			text_printf(&t, "%s%s", t.length ? "; " : "", words);
	}
	return t.length ? text_steal(&t) : NULL;
}

static int outcome_of(const struct cooldown_gate *gate, const bool active[SIDES], const char *words)
{
	if (interrupt_signal())
		return COOLDOWN_UNKNOWN;
	if (!gate->rule->enabled)
		return COOLDOWN_OFF;
	if (words)
		return COOLDOWN_MISSED;
	for (int s = 0; s < SIDES; s++)
		if (active[s] && !gate->sensor[s])
			return COOLDOWN_NO_SENSOR;
	return COOLDOWN_PASSED;
}

void cooldown_gate_wait(struct cooldown_gate *gate, const bool active[SIDES],
			struct cooldown_record records[SIDES])
{
	int64_t start_ns = now_ns(), end_ns = start_ns + gate->rule->timeout_ns;
	_cleanup_free_ char *words = NULL;
	int outcome;

	if (end_ns > gate->until_ns)
		end_ns = gate->until_ns;
	look(gate, active);
	while ((words = words_of(gate, active)) && now_ns() < end_ns && !interrupt_signal()) {
		if (gate->waiting)
			gate->waiting(gate->context, words, end_ns - now_ns());
		poll(NULL, 0, LOOK_EVERY_MS);
		look(gate, active);
		free(words);
	}
	outcome = outcome_of(gate, active, words);
	for (int s = 0; s < SIDES; s++) {
		struct cooldown_drive *d = &gate->drives[s];

		records[s] = (struct cooldown_record){ COOLDOWN_UNKNOWN, UNKNOWN_I64, NAN, NAN, NULL };
		if (!active[s])
			continue;
		records[s].outcome = outcome;
		records[s].waited_ns = now_ns() - start_ns;
		records[s].start_c = cooldown_now_c(d);
		records[s].gate_c = gate->rule->enabled ? cooldown_gate_c(gate->rule, d) : NAN;
		records[s].reason = outcome == COOLDOWN_MISSED && words ? text_format("%s", words) : NULL;
		cooldown_slot_starts(d);
	}
}

void cooldown_gate_saw(struct cooldown_gate *gate, enum side side, double c)
{
	if (gate->sensor[side])
		cooldown_sample(&gate->drives[side], now_ns(), c);
}

void cooldown_gate_ended(struct cooldown_gate *gate, const bool active[SIDES])
{
	for (int s = 0; s < SIDES; s++)
		if (active[s])
			cooldown_slot_ended(&gate->drives[s], now_ns());
}
