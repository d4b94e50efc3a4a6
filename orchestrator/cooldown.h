/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cool-down gate: may the next slot start on this drive? So that every slot of both drives starts
 * alike. Three rules, each of which a suite may leave out (struct cooldown_rule):
 *
 *   cool     at most above_start_c warmer than at the start of the first slot, or above_idle_c warmer
 *            than the coolest that was seen, whichever is more; and below_threshold_c below the
 *            temperature at which the drive may slow down, unless it never is so cool
 *   steady   changed by at most steady_c over steady_ns
 *   rested   rest_ns since the last I/O
 *
 * Pure: time and temperatures are arguments. cooldown-wait.h does the waiting.
 */
#ifndef NVMATCH_COOLDOWN_H
#define NVMATCH_COOLDOWN_H

#include "model.h"

#define COOLDOWN_SAMPLES 128

/* What is known of one drive while a run goes on. Times are of one clock, in ns. */
struct cooldown_drive {
	double threshold_c;		/* it may slow down from here on; NaN: not known */
	double start_c;			/* at the start of the first slot; NaN: no slot yet */
	double coolest_c;		/* of all samples */
	int64_t last_io_ns;		/* unknown: no I/O yet */
	struct cooldown_sample {
		int64_t time_ns;
		double c;
	} samples[COOLDOWN_SAMPLES];	/* the newest ones, as a ring */
	size_t taken;			/* ever; the newest is [(taken - 1) % COOLDOWN_SAMPLES] */
};

enum cooldown_need { COOLDOWN_READY, COOLDOWN_TOO_WARM, COOLDOWN_NOT_STEADY, COOLDOWN_NOT_RESTED };

/* The numbers of the method (docs/method.md), for suites that ask for all rules. */
extern const struct cooldown_rule cooldown_rule_method;
/* What a suite gets that says nothing: the first rule alone. */
extern const struct cooldown_rule cooldown_rule_default;

void cooldown_drive_start(struct cooldown_drive *drive, double threshold_c);

/* A temperature that was read. The ring keeps one a second. NaN is passed over. */
void cooldown_sample(struct cooldown_drive *drive, int64_t now_ns, double c);

/* The drive begins a slot, or ended one, now. */
void cooldown_slot_starts(struct cooldown_drive *drive);
void cooldown_slot_ended(struct cooldown_drive *drive, int64_t now_ns);

/* The newest temperature, and the highest at which the next slot may start; NaN: none (no slot yet). */
double cooldown_now_c(const struct cooldown_drive *drive);
double cooldown_gate_c(const struct cooldown_rule *rule, const struct cooldown_drive *drive);

/* What is still to be waited for: the first that applies. A drive without samples is always ready. */
enum cooldown_need cooldown_check(const struct cooldown_rule *rule, const struct cooldown_drive *drive,
				  int64_t now_ns);

/* "A 52 C, waiting for <= 47 C"; caller frees. NULL when there is nothing to wait for. */
char *cooldown_words(const struct cooldown_rule *rule, const struct cooldown_drive *drive, enum side side,
		     int64_t now_ns);

#endif
