/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ledger: one function for each possible explanation of a difference. It looks at the evidence
 * and says a state; the words around it come from one template for each state, so that no
 * explanation can say more than its state allows.
 *
 *   supported      a direct sign, where the slowdown is, large enough to matter: it took part
 *   possible       an indirect sign, or a bound too loose to exclude it
 *   not supported  looked, saw no sign, but has blind spots
 *   ruled out      looked, and a bound or a control leaves it at most a tenth of the gap
 *   not measured   could not look
 *
 * To add one: a function here, a line in the table in hypotheses.c, a case in test-hypotheses.c, a
 * paragraph in docs/ledger.md.
 */
#ifndef NVMATCH_HYPOTHESES_H
#define NVMATCH_HYPOTHESES_H

#include "judge-build.h"

/* What a function has found. It is asked once a run; `state` starts as not measured. */
struct finding {
	int state;		/* enum ledger_state */
	char *what;		/* the measure and its values, or the reason for not measured */
	double explains;	/* at most this share of the gap; NaN: unknown */
	const char *to_measure;	/* next step, if another than the table's */
	const char *blind_spot;	/* of not supported, likewise */
};

typedef void hypothesis_fn(struct judging *j, struct ledger_row *row, struct finding *f);

hypothesis_fn data_state_mismatch, deallocated_or_zero_reads, sparse_or_unwritten_extents, wear, media_errors,
	thermal_throttling, pcie_downtrained, pcie_link_differs, shared_uplink, host_cpu_bound, page_cache_hits,
	background_io, gc_slc_state, power_state_apst, firmware_differs, lba_format_differs,
	queue_settings_differ, misalignment, data_age_or_layout, numa_distance, order_effects,
	fill_level_overprovision, host_path_differs, link_errors, probe_overhead, capacity_or_model_differs;

/* Adds a row for each hypothesis, in the order of the table. */
void hypotheses_judge(struct judging *j);
/* Is there a row of that id? */
bool hypothesis_exists(const char *id);

/* Sets state and words of a finding; the last call counts. */
void found(struct judging *j, struct finding *f, int state, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Names a file of the first usable slot of each side as evidence; pointer may be NULL. */
void point_at_slots(struct judging *j, struct ledger_row *row, const char *pointer, const char *file);

/* A state from the kind of sign and the share of the gap it can explain. */
enum sign { SIGN_NONE, SIGN_INDIRECT, SIGN_DIRECT };
int explained_state(const struct thresholds *limits, enum sign sign, double share);

/* A sign on one side says nothing about the other being slow: supported only where the slowdown is. */
int where_slow(const struct judging *j, int side, int state);

/* Evidence: the records of one slot of both sides. */
void point_at_records(struct judging *j, struct ledger_row *row, const struct workload_case *c);
/* The name of a workload of which nothing recorded what was read; NULL: there is none. */
const char *judge_unrecorded(const struct judging *j);
/* At most what the device moved beyond what fio asked for, as a share of that; NaN: no accounting. */
double traffic_extra(const struct judging *j, int side);

/*
 * The side whose speed in this workload is not only the drive's: its link cannot carry as much (*share is
 * NaN then), or *share of fio's bytes, more than foreign_some, never reached the device. -1: neither.
 */
int never_reached(const struct judging *j, const struct workload_result *workload, double *share);
/* Share of a namespace in use (NUSE); NaN: unknown, or it only repeats the capacity and says nothing. */
double namespace_used(const struct identify *id);

/* Pure decisions, apart for their tests. */
struct thermal_input {
	double warning_c, tmt1_c;	/* NaN: not reported, or not in use */
	double t_max_c;
	double d_warning_min, d_critical_min;			/* minutes, after - before */
	double d_tmt1_count, d_tmt2_count, d_tmt1_s, d_tmt2_s;
	bool critical_bit1, counters_alive;
	bool vendor_counted;		/* the drive's own log counts throttling (OCP); then: */
	double d_vendor_events;		/* after - before, summed over the slots */
	bool vendor_throttled;		/* it said so before or after a slot */
	double seconds_at_threshold;	/* over all slots; NaN: not sampled, or no threshold */
	double speed_when_hot_ratio;	/* least in a slot that was at the threshold */
	double drop;			/* largest fall of speed within a slot that came near the threshold */
	double rho, p;			/* of temperature and speed over slots, time taken out */
};
/* *sign is a static phrase: what decided. */
int thermal_state(const struct thresholds *limits, const struct thermal_input *in, const char **sign);

struct uplink_input {
	bool shared;
	double loss[SIDES], loss_high[SIDES];	/* NaN: not measured */
	double sum_over_limit;
};
int uplink_state(const struct thresholds *limits, const struct uplink_input *in);

#endif
