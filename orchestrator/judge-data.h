/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was read: is it the same kind of data on both sides, and how fast did each drive read each kind. */
#ifndef NVMATCH_JUDGE_DATA_H
#define NVMATCH_JUDGE_DATA_H

#include "judge-build.h"

/* Arrays have one number for each data state (DATA_STATES). */

/* Sum over the states of the smaller share. */
double match_overlap(const double *share_a, const double *share_b);
/*
 * Speed over a mix: a byte takes share / speed, so this is the harmonic mean. NaN when the speed of
 * a state that is in the mix is unknown.
 */
double match_total_speed(const double *share, const double *speed);

/* Sets the match state of a case. */
void judge_match(struct judging *j, struct workload_case *c);

/* Adds the class rows of a case to the verdict and sets its class effect. */
void judge_classes(struct judging *j, struct workload_case *c);

/* Speed of one kind of data on one side. */
struct kind_speed {
	double bw_bytes_per_s;		/* NaN: not read, or too little for a speed */
	double behind;			/* share of the side's bytes that it is taken from */
};

/*
 * Speed of each state on one side, as the table of comparisons takes it: geometric mean over the usable
 * rounds of one mode, of the bins that hold this state only. None from less than min_class_share of the
 * bytes or min_class_ios I/Os.
 */
void class_speeds(const struct thresholds *limits, const struct workload_result *w, int side,
		  struct kind_speed speed[static DATA_STATES]);

/* Shares of the classified bytes of one side: of the pairs, or of all it read when there are none. */
void side_class_shares(const struct workload_result *w, int side, double share[static DATA_STATES]);

/*
 * Ratio A over B that the mixes alone would give if both drives had the speeds of one, *reference;
 * NaN when neither drive read all that the other one did. plan: how long its ranges were timed; NULL: as
 * long as equal bytes take.
 */
double predicted_ratio(const struct thresholds *limits, const struct workload *plan,
		       const struct workload_result *w, int *reference);

/* A share that counts as there at all. */
#define SHARE_SEEN 0.0005
/* A share from which on nothing is missing. */
#define WHOLE 0.999

/* Share of the offsets on both sides that is known of, at 95 % confidence, from sampled ones. */
double match_lower_bound(const struct data_match *m);
bool match_sampled(const struct data_match *m);

#endif
