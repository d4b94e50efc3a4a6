/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a test asks of a drive: files of lines KEY=VALUE that are read again when they change. The
 * tables have all keys that are a place in a page; the others are at the end of set().
 */
#include "qshim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WARNING_TEMPERATURE = 0x02, WCTEMP_OFFSET = 266, ELPE_OFFSET = 262, QEMU_WCTEMP = 343 };
enum { ERROR_BYTES = 64, ERRORS = PAGE_BYTES / ERROR_BYTES };

struct key {
	const char *name;
	int offset, bytes;
};

/* NVMe base specification 2.0, figures 207 (SMART / Health), 275 and 280 (Identify) */
static const struct key smart_keys[] = {
	{ "critical_warning", 0, 1 }, { "temperature", 1, 2 }, { "avail_spare", 3, 1 }, { "spare_thresh", 4, 1 },
	{ "percent_used", 5, 1 }, { "data_units_read", 32, 8 }, { "data_units_written", 48, 8 },
	{ "host_read_commands", 64, 8 }, { "host_write_commands", 80, 8 }, { "controller_busy_time", 96, 8 },
	{ "power_cycles", 112, 8 }, { "power_on_hours", 128, 8 }, { "unsafe_shutdowns", 144, 8 },
	{ "media_errors", 160, 8 }, { "num_err_log_entries", 176, 8 }, { "warning_temp_time", 192, 4 },
	{ "critical_comp_time", 196, 4 }, { "temperature_sensor_1", 200, 2 }, { "temperature_sensor_2", 202, 2 },
	{ "thm_temp1_trans_count", 216, 4 }, { "thm_temp2_trans_count", 220, 4 },
	{ "thm_temp1_total_time", 224, 4 }, { "thm_temp2_total_time", 228, 4 }, { NULL, 0, 0 },
}, identify_keys[] = {
	{ "ctratt", 96, 4 }, { "oacs", 256, 2 }, { "elpe", ELPE_OFFSET, 1 }, { "wctemp", WCTEMP_OFFSET, 2 },
	{ "cctemp", 268, 2 }, { "tnvmcap", 280, 8 }, { "hctma", 322, 2 }, { "mntmt", 324, 2 },
	{ "mxtmt", 326, 2 }, { "endgidmax", 340, 2 }, { NULL, 0, 0 },
}, namespace_keys[] = {
	{ "nsze", 0, 8 }, { "ncap", 8, 8 }, { "nuse", 16, 8 }, { "endgid", 102, 2 }, { NULL, 0, 0 },
}, error_keys[] = {	/* figure 206: one entry, the newest first */
	{ "error_count", 0, 8 }, { "sqid", 8, 2 }, { "cmdid", 10, 2 }, { "status_field", 12, 2 },
	{ "parm_error_location", 14, 2 }, { "lba", 16, 8 }, { "nsid", 24, 4 }, { "vs", 28, 1 },
	{ "trtype", 29, 1 }, { "cs", 32, 8 }, { "trtype_spec_info", 40, 2 }, { NULL, 0, 0 },
}, endurance_keys[] = {	/* figure 217 */
	{ "critical_warning", 0, 1 }, { "avl_spare", 3, 1 }, { "avl_spare_threshold", 4, 1 },
	{ "percent_used", 5, 1 }, { "domain_identifier", 6, 2 }, { "endurance_estimate", 32, 16 },
	{ "data_units_read", 48, 16 }, { "data_units_written", 64, 16 }, { "media_units_written", 80, 16 },
	{ "host_read_cmds", 96, 16 }, { "host_write_cmds", 112, 16 }, { "media_data_integrity_err", 128, 16 },
	{ "num_err_info_log_entries", 144, 16 }, { "total_end_grp_cap", 160, 16 },
	{ "unalloc_end_grp_cap", 176, 16 }, { NULL, 0, 0 },
}, ocp_keys[] = {	/* OCP Datacenter NVMe SSD specification 2.0, section 4.8.6 */
	{ "physical_media_units_written", 0, 16 }, { "physical_media_units_read", 16, 16 },
	{ "bad_user_nand_blocks_raw", 32, 6 }, { "bad_user_nand_blocks_normalized", 38, 2 },
	{ "bad_system_nand_blocks_raw", 40, 6 }, { "bad_system_nand_blocks_normalized", 46, 2 },
	{ "xor_recovery_count", 48, 8 }, { "uncorrectable_read_err_count", 56, 8 },
	{ "soft_ecc_err_count", 64, 8 }, { "end_to_end_detected_err", 72, 4 },
	{ "end_to_end_corrected_err", 76, 4 }, { "system_data_used_percent", 80, 1 }, { "refresh_counts", 81, 7 },
	{ "user_data_erase_count_max", 88, 4 }, { "user_data_erase_count_min", 92, 4 },
	{ "thermal_throttling_event_count", 96, 1 }, { "thermal_throttling_current_status", 97, 1 },
	{ "dssd_errata_version", 98, 1 }, { "dssd_point_version", 99, 2 }, { "dssd_minor_version", 101, 2 },
	{ "dssd_major_version", 103, 1 }, { "pcie_correctable_err_count", 104, 8 },
	{ "incomplete_shutdowns", 112, 4 }, { "percent_free_blocks", 120, 1 }, { "capacitor_health", 128, 2 },
	{ "unaligned_io", 136, 8 }, { "security_version", 144, 8 }, { "total_nuse", 152, 8 },
	{ "plp_start_count", 160, 16 }, { "endurance_estimate", 176, 16 },
	{ "pcie_link_retraining_count", 192, 8 }, { "power_state_change_count", 200, 8 },
	{ "log_page_version", 494, 2 }, { NULL, 0, 0 },
};
static const uint8_t ocp_guid[16] = { 0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
				      0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf };

static bool put_key(const struct key *table, const char *name, struct overlay *o, int base, uint64_t value)
{
	for (; o && table->name; table++) {
		if (strcmp(name, table->name))
			continue;
		put_over(o, base + table->offset, value, table->bytes);
		return true;
	}
	return false;
}

/* The page with its GUID and the version of specification 2.0. */
static struct overlay *ocp_page(struct drive *d)
{
	bool is_new = !served_page(d, LOG_OCP_SMART);
	struct overlay *o = serve_page(d, LOG_OCP_SMART);

	if (o && is_new) {
		put_over(o, 494, 3, 2);
		for (int i = 0; i < 16; i++)
			o->value[496 + i] = ocp_guid[i];
	}
	return o;
}

/* error.ENTRY.NAME: the drive also says that its log has that many entries. */
static bool put_error(struct drive *d, const char *name, uint64_t value)
{
	unsigned int entry;
	int n = 0;

	if (sscanf(name, "%u.%n", &entry, &n) != 1 || !n || entry >= ERRORS)
		return false;
	if (entry >= d->identify.value[ELPE_OFFSET])
		put_over(&d->identify, ELPE_OFFSET, entry, 1);
	return put_key(error_keys, name + n, serve_page(d, LOG_ERROR), (int)entry * ERROR_BYTES, value);
}

/* log.PAGE.OFFSET.BYTES: any place in any log page; numbers as C has them. */
static bool put_log(struct drive *d, const char *name, uint64_t value)
{
	struct overlay *o;
	int page, offset, bytes;

	if (sscanf(name, "%i.%i.%i", &page, &offset, &bytes) != 3 || page < 0 || bytes < 1 || bytes > 16 ||
	    offset < 0 || offset > PAGE_BYTES - bytes)
		return false;
	o = page == LOG_SMART ? &d->smart : serve_page(d, (unsigned int)page);
	if (o)
		put_over(o, offset, value, bytes);
	return o;
}

static bool put(struct drive *d, const char *key, uint64_t number)
{
	if (!strncmp(key, "error.", 6))
		return put_error(d, key + 6, number);
	if (!strncmp(key, "endurance.", 10))
		return put_key(endurance_keys, key + 10, serve_page(d, LOG_ENDURANCE), 0, number);
	if (!strncmp(key, "ocp.", 4))
		return put_key(ocp_keys, key + 4, ocp_page(d), 0, number);
	if (!strncmp(key, "log.", 4))
		return put_log(d, key + 4, number);
	return put_key(smart_keys, key, &d->smart, 0, number) ||
	       put_key(identify_keys, key, &d->identify, 0, number) ||
	       put_key(namespace_keys, key, &d->identify_namespace, 0, number);
}

static void set(struct drive *d, const char *key, const char *value)
{
	uint64_t number = strtoull(value, NULL, 0);

	if (put(d, key, number))
		return;
	if (!strcmp(key, "model"))
		put_text_over(&d->identify, 24, value, 40);
	else if (!strcmp(key, "firmware"))
		put_text_over(&d->identify, 64, value, 8);
	else if (!strcmp(key, "pci_id"))
		set_pci_id(d, value);
	else if (!strcmp(key, "max_link") || !strcmp(key, "link"))
		set_link(d, value, *key == 'm');
	else if (!strcmp(key, "refuse_smart"))
		d->refuse_smart = number;
	else if (!strcmp(key, "no_warning"))
		d->no_warning = number;
	else if (!strcmp(key, "dead"))
		set_dead(d, number);
	else if (!strcmp(key, "hang"))
		set_hang(d, number);
	else if (!strcmp(key, "health"))	/* another file of lines, simssd's */
		snprintf(d->health, sizeof(d->health), "%s", value);
	else
		fprintf(stderr, "qshim: %s: unknown key %s\n", d->name, key);
}

static void read_file(struct drive *d, const char *path, struct timespec *was)
{
	char line[600];
	struct stat st;
	FILE *f;

	if (!*path || stat(path, &st) || (st.st_mtim.tv_sec == was->tv_sec && st.st_mtim.tv_nsec == was->tv_nsec))
		return;
	*was = st.st_mtim;
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		char *value = strchr(line, '=');

		line[strcspn(line, "\n")] = '\0';
		if (value) {
			*value++ = '\0';
			set(d, line, value);
		}
	}
	if (f)
		fclose(f);
}

/* A drive at or above its warning temperature says so, unless it is one that does not. */
static void warn_of_temperature(struct drive *d)
{
	uint64_t limit = d->identify.mask[WCTEMP_OFFSET] ? fetch(d->identify.value + WCTEMP_OFFSET, 2) : QEMU_WCTEMP;
	bool hot = d->smart.mask[1] && fetch(d->smart.value + 1, 2) >= limit;

	d->smart.mask[0] |= WARNING_TEMPERATURE;
	d->smart.value[0] = (uint8_t)((d->smart.value[0] & ~WARNING_TEMPERATURE) | (hot ? WARNING_TEMPERATURE : 0));
}

void read_keys(struct drive *d)
{
	read_file(d, d->file, &d->file_time);
	read_file(d, d->health, &d->health_time);
	if (d->smart.used && !d->no_warning)
		warn_of_temperature(d);
}
