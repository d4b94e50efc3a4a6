/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every struct that travels the line  plan -> jobs -> run -> gather -> judge -> report.
 * Units are in the names. Strings are owned by the struct. What is not known carries a mark and
 * is never 0: UNKNOWN_I64 for integers, NaN for doubles, NULL for strings.
 * JSON keys are the member names (model-json*.c); frees are fields_free() with the same tables.
 */
#ifndef NVMATCH_MODEL_H
#define NVMATCH_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model-drive.h"
#include "model-pages.h"
#include "model-plan.h"
#include "model-runs.h"
#include "model-survey.h"
#include "record/state.h"
#include "text.h"

#define DATA_STATES REC_STATES	/* arrays by data state are indexed by enum rec_state */

extern const char *const data_state_names[];	/* index: data state; ends with NULL (model-json.c) */

struct number {
	char *name;			/* unit in the name */
	double value;
};

/* ---- what fio said (fio-json.c) ---------------------------------------------------------- */

enum fio_state { FIO_OK, FIO_FAILED, FIO_INTERRUPTED, FIO_NOT_RUN, FIO_NO_RESULT, FIO_SUSPECT };

struct fio_latency_bin {
	int64_t ns, count;
};

struct fio_latency {
	char *kind;			/* clat or lat; NULL: fio gave none */
	double mean_ns, stddev_ns;
	int64_t min_ns, max_ns, samples;
	double p50_ns, p90_ns, p99_ns, p99_9_ns, p99_99_ns;
	struct fio_latency_bin *bins;	/* ascending; of json+ only */
	size_t bins_count;
};

struct fio_direction {
	int64_t bytes, ios, runtime_ms, short_ios;
	double bw_bytes_per_s, iops;
	struct fio_latency latency_ns;
};

struct fio_job {
	char *name;
	int state;			/* enum fio_state */
	int64_t error;
	char *reason;
	int64_t runtime_ms, elapsed_s;
	double user_cpu_percent, system_cpu_percent;
	int64_t context_switches;
	int64_t depth_asked;
	double depth_reached;		/* mean of iodepth_level: in what share of submissions which depth */
	struct fio_direction read, write, trim;
};

struct fio_run {
	int state;			/* enum fio_state of the whole run */
	char *reason;
	char *fio_version;
	struct strings warnings;
	struct fio_job *jobs;
	size_t jobs_count;
};

/* ---- SMART / Health page (smart.c); names as nvme-cli's ---------------------------------- */

struct smart {
	bool valid;			/* false: not read, or an all-zero page */
	char *reason;			/* why not */
	int64_t critical_warning;	/* bits */
	int64_t temperature_k;		/* unknown when the page says 0 */
	int64_t avail_spare, spare_thresh, percent_used;	/* percent; spare_thresh unknown when reserved */
	int64_t endurance_grp_critical_warning_summary;
	struct smart_counter data_units_read, data_units_written, host_read_commands, host_write_commands;
	struct smart_counter controller_busy_time, power_cycles, power_on_hours, unsafe_shutdowns;
	struct smart_counter media_errors, num_err_log_entries;
	int64_t warning_temp_time, critical_comp_time;	/* minutes */
	int64_t temperature_sensor_k[8];	/* unknown: absent */
	int64_t thm_temp1_trans_count, thm_temp2_trans_count;
	int64_t thm_temp1_total_time, thm_temp2_total_time;	/* seconds */
};

/* ---- what was measured (gather.c) -------------------------------------------------------- */

/* One data state on one side: I/Os, bytes, and the time in which they were what completed. */
struct class_speed {
	int64_t ios, bytes;
	double busy_ns;
};

/* /sys/block/X/stat, summed over the paths of a multipath namespace. Bytes = sectors x 512. */
struct block_counters {
	int64_t read_bytes, read_ios, written_bytes, written_ios, discarded_bytes, in_flight;
};

/* A link of the path while a slot ran, looked at once a second. Unknown where it was never readable. */
struct link_load {
	char *address;			/* 0000:03:00.0 */
	int64_t samples;
	double speed_min_gt_per_s, speed_max_gt_per_s;
	int64_t width_min_lanes, width_max_lanes;
};

/* The bytes of one side of a slot by three counts (reconcile.h). Unknown: that count is not to be had. */
struct accounting {
	int64_t asked_bytes;		/* fio's reads and writes, ramps included */
	int64_t block_bytes;		/* what the block device did; exact */
	int64_t block_foreign_bytes;	/* block - asked */
	int64_t smart_low_bytes, smart_high_bytes;	/* what the drive did: the truth lies between */
	int64_t smart_foreign_low_bytes, smart_foreign_high_bytes;	/* less asked */
	char *smart_reason;		/* why there is none */
};

/* The wait before a slot until its drives were as cool and as rested as before the first one. */
enum cooldown_outcome { COOLDOWN_UNKNOWN, COOLDOWN_OFF, COOLDOWN_NO_SENSOR, COOLDOWN_PASSED,
			COOLDOWN_MISSED };
struct cooldown_record {
	int outcome;			/* enum cooldown_outcome, of all drives of the slot */
	int64_t waited_ns;
	double start_c, gate_c;		/* of this side; NaN: not known, no gate */
	char *reason;			/* what was still waited for when the gate was missed */
};

/* One side of one slot. */
struct measurement {
	bool usable;			/* may be compared */
	char *reason;			/* why not */
	char *slot;			/* name of the slot: where the evidence lies */
	int fio_state;
	int64_t bytes, ios, runtime_ns;	/* of the workload's direction(s), all ranges together */
	double bw_bytes_per_s, iops, latency_mean_ns, latency_p50_ns, latency_p99_ns, latency_p99_9_ns;
	int64_t latency_max_ns;
	double user_cpu_percent, system_cpu_percent, depth_reached;
	struct class_speed classes[DATA_STATES];	/* all that was recorded, by data state */
	struct class_speed pure[DATA_STATES];	/* all I/Os in the bins of one state only: speeds by kind */
	double matched_bw_bytes_per_s;	/* over offsets whose state is equal on both sides; NaN: none */
	double matched_class_bw_bytes_per_s[DATA_STATES];
	double classified_share;	/* of bytes; 1.0: every byte's state is known */
	int64_t recorded_ios;		/* what the engine counted; must equal ios without a ramp */
	double recorded_ns;		/* from completion to completion, ramps left out; of several clones their mean */
	int64_t moved_bytes;		/* all that the threads did, ramps included: what the drive saw */
	struct block_counters block;	/* difference after - before; unknown where not to be had */
	double temperature_start_c, temperature_min_c, temperature_max_c, temperature_end_c;
	int64_t temperature_samples;
	double temperature_slope_c_per_min;	/* least squares; NaN: fewer than 3 samples */
	int64_t first_io_ns, last_io_ns;	/* CLOCK_REALTIME, first submission and last completion */
	int64_t started_ns;		/* CLOCK_REALTIME of the slot's start */
	struct smart smart_before, smart_after;
	struct endurance endurance_before, endurance_after;
	struct ocp_smart ocp_before, ocp_after;
	/* entries that the drive's error log gained in the slot: status code type 2h (media), others */
	int64_t error_entries_media, error_entries_other;
	int64_t error_entries_own;	/* by our reading of pages before the slot, not in the above; unknown */
	bool cache_dropped;
	char *cache_reason;		/* why not */
	char *fio_warning;		/* first line that fio wrote to stderr, though it ended well; or NULL */
	double link_speed_gt_per_s;	/* endpoint, after the slot (under load where sampled) */
	int64_t link_width_lanes;
	/* over the samples that were taken while fio ran; unknown: none was */
	double link_speed_min_gt_per_s, link_speed_max_gt_per_s;
	int64_t link_width_min_lanes, link_width_max_lanes;
	struct link_load *links;	/* in the order of drive.links; NULL: not watched */
	size_t links_count;
	int64_t link_errors;		/* correctable, on all links of the path, during the slot */
	int64_t link_errors_uncorrectable;	/* non-fatal and fatal, likewise */
	double within_run_drop;		/* 1 - median(last)/median(first) throughput, NaN unknown */
	double speed_when_hot_ratio;	/* throughput at or above the threshold over before; NaN */
	double seconds_at_threshold;	/* seconds at or above the lowest known threshold; NaN */
	struct accounting account;
	struct cooldown_record cooldown;
};

enum digest_match { DIGEST_UNKNOWN, DIGEST_EQUAL_SEQUENCE, DIGEST_EQUAL_SET, DIGEST_EQUAL_PREFIX,
		    DIGEST_DIFFERENT, DIGEST_MATCHES };

/* A and B once each in one mode: what a statistic counts as one. */
struct observation {
	int64_t round;
	bool concurrent;
	bool a_first;			/* in single mode: which side ran first */
	struct measurement side[SIDES];
	int digest;			/* enum digest_match, worst over ranges */
	int64_t digest_prefix_ios;	/* I/Os of the equal prefix, summed over ranges */
	double overlap_share;		/* concurrent: time both ran / time either ran */
	double start_skew_ns;		/* concurrent: |first I/O of A - first I/O of B|, worst over ranges */
};

/* The content of both sides, paired by offset over all rounds (method: state match rules). */
struct data_match {
	int64_t pairs, bytes;		/* offsets seen and classified on both sides, and their bytes */
	double same_class_share;	/* M, of bytes */
	double same_hash_share;		/* Hs, of bytes; NaN: no hashes */
	double class_share[SIDES][DATA_STATES];	/* of classified bytes */
	double overlap;			/* sum over classes of the smaller share */
	double compress_distance;	/* largest gap between the two distributions of e; NaN: unknown */
	double classified_share[SIDES];
	int64_t matched_bins, bins;	/* pieces of the ranges: of one equal class on both, and all */
	double changed_share[SIDES];	/* of bytes that both passes hashed and found different; NaN: no two passes */
};

/* Throughput by offset, for pictures. */
struct bin {
	int64_t offset_bytes, length_bytes;
	double bw_bytes_per_s[SIDES];
	int64_t class_bytes[SIDES][DATA_STATES];
};

/* One drive in one round, with and without the engine's recording. */
struct probe {
	int64_t round;
	int side;			/* enum side */
	double plain_iops, recorded_iops;
};

struct workload_result {
	char *name;
	int64_t workload;		/* index in plan.workloads */
	struct observation *observations;	/* rounds x modes, in order of running */
	size_t observations_count;
	struct data_match match;
	struct bin *bins;
	size_t bins_count;
	struct probe *probes;
	size_t probes_count;
};

struct result {
	char *run;			/* path of the run directory */
	char *state;			/* complete, interrupted, failed, unfinished */
	char *label[SIDES];		/* given by the user, or NULL */
	struct strings command;		/* run-suite and its arguments, as typed */
	struct plan plan;
	struct drive drives[SIDES];
	struct host host;
	struct survey survey;		/* of these drives before the first slot; drives_count 0: none */
	struct workload_result *workloads;
	size_t workloads_count;
	struct stop stop;
	struct calibration calibration;
	char *started_utc;		/* or NULL */
	struct session *sessions;	/* earlier ones, oldest first */
	size_t sessions_count;
	struct strings notes;		/* what a reader must know: missing slots, skipped files */
};

#include "model-verdict.h"	/* what is said (judge.c); needs enum side */

#endif
