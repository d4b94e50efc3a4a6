/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables for what a run knows of other runs: stop, calibration, sessions. */
#include "model-json.h"

static const struct field stop_pilot_fields[] = {
	F_STRING(struct stop_pilot, workload), F_BOOL(struct stop_pilot, concurrent),
	F_INT(struct stop_pilot, rounds), F_DOUBLE(struct stop_pilot, sd_log),
	F_INT(struct stop_pilot, rounds_needed), F_END
};

const struct field stop_fields[] = {
	F_STRING(struct stop, until), F_INT(struct stop, rounds), F_INT(struct stop, most),
	F_BOOL(struct stop, bounded), F_ARRAY(struct stop, pilots, stop_pilot_fields), F_END
};

static const struct field drive_name_fields[] = {
	F_STRING(struct drive_name, target), F_STRING(struct drive_name, model),
	F_STRING(struct drive_name, serial), F_INT(struct drive_name, namespace_id),
	F_INT(struct drive_name, capacity_bytes), F_END
};

static const struct field floor_fields[] = {
	F_STRING(struct noise_floor, workload), F_ENUM(struct noise_floor, verdict, verdict_names),
	F_INT(struct noise_floor, rounds), F_DOUBLE(struct noise_floor, ratio),
	F_DOUBLE(struct noise_floor, ci95_low), F_DOUBLE(struct noise_floor, ci95_high),
	F_DOUBLE(struct noise_floor, sd_log), F_DOUBLE(struct noise_floor, overhead),
	F_DOUBLE(struct noise_floor, overhead_low), F_DOUBLE(struct noise_floor, overhead_high),
	F_INT(struct noise_floor, overhead_rounds), F_END
};

const struct field calibration_fields[] = {
	F_STRING(struct calibration, run), F_STRING(struct calibration, sums_sha256),
	F_STRING(struct calibration, started_utc), F_STRING(struct calibration, suite),
	F_STRING(struct calibration, kernel), F_STRING(struct calibration, fio_version),
	F_STRING(struct calibration, engine_fio_version), F_STRING(struct calibration, base_engine),
	F_STRING(struct calibration, classify), F_STRUCT(struct calibration, drive, drive_name_fields),
	F_ARRAY(struct calibration, workloads, planned_workload_fields),
	F_ARRAY(struct calibration, floors, floor_fields), F_END
};

static const struct field session_value_fields[] = {
	F_STRING(struct session_value, workload), F_STRING(struct session_value, metric),
	F_STRING(struct session_value, subset), F_BOOL(struct session_value, concurrent),
	F_INT(struct session_value, rounds), F_DOUBLE(struct session_value, ratio),
	F_DOUBLE(struct session_value, sd_log), F_END
};

const struct field session_fields[] = {
	F_STRING(struct session, run), F_STRING(struct session, sums_sha256),
	F_STRING(struct session, started_utc), F_STRING(struct session, suite),
	F_STRING(struct session, base_engine), F_STRING(struct session, classify),
	F_INT(struct session, seed), F_ARRAY(struct session, workloads, planned_workload_fields),
	F_STRUCT(struct session, a, drive_name_fields), F_STRUCT(struct session, b, drive_name_fields),
	F_ARRAY(struct session, values, session_value_fields), F_END
};
