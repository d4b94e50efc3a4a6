/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every number that a rule compares with, in one table: the judge's only settings. */
#ifndef NVMATCH_THRESHOLDS_H
#define NVMATCH_THRESHOLDS_H

#include <stddef.h>

struct plan;

struct thresholds {
	/* statistics */
	double margin_ratio;		/* speeds closer than this count as equal */
	double latency_margin_ratio;	/* the same for latency percentiles: fio's bins are coarse */
	double alpha;			/* of p-values */
	double min_rounds;		/* below it nothing is claimed */
	/* data state */
	double match_valid;		/* share of bytes of one class on both sides that allows a headline */
	double match_narrower;		/* below it not even a narrower comparison */
	double hash_identical;		/* share of equal hashes that is called identical bytes */
	double state_share_slack;	/* class shares this close are equal */
	double compress_slack;		/* distributions of compressibility this close are equal */
	double min_matched_offsets;	/* for a narrower comparison */
	double min_class_share;		/* of a side's bytes, for a speed of a kind of data */
	double min_class_ios;		/* the same in I/Os of all rounds */
	double class_effect_ratio;	/* classes of one drive this far apart in speed matter */
	/* explanations */
	double explains_nothing;	/* at most this share of the gap: ruled out */
	double explains_some;		/* at least this share: possible */
	double link_bound;		/* share of the link's limit: bound by the link */
	double link_near;		/* below it the link is no limit */
	double foreign_some;		/* other traffic as a share of fio's bytes: possible */
	double foreign_much;		/* supported */
	double cpu_possible_percent;	/* of one core, by one fio thread */
	double queue_occupancy;		/* below it a queue meant to be full was not */
	double wear_points;		/* difference of percent_used that is a sign */
	double wear_high_percent;	/* percent_used that is a sign by itself */
	double spare_margin_points;	/* avail_spare this near to its threshold is a sign */
	double thermal_near_c;		/* this near to the warning temperature counts as hot */
	double speed_drop;		/* fall of speed that counts */
	double thermal_correlation;	/* rank correlation of temperature and speed that is a sign */
	double thermal_p;		/* and its p */
	double interference_some;	/* loss when both run at once that counts */
	double interference_none;	/* loss whose upper bound below this is none */
	double uplink_bound;		/* share of a shared link's limit */
	double smart_alive;		/* share of fio's bytes that a SMART page must count to be alive */
	double smart_min_units;		/* data units that must have moved to call SMART alive */
	double gate_missed;		/* rounds that missed the cool-down gate, as a share, that make heat and order unsure */
	double probe_overhead;		/* speed that recording may cost, as a share, and be no explanation */
	double fill_points;		/* difference of the used share of the namespace that counts */
};

extern const struct thresholds thresholds_default;

/* Name, meaning, place and sensible values of each member; a NULL name ends the list. */
struct threshold_info {
	const char *name, *meaning;
	size_t offset;
	double least, most;
};
extern const struct threshold_info thresholds_info[];
double threshold_value(const struct thresholds *limits, const struct threshold_info *info);

/* By name; NULL: there is none. threshold_nearest() is then the one that was meant, most likely. */
const struct threshold_info *threshold_find(const char *name);
const struct threshold_info *threshold_nearest(const char *name);

/* Sets one. -ERANGE when the value is outside least to most (or no number): nothing is set. */
int threshold_set(struct thresholds *limits, const struct threshold_info *info, double value);

/* Pairs that contradict each other: why, as a static sentence, or NULL. */
const char *thresholds_conflict(const struct thresholds *limits);

/* Into and out of a plan. 0 or -ENOMEM; what a plan lacks is the default. */
int thresholds_plan(const struct thresholds *limits, struct plan *plan);
void thresholds_planned(const struct plan *plan, struct thresholds *limits);

#endif
