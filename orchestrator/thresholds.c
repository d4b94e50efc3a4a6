/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The default thresholds and what each means. */
#include "thresholds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

const struct thresholds thresholds_default = {
	.margin_ratio = 1.02,
	.latency_margin_ratio = 1.05,
	.alpha = 0.05,
	.min_rounds = 6,
	.match_valid = 0.95,
	.match_narrower = 0.05,
	.hash_identical = 0.99,
	.state_share_slack = 0.05,
	.compress_slack = 0.10,
	.min_matched_offsets = 8,
	.min_class_share = 0.01,
	.min_class_ios = 50,
	.class_effect_ratio = 1.05,
	.explains_nothing = 0.10,
	.explains_some = 0.25,
	.link_bound = 0.90,
	.link_near = 0.80,
	.foreign_some = 0.005,
	.foreign_much = 0.02,
	.cpu_possible_percent = 85,
	.queue_occupancy = 0.8,
	.wear_points = 10,
	.wear_high_percent = 80,
	.spare_margin_points = 10,
	.thermal_near_c = 5,
	.speed_drop = 0.05,
	.thermal_correlation = -0.6,
	.thermal_p = 0.01,
	.interference_some = 0.05,
	.interference_none = 0.02,
	.uplink_bound = 0.90,
	.smart_alive = 0.98,
	.smart_min_units = 100,
	.gate_missed = 0.10,
	.probe_overhead = 0.005,
	.fill_points = 10,
};

#define T(member, text, least, most) { #member, text, offsetof(struct thresholds, member), least, most }
const struct threshold_info thresholds_info[] = {
	T(margin_ratio, "speeds closer than this ratio count as equal", 1.0001, 2),
	T(latency_margin_ratio, "latencies closer than this ratio count as equal", 1.0001, 2),
	T(alpha, "p-values below this count", 1e-6, 0.5),
	T(min_rounds, "rounds needed before anything is claimed", 6, 100000),
	T(match_valid, "share of bytes of the same kind on both sides that allows a headline", 0.5, 1),
	T(match_narrower, "share of bytes of the same kind below which nothing is compared", 0, 1),
	T(hash_identical, "share of equal content hashes that is called identical bytes", 0.5, 1),
	T(state_share_slack, "shares of a kind of data this close count as equal", 0, 0.5),
	T(compress_slack, "distributions of compressibility this close count as equal", 0, 0.5),
	T(min_matched_offsets, "offsets of the same kind needed for a narrower comparison", 1, 100000),
	T(min_class_share, "share of a drive's bytes from which a kind of data is given a speed", 0, 1),
	T(min_class_ios, "I/Os of all rounds from which a kind of data is given a speed", 1, 1e9),
	T(class_effect_ratio, "two kinds of data on one drive this far apart in speed matter", 1.0001, 10),
	T(explains_nothing, "an explanation for at most this share of the gap is ruled out", 0, 1),
	T(explains_some, "a bound that leaves this share of the gap is too loose", 0, 1),
	T(link_bound, "share of the link's limit from which the link is the limit", 0.1, 1.5),
	T(link_near, "share of the link's limit below which the link is no limit", 0.1, 1.5),
	T(foreign_some, "other traffic, as a share of fio's bytes, that is possible interference", 0, 1),
	T(foreign_much, "other traffic, as a share of fio's bytes, that is interference", 0, 1),
	T(cpu_possible_percent, "percent of one core, used by one fio thread, that may be a limit", 1, 100),
	T(queue_occupancy, "mean occupancy below which a queue meant to be full was not", 0, 1),
	T(wear_points, "difference of percentage used, in points, that is a sign", 1, 100),
	T(wear_high_percent, "percentage used that is a sign by itself", 1, 255),
	T(spare_margin_points, "available spare this near to its threshold is a sign", 0, 100),
	T(thermal_near_c, "degrees below the warning temperature that count as hot", 0, 100),
	T(speed_drop, "fall of speed within a slot that counts", 0.001, 1),
	T(thermal_correlation, "rank correlation of temperature and speed over the slots that is a sign",
	  -1, 0),
	T(thermal_p, "p of that correlation below which it counts", 1e-6, 0.5),
	T(interference_some, "loss of speed when both run at once that counts", 0.001, 1),
	T(interference_none, "loss of speed when both run at once that is none", 0.0001, 1),
	T(uplink_bound, "share of a shared link's limit from which that link is the limit", 0.1, 1.5),
	T(smart_alive, "share of fio's bytes that a SMART page must count to be alive", 0.01, 1),
	T(smart_min_units, "SMART data units that must have moved to call the counters alive", 1, 1e9),
	T(gate_missed, "share of rounds that did not start cool above which nothing about heat or order is sure",
	  0, 1),
	T(probe_overhead, "share of the speed that recording may cost and be no explanation", 0.0001, 0.5),
	T(fill_points, "difference of the used share of a namespace, in points, that counts", 0, 100),
	{ 0 },
};

double threshold_value(const struct thresholds *limits, const struct threshold_info *info)
{
	return *(const double *)((const char *)limits + info->offset);
}

const struct threshold_info *threshold_find(const char *name)
{
	for (const struct threshold_info *i = thresholds_info; i->name; i++) {
		if (!strcmp(i->name, name))
			return i;
	}
	return NULL;
}

/* Letters to add, take away or change to make one name of the other (Levenshtein). */
static size_t edits(const char *a, const char *b)
{
	size_t row[64], n = strlen(b), before;

	if (n >= sizeof(row) / sizeof(*row))
		return SIZE_MAX;
	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 1; *a; i++, a++) {
		before = row[0];
		row[0] = i;
		for (size_t k = 1; k <= n; k++) {
			size_t least = before + (*a != b[k - 1]);

			before = row[k];
			if (row[k] + 1 < least)
				least = row[k] + 1;
			if (row[k - 1] + 1 < least)
				least = row[k - 1] + 1;
			row[k] = least;
		}
	}
	return row[n];
}

/* The beginning of a name is nearly that name. */
static size_t distance(const char *given, const char *name)
{
	size_t n = strlen(given);

	return n >= 3 && !strncmp(given, name, n) ? 1 : edits(given, name);
}

const struct threshold_info *threshold_nearest(const char *name)
{
	const struct threshold_info *nearest = thresholds_info;

	for (const struct threshold_info *i = thresholds_info; i->name; i++) {
		if (distance(name, i->name) < distance(name, nearest->name))
			nearest = i;
	}
	return nearest;
}

int threshold_set(struct thresholds *limits, const struct threshold_info *info, double value)
{
	if (!(value >= info->least && value <= info->most))
		return -ERANGE;
	*(double *)((char *)limits + info->offset) = value;
	return 0;
}

const char *thresholds_conflict(const struct thresholds *l)
{
	if (l->match_narrower > l->match_valid)
		return "match_narrower is above match_valid";
	if (l->explains_nothing > l->explains_some)
		return "explains_nothing is above explains_some";
	if (l->foreign_some > l->foreign_much)
		return "foreign_some is above foreign_much";
	if (l->link_near > l->link_bound)
		return "link_near is above link_bound";
	if (l->interference_none > l->interference_some)
		return "interference_none is above interference_some";
	return NULL;
}

int thresholds_plan(const struct thresholds *limits, struct plan *plan)
{
	size_t n = 0;

	while (thresholds_info[n].name)
		n++;
	plan->thresholds = calloc(n, sizeof(*plan->thresholds));
	if (!plan->thresholds)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct number *number = &plan->thresholds[plan->thresholds_count++];

		number->value = threshold_value(limits, &thresholds_info[i]);
		number->name = strdup(thresholds_info[i].name);
		if (!number->name)
			return -ENOMEM;
	}
	return 0;
}

/* What is unknown here or absurd was refused or noted by who read the plan. */
void thresholds_planned(const struct plan *plan, struct thresholds *limits)
{
	*limits = thresholds_default;
	for (size_t i = 0; i < plan->thresholds_count; i++) {
		const struct number *number = &plan->thresholds[i];
		const struct threshold_info *info = number->name ? threshold_find(number->name) : NULL;

		if (info)
			threshold_set(limits, info, number->value);
	}
}
