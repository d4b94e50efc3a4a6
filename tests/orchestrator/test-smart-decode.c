/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SMART and Identify pages: decoding against known bytes. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model-json.h"
#include "smart-internal.h"

static void load(const char *name, unsigned char page[SMART_PAGE_BYTES])
{
	const char *tests = getenv("TESTS") ? getenv("TESTS") : "tests";
	_cleanup_free_ char *path = text_format("%s/data/smart/%s.bin", tests, name), *data = NULL;
	size_t n;

	assert_int_equal(text_read_file(path, SMART_PAGE_BYTES, &data, &n), 0);
	assert_int_equal(n, SMART_PAGE_BYTES);
	memcpy(page, data, n);
}

static void decode(const char *name, struct smart *smart)
{
	unsigned char page[SMART_PAGE_BYTES];

	load(name, page);
	smart_decode(page, smart);
}

static void temperatures(void **state)
{
	static const struct { const char *page; double c, sensor1, sensor2; } cases[] = {
		{ "301k", 28, 39, NAN }, { "268k", -5, NAN, NAN }, { "0k", NAN, NAN, NAN },
		{ "sensor-gap", 31, NAN, 81 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double expected[] = { cases[i].c, cases[i].sensor1, cases[i].sensor2 };
		struct smart s;

		decode(cases[i].page, &s);
		assert_true(s.valid);
		for (int k = 0; k < 3; k++) {
			double c = smart_celsius(k ? s.temperature_sensor_k[k - 1] : s.temperature_k);

			assert_true(isnan(expected[k]) ? isnan(c) : c == expected[k]);
		}
		smart_free(&s);
	}
}

static void all_zero_is_not_valid(void **state)
{
	struct smart s;
	json_auto_t *json = NULL;

	(void)state;
	decode("all-zero", &s);
	assert_false(s.valid);
	assert_non_null(strstr(s.reason, "not valid"));
	assert_false(known(s.percent_used));
	assert_false(known(s.temperature_k));
	json = smart_to_json(&s);
	assert_true(json_is_false(json_object_get(json, "valid")));
	assert_true(json_is_null(json_object_get(json, "percent_used")));
	assert_true(json_is_null(json_object_get(json, "media_errors")));	/* not 0 */
	assert_true(json_is_null(json_object_get(json, "critical_warning_names")));
	smart_free(&s);
}

static void all_ones_are_not_valid(void **state)
{
	unsigned char page[SMART_PAGE_BYTES];
	struct smart s;

	(void)state;
	memset(page, 0xff, sizeof(page));
	smart_decode(page, &s);
	assert_false(s.valid || known(s.percent_used));
	assert_non_null(strstr(s.reason, "a drive that is gone"));
	smart_free(&s);
}

static void data_units(void **state)
{
	static const struct { const char *page, *units, *bytes; } cases[] = {
		{ "40-7tb", "79581408", "40745680896000" },
		{ "bytes-over-64bit", "36028797018965", "18446744073710080000" },
		{ "over-64bit", "18446744073709551621", "9444732965739290429952000" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char number[SMART_NUMBER_SIZE];
		json_auto_t *json = NULL;
		json_t *v;
		struct smart s;

		decode(cases[i].page, &s);
		assert_string_equal(smart_counter_text(number, s.data_units_written), cases[i].units);
		assert_string_equal(smart_units_bytes_text(number, s.data_units_written), cases[i].bytes);
		json = smart_to_json(&s);
		v = json_object_get(json, "data_written_bytes");
		if (i)
			assert_string_equal(json_string_value(v), cases[i].bytes);
		else
			assert_int_equal(json_integer_value(v), 40745680896000);
		smart_free(&s);
	}
}

static void largest_counters(void **state)
{
	struct smart_counter all = { UINT64_MAX, UINT64_MAX }, none = { 0 };
	char number[SMART_NUMBER_SIZE];
	int64_t delta;

	(void)state;
	assert_string_equal(smart_counter_text(number, all), "340282366920938463463374607431768211455");
	assert_string_equal(smart_units_bytes_text(number, all), "too large");
	assert_string_equal(smart_counter_text(number, none), "0");
	/* the last number of units whose bytes fit 128 bits */
	assert_string_equal(smart_units_bytes_text(number, (struct smart_counter){ 0xf7ced916872b020cu,
						   0x000020c49ba5e353u }),
			    "340282366920938463463374607431768064000");
	assert_false(smart_counter_delta(none, all, &delta));
	assert_false(smart_counter_delta((struct smart_counter){ 1, 0 }, none, &delta));
	assert_true(smart_counter_delta((struct smart_counter){ UINT64_MAX, 0 },
					(struct smart_counter){ 4, 1 }, &delta));
	assert_int_equal(delta, 5);
}

static void wear_and_warnings(void **state)
{
	static const char *const names[] = { "spare below threshold", "temperature outside threshold",
		"reliability degraded", "read only", "volatile memory backup failed" };
	json_auto_t *json = NULL;
	json_t *list;
	struct smart s;

	(void)state;
	decode("used130-warn04", &s);
	assert_int_equal(s.percent_used, 130);
	assert_int_equal(s.avail_spare, 100);
	assert_int_equal(s.critical_warning, 4);
	assert_string_equal(smart_warning_name(2), "reliability degraded");
	smart_free(&s);
	decode("used255-thresh255", &s);
	assert_int_equal(s.percent_used, 255);
	assert_false(known(s.spare_thresh));
	smart_free(&s);
	decode("warn-bits", &s);
	json = smart_to_json(&s);
	list = json_object_get(json, "critical_warning_names");
	assert_int_equal(json_array_size(list), 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(json_string_value(json_array_get(list, i)), names[i]);
	assert_null(smart_warning_name(7));
	assert_null(smart_warning_name(-1));
	smart_free(&s);
}

/* Every byte of the page at its own place: page[i] = i, little endian. */
static void places(void **state)
{
	unsigned char page[SMART_PAGE_BYTES];
	struct smart s;

	(void)state;
	for (size_t i = 0; i < sizeof(page); i++)
		page[i] = (unsigned char)i;
	smart_decode(page, &s);
	assert_int_equal(s.temperature_k, 0x0201);
	assert_int_equal(s.endurance_grp_critical_warning_summary, 6);
	assert_true(s.data_units_read.low == 0x2726252423222120u && s.data_units_read.high == 0x2f2e2d2c2b2a2928u);
	assert_true(s.data_units_written.low == 0x3736353433323130u);
	assert_true(s.host_read_commands.low == 0x4746454443424140u);
	assert_true(s.host_write_commands.low == 0x5756555453525150u);
	assert_true(s.controller_busy_time.low == 0x6766656463626160u);
	assert_true(s.power_cycles.low == 0x7776757473727170u);
	assert_true(s.power_on_hours.low == 0x8786858483828180u);
	assert_true(s.unsafe_shutdowns.low == 0x9796959493929190u);
	assert_true(s.media_errors.low == 0xa7a6a5a4a3a2a1a0u);
	assert_true(s.num_err_log_entries.low == 0xb7b6b5b4b3b2b1b0u);
	assert_true(s.warning_temp_time == 0xc3c2c1c0 && s.critical_comp_time == 0xc7c6c5c4);
	assert_int_equal(s.temperature_sensor_k[0], 0xc9c8);
	assert_int_equal(s.temperature_sensor_k[7], 0xd7d6);
	assert_true(s.thm_temp1_trans_count == 0xdbdad9d8 && s.thm_temp2_trans_count == 0xdfdedddc);
	assert_true(s.thm_temp1_total_time == 0xe3e2e1e0 && s.thm_temp2_total_time == 0xe7e6e5e4);
	smart_free(&s);
}

static void device_bytes_interval(void **state)
{
	static const struct { int64_t before, after, low, high; } cases[] = {
		{ 1000000, 1134218, 68719104512, 68720127488 },
		{ 1000000, 1150995, 77308928512, 77309951488 },
		{ 1000000, 1025166, 12884480512, 12885503488 },
		{ 1000000, 1000000, -511488, 511488 },
		{ 500, 501, 512, 1023488 },
		{ 0, INT64_MAX, INT64_MAX, INT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t delta, low, high;

		assert_true(smart_counter_delta((struct smart_counter){ (uint64_t)cases[i].before, 0 },
						(struct smart_counter){ (uint64_t)cases[i].after, 0 }, &delta));
		smart_delta_bytes(delta, &low, &high);
		assert_true(low == cases[i].low && high == cases[i].high);
	}
}

static void deltas(void **state)
{
	struct smart before, after;
	json_auto_t *json = NULL;
	int64_t v;

	(void)state;
	decode("301k", &before);
	decode("301k", &after);
	after.data_units_read.low += 10;
	after.temperature_k += 3;
	after.warning_temp_time -= before.warning_temp_time ? 1 : -1;
	after.host_read_commands.low -= 1;
	json = smart_delta_to_json(&before, &after);
	assert_int_equal(json_integer_value(json_object_get(json, "data_units_read")), 10);
	assert_int_equal(json_integer_value(json_object_get(json, "temperature")), 3);
	assert_true(json_is_null(json_object_get(json, "host_read_commands")));	/* it went back */
	assert_true(json_is_null(json_object_get(json, "temperature_sensor_2")));
	assert_int_equal(json_integer_value(json_array_get(json_object_get(json, "read_bytes_between"), 0)),
			 4608512);
	assert_false(smart_number_delta(UNKNOWN_I64, 5, &v));
	assert_false(smart_number_delta(5, 4, &v));
	assert_true(smart_number_delta(5, 7, &v) && v == 2);
	smart_free(&before);
	smart_free(&after);
}

static void smart_survives_json(void **state)
{
	static const char *const pages[] = { "301k", "over-64bit", "all-zero", "sensor-gap", "warn-bits" };

	(void)state;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		json_auto_t *json = NULL, *again = NULL;
		struct smart s, copy = { 0 };
		const char *wrong;

		decode(pages[i], &s);
		json = fields_to_json(smart_fields, &s);
		assert_int_equal(fields_from_json(smart_fields, json, &copy, &wrong), 0);
		again = fields_to_json(smart_fields, &copy);
		assert_true(json_equal(json, again));
		assert_true(copy.data_units_written.high == s.data_units_written.high);
		smart_free(&copy);
		smart_free(&s);
	}
}

static void bad_counters_in_json(void **state)
{
	static const struct { const char *json; bool good; } cases[] = {
		{ "{\"media_errors\": 5}", true }, { "{\"media_errors\": \"5\"}", true },
		{ "{\"media_errors\": \"340282366920938463463374607431768211455\"}", true },
		{ "{\"media_errors\": \"340282366920938463463374607431768211456\"}", false },
		{ "{\"media_errors\": \"999999999999999999999999999999999999999999\"}", false },
		{ "{\"media_errors\": -1}", false }, { "{\"media_errors\": \"\"}", false },
		{ "{\"media_errors\": \"5x\"}", false }, { "{\"media_errors\": 1.5}", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_auto_t *json = json_loads(cases[i].json, 0, NULL);
		struct smart s = { 0 };
		const char *wrong;
		int ret = fields_from_json(smart_fields, json, &s, &wrong);

		assert_int_equal(ret, cases[i].good ? 0 : -EINVAL);
		if (!ret)
			smart_free(&s);
		else
			assert_string_equal(wrong, "media_errors");
	}
}

static void identify_pages(void **state)
{
	unsigned char page[IDENTIFY_PAGE_BYTES] = { 0 };
	struct identify id;

	(void)state;
	identify_unknown(&id);
	page[77] = 9;			/* MDTS */
	page[256] = 0x5f, page[257] = 1;	/* OACS */
	page[263] = 4, page[265] = 1;	/* NPSS, APSTA */
	page[266] = 0x66, page[267] = 1;	/* WCTEMP 358 K */
	page[284] = 0xe8;		/* TNVMCAP: 232 x 2^32 */
	page[322] = 1, page[324] = 0x11, page[325] = 1, page[326] = 0x66, page[327] = 1;
	page[525] = 7;
	identify_decode_controller(page, &id);
	assert_true(id.warning_temperature_c == 85);
	assert_true(isnan(id.critical_temperature_c));	/* 0: not reported */
	assert_int_equal(id.mdts, 9);
	assert_int_equal(id.oacs, 0x15f);
	assert_int_equal(id.npss, 4);
	assert_int_equal(id.hctma, 1);
	assert_int_equal(id.mntmt_k, 273);
	assert_int_equal(id.total_capacity_bytes, 232LL << 32);
	assert_false(known(id.nsze_blocks));
	page[288] = 1;			/* more than 64 bits */
	identify_decode_controller(page, &id);
	assert_false(known(id.total_capacity_bytes));

	memset(page, 0, sizeof(page));
	page[1] = 1, page[9] = 1, page[16] = 7;	/* NSZE and NCAP 256, NUSE 7 */
	page[25] = 1, page[26] = 0x11, page[33] = 9;
	page[128 + 2] = 9;			/* format 0: 512 + 0 */
	page[132] = 8, page[132 + 2] = 12, page[132 + 3] = 2;	/* format 1: 4096 + 8, good */
	identify_decode_namespace(page, &id);
	assert_int_equal(id.nsze_blocks, 256);
	assert_int_equal(id.nuse_blocks, 7);
	assert_int_equal(id.dlfeat, 9);
	assert_int_equal(id.lba_format, 1);
	assert_int_equal(id.lba_data_bytes, 4096);
	assert_int_equal(id.lba_metadata_bytes, 8);
	assert_int_equal(id.lba_relative_performance, 2);
	assert_true(id.warning_temperature_c == 85);	/* the controller's members stay */
	identify_free(&id);
}

static void identify_out_of_its_own_list(void **state)
{
	unsigned char page[IDENTIFY_PAGE_BYTES];
	struct identify id;

	(void)state;
	memset(page, 0xff, sizeof(page));
	page[4000] = 0;
	identify_unknown(&id);
	identify_decode_namespace(page, &id);
	assert_false(known(id.nsze_blocks));
	assert_int_equal(id.lba_format, 63);	/* the last there can be, of 256 claimed */
	assert_false(known(id.lba_data_bytes));
	page[25] = 3;
	identify_free(&id);
	identify_decode_namespace(page, &id);
	assert_int_equal(id.lba_format, 15);
	assert_false(known(id.lba_metadata_bytes));	/* 15 of 4 */
	identify_free(&id);
	for (int bytes = 0; bytes < 0x100; bytes += 0xff) {	/* no such namespace, or no drive any more */
		memset(page, bytes, sizeof(page));
		identify_decode_namespace(page, &id);
		assert_false(known(id.nsze_blocks) || known(id.lba_format) || known(id.dlfeat));
		identify_free(&id);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(temperatures), cmocka_unit_test(all_zero_is_not_valid),
		cmocka_unit_test(all_ones_are_not_valid), cmocka_unit_test(data_units),
		cmocka_unit_test(largest_counters), cmocka_unit_test(wear_and_warnings),
		cmocka_unit_test(places), cmocka_unit_test(device_bytes_interval),
		cmocka_unit_test(deltas), cmocka_unit_test(smart_survives_json),
		cmocka_unit_test(bad_counters_in_json), cmocka_unit_test(identify_pages),
		cmocka_unit_test(identify_out_of_its_own_list),
	};

	return cmocka_run_group_tests_name("smart-decode", tests, NULL, NULL);
}
