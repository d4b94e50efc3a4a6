/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each explanation: what evidence gives which state. Health and host; and what holds for all. */
#include "ledger-rows.h"

static void explained_share(void **state)
{
	json_t *ex = examples("explained"), *c;
	size_t i;

	(void)state;
	json_array_foreach(get(ex, "cases"), i, c) {
		const char *words = json_string_value(get(c, "state"));
		int expected = !strcmp(words, "ruled out") ? LEDGER_RULED_OUT :
			       !strcmp(words, "possible") ? LEDGER_POSSIBLE : LEDGER_NOT_SUPPORTED;

		assert_int_equal(explained_state(&thresholds_default, SIGN_NONE, num(c, "expect_f")), expected);
	}
	assert_int_equal(explained_state(&thresholds_default, SIGN_NONE, NAN), LEDGER_NOT_SUPPORTED);
	assert_int_equal(explained_state(&thresholds_default, SIGN_DIRECT, NAN), LEDGER_SUPPORTED);
	assert_int_equal(explained_state(&thresholds_default, SIGN_DIRECT, 0.1), LEDGER_RULED_OUT);
	assert_int_equal(explained_state(&thresholds_default, SIGN_INDIRECT, 0.11), LEDGER_POSSIBLE);
	json_decref(ex);
}

static void wear_needs_the_slow_side(void **state)
{
	(void)state;
	single_rounds(SIDE_A);
	run();
	is("wear", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_A, m->smart_after.percent_used = 10);
	run();
	is("wear", LEDGER_POSSIBLE);
	single_rounds(SIDE_B);		/* the used drive is the faster one */
	EACH(m, SIDE_A, m->smart_after.percent_used = 10);
	run();
	is("wear", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_B, m->smart_after.avail_spare = 20);
	run();
	is("wear", LEDGER_POSSIBLE);
	EACH(m, SIDE_B, m->smart_after.percent_used = UNKNOWN_I64);
	run();
	is("wear", LEDGER_NOT_MEASURED);
}

static void media(void **state)
{
	(void)state;
	single_rounds(SIDE_A);
	EACH(m, SIDE_A, m->smart_before.media_errors.low = m->smart_after.media_errors.low = 3);
	run();
	is("media_errors", LEDGER_POSSIBLE);
	EACH(m, SIDE_A, m->smart_after.media_errors.low = 5);
	run();
	is("media_errors", LEDGER_SUPPORTED);
	single_rounds(SIDE_B);
	EACH(m, SIDE_A, m->smart_after.media_errors.low = 5);
	run();
	is("media_errors", LEDGER_POSSIBLE);	/* on the faster drive */
	single_rounds(SIDE_A);
	EACH(m, SIDES, m->error_entries_media = 0);
	EACH(m, SIDE_A, m->smart_after.num_err_log_entries.low = 9);
	run();
	is("media_errors", LEDGER_NOT_SUPPORTED);	/* commands that were refused, no media status */
	EACH(m, SIDE_A, m->error_entries_media = 1);
	run();
	is("media_errors", LEDGER_SUPPORTED);
	assert_non_null(strstr(row("media_errors")->text, "10 and 0 have a media status"));
	single_rounds(SIDE_B);
	EACH(m, SIDES, m->error_entries_media = s_ == SIDE_A);
	run();
	is("media_errors", LEDGER_POSSIBLE);
}

/* Negative test of the method: a frozen page is not a clean bill of health. */
static void frozen_smart(void **state)
{
	static const char *const rows[] = { "wear", "media_errors", "thermal_throttling" };

	(void)state;
	EACH(m, SIDE_B, m->smart_after.data_units_read.low = m->smart_before.data_units_read.low = 77);
	run();
	for (size_t i = 0; i < 3; i++) {
		is(rows[i], LEDGER_NOT_MEASURED);
		assert_non_null(strstr(row(rows[i])->text, "did not move"));
	}
	EACH(m, SIDE_B, m->smart_after.data_units_read.low = 77 + 2098 * 9);	/* nine of ten slots counted */
	run();
	is("wear", LEDGER_NOT_MEASURED);
	EACH(m, SIDE_B, m->smart_after.data_units_read.low = 77 + 2098 * 12);	/* others read, too */
	run();
	is("wear", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_B, m->smart_after.data_units_read.low = 77);
	EACH(m, SIDE_B, m->bytes = 4096);	/* too little was moved to tell */
	run();
	is("wear", LEDGER_NOT_MEASURED);
	EACH(m, SIDES, m->smart_before.valid = m->smart_after.valid = false);
	EACH(m, SIDES, m->smart_after.reason = "no NVMe drive");
	run();
	is("wear", LEDGER_NOT_MEASURED);
	assert_non_null(strstr(row("wear")->text, "no NVMe drive"));
}

static void host_path(void **state)
{
	struct drive *d = fx.result.drives;

	(void)state;
	run();
	is("host_path_differs", LEDGER_NOT_SUPPORTED);	/* equal as far as it is known */
	assert_non_null(strstr(row("host_path_differs")->text, "IOMMU"));
	for (int s = 0; s < SIDES; s++) {
		d[s].iommu_type = "DMA-FQ";
		d[s].interrupt_vectors = 3;
		d[s].interrupt_cpus = s ? "1;0;1" : "0;0;1";	/* the first serves no I/O */
		d[s].identify.hmb_bytes = 0;
		d[s].kernel_name = "nvme0n1";
	}
	run();
	is("host_path_differs", LEDGER_RULED_OUT);
	fx.links[SIDE_A][1].max_payload_bytes = 128;	/* a port on the way narrows it */
	run();
	is("host_path_differs", LEDGER_POSSIBLE);
	assert_non_null(strstr(row("host_path_differs")->text, "128 bytes on A, 256 bytes on B"));
	fixture_links(&fx);
	d[SIDE_B].mapping = "dm CRYPT-LUKS2";
	run();
	is("host_path_differs", LEDGER_POSSIBLE);
	d[SIDE_B].mapping = NULL;
	d[SIDE_B].identify.hmb_bytes = 64 << 20;
	run();
	is("host_path_differs", LEDGER_POSSIBLE);
	d[SIDE_B].identify.hmb_bytes = 0;
	d[SIDE_B].interrupt_cpus = "0;0;0";
	run();
	is("host_path_differs", LEDGER_POSSIBLE);
	d[SIDE_A].links_count = d[SIDE_B].links_count = 0;
	d[SIDE_B].interrupt_cpus = "0;0;1";
	run();
	is("host_path_differs", LEDGER_NOT_MEASURED);
}

/* What only the vendor's log counts serves the rows that it is about. */
static void vendor_log(void **state)
{
	struct ocp_smart o = { .valid = true, .log_page_version = 2 };

	(void)state;
	EACH(m, SIDES, m->ocp_before = o; m->ocp_after = o);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
	is("wear", LEDGER_NOT_SUPPORTED);
	assert_non_null(strstr(row("wear")->text, "recovery in the run: 0 on A, 0 on B"));
	assert_null(strstr(row("wear")->text, "retries are not reported"));
	EACH(m, SIDE_B, if (i_ == 1) m->ocp_after.thermal_throttling_event_count = 2,
		     m->ocp_after.soft_ecc_err_count.low = 7);
	run();
	is("thermal_throttling", LEDGER_SUPPORTED);
	assert_non_null(strstr(row("thermal_throttling")->text, "own log counted throttling"));
	assert_non_null(strstr(row("wear")->text, "0 on A, 7 on B"));
	/* no threshold, but a log that counts: it was measured */
	EACH(m, SIDES, m->ocp_after = o);
	for (int s = 0; s < SIDES; s++)
		fx.result.drives[s].identify.warning_temperature_c = NAN;
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
}

static void host_rows(void **state)
{
	struct drive *d = fx.result.drives;

	(void)state;
	EACH(m, SIDES, m->user_cpu_percent = m->system_cpu_percent = 20);
	d[SIDE_A].pm_qos_latency_us = d[SIDE_B].pm_qos_latency_us = 0;
	d[SIDE_A].model = d[SIDE_B].model = "M";
	d[SIDE_A].firmware = "1";
	d[SIDE_B].firmware = "2";
	for (int s = 0; s < SIDES; s++) {
		d[s].scheduler = "none";
		d[s].write_cache = "write back";
		d[s].nr_requests = d[s].max_sectors_kib = d[s].nomerges = d[s].rq_affinity = 128;
		d[s].read_ahead_kib = d[s].wbt_latency_us = 128;
		d[s].identify.lba_metadata_bytes = d[s].identify.lba_relative_performance = 0;
		d[s].partition_start_bytes = 0;
	}
	d[SIDE_A].numa_node = d[SIDE_B].numa_node = 0;
	d[SIDE_A].logical_block_bytes = d[SIDE_B].logical_block_bytes = 512;
	d[SIDE_A].capacity_bytes = d[SIDE_B].capacity_bytes = 1000;
	run();
	is("host_cpu_bound", LEDGER_NOT_SUPPORTED);
	is("power_state_apst", LEDGER_RULED_OUT);
	is("firmware_differs", LEDGER_POSSIBLE);
	is("queue_settings_differ", LEDGER_RULED_OUT);
	is("numa_distance", LEDGER_RULED_OUT);
	is("lba_format_differs", LEDGER_RULED_OUT);
	is("capacity_or_model_differs", LEDGER_RULED_OUT);
	is("misalignment", LEDGER_RULED_OUT);
	EACH(m, SIDE_B, m->system_cpu_percent = 70);
	d[SIDE_A].pm_qos_latency_us = 100000;
	d[SIDE_B].firmware = "1";
	d[SIDE_B].scheduler = "mq-deadline";
	d[SIDE_B].numa_node = 1;
	d[SIDE_B].logical_block_bytes = 4096;
	d[SIDE_B].partition_start_bytes = 512 * 63;
	run();
	is("host_cpu_bound", LEDGER_POSSIBLE);
	is("power_state_apst", LEDGER_NOT_SUPPORTED);
	is("firmware_differs", LEDGER_RULED_OUT);
	is("queue_settings_differ", LEDGER_POSSIBLE);
	is("numa_distance", LEDGER_POSSIBLE);
	is("lba_format_differs", LEDGER_POSSIBLE);
	is("misalignment", LEDGER_POSSIBLE);
	d[SIDE_B].scheduler = "none";
	d[SIDE_B].wbt_latency_us = UNKNOWN_I64;
	d[SIDE_B].logical_block_bytes = 512;
	d[SIDE_B].identify.lba_metadata_bytes = UNKNOWN_I64;
	d[SIDE_B].partition_start_bytes = UNKNOWN_I64;
	run();
	is("queue_settings_differ", LEDGER_NOT_SUPPORTED);	/* seven of eight are equal */
	is("lba_format_differs", LEDGER_NOT_SUPPORTED);
	is("misalignment", LEDGER_NOT_SUPPORTED);
	d[SIDE_A].model = NULL;
	run();
	is("firmware_differs", LEDGER_NOT_MEASURED);
	d[SIDE_A].model = "M";
	d[SIDE_B].model = "N";
	run();
	is("firmware_differs", LEDGER_NOT_SUPPORTED);
	is("capacity_or_model_differs", LEDGER_NOT_SUPPORTED);
}

static void order(void **state)
{
	(void)state;
	single_rounds(SIDE_B);
	run();
	is("order_effects", LEDGER_NOT_SUPPORTED);
	for (size_t i = 0; i < 10; i++)		/* who is first gains three per cent */
		fx.observations[0][i].side[i % 2 ? SIDE_B : SIDE_A].bw_bytes_per_s *= 1.03;
	run();
	is("order_effects", LEDGER_SUPPORTED);
	for (size_t i = 0; i < 10; i++)
		fx.observations[0][i].a_first = true;
	run();
	is("order_effects", LEDGER_POSSIBLE);
}

/* No sentence says more than the evidence can carry. */
static void wording(void **state)
{
	(void)state;
	for (int variant = 0; variant < 6; variant++) {
		if (variant == 0)
			fixture_story_regions(&fx);
		else if (variant == 1)
			fixture_story_paired(&fx);
		else
			single_rounds(variant == 2 ? SIDE_A : SIDE_B);
		if (variant >= 4) {	/* as many signs as possible */
			EACH(m, SIDES, m->smart_after.percent_used = 90 + 10 * s_);
			EACH(m, SIDES, m->smart_after.media_errors.low = 4);
			EACH(m, SIDES, m->smart_after.critical_warning = 2);
			EACH(m, SIDES, m->block.read_bytes = variant == 4 ? 2 * m->bytes : 0);
			fx.links[SIDE_B][0].current_width_lanes = 1;
		}
		run();
		assert_sober_verdict(&v);
	}
}

static void evidence_is_named(void **state)
{
	const struct ledger_row *r;

	(void)state;
	run();
	r = row("wear");
	assert_true(r->evidence_count >= 4);
	assert_string_equal(r->evidence[0].file, "slots/0003-w-AB/A/smart-before.bin");
	assert_null(r->evidence[0].pointer);
	r = row("pcie_link_differs");
	assert_string_equal(r->evidence[0].file, "drives.json");
	assert_string_equal(r->evidence[0].pointer, "/A/links/0/current_speed_gt_per_s");
	r = row("data_state_mismatch");
	assert_string_equal(r->evidence[1].file, "slots/0003-w-AB/B/records");
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(explained_share), T(wear_needs_the_slow_side), T(media), T(frozen_smart), T(host_path),
		T(vendor_log), T(host_rows), T(order), T(wording), T(evidence_is_named),
	};

	return cmocka_run_group_tests_name("hypotheses", tests, NULL, NULL);
}
