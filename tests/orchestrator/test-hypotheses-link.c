/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations by links and the path to the drive. */
#include "ledger-rows.h"

static void uplink_examples(void **state)
{
	json_t *ex = examples("concurrent"), *c;
	size_t i;

	(void)state;
	json_array_foreach(get(ex, "cases"), i, c) {
		const json_t *e = get(c, "expect");
		const char *id = json_string_value(get(c, "id")), *shared = json_string_value(get(c, "shared"));
		struct uplink_input in = {
			.shared = !strcmp(id, "shared_gen4x4_uplink"),
			.loss = { num(e, "interference_A"), num(e, "interference_B") },
			.loss_high = { NAN, NAN }, .sum_over_limit = num(e, "sum_over_limit"),
		};

		assert_int_equal(uplink_state(&thresholds_default, &in),
				 !strcmp(shared, "supported") ? LEDGER_SUPPORTED :
				 in.loss[SIDE_A] >= 0.05 && in.loss[SIDE_B] >= 0.05 ? LEDGER_POSSIBLE :
				 LEDGER_NOT_SUPPORTED);
		in.shared = true;
		in.sum_over_limit = 0.5;
		assert_int_equal(uplink_state(&thresholds_default, &in),
				 in.loss[SIDE_A] >= 0.05 ? LEDGER_POSSIBLE : LEDGER_NOT_SUPPORTED);
	}
	json_decref(ex);
}

static void links(void **state)
{
	(void)state;
	run();
	is("pcie_downtrained", LEDGER_RULED_OUT);
	is("pcie_link_differs", LEDGER_RULED_OUT);
	assert_null(strstr(row("pcie_link_differs")->text, "may hide"));
	for (int s = 0; s < SIDES; s++)			/* 6.1 of 6.6 GB/s */
		fx.links[s][0].max_payload_bytes = 128;
	fx.result.workloads[0].observations[0].side[SIDE_A].bw_bytes_per_s = 6.1e9;
	run();
	is("pcie_link_differs", LEDGER_RULED_OUT);
	assert_non_null(strstr(row("pcie_link_differs")->text, "may hide"));
	fixture_story_paired(&fx);
	fx.links[SIDE_B][0].current_width_lanes = 2;	/* 5.2 GB/s on gen4 x2: above its limit */
	run();
	is("pcie_downtrained", LEDGER_SUPPORTED);
	is("pcie_link_differs", LEDGER_SUPPORTED);
	assert_int_equal(row("page_cache_hits")->state, LEDGER_RULED_OUT);
	fx.links[SIDE_A][0].current_width_lanes = 2;
	fx.links[SIDE_B][0].current_width_lanes = 4;
	run();
	is("pcie_downtrained", LEDGER_POSSIBLE);	/* the faster drive is the downtrained one */
	fx.result.drives[SIDE_B].links_count = 0;
	run();
	is("pcie_downtrained", LEDGER_NOT_MEASURED);
	is("shared_uplink", LEDGER_NOT_MEASURED);
}

/* Each change alone, on an otherwise equal and half idle pair. */
static void links_in_detail(void **state)
{
	struct link_load load[2] = {
		{ NULL, 9, 2.5, 16, 4, 4 }, { NULL, 9, 16, 16, 4, 4 },
	};

	(void)state;
	/* the port can do less: that is what was negotiated, and what differs */
	fx.links[SIDE_B][1].max_speed_gt_per_s = fx.links[SIDE_B][0].current_speed_gt_per_s = 8;
	fx.links[SIDE_B][1].current_speed_gt_per_s = 8;
	run();
	is("pcie_downtrained", LEDGER_NOT_SUPPORTED);
	is("pcie_link_differs", LEDGER_SUPPORTED);	/* 5.2 GB/s over gen3 x4 */
	fixture_links(&fx);
	/* idle it rests, under load it does not */
	fx.links[SIDE_B][0].current_speed_gt_per_s = 2.5;
	load[0].speed_min_gt_per_s = 16;
	EACH(m, SIDE_B, m->links = load; m->links_count = 2);
	run();
	is("pcie_downtrained", LEDGER_RULED_OUT);
	/* it changed while in use */
	load[0].speed_min_gt_per_s = 2.5;
	run();
	is("pcie_downtrained", LEDGER_POSSIBLE);
	assert_non_null(strstr(row("pcie_downtrained")->text, "changed its speed"));
	/* one slot in which it never got up */
	EACH(m, SIDE_B, m->links = NULL; m->links_count = 0);
	fixture_links(&fx);
	EACH(m, SIDE_B, if (!i_) m->link_speed_gt_per_s = 2.5, m->link_width_lanes = 4);
	run();
	is("pcie_downtrained", LEDGER_SUPPORTED);	/* 5.2 GB/s over gen1 x4 is beyond its limit */
	assert_non_null(strstr(row("pcie_downtrained")->text, "0000:02:00.0"));
}

/* Payload that is not known leaves a range, and what lies across a threshold stays open. */
static void payload_unknown(void **state)
{
	double raw = 16e9 * 128 / 130 / 2;

	(void)state;
	EACH(m, SIDES, m->bw_bytes_per_s = raw * 0.79);	/* 88 % with 256 bytes, 94 % with 128, 79.5 % with 4096 */
	fx.links[SIDE_B][0].current_width_lanes = fx.links[SIDE_B][0].max_width_lanes = 4;
	fx.links[SIDE_A][0].current_width_lanes = fx.links[SIDE_A][0].max_width_lanes = 8;
	fx.links[SIDE_A][1].current_width_lanes = fx.links[SIDE_A][1].max_width_lanes = 8;
	run();
	is("pcie_link_differs", LEDGER_SUPPORTED);
	for (int s = 0; s < SIDES; s++)
		for (int i = 0; i < 2; i++)
			fx.links[s][i].max_payload_bytes = fx.links[s][i].max_payload_supported_bytes = UNKNOWN_I64;
	run();
	is("pcie_link_differs", LEDGER_POSSIBLE);
	assert_non_null(strstr(row("pcie_link_differs")->text, "79 to 94 %"));
}

static void errors_on_links(void **state)
{
	struct ocp_smart quiet = { .valid = true, .log_page_version = 2 }, noisy = quiet;

	(void)state;
	noisy.pcie_link_retraining_count.low = 1;
	run();
	is("link_errors", LEDGER_NOT_MEASURED);
	EACH(m, SIDES, m->link_errors = 0);
	run();
	is("link_errors", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_B, m->link_errors = i_ == 1 ? 12 : 0);
	run();
	is("link_errors", LEDGER_POSSIBLE);
	EACH(m, SIDE_B, if (i_ == 1) m->bw_bytes_per_s *= 0.9);	/* and that slot was slow */
	run();
	is("link_errors", LEDGER_SUPPORTED);
	EACH(m, SIDE_B, m->link_errors = 0; m->link_errors_uncorrectable = i_ == 2);
	run();
	is("link_errors", LEDGER_POSSIBLE);
	/* no counter of the host, but one of the drive */
	EACH(m, SIDES, m->link_errors = m->link_errors_uncorrectable = UNKNOWN_I64);
	EACH(m, SIDES, m->ocp_before = quiet; m->ocp_after = quiet);
	run();
	is("link_errors", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_A, if (i_ == 2) m->ocp_after = noisy);
	run();
	is("link_errors", LEDGER_POSSIBLE);
	assert_non_null(strstr(row("link_errors")->text, "A trained its link anew 1 times"));
}

static void slow_link_is_no_limit(void **state)
{
	(void)state;
	single_rounds(SIDE_B);		/* 1 GB/s, a seventh of the link */
	fx.links[SIDE_B][0].current_width_lanes = 2;
	run();
	is("pcie_downtrained", LEDGER_POSSIBLE);
	is("pcie_link_differs", LEDGER_NOT_SUPPORTED);
}

static void uplink(void **state)
{
	(void)state;
	single_rounds(SIDE_B);
	run();
	is("shared_uplink", LEDGER_RULED_OUT);		/* nothing ran at once */
	for (int i = 0; i < 8; i++)
		fixture_round(&fx, 0, true, 800 + i, 750 + i);
	run();
	is("shared_uplink", LEDGER_POSSIBLE);	/* both lose: in a chipset that is not seen, or the host */
	assert_non_null(strstr(row("shared_uplink")->text, "chipset"));
	fx.links[SIDE_B][1].address = fx.links[SIDE_A][1].address;
	run();
	is("shared_uplink", LEDGER_POSSIBLE);
	for (int s = 0; s < SIDES; s++)
		fx.links[s][1].current_speed_gt_per_s = 5;	/* gen2 x4: 1.83 GB/s */
	EACH(m, SIDES, if (fx.observations[0][i_].concurrent) m->bw_bytes_per_s *= 1.1);
	run();
	is("shared_uplink", LEDGER_SUPPORTED);
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(uplink_examples), T(links), T(links_in_detail), T(payload_unknown), T(errors_on_links),
		T(slow_link_is_no_limit), T(uplink),
	};

	return cmocka_run_group_tests_name("hypotheses-link", tests, NULL, NULL);
}
