/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes of the log pages beside the SMART page to numbers. Pure. All little endian. Offsets: NVM
 * Express Base Specification 2.0c, figures 206 (error) and 217 (endurance group); OCP Datacenter
 * NVMe SSD Specification 2.0 and 2.5, SMART / Health Information Extended.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model-json.h"
#include "pages.h"
#include "smart-internal.h"

const char *const page_names[PAGE_KINDS] = { "endurance", "ocp", "error-log" };

/* AFD514C9-7C6F-4F9C-A4F2-BFEA2810AFC5, as a little-endian number */
static const unsigned char ocp_guid[16] = {
	0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4, 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf
};

static int64_t number(const unsigned char *p, int bytes)
{
	return (int64_t)smart_le(p, bytes);
}

static struct smart_counter counter(const unsigned char *p)
{
	return (struct smart_counter){ .low = smart_le(p, 8), .high = smart_le(p + 8, 8) };
}

static struct smart_counter counter64(const unsigned char *p)
{
	return (struct smart_counter){ .low = smart_le(p, 8) };
}

/* Why bytes cannot be a page of that many bytes; NULL: they may be. */
static char *not_a_page(const char *what, const unsigned char *page, size_t length, size_t right)
{
	if (length != right)
		return text_format("the %s has %zu bytes, not %zu", what, length, right);
	if (smart_all_bytes(page, length, 0))
		return text_format("the %s is not valid: all its bytes are 0", what);
	if (smart_all_bytes(page, length, 0xff))
		return text_format("the %s is not valid: all bits are set, as of a drive that is gone", what);
	return NULL;
}

void endurance_unknown(struct endurance *endurance, const char *reason)
{
	*endurance = (struct endurance){ 0 };
	fields_unknown(endurance_fields, endurance);
	endurance->reason = reason ? strdup(reason) : NULL;
}

void endurance_free(struct endurance *endurance)
{
	fields_free(endurance_fields, endurance);
}

void endurance_decode(const unsigned char *page, size_t length, struct endurance *e)
{
	endurance_unknown(e, NULL);
	e->reason = not_a_page("endurance group log", page, length, ENDURANCE_PAGE_BYTES);
	if (e->reason)
		return;
	e->valid = true;
	e->critical_warning = page[0];
	e->avl_spare = page[3];
	e->avl_spare_threshold = page[4] <= 100 ? page[4] : UNKNOWN_I64;
	e->percent_used = page[5];
	e->domain_identifier = number(page + 6, 2);
	e->endurance_estimate = counter(page + 32);
	e->data_units_read = counter(page + 48);
	e->data_units_written = counter(page + 64);
	e->media_units_written = counter(page + 80);
	e->host_read_cmds = counter(page + 96);
	e->host_write_cmds = counter(page + 112);
	e->media_data_integrity_err = counter(page + 128);
	e->num_err_info_log_entries = counter(page + 144);
	e->total_end_grp_cap = counter(page + 160);
	e->unalloc_end_grp_cap = counter(page + 176);
}

void ocp_unknown(struct ocp_smart *ocp, const char *reason)
{
	*ocp = (struct ocp_smart){ 0 };
	fields_unknown(ocp_smart_fields, ocp);
	ocp->reason = reason ? strdup(reason) : NULL;
}

void ocp_free(struct ocp_smart *ocp)
{
	fields_free(ocp_smart_fields, ocp);
}

/* All bits set in a raw count: the drive does not tell. */
static int64_t raw48(const unsigned char *p)
{
	return smart_all_bytes(p, 6, 0xff) ? UNKNOWN_I64 : number(p, 6);
}

/* What every version of the page has. */
static void ocp_first(const unsigned char *page, struct ocp_smart *o)
{
	o->physical_media_units_written = counter(page);
	o->physical_media_units_read = counter(page + 16);
	o->bad_user_nand_blocks_raw = raw48(page + 32);
	o->bad_user_nand_blocks_normalized = number(page + 38, 2);
	o->bad_system_nand_blocks_raw = raw48(page + 40);
	o->bad_system_nand_blocks_normalized = number(page + 46, 2);
	o->xor_recovery_count = counter64(page + 48);
	o->uncorrectable_read_err_count = counter64(page + 56);
	o->soft_ecc_err_count = counter64(page + 64);
	o->end_to_end_detected_err = number(page + 72, 4);
	o->end_to_end_corrected_err = number(page + 76, 4);
	o->system_data_used_percent = page[80];
	o->refresh_counts = number(page + 81, 7);
	o->user_data_erase_count_max = number(page + 88, 4);
	o->user_data_erase_count_min = number(page + 92, 4);
	o->thermal_throttling_event_count = page[96];
	o->thermal_throttling_current_status = page[97];
	o->pcie_correctable_err_count = counter64(page + 104);
	o->incomplete_shutdowns = number(page + 112, 4);
	o->percent_free_blocks = page[120];
	o->capacitor_health = number(page + 128, 2);
	o->unaligned_io = counter64(page + 136);
	o->security_version = counter64(page + 144);
	o->total_nuse = counter64(page + 152);
	o->plp_start_count = counter(page + 160);
	o->endurance_estimate = counter(page + 176);
}

/* What came later: reserved bytes of an older page say nothing. */
static void ocp_later(const unsigned char *page, struct ocp_smart *o)
{
	if (o->log_page_version >= 2) {
		o->dssd_errata_version = page[98];
		o->dssd_point_version = number(page + 99, 2);
		o->dssd_minor_version = number(page + 101, 2);
		o->dssd_major_version = page[103];
		o->pcie_link_retraining_count = counter64(page + 192);
		o->power_state_change_count = counter64(page + 200);
	}
	if (o->log_page_version >= 5) {
		o->media_dies_offline = number(page + 220, 2);
		o->nand_avg_erase_count = counter64(page + 224);
		o->command_timeouts = number(page + 232, 4);
	}
}

void ocp_decode(const unsigned char *page, size_t length, struct ocp_smart *ocp)
{
	ocp_unknown(ocp, NULL);
	ocp->reason = not_a_page("OCP log", page, length, OCP_PAGE_BYTES);
	if (ocp->reason)
		return;
	if (memcmp(page + 496, ocp_guid, sizeof(ocp_guid))) {
		ocp->reason = strdup("log C0h is another page of the vendor: it lacks the OCP identifier");
		return;
	}
	ocp->log_page_version = number(page + 494, 2);
	ocp->valid = true;
	ocp_first(page, ocp);
	ocp_later(page, ocp);
}

void error_log_free(struct error_log *log)
{
	fields_free(error_log_fields, log);
}

/* Bit 0 of the status field is the phase tag; what a completion would carry lies above it. */
static void entry_decode(const unsigned char *p, struct error_entry *e)
{
	unsigned int status = (unsigned int)smart_le(p + 12, 2) >> 1;

	*e = (struct error_entry){
		.error_count = counter64(p),
		.sqid = smart_le(p + 8, 2) == 0xffff ? UNKNOWN_I64 : number(p + 8, 2),
		.cmdid = smart_le(p + 10, 2) == 0xffff ? UNKNOWN_I64 : number(p + 10, 2),
		.status_code = status & 0xff,
		.status_code_type = status >> 8 & 7,
		.more = status >> 13 & 1,
		.do_not_retry = status >> 14 & 1,
		.lba = counter64(p + 16),
		.nsid = number(p + 24, 4),
	};
}

int error_log_decode(const unsigned char *page, size_t length, struct error_log *log)
{
	*log = (struct error_log){ 0 };
	if (!length || length % ERROR_ENTRY_BYTES || length > 256 * ERROR_ENTRY_BYTES) {
		log->reason = text_format("an error log has entries of %d bytes and at most 256 of them; this has "
					  "%zu bytes", ERROR_ENTRY_BYTES, length);
		return log->reason ? 0 : -ENOMEM;
	}
	if (smart_all_bytes(page, length, 0xff)) {
		log->reason = strdup("the error log is not valid: all bits are set, as of a drive that is gone");
		return log->reason ? 0 : -ENOMEM;
	}
	log->entries = calloc(length / ERROR_ENTRY_BYTES, sizeof(*log->entries));
	if (!log->entries)
		return -ENOMEM;
	/* an error count of 0 marks an entry that was never used */
	for (size_t at = 0; at < length; at += ERROR_ENTRY_BYTES)
		if (smart_le(page + at, 8))
			entry_decode(page + at, &log->entries[log->entries_count++]);
	log->valid = true;
	return 0;
}

static uint64_t newest(const struct error_log *log)
{
	uint64_t most = 0;

	for (size_t i = 0; i < log->entries_count; i++)
		if (log->entries[i].error_count.low > most)
			most = log->entries[i].error_count.low;
	return most;
}

/* Compare failure, access denied and unwritten block are answers to the host: nothing was damaged. */
static bool is_media_error(const struct error_entry *e)
{
	return e->status_code_type == 2 && !(e->status_code >= 0x85 && e->status_code <= 0x87);
}

bool error_log_new(const struct error_log *before, const struct error_log *after, int64_t *media,
		   int64_t *other)
{
	uint64_t known_already = newest(before);

	if (!before->valid || !after->valid || newest(after) < known_already)
		return false;
	*media = *other = 0;
	for (size_t i = 0; i < after->entries_count; i++) {
		const struct error_entry *e = &after->entries[i];

		if (e->error_count.low <= known_already)
			continue;
		++*(is_media_error(e) ? media : other);
	}
	return true;
}
