/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of model.h for log pages beside the SMART page (smart-pages.c): endurance group, OCP, errors. */
#ifndef NVMATCH_MODEL_PAGES_H
#define NVMATCH_MODEL_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct smart_counter {			/* 128 bits as the page has them */
	uint64_t low, high;
};

/* Endurance Group Information (log 09h; NVMe base spec 2.0, figure 217). Names as libnvme's. */
struct endurance {
	bool valid;			/* false: not offered, not read, or an all-zero page */
	char *reason;			/* why not */
	int64_t critical_warning;	/* bits */
	int64_t avl_spare, avl_spare_threshold, percent_used;	/* percent; threshold unknown when reserved */
	int64_t domain_identifier;
	/* counts of 10^9 bytes, rounded up by the drive */
	struct smart_counter endurance_estimate, data_units_read, data_units_written, media_units_written;
	struct smart_counter host_read_cmds, host_write_cmds;
	struct smart_counter media_data_integrity_err, num_err_info_log_entries;
	struct smart_counter total_end_grp_cap, unalloc_end_grp_cap;	/* bytes */
};

/* SMART / Health Information Extended of the OCP Datacenter NVMe SSD specification (log C0h). */
struct ocp_smart {
	bool valid;			/* false: not offered, not read, or not this page */
	char *reason;
	struct smart_counter physical_media_units_written, physical_media_units_read;	/* bytes */
	int64_t bad_user_nand_blocks_raw, bad_user_nand_blocks_normalized;
	int64_t bad_system_nand_blocks_raw, bad_system_nand_blocks_normalized;
	struct smart_counter xor_recovery_count, uncorrectable_read_err_count, soft_ecc_err_count;
	int64_t end_to_end_detected_err, end_to_end_corrected_err;
	int64_t system_data_used_percent, refresh_counts;
	int64_t user_data_erase_count_max, user_data_erase_count_min;
	int64_t thermal_throttling_event_count;		/* one byte wide */
	int64_t thermal_throttling_current_status;	/* 0: none, 1 to 3: level */
	int64_t dssd_major_version, dssd_minor_version, dssd_point_version, dssd_errata_version;
	struct smart_counter pcie_correctable_err_count;
	int64_t incomplete_shutdowns, percent_free_blocks, capacitor_health;
	struct smart_counter unaligned_io, security_version, total_nuse, plp_start_count;
	struct smart_counter endurance_estimate;	/* bytes */
	struct smart_counter pcie_link_retraining_count, power_state_change_count;	/* version 2 */
	int64_t media_dies_offline, command_timeouts;	/* version 5 */
	struct smart_counter nand_avg_erase_count;	/* version 5 */
	int64_t log_page_version;
};

/* One entry of the Error Information log (01h; NVMe base spec 2.0, figure 206). */
struct error_entry {
	struct smart_counter error_count;	/* 64 bits, rises by one with every entry; never 0 */
	int64_t sqid, cmdid;		/* unknown: FFFFh, not of a command */
	int64_t status_code_type;	/* 2: media and data integrity */
	int64_t status_code;
	bool more, do_not_retry;
	struct smart_counter lba;	/* 64 bits */
	int64_t nsid;
};

struct error_log {
	bool valid;
	char *reason;
	struct error_entry *entries;	/* newest first, empty ones left out */
	size_t entries_count;
};

#endif
