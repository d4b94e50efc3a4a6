/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables for log pages beside the SMART page. */
#include "model-json.h"

const struct field endurance_fields[] = {
	F_BOOL(struct endurance, valid), F_STRING(struct endurance, reason),
	F_INT(struct endurance, critical_warning), F_INT(struct endurance, avl_spare),
	F_INT(struct endurance, avl_spare_threshold), F_INT(struct endurance, percent_used),
	F_INT(struct endurance, domain_identifier), F_COUNTER(struct endurance, endurance_estimate),
	F_COUNTER(struct endurance, data_units_read),
	F_COUNTER(struct endurance, data_units_written),
	F_COUNTER(struct endurance, media_units_written),
	F_COUNTER(struct endurance, host_read_cmds), F_COUNTER(struct endurance, host_write_cmds),
	F_COUNTER(struct endurance, media_data_integrity_err),
	F_COUNTER(struct endurance, num_err_info_log_entries),
	F_COUNTER(struct endurance, total_end_grp_cap),
	F_COUNTER(struct endurance, unalloc_end_grp_cap),
	F_END
};

const struct field ocp_smart_fields[] = {
	F_BOOL(struct ocp_smart, valid), F_STRING(struct ocp_smart, reason),
	F_COUNTER(struct ocp_smart, physical_media_units_written),
	F_COUNTER(struct ocp_smart, physical_media_units_read),
	F_INT(struct ocp_smart, bad_user_nand_blocks_raw),
	F_INT(struct ocp_smart, bad_user_nand_blocks_normalized),
	F_INT(struct ocp_smart, bad_system_nand_blocks_raw),
	F_INT(struct ocp_smart, bad_system_nand_blocks_normalized),
	F_COUNTER(struct ocp_smart, xor_recovery_count),
	F_COUNTER(struct ocp_smart, uncorrectable_read_err_count),
	F_COUNTER(struct ocp_smart, soft_ecc_err_count),
	F_INT(struct ocp_smart, end_to_end_detected_err),
	F_INT(struct ocp_smart, end_to_end_corrected_err),
	F_INT(struct ocp_smart, system_data_used_percent), F_INT(struct ocp_smart, refresh_counts),
	F_INT(struct ocp_smart, user_data_erase_count_max),
	F_INT(struct ocp_smart, user_data_erase_count_min),
	F_INT(struct ocp_smart, thermal_throttling_event_count),
	F_INT(struct ocp_smart, thermal_throttling_current_status),
	F_INT(struct ocp_smart, dssd_major_version), F_INT(struct ocp_smart, dssd_minor_version),
	F_INT(struct ocp_smart, dssd_point_version), F_INT(struct ocp_smart, dssd_errata_version),
	F_COUNTER(struct ocp_smart, pcie_correctable_err_count),
	F_INT(struct ocp_smart, incomplete_shutdowns), F_INT(struct ocp_smart, percent_free_blocks),
	F_INT(struct ocp_smart, capacitor_health), F_COUNTER(struct ocp_smart, unaligned_io),
	F_COUNTER(struct ocp_smart, security_version), F_COUNTER(struct ocp_smart, total_nuse),
	F_COUNTER(struct ocp_smart, plp_start_count),
	F_COUNTER(struct ocp_smart, endurance_estimate),
	F_COUNTER(struct ocp_smart, pcie_link_retraining_count),
	F_COUNTER(struct ocp_smart, power_state_change_count),
	F_INT(struct ocp_smart, media_dies_offline), F_INT(struct ocp_smart, command_timeouts),
	F_COUNTER(struct ocp_smart, nand_avg_erase_count),
	F_INT(struct ocp_smart, log_page_version),
	F_END
};

const struct field error_entry_fields[] = {
	F_COUNTER(struct error_entry, error_count), F_INT(struct error_entry, sqid),
	F_INT(struct error_entry, cmdid), F_INT(struct error_entry, status_code_type),
	F_INT(struct error_entry, status_code), F_BOOL(struct error_entry, more),
	F_BOOL(struct error_entry, do_not_retry), F_COUNTER(struct error_entry, lba),
	F_INT(struct error_entry, nsid),
	F_END
};

const struct field error_log_fields[] = {
	F_BOOL(struct error_log, valid), F_STRING(struct error_log, reason),
	F_ARRAY(struct error_log, entries, error_entry_fields),
	F_END
};
