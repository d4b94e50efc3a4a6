/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits at the cool-down gate (cooldown.h) before a slot, with the temperatures of hwmon. */
#ifndef NVMATCH_COOLDOWN_WAIT_H
#define NVMATCH_COOLDOWN_WAIT_H

#include "cooldown.h"

struct cooldown_gate {
	const struct cooldown_rule *rule;
	const struct drive *targets[SIDES];	/* [SIDE_B] may be NULL */
	struct cooldown_drive drives[SIDES];
	bool sensor[SIDES];
	int64_t until_ns;		/* CLOCK_MONOTONIC: no wait goes on beyond it; INT64_MAX: no bound */
	/* called once a second while something is waited for; may be NULL */
	void (*waiting)(void *context, const char *words, int64_t left_ns);
	void *context;
};

/* Looks which drives have a sensor. targets must outlive the gate. */
void cooldown_gate_start(struct cooldown_gate *gate, const struct cooldown_rule *rule,
			 const struct drive *a, const struct drive *b);

/*
 * Returns when all active drives may start, when the rule's time is over, or when a signal asks us to
 * end (then the outcome is UNKNOWN). Fills records of the active sides; reason is the caller's to free.
 */
void cooldown_gate_wait(struct cooldown_gate *gate, const bool active[SIDES],
			struct cooldown_record records[SIDES]);

/* A temperature that someone else has read during a slot. */
void cooldown_gate_saw(struct cooldown_gate *gate, enum side side, double c);

/* The slot of these drives is over. */
void cooldown_gate_ended(struct cooldown_gate *gate, const bool active[SIDES]);

#endif
