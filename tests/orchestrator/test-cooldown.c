/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cool-down gate: its rules with a clock of the test's own, and the wait with a sensor that is a file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "orchestrator/cooldown-wait.h"
#include "orchestrator/model-json.h"

#define S INT64_C(1000000000)

static struct cooldown_drive warmed(double threshold_c, double start_c, int64_t ended_s, double now_c)
{
	struct cooldown_drive d;

	cooldown_drive_start(&d, threshold_c);
	cooldown_sample(&d, 0, start_c);
	cooldown_slot_starts(&d);
	cooldown_sample(&d, ended_s * S, now_c);
	cooldown_slot_ended(&d, ended_s * S);
	return d;
}

static void gate_temperature(void **state)
{
	static const struct { double threshold_c, start_c, later_c, gate_c; } cases[] = {
		{ NAN, 40, 60, 43 },	/* idle + 3 is more than start + 2 */
		{ 84, 40, 60, 43 },
		{ 84, 68, 75, 69 },	/* 84 - 15, not 71 */
		{ 50, 40, 55, 41 },	/* 50 - 15 is colder than it ever is */
		{ 84, 45, 40, 47 },	/* it has been cooler since: start + 2 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cooldown_drive d = warmed(cases[i].threshold_c, cases[i].start_c, 10, cases[i].later_c);

		assert_true(fabs(cooldown_gate_c(&cooldown_rule_method, &d) - cases[i].gate_c) < 1e-9);
	}
}

static void rules(void **state)
{
	const struct cooldown_rule *all = &cooldown_rule_method, *first = &cooldown_rule_default;
	const struct cooldown_rule off = { .enabled = false };
	struct cooldown_drive d = warmed(84, 40, 10, 52);

	(void)state;
	assert_int_equal(cooldown_check(all, &d, 11 * S), COOLDOWN_TOO_WARM);
	assert_int_equal(cooldown_check(first, &d, 11 * S), COOLDOWN_TOO_WARM);
	assert_int_equal(cooldown_check(&off, &d, 11 * S), COOLDOWN_READY);
	cooldown_sample(&d, 20 * S, 43);
	assert_int_equal(cooldown_check(first, &d, 20 * S), COOLDOWN_READY);
	assert_int_equal(cooldown_check(all, &d, 20 * S), COOLDOWN_NOT_RESTED);
	assert_int_equal(cooldown_check(all, &d, 39 * S), COOLDOWN_NOT_RESTED);
	assert_int_equal(cooldown_check(all, &d, 40 * S), COOLDOWN_NOT_STEADY);	/* 40 C a minute ago */
	assert_int_equal(cooldown_check(all, &d, 65 * S), COOLDOWN_NOT_STEADY);	/* 52 C 55 s ago */
	cooldown_sample(&d, 81 * S, 42);
	assert_int_equal(cooldown_check(all, &d, 81 * S), COOLDOWN_READY);	/* 43 was more than a minute ago */
	cooldown_drive_start(&d, 84);
	assert_int_equal(cooldown_check(all, &d, S), COOLDOWN_READY);		/* no sensor */
	cooldown_sample(&d, S, 70);
	assert_int_equal(cooldown_check(all, &d, S), COOLDOWN_READY);		/* no slot yet */
}

/* At rest nothing is waited for but what the suite asks for itself. */
static void at_rest(void **state)
{
	struct cooldown_drive d = warmed(84, 40, 10, 41);

	(void)state;
	assert_int_equal(cooldown_check(&cooldown_rule_default, &d, 10 * S), COOLDOWN_READY);
}

static void many_samples(void **state)
{
	struct cooldown_drive d = warmed(84, 40, 10, 60);

	(void)state;
	for (int64_t ms = 0; ms < 400000; ms += 250)	/* cools by 1 C in 20 s, four samples a second */
		cooldown_sample(&d, 10 * S + ms * 1000000, 60 - (double)ms / 20000);
	assert_true(d.taken < 540);	/* far fewer than were given: the ring holds more than a minute */
	assert_true(fabs(cooldown_now_c(&d) - 40.0125) < 1e-9);
	assert_int_equal(cooldown_check(&cooldown_rule_method, &d, 410 * S), COOLDOWN_NOT_STEADY);
}

static void words(void **state)
{
	struct cooldown_drive d = warmed(84, 45, 10, 52);
	char *s = cooldown_words(&cooldown_rule_method, &d, SIDE_A, 11 * S);

	(void)state;
	assert_string_equal(s, "A 52 C, waiting for <= 48 C");
	free(s);
	cooldown_sample(&d, 12 * S, 45);
	s = cooldown_words(&cooldown_rule_method, &d, SIDE_B, 12 * S);
	assert_string_equal(s, "B 45 C, rests 28 s more");
	free(s);
	assert_null(cooldown_words(&cooldown_rule_default, &d, SIDE_A, 12 * S));
}

/* ---- the wait, with files as sensors ---- */

static char directory[] = "/tmp/nvmatch-test-cooldown.XXXXXX";
static char paths[SIDES][64];
static struct temperature_sensor sensors[SIDES];
static struct drive drives[SIDES];
static int calls;
static char heard[128];

static void set(int side, int millidegrees)
{
	FILE *f = fopen(paths[side], "w");

	assert_non_null(f);
	fprintf(f, "%d\n", millidegrees);
	fclose(f);
}

static void make_drives(void)
{
	for (int s = 0; s < SIDES; s++) {
		fields_unknown(drive_fields, &drives[s]);
		snprintf(paths[s], sizeof(paths[s]), "%s/%c", directory, "AB"[s]);
		mkdir(paths[s], 0700);
		snprintf(paths[s], sizeof(paths[s]), "%s/%c/temp1_input", directory, "AB"[s]);
		set(s, 40000);
		sensors[s] = (struct temperature_sensor){ .path = paths[s] };
		drives[s].sensors = &sensors[s];
		drives[s].sensors_count = 1;
	}
}

static void cools_at_the_second_call(void *context, const char *what, int64_t left_ns)
{
	(void)context;
	assert_true(left_ns > 0);
	snprintf(heard, sizeof(heard), "%s", what);
	if (++calls == 2)
		set(SIDE_B, 41000);
}

static void both_must_pass(void **state)
{
	static const bool both[SIDES] = { true, true };
	struct cooldown_record r[SIDES];
	struct cooldown_gate gate;

	(void)state;
	make_drives();
	cooldown_gate_start(&gate, &cooldown_rule_default, &drives[SIDE_A], &drives[SIDE_B]);
	gate.waiting = cools_at_the_second_call;
	cooldown_gate_wait(&gate, both, r);	/* the first slot starts at once */
	assert_int_equal(calls, 0);
	assert_int_equal(r[SIDE_A].outcome, COOLDOWN_PASSED);
	assert_true(r[SIDE_B].start_c == 40 && isnan(r[SIDE_B].gate_c));
	cooldown_gate_ended(&gate, both);
	set(SIDE_B, 60000);
	cooldown_gate_wait(&gate, both, r);
	assert_int_equal(calls, 2);
	assert_string_equal(heard, "B 60 C, waiting for <= 43 C");
	assert_int_equal(r[SIDE_A].outcome, COOLDOWN_PASSED);
	assert_true(r[SIDE_B].start_c == 41 && r[SIDE_B].gate_c == 43 && r[SIDE_A].waited_ns >= 2 * S);
}

static void time_is_over(void **state)
{
	static const bool only_a[SIDES] = { true, false };
	struct cooldown_rule rule = cooldown_rule_default;
	struct cooldown_record r[SIDES];
	struct cooldown_gate gate;

	(void)state;
	make_drives();
	rule.timeout_ns = S / 2;
	cooldown_gate_start(&gate, &rule, &drives[SIDE_A], NULL);
	cooldown_gate_wait(&gate, only_a, r);
	set(SIDE_A, 66000);
	cooldown_gate_wait(&gate, only_a, r);
	assert_int_equal(r[SIDE_A].outcome, COOLDOWN_MISSED);
	assert_string_equal(r[SIDE_A].reason, "A 66 C, waiting for <= 43 C");
	assert_int_equal(r[SIDE_B].outcome, COOLDOWN_UNKNOWN);
	free(r[SIDE_A].reason);
	unlink(paths[SIDE_A]);		/* a sensor that is gone: the last value counts until the time is over */
	cooldown_gate_wait(&gate, only_a, r);
	assert_int_equal(r[SIDE_A].outcome, COOLDOWN_MISSED);
	free(r[SIDE_A].reason);
	cooldown_gate_start(&gate, &rule, &drives[SIDE_A], NULL);
	cooldown_gate_wait(&gate, only_a, r);
	assert_int_equal(r[SIDE_A].outcome, COOLDOWN_NO_SENSOR);
	assert_true(isnan(r[SIDE_A].start_c));
}

static int setup(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	for (int s = 0; s < SIDES; s++) {
		unlink(paths[s]);
		*strrchr(paths[s], '/') = '\0';
		rmdir(paths[s]);
	}
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gate_temperature), cmocka_unit_test(rules), cmocka_unit_test(at_rest),
		cmocka_unit_test(many_samples), cmocka_unit_test(words), cmocka_unit_test(both_must_pass),
		cmocka_unit_test(time_is_over),
	};

	return cmocka_run_group_tests_name("cooldown", tests, setup, teardown);
}
