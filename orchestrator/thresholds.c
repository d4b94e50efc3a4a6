/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The default thresholds and what each means. */
#include "thresholds.h"

const struct thresholds thresholds_default = {
	.margin_ratio = 1.02,
	.latency_margin_ratio = 1.05,
	.alpha = 0.05,
	.min_rounds = 6,
	.match_valid = 0.95,
	.match_narrower = 0.05,
	.hash_identical = 0.99,
	.state_share_slack = 0.05,
	.min_matched_offsets = 8,
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
	.interference_some = 0.05,
	.interference_none = 0.02,
	.uplink_bound = 0.90,
	.smart_min_units = 100,
	.fill_points = 10,
	.link_payload_bytes = 256,
};

#define T(member, text) { #member, text, offsetof(struct thresholds, member) }
const struct threshold_info thresholds_info[] = {
	T(margin_ratio, "speeds closer than this ratio count as equal"),
	T(latency_margin_ratio, "latencies closer than this ratio count as equal"),
	T(alpha, "p-values below this count"),
	T(min_rounds, "rounds needed before anything is claimed"),
	T(match_valid, "share of bytes of the same kind on both sides that allows a headline"),
	T(match_narrower, "share of bytes of the same kind below which nothing is compared"),
	T(hash_identical, "share of equal content hashes that is called identical bytes"),
	T(state_share_slack, "shares of a kind of data this close count as equal"),
	T(min_matched_offsets, "offsets of the same kind needed for a narrower comparison"),
	T(class_effect_ratio, "two kinds of data on one drive this far apart in speed matter"),
	T(explains_nothing, "an explanation for at most this share of the gap is ruled out"),
	T(explains_some, "a bound that leaves this share of the gap is too loose"),
	T(link_bound, "share of the link's limit from which the link is the limit"),
	T(link_near, "share of the link's limit below which the link is no limit"),
	T(foreign_some, "other traffic, as a share of fio's bytes, that is possible interference"),
	T(foreign_much, "other traffic, as a share of fio's bytes, that is interference"),
	T(cpu_possible_percent, "percent of one core, used by one fio thread, that may be a limit"),
	T(queue_occupancy, "mean occupancy below which a queue meant to be full was not"),
	T(wear_points, "difference of percentage used, in points, that is a sign"),
	T(wear_high_percent, "percentage used that is a sign by itself"),
	T(spare_margin_points, "available spare this near to its threshold is a sign"),
	T(thermal_near_c, "degrees below the warning temperature that count as hot"),
	T(speed_drop, "fall of speed within a slot that counts"),
	T(interference_some, "loss of speed when both run at once that counts"),
	T(interference_none, "loss of speed when both run at once that is none"),
	T(uplink_bound, "share of a shared link's limit from which that link is the limit"),
	T(smart_min_units, "SMART data units that must have moved to call the counters alive"),
	T(fill_points, "difference of the used share of a namespace, in points, that counts"),
	T(link_payload_bytes, "PCIe payload size assumed for the link's limit, in bytes"),
	{ 0 },
};

double threshold_value(const struct thresholds *limits, const struct threshold_info *info)
{
	return *(const double *)((const char *)limits + info->offset);
}
