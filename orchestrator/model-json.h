/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the members of the structs in model.h: JSON both ways, and freeing (json-fields.h). */
#ifndef NVMATCH_MODEL_JSON_H
#define NVMATCH_MODEL_JSON_H

#include "json-fields.h"
#include "model.h"

/* Names as they stand in files and JSON; index = value of the enum. */
extern const char *const data_state_names[];	/* by enum rec_state: unclassified, zero, pattern, ... */
extern const char *const slot_mode_names[];	/* A, B, AB */
extern const char *const slot_purpose_names[];	/* timed, fingerprint, plain */
extern const char *const noise_state_names[];	/* unknown, measured, failed */
extern const char *const side_names[];		/* A, B */
extern const char *const rating_names[];	/* below_good, good, excellent, exceptional */
extern const char *const fio_state_names[];	/* ok, failed, interrupted, not_run, no_result, suspect */
extern const char *const cooldown_names[];	/* unknown, off, no_sensor, passed, missed */
extern const char *const headline_names[];	/* valid, narrower, not_valid, inconclusive */
extern const char *const verdict_names[];	/* different, equivalent, ... */
extern const char *const ledger_state_names[];	/* supported, ... as written in JSON */
extern const char *const target_kind_names[];	/* block, file, directory */

extern const struct field drive_fields[], identify_fields[], host_fields[], plan_fields[], baseline_fields[],
	planned_workload_fields[], fio_run_fields[], fio_job_fields[];
extern const struct field pci_link_fields[], number_fields[];
extern const struct field smart_fields[];	/* keys as nvme-cli's: temperatures in Kelvin */

/* keys as libnvme names the members (model-json-pages.c) */
extern const struct field endurance_fields[], ocp_smart_fields[], error_entry_fields[], error_log_fields[];

/* what a run keeps of other runs (model-json-runs.c) */
extern const struct field stop_fields[], calibration_fields[], session_fields[];

#define JSON_FORMAT_MAJOR 1
#define JSON_FORMAT_MINOR 0
/* Every document starts alike: json_format_version and the tool's version. New reference. */
json_t *model_document(void);

#endif
