/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations by heat. */
#include "ledger-rows.h"

static void thermal_examples(void **state)
{
	json_t *ex = examples("thermal"), *c;
	struct thermal_input t;
	const char *sign;
	size_t i;

	(void)state;
	json_array_foreach(get(ex, "cases"), i, c) {
		const json_t *in = get(c, "in");
		char words[32], *blank;

		t = (struct thermal_input){
			.warning_c = num(in, "wctemp") > 0 ? num(in, "wctemp") : NAN,
			.tmt1_c = json_is_true(get(in, "hctm_enabled")) ? number(in, "tmt1") : NAN,
			.t_max_c = num(in, "t_max"), .d_warning_min = num(in, "d_warn_min"),
			.d_critical_min = num(in, "d_crit_min"), .d_tmt1_count = num(in, "d_tmt1_cnt"),
			.d_tmt2_count = num(in, "d_tmt2_cnt"), .d_tmt1_s = num(in, "d_tmt1_s"),
			.d_tmt2_s = num(in, "d_tmt2_s"), .critical_bit1 = json_is_true(get(in, "crit_bit1")),
			.counters_alive = json_is_true(get(in, "counters_alive")),
			.seconds_at_threshold = number(in, "secs_at_or_above_wctemp"),
			.speed_when_hot_ratio = 1 - num(in, "drop_pct") / 100,
			.drop = num(in, "drop_pct") / 100, .rho = NAN, .p = NAN,
		};
		snprintf(words, sizeof(words), "%s",
			 ledger_state_names[thermal_state(&thresholds_default, &t, &sign)]);
		while ((blank = strchr(words, '_')))
			*blank = ' ';
		assert_string_equal(words, json_string_value(get(get(c, "expect"), "state")));
	}
	json_decref(ex);
	/* a warning that is up is no counter that rose */
	t = (struct thermal_input){ .warning_c = 50, .tmt1_c = NAN, .t_max_c = 75, .critical_bit1 = true,
				    .counters_alive = true };
	assert_int_equal(thermal_state(&thresholds_default, &t, &sign), LEDGER_SUPPORTED);
	assert_string_equal(sign, "the drive raised its temperature warning");
}

static void heat(void **state)
{
	(void)state;
	single_rounds(SIDE_A);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
	fx.result.drives[SIDE_A].identify.warning_temperature_c = NAN;
	run();
	is("thermal_throttling", LEDGER_NOT_MEASURED);
	EACH(m, SIDE_A, m->smart_before.thm_temp1_trans_count = 1);
	EACH(m, SIDE_A, m->smart_after.thm_temp1_trans_count = 2);
	run();
	is("thermal_throttling", LEDGER_SUPPORTED);
	single_rounds(SIDE_B);
	EACH(m, SIDE_A, m->smart_after.critical_warning = 2);
	run();
	is("thermal_throttling", LEDGER_POSSIBLE);	/* the hot one is not the slow one */
	/* a page that does not count: the samples beside it still see the threshold, and nothing else does */
	single_rounds(SIDE_A);
	EACH(m, SIDE_A, m->smart_after.data_units_read.low = m->smart_before.data_units_read.low = 77);
	run();
	is("thermal_throttling", LEDGER_NOT_MEASURED);
	EACH(m, SIDE_A, if (i_ == 3) { m->seconds_at_threshold = 7; m->speed_when_hot_ratio = 0.8; });
	run();
	is("thermal_throttling", LEDGER_SUPPORTED);
	assert_non_null(strstr(row("thermal_throttling")->text, "7 s at or above its threshold"));
	/* of ten rounds one may start warm, two make heat unsure */
	EACH(m, SIDES, m->cooldown.outcome = i_ == 4 ? COOLDOWN_MISSED : COOLDOWN_PASSED);
	run();
	is("thermal_throttling", LEDGER_SUPPORTED);
	EACH(m, SIDE_B, if (i_ == 5) m->cooldown.outcome = COOLDOWN_MISSED);
	run();
	is("thermal_throttling", LEDGER_POSSIBLE);
	assert_non_null(strstr(row("thermal_throttling")->text, "did not start cool"));
	fx.result.plan.thresholds = &(struct number){ "gate_missed", 0.2 };
	fx.result.plan.thresholds_count = 1;
	run();
	is("thermal_throttling", LEDGER_SUPPORTED);
	/* near its threshold in one slot and slower in another is no sign; both in one is */
	single_rounds(SIDE_A);
	EACH(m, SIDE_A, if (i_ == 2) m->temperature_max_c = 83; if (i_ == 3) m->within_run_drop = 0.2);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_A, if (i_ == 2) m->within_run_drop = 0.2);
	run();
	is("thermal_throttling", LEDGER_POSSIBLE);
	/* a temperature that stands still and that no other sensor confirms */
	single_rounds(SIDE_A);
	fixture_smart(&fx, 40, 40);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);	/* the samples agree */
	EACH(m, SIDE_A, m->temperature_min_c = m->temperature_max_c = m->temperature_end_c = NAN);
	EACH(m, SIDE_A, m->temperature_samples = 0);
	run();
	is("thermal_throttling", LEDGER_NOT_MEASURED);
	EACH(m, SIDE_A, m->smart_after.temperature_k++);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
	assert_non_null(strstr(row("thermal_throttling")->text, "excursions under a minute were not watched"));
}

/* The page's temperature stands still while another sensor moves, far from it. */
static void dead_temperature(void **state)
{
	(void)state;
	single_rounds(SIDE_B);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_B, m->smart_before.temperature_k = m->smart_after.temperature_k = 313);
	run();
	is("thermal_throttling", LEDGER_NOT_MEASURED);
	EACH(m, SIDE_B, m->temperature_end_c = 41);	/* now they agree */
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(thermal_examples), T(heat), T(dead_temperature),
	};

	return cmocka_run_group_tests_name("hypotheses-thermal", tests, NULL, NULL);
}
