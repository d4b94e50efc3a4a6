/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables for drives, hosts, plans and fio's results, and the names of all enums. */
#include "model-json.h"

#include "config.h"

const char *const data_state_names[] = { "unclassified", "zero", "pattern", "highly_compressible",
					 "compressible", "incompressible", NULL };
const char *const slot_mode_names[] = { "A", "B", "AB", NULL };
const char *const slot_purpose_names[] = { "timed", "fingerprint", "plain", NULL };
const char *const noise_state_names[] = { "unknown", "measured", "failed", NULL };
const char *const side_names[] = { "A", "B", NULL };
const char *const rating_names[] = { "below_good", "good", "excellent", "exceptional", NULL };
const char *const fio_state_names[] = { "ok", "failed", "interrupted", "not_run", "no_result",
					"suspect", NULL };
const char *const cooldown_names[] = { "unknown", "off", "no_sensor", "passed", "missed", NULL };
const char *const headline_names[] = { "valid", "narrower", "not_valid", "inconclusive", NULL };
const char *const verdict_names[] = { "different", "equivalent", "equivalent_small_difference",
				      "different_size_unresolved", "inconclusive", "not_compared", NULL };
const char *const ledger_state_names[] = { "not_measured", "supported", "possible", "not_supported",
					   "ruled_out", NULL };
const char *const target_kind_names[] = { "block", "file", "directory", NULL };

json_t *model_document(void)
{
	return json_pack("{s:[ii], s:{s:s, s:s}}", "json_format_version", JSON_FORMAT_MAJOR,
			 JSON_FORMAT_MINOR, "tool", "name", "nvmatch", "version", NVMATCH_VERSION);
}

const struct field pci_link_fields[] = {
	F_STRING(struct pci_link, address),
	F_STRING(struct pci_link, path),
	F_DOUBLE(struct pci_link, current_speed_gt_per_s),
	F_DOUBLE(struct pci_link, max_speed_gt_per_s),
	F_INT(struct pci_link, current_width_lanes),
	F_INT(struct pci_link, max_width_lanes),
	F_INT(struct pci_link, aer_correctable),
	F_INT(struct pci_link, aer_nonfatal), F_INT(struct pci_link, aer_fatal),
	F_INT(struct pci_link, max_payload_bytes), F_INT(struct pci_link, max_payload_supported_bytes),
	F_INT(struct pci_link, max_read_request_bytes), F_INT(struct pci_link, port_type),
	F_END
};

static const struct field sensor_fields[] = {
	F_STRING(struct temperature_sensor, label),
	F_STRING(struct temperature_sensor, path),
	F_DOUBLE(struct temperature_sensor, current_c),
	F_DOUBLE(struct temperature_sensor, max_c),
	F_DOUBLE(struct temperature_sensor, critical_c),
	F_END
};

static const struct field signature_fields[] = {
	F_STRING(struct signature, type),
	F_STRING(struct signature, usage),
	F_STRING(struct signature, device),
	F_STRING(struct signature, uuid),
	F_END
};

static const struct field missing_fields[] = {
	F_STRING(struct missing, field),
	F_STRING(struct missing, reason),
	F_END
};

const struct field identify_fields[] = {
	F_DOUBLE(struct identify, warning_temperature_c),
	F_DOUBLE(struct identify, critical_temperature_c),
	F_INT(struct identify, hctma), F_INT(struct identify, mntmt_k), F_INT(struct identify, mxtmt_k),
	F_INT(struct identify, oacs), F_INT(struct identify, mdts), F_INT(struct identify, npss),
	F_INT(struct identify, apsta), F_INT(struct identify, vwc),
	F_INT(struct identify, total_capacity_bytes),
	F_INT(struct identify, nsze_blocks), F_INT(struct identify, ncap_blocks),
	F_INT(struct identify, nuse_blocks), F_INT(struct identify, nsfeat),
	F_INT(struct identify, dlfeat), F_INT(struct identify, lba_format),
	F_INT(struct identify, lba_data_bytes), F_INT(struct identify, lba_metadata_bytes),
	F_INT(struct identify, lba_relative_performance),
	F_INT(struct identify, tmt1_k), F_INT(struct identify, tmt2_k),
	F_STRING(struct identify, eui64), F_STRING(struct identify, nguid), F_STRING(struct identify, uuid),
	F_INT(struct identify, ctratt), F_INT(struct identify, lpa),
	F_INT(struct identify, error_log_entries), F_INT(struct identify, endurance_group),
	F_INT(struct identify, hmb_wanted_bytes), F_INT(struct identify, hmb_bytes),
	F_INT(struct identify, endurance_log), F_INT(struct identify, ocp_log),
	F_INT(struct identify, ocp_uuid_index), F_INT(struct identify, own_error_entries),
	F_END
};

const struct field drive_fields[] = {
	F_STRING(struct drive, target), F_STRING(struct drive, sysroot), F_STRING(struct drive, path),
	F_ENUM(struct drive, kind, target_kind_names),
	F_STRING(struct drive, kernel_name), F_STRING(struct drive, sysfs_path),
	F_INT(struct drive, device_major), F_INT(struct drive, device_minor),
	F_STRING(struct drive, transport), F_STRING(struct drive, model),
	F_STRING(struct drive, serial), F_STRING(struct drive, firmware),
	F_STRING(struct drive, controller),
	F_INT(struct drive, controller_id), F_INT(struct drive, namespace_id),
	F_STRING(struct drive, eui64), F_STRING(struct drive, nguid), F_STRING(struct drive, uuid),
	F_STRING(struct drive, wwid), F_STRING(struct drive, subsystem_nqn),
	F_STRING(struct drive, pci_address),
	F_ARRAY(struct drive, links, pci_link_fields),
	F_STRING(struct drive, iommu_type), F_INT(struct drive, interrupt_vectors),
	F_STRING(struct drive, interrupt_cpus), F_STRING(struct drive, mapping),
	F_INT(struct drive, numa_node), F_STRING(struct drive, local_cpus),
	F_INT(struct drive, capacity_bytes), F_INT(struct drive, logical_block_bytes),
	F_INT(struct drive, physical_block_bytes), F_INT(struct drive, minimum_io_bytes),
	F_INT(struct drive, optimal_io_bytes), F_INT(struct drive, partition_start_bytes),
	F_STRING(struct drive, whole_device),
	F_STRING(struct drive, scheduler), F_STRING(struct drive, write_cache),
	F_STRING(struct drive, zoned),
	F_INT(struct drive, nr_requests), F_INT(struct drive, max_sectors_kib),
	F_INT(struct drive, max_hw_sectors_kib), F_INT(struct drive, read_ahead_kib),
	F_INT(struct drive, nomerges), F_INT(struct drive, rq_affinity),
	F_INT(struct drive, wbt_latency_us), F_INT(struct drive, rotational),
	F_INT(struct drive, read_only), F_INT(struct drive, io_poll),
	F_INT(struct drive, pm_qos_latency_us),
	F_STRUCT(struct drive, identify, identify_fields),
	F_ARRAY(struct drive, sensors, sensor_fields),
	F_STRINGS(struct drive, mounts), F_STRINGS(struct drive, partitions),
	F_STRINGS(struct drive, holders), F_STRINGS(struct drive, swaps),
	F_ARRAY(struct drive, signatures, signature_fields),
	F_STRINGS(struct drive, stat_paths),
	F_STRING(struct drive, file_system), F_STRING(struct drive, file_system_uuid),
	F_STRING(struct drive, backing_device),
	F_INT(struct drive, file_device), F_INT(struct drive, file_inode),
	F_INT(struct drive, file_bytes), F_INT(struct drive, file_allocated_bytes),
	F_INT(struct drive, free_bytes), F_INT(struct drive, extent_hole_bytes),
	F_INT(struct drive, extent_unwritten_bytes), F_INT(struct drive, extent_mapped_bytes),
	F_INT(struct drive, range_absent_bytes), F_INT(struct drive, range_bytes),
	F_ARRAY(struct drive, missing, missing_fields),
	F_END
};

#define F_KEY(k, t, m) { .key = k, .type = t, .offset = offsetof(struct smart, m) }
const struct field smart_fields[] = {
	F_BOOL(struct smart, valid), F_STRING(struct smart, reason),
	F_INT(struct smart, critical_warning), F_KEY("temperature", FIELD_INT, temperature_k),
	F_INT(struct smart, avail_spare), F_INT(struct smart, spare_thresh),
	F_INT(struct smart, percent_used),
	F_INT(struct smart, endurance_grp_critical_warning_summary),
	F_COUNTER(struct smart, data_units_read), F_COUNTER(struct smart, data_units_written),
	F_COUNTER(struct smart, host_read_commands), F_COUNTER(struct smart, host_write_commands),
	F_COUNTER(struct smart, controller_busy_time), F_COUNTER(struct smart, power_cycles),
	F_COUNTER(struct smart, power_on_hours), F_COUNTER(struct smart, unsafe_shutdowns),
	F_COUNTER(struct smart, media_errors), F_COUNTER(struct smart, num_err_log_entries),
	F_INT(struct smart, warning_temp_time), F_INT(struct smart, critical_comp_time),
	F_KEY("temperature_sensor_1", FIELD_INT, temperature_sensor_k[0]),
	F_KEY("temperature_sensor_2", FIELD_INT, temperature_sensor_k[1]),
	F_KEY("temperature_sensor_3", FIELD_INT, temperature_sensor_k[2]),
	F_KEY("temperature_sensor_4", FIELD_INT, temperature_sensor_k[3]),
	F_KEY("temperature_sensor_5", FIELD_INT, temperature_sensor_k[4]),
	F_KEY("temperature_sensor_6", FIELD_INT, temperature_sensor_k[5]),
	F_KEY("temperature_sensor_7", FIELD_INT, temperature_sensor_k[6]),
	F_KEY("temperature_sensor_8", FIELD_INT, temperature_sensor_k[7]),
	F_INT(struct smart, thm_temp1_trans_count), F_INT(struct smart, thm_temp2_trans_count),
	F_INT(struct smart, thm_temp1_total_time), F_INT(struct smart, thm_temp2_total_time),
	F_END
};

const struct field host_fields[] = {
	F_STRING(struct host, kernel), F_STRING(struct host, cpu_model), F_STRING(struct host, governor),
	F_STRING(struct host, fio_version), F_STRING(struct host, fio_path),
	F_STRING(struct host, engine_path), F_STRING(struct host, engine_fio_version),
	F_STRING(struct host, os_release), F_STRING(struct host, architecture),
	F_INT(struct host, page_bytes), F_INT(struct host, cpus_online), F_INT(struct host, memory_bytes),
	F_STRING(struct host, aspm_policy), F_INT(struct host, nvme_default_ps_max_latency_us),
	F_END
};

const struct field number_fields[] = {
	F_STRING(struct number, name), F_DOUBLE(struct number, value), F_END
};

static const struct field range_fields[] = {
	F_INT(struct range, offset_bytes), F_INT(struct range, length_bytes), F_END
};

const struct field planned_workload_fields[] = {
	F_STRING(struct workload, name), F_STRING(struct workload, job_file),
	F_STRINGS(struct workload, options), F_STRING(struct workload, rw),
	F_INT(struct workload, block_bytes), F_INT(struct workload, iodepth),
	F_INT(struct workload, numjobs), F_BOOL(struct workload, direct),
	F_BOOL(struct workload, writes), F_BOOL(struct workload, timed),
	F_INT(struct workload, ramp_ns), F_INT(struct workload, runtime_ns), F_INT(struct workload, io_bytes),
	F_ARRAY(struct workload, ranges, range_fields),
	F_END
};

static const struct field slot_fields[] = {
	F_INT(struct slot, number), F_STRING(struct slot, name), F_INT(struct slot, workload),
	F_INT(struct slot, round), F_ENUM(struct slot, mode, slot_mode_names),
	F_ENUM(struct slot, purpose, slot_purpose_names), F_END
};

const struct field cooldown_rule_fields[] = {
	F_BOOL(struct cooldown_rule, enabled), F_DOUBLE(struct cooldown_rule, above_start_c),
	F_DOUBLE(struct cooldown_rule, above_idle_c), F_DOUBLE(struct cooldown_rule, below_threshold_c),
	F_DOUBLE(struct cooldown_rule, steady_c), F_INT(struct cooldown_rule, steady_ns),
	F_INT(struct cooldown_rule, rest_ns), F_INT(struct cooldown_rule, timeout_ns), F_END
};

static const struct field baseline_row_fields[] = {
	F_STRING(struct baseline_row, rw), F_INT(struct baseline_row, block_bytes),
	F_STRING(struct baseline_row, metric), F_DOUBLE(struct baseline_row, good),
	F_DOUBLE(struct baseline_row, excellent), F_DOUBLE(struct baseline_row, exceptional), F_END
};

const struct field baseline_fields[] = {
	F_STRING(struct baseline, name), F_STRING(struct baseline, summary),
	F_ARRAY(struct baseline, rows, baseline_row_fields), F_END
};

const struct field plan_fields[] = {
	F_STRING(struct plan, suite), F_STRING(struct plan, base_engine),
	F_INT(struct plan, seed), F_INT(struct plan, rounds),
	F_INT(struct plan, budget_ns), F_INT(struct plan, budget_bytes),
	F_INT(struct plan, expected_ns), F_INT(struct plan, expected_bytes),
	F_STRING(struct plan, cpus_a), F_STRING(struct plan, cpus_b), F_STRING(struct plan, classify),
	F_BOOL(struct plan, cpus_alternate), F_BOOL(struct plan, one_side),
	F_INT(struct plan, record_budget_bytes), F_STRUCT(struct plan, cooldown, cooldown_rule_fields),
	F_STRINGS(struct plan, gates),
	F_STRING(struct plan, fingerprint), F_BOOL(struct plan, calibration),
	F_STRING(struct plan, until), F_INT(struct plan, pilot_rounds),
	F_ARRAY(struct plan, workloads, planned_workload_fields),
	F_ARRAY(struct plan, slots, slot_fields),
	F_STRUCT(struct plan, baseline, baseline_fields),
	F_ARRAY(struct plan, thresholds, number_fields),
	F_END
};

static const struct field latency_bin_fields[] = {
	F_INT(struct fio_latency_bin, ns), F_INT(struct fio_latency_bin, count), F_END
};

static const struct field latency_fields[] = {
	F_STRING(struct fio_latency, kind),
	{ .key = "mean", .type = FIELD_DOUBLE, .offset = offsetof(struct fio_latency, mean_ns) },
	{ .key = "stddev", .type = FIELD_DOUBLE, .offset = offsetof(struct fio_latency, stddev_ns) },
	{ .key = "min", .type = FIELD_INT, .offset = offsetof(struct fio_latency, min_ns) },
	{ .key = "max", .type = FIELD_INT, .offset = offsetof(struct fio_latency, max_ns) },
	F_INT(struct fio_latency, samples),
	{ .key = "p50", .type = FIELD_DOUBLE, .offset = offsetof(struct fio_latency, p50_ns) },
	{ .key = "p90", .type = FIELD_DOUBLE, .offset = offsetof(struct fio_latency, p90_ns) },
	{ .key = "p99", .type = FIELD_DOUBLE, .offset = offsetof(struct fio_latency, p99_ns) },
	{ .key = "p99_9", .type = FIELD_DOUBLE, .offset = offsetof(struct fio_latency, p99_9_ns) },
	{ .key = "p99_99", .type = FIELD_DOUBLE, .offset = offsetof(struct fio_latency, p99_99_ns) },
	F_ARRAY(struct fio_latency, bins, latency_bin_fields),
	F_END
};

static const struct field direction_fields[] = {
	F_INT(struct fio_direction, bytes), F_INT(struct fio_direction, ios),
	F_INT(struct fio_direction, runtime_ms), F_INT(struct fio_direction, short_ios),
	F_DOUBLE(struct fio_direction, bw_bytes_per_s), F_DOUBLE(struct fio_direction, iops),
	F_STRUCT(struct fio_direction, latency_ns, latency_fields),
	F_END
};

const struct field fio_job_fields[] = {
	F_STRING(struct fio_job, name), F_ENUM(struct fio_job, state, fio_state_names),
	F_INT(struct fio_job, error), F_STRING(struct fio_job, reason),
	F_INT(struct fio_job, runtime_ms), F_INT(struct fio_job, elapsed_s),
	F_DOUBLE(struct fio_job, user_cpu_percent), F_DOUBLE(struct fio_job, system_cpu_percent),
	F_INT(struct fio_job, context_switches), F_INT(struct fio_job, depth_asked),
	F_DOUBLE(struct fio_job, depth_reached),
	F_STRUCT(struct fio_job, read, direction_fields),
	F_STRUCT(struct fio_job, write, direction_fields),
	F_STRUCT(struct fio_job, trim, direction_fields),
	F_END
};

const struct field fio_run_fields[] = {
	F_ENUM(struct fio_run, state, fio_state_names), F_STRING(struct fio_run, reason),
	F_STRING(struct fio_run, fio_version), F_STRINGS(struct fio_run, warnings),
	F_ARRAY(struct fio_run, jobs, fio_job_fields),
	F_END
};
