/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Log pages beside the SMART page: decoding of known bytes, of cut and of hostile ones, and their meaning. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "gather-slot.h"
#include "model-json.h"
#include "pages.h"
#include "smart-internal.h"

static size_t load(const char *name, unsigned char **page)
{
	const char *tests = getenv("TESTS") ? getenv("TESTS") : "tests";
	_cleanup_free_ char *path = text_format("%s/data/pages/%s.bin", tests, name);
	char *data;
	size_t length;

	assert_int_equal(text_read_file(path, 16384, &data, &length), 0);
	*page = (unsigned char *)data;
	return length;
}

static void endurance_of(const char *name, struct endurance *e)
{
	_cleanup_free_ unsigned char *page = NULL;
	size_t length = load(name, &page);

	endurance_decode(page, length, e);
}

static void ocp_of(const char *name, struct ocp_smart *ocp)
{
	_cleanup_free_ unsigned char *page = NULL;
	size_t length = load(name, &page);

	ocp_decode(page, length, ocp);
}

static void log_of(const char *name, struct error_log *log)
{
	_cleanup_free_ unsigned char *page = NULL;
	size_t length = load(name, &page);

	assert_int_equal(error_log_decode(page, length, log), 0);
}

static void endurance_page(void **state)
{
	struct endurance e;
	json_auto_t *json = NULL;

	(void)state;
	endurance_of("endurance", &e);
	assert_true(e.valid);
	assert_int_equal(e.critical_warning, 4);
	assert_true(e.avl_spare == 97 && e.avl_spare_threshold == 10 && e.percent_used == 12);
	assert_int_equal(e.domain_identifier, 1);
	assert_true(e.endurance_estimate.low == 1752 && e.data_units_read.low == 900);
	assert_true(e.data_units_written.low == 400 && e.media_units_written.low == 1000);
	assert_true(e.host_read_cmds.low == 5000000000 && e.host_write_cmds.low == 1000000000);
	assert_true(e.media_data_integrity_err.low == 2 && e.num_err_info_log_entries.low == 17);
	assert_true(e.total_end_grp_cap.low == 1920383410176 && !e.unalloc_end_grp_cap.low);
	assert_true(endurance_write_amplification(&e) == 2.5);
	json = endurance_to_json(&e);
	assert_int_equal(json_integer_value(json_object_get(json, "media_written_bytes")), 1000000000000);
	endurance_free(&e);
}

/* No bit of a 128-bit count is lost, and what cannot be said in 128 bits is not said. */
static void endurance_beyond_64_bits(void **state)
{
	struct endurance e;
	json_auto_t *json = NULL;

	(void)state;
	endurance_of("endurance-over-64bit", &e);
	json = endurance_to_json(&e);
	assert_false(known(e.avl_spare_threshold));	/* a reserved value */
	assert_true(json_is_true(json_object_get(json, "percent_used_is_at_least")));
	assert_string_equal(json_string_value(json_object_get(json, "data_units_read")), "18446744073709551621");
	assert_string_equal(json_string_value(json_object_get(json, "data_units_written")), "9223372036854775808");
	assert_string_equal(json_string_value(json_object_get(json, "media_units_written")),
			    "340282366920938463463374607431768211455");
	assert_string_equal(json_string_value(json_object_get(json, "data_read_bytes")),
			    "18446744073709551621000000000");
	assert_string_equal(json_string_value(json_object_get(json, "media_written_bytes")), "too large");
	endurance_free(&e);
}

static void ocp_page(void **state)
{
	struct ocp_smart o;
	struct smart smart = { .valid = true, .data_units_written = { .low = 1000000000 } };
	json_auto_t *json = NULL;

	(void)state;
	ocp_of("ocp-v3", &o);
	assert_true(o.valid && o.log_page_version == 3);
	assert_true(o.physical_media_units_written.low == 1234567890123456);
	assert_true(o.physical_media_units_read.low == 9876543210987654);
	assert_true(o.bad_user_nand_blocks_raw == 7 && o.bad_user_nand_blocks_normalized == 99);
	assert_false(known(o.bad_system_nand_blocks_raw));	/* all bits set: not told */
	assert_true(o.xor_recovery_count.low == 3 && o.uncorrectable_read_err_count.low == 1);
	assert_true(o.soft_ecc_err_count.low == 4711);
	assert_true(o.system_data_used_percent == 5 && o.refresh_counts == 88);
	assert_true(o.user_data_erase_count_max == 310 && o.user_data_erase_count_min == 290);
	assert_true(o.thermal_throttling_event_count == 6 && o.thermal_throttling_current_status == 1);
	assert_true(o.dssd_major_version == 2 && o.dssd_minor_version == 5 && o.dssd_errata_version == 1);
	assert_true(o.pcie_correctable_err_count.low == 42 && o.incomplete_shutdowns == 1);
	assert_true(o.percent_free_blocks == 62 && o.capacitor_health == 130);
	assert_true(o.total_nuse.low == 3750748848 && o.plp_start_count.low == 11);
	assert_true(o.endurance_estimate.low == 7008000000000000);
	assert_true(o.pcie_link_retraining_count.low == 2 && o.power_state_change_count.low == 33);
	assert_true(fabs(ocp_write_amplification(&o, &smart) - 1234567890123456 / 512e12) < 1e-9);
	json = ocp_to_json(&o);
	assert_string_equal(json_string_value(json_object_get(json, "thermal_throttling_name")), "first level");
	/* what only version 5 has is not known here, although the bytes are not 0 */
	assert_true(json_is_null(json_object_get(json, "nand_avg_erase_count")));
	assert_false(known(o.media_dies_offline) || known(o.command_timeouts));
	ocp_free(&o);
}

static void ocp_versions(void **state)
{
	struct ocp_smart o;
	json_auto_t *old = NULL;

	(void)state;
	ocp_of("ocp-v5", &o);
	assert_true(o.media_dies_offline == 1 && o.command_timeouts == 4 && o.nand_avg_erase_count.low == 300);
	ocp_free(&o);
	ocp_of("ocp-v1", &o);
	old = ocp_to_json(&o);
	assert_true(o.valid && !known(o.dssd_major_version));
	assert_true(json_is_null(json_object_get(old, "pcie_link_retraining_count")));
	assert_true(o.soft_ecc_err_count.low == 4711);
	ocp_free(&o);
	ocp_of("ocp-wrong-guid", &o);
	assert_false(o.valid);
	assert_non_null(strstr(o.reason, "another page of the vendor"));
	assert_false(known(o.thermal_throttling_event_count));
	ocp_free(&o);
}

static void ocp_beyond_64_bits(void **state)
{
	struct ocp_smart o;
	json_auto_t *json = NULL;

	(void)state;
	ocp_of("ocp-over-64bit", &o);
	json = ocp_to_json(&o);
	assert_string_equal(json_string_value(json_object_get(json, "physical_media_units_written")),
			    "18446744073709551617");
	assert_string_equal(json_string_value(json_object_get(json, "soft_ecc_err_count")), "18446744073709551615");
	assert_string_equal(json_string_value(json_object_get(json, "pcie_correctable_err_count")),
			    "9223372036854775808");
	ocp_free(&o);
}

static void differences(void **state)
{
	struct ocp_smart before, after;

	(void)state;
	ocp_of("ocp-v3", &before);
	ocp_of("ocp-v3", &after);
	assert_int_equal(ocp_throttle_events(&before, &after), 0);
	assert_int_equal(ocp_read_recoveries(&before, &after), 0);
	after.thermal_throttling_event_count += 3;
	after.soft_ecc_err_count.low += 100;
	after.xor_recovery_count.low += 1;
	assert_int_equal(ocp_throttle_events(&before, &after), 3);
	assert_int_equal(ocp_read_recoveries(&before, &after), 101);
	/* a count of one byte that stands at its end cannot rise */
	before.thermal_throttling_event_count = after.thermal_throttling_event_count = 255;
	assert_false(known(ocp_throttle_events(&before, &after)));
	after.soft_ecc_err_count.low = 0;	/* went back: another drive, or reset */
	assert_false(known(ocp_read_recoveries(&before, &after)));
	before.valid = false;
	assert_false(known(ocp_throttle_events(&before, &after)));
	ocp_free(&before);
	ocp_free(&after);
}

static void error_entries(void **state)
{
	struct error_log before, after, none = { .valid = true };
	char text[ERROR_STATUS_TEXT_SIZE];
	int64_t media, other;

	(void)state;
	log_of("error-log-before", &before);
	log_of("error-log-after", &after);
	assert_int_equal(before.entries_count, 2);
	assert_int_equal(after.entries_count, 6);
	assert_true(after.entries[0].lba.low == 123456789 && after.entries[0].sqid == 3);
	assert_true(after.entries[0].do_not_retry && !after.entries[3].do_not_retry);
	assert_string_equal(error_status_text(text, &after.entries[0]), "media: unrecovered read error");
	assert_string_equal(error_status_text(text, &after.entries[2]), "type 0h, status 02h");
	assert_false(known(after.entries[3].sqid) || known(after.entries[3].cmdid));
	assert_true(after.entries[3].lba.low == UINT64_MAX);
	assert_true(error_log_new(&before, &after, &media, &other));
	assert_true(media == 2 && other == 2);	/* a compare failure is no damage */
	assert_true(error_log_new(&none, &before, &media, &other) && media == 0 && other == 2);
	assert_false(error_log_new(&after, &before, &media, &other));	/* another drive's */
	none.valid = false;
	assert_false(error_log_new(&none, &before, &media, &other));
	error_log_free(&before);
	error_log_free(&after);
}

/* In memory of exactly that size, so that a sanitizer sees each byte read beyond. */
static void every_length_of(const char *name)
{
	_cleanup_free_ unsigned char *page = NULL;
	size_t whole = load(name, &page);

	for (size_t length = 0; length <= whole + 1; length++) {
		unsigned char *cut = malloc(length ? length : 1);
		struct endurance e;
		struct ocp_smart o;
		struct error_log log;

		memcpy(cut, page, length < whole ? length : whole);
		if (length > whole)
			cut[whole] = 0;
		endurance_decode(cut, length, &e);
		ocp_decode(cut, length, &o);
		assert_int_equal(error_log_decode(cut, length, &log), 0);
		assert_true(!e.valid || length == ENDURANCE_PAGE_BYTES);
		assert_true(!o.valid || length == OCP_PAGE_BYTES);
		assert_true(log.valid == (length && length % ERROR_ENTRY_BYTES == 0));
		assert_true(e.valid == !e.reason && o.valid == !o.reason && log.valid == !log.reason);
		endurance_free(&e);
		ocp_free(&o);
		error_log_free(&log);
		free(cut);
	}
}

static void cut_at_every_length(void **state)
{
	(void)state;
	every_length_of("endurance");
	every_length_of("ocp-v5");
	every_length_of("error-log-after");
}

static void pages_of_one_byte(void **state)
{
	unsigned char page[512];
	struct error_log log;

	(void)state;
	for (int value = 0; value < 0x100; value += 0xff) {
		struct endurance e;
		struct ocp_smart o;

		memset(page, value, sizeof(page));
		endurance_decode(page, sizeof(page), &e);
		ocp_decode(page, sizeof(page), &o);
		assert_false(e.valid || o.valid);
		assert_non_null(strstr(e.reason, value ? "all bits are set" : "all its bytes are 0"));
		endurance_free(&e);
		ocp_free(&o);
	}
	assert_int_equal(error_log_decode(page, sizeof(page), &log), 0);
	assert_false(log.valid);	/* all bits set */
	error_log_free(&log);
	memset(page, 0, sizeof(page));
	assert_int_equal(error_log_decode(page, sizeof(page), &log), 0);
	assert_true(log.valid && !log.entries_count);	/* no error ever is a good log */
	error_log_free(&log);
}

static void survive_json(void **state)
{
	json_auto_t *json = NULL, *again = NULL;
	struct ocp_smart o, copy = { 0 };
	const char *wrong;

	(void)state;
	ocp_of("ocp-over-64bit", &o);
	json = fields_to_json(ocp_smart_fields, &o);
	assert_int_equal(fields_from_json(ocp_smart_fields, json, &copy, &wrong), 0);
	again = fields_to_json(ocp_smart_fields, &copy);
	assert_true(json_equal(json, again));
	ocp_free(&o);
	ocp_free(&copy);
}

/* A directory as a slot leaves it: good pages, one that was refused, one that was cut. */
static void keep(const char *dir, const char *as, const void *data, size_t length)
{
	_cleanup_free_ char *path = text_format("%s/%s", dir, as);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, length, f), length);
	fclose(f);
}

static void keep_page(const char *dir, const char *as, const char *name)
{
	_cleanup_free_ unsigned char *page = NULL;
	size_t length = load(name, &page);

	keep(dir, as, page, length);
}

static void gathered_from_a_slot(void **state)
{
	char dir[] = "/tmp/nvmatch-test-pages.XXXXXX";
	unsigned char smart[SMART_PAGE_BYTES] = { [3] = 100, [176] = 20 };
	static const char *const kept[] = { "ocp-before.bin", "ocp-after.bin", "endurance-before.txt",
		"endurance-after.bin", "error-log-before.bin", "error-log-after.bin", "smart-before-pages.bin" };
	struct measurement m;

	(void)state;
	assert_non_null(mkdtemp(dir));
	keep_page(dir, "ocp-before.bin", "ocp-v3");
	keep_page(dir, "ocp-after.bin", "ocp-v5");
	keep(dir, "endurance-before.txt", "Get Log Page 09h was refused", 28);
	keep(dir, "endurance-after.bin", smart, 300);
	keep_page(dir, "error-log-before.bin", "error-log-before");
	keep_page(dir, "error-log-after.bin", "error-log-after");
	keep(dir, "smart-before-pages.bin", smart, sizeof(smart));
	measurement_unknown(&m);
	smart_free(&m.smart_before);
	smart[176] = 22;
	smart_decode(smart, &m.smart_before);
	assert_int_equal(gather_pages(dir, &m), 0);
	assert_true(m.ocp_before.valid && m.ocp_after.valid);
	assert_string_equal(m.endurance_before.reason, "Get Log Page 09h was refused");
	assert_string_equal(m.endurance_after.reason, "the endurance group log has 300 bytes, not 512");
	assert_int_equal(m.error_entries_media, 2);
	assert_int_equal(m.error_entries_other, 2);
	assert_int_equal(m.error_entries_own, 2);
	measurement_free(&m);
	measurement_unknown(&m);
	assert_int_equal(gather_pages("/nonexistent", &m), 0);
	assert_false(m.ocp_before.valid || known(m.error_entries_media) || known(m.error_entries_own));
	measurement_free(&m);
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		_cleanup_free_ char *path = text_format("%s/%s", dir, kept[i]);

		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(endurance_page),
		cmocka_unit_test(endurance_beyond_64_bits),
		cmocka_unit_test(ocp_page),
		cmocka_unit_test(ocp_versions),
		cmocka_unit_test(ocp_beyond_64_bits),
		cmocka_unit_test(differences),
		cmocka_unit_test(error_entries),
		cmocka_unit_test(cut_at_every_length),
		cmocka_unit_test(pages_of_one_byte),
		cmocka_unit_test(survive_json),
		cmocka_unit_test(gathered_from_a_slot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
