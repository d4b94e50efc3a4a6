/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gates: grammar, values, what is not known, and input that makes no sense. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "gates-internal.h"
#include "judge.h"
#include "verdict-json.h"

static struct fixture fixture;

/* Ten simultaneous rounds, A over B 1.05; 43 to 48 C. */
static void outcome(const char *expression, bool failed, bool measured, const char *said)
{
	struct verdict v = { 0 };
	char *items[] = { (char *)expression };
	const struct strings gates = { items, 1 };

	fixture_story_paired(&fixture);
	assert_int_equal(judge(&fixture.result, &v), 0);
	assert_int_equal(gates_judge(&gates, &fixture.result, &v), 0);
	assert_int_equal(v.gates_count, 1);
	if (v.gates[0].failed != failed || v.gates[0].measured != measured || !strstr(v.gates[0].text, said))
		fail_msg("%s: failed %d, measured %d, %s", expression, v.gates[0].failed, v.gates[0].measured,
			 v.gates[0].text);
	assert_int_equal(gates_failed(&v), failed);
	verdict_free(&v);
}

static void values(void **state)
{
	(void)state;
	outcome("ratio < 0.95", false, true, "ratio is 1.05");
	outcome("ratio > 0.95", true, true, "ratio is 1.05");
	outcome("seq-read-1m.concurrent.bw.ratio >= 104 %", true, true, "is 1.05");
	outcome("ci95_low <= 1", false, true, "ci95_low is 1.0");
	outcome("a < 5.4 GB/s or b < 5 GB/s", false, true, "b is 5.22 GB/s");
	outcome("b < 5400 MB/s", true, true, "5.22 GB/s");
	outcome("b > a", false, true, "a is");
	outcome("p50.a > 1 s", false, true, "p50.a is 183 ms");
	outcome("p50.a > 100 ms", true, true, "p50.a is 183 ms");
	outcome("iops.a < 1k", false, true, "k");
	outcome("b.temperature_max > 47 C", true, true, "48 C");
	outcome("temperature_max >= 48.5 C", false, true, "48 C");
	outcome("verdict == different", true, true, "verdict is different");
	outcome("headline != valid", false, true, "headline is valid");
	outcome("ledger.wear == supported", false, true, "ledger.wear is");
	outcome("ledger.wear != \"supported\"", true, true, "ledger.wear is");
	/* a row that was not measured is in no other state */
	outcome("ledger.probe_overhead == supported", true, false, "ledger.probe_overhead is not_measured");
	outcome("ledger.probe_overhead != ruled_out", true, false, "is not_measured");
	outcome("not ledger.probe_overhead == supported", true, false, "is not_measured");
	outcome("ledger.probe_overhead == not_measured", true, true, "is not_measured");
	outcome("ledger.wear == not_measured", false, true, "is not_supported");
	outcome("known(ledger.probe_overhead)", false, true, "not known");
	outcome("known(ledger.probe_overhead) and ledger.probe_overhead == supported", false, true, "not known");
	outcome("match < 95 %", false, true, "match is 1");
	outcome("any.ratio > 2", false, true, "any.ratio (seq-read-1m) is 1.05");
	outcome("\"seq-read-1m\".ratio > 2", false, true, "ratio is 1.05");
	outcome("not (ratio > 1 and (a > 9 GB/s or rounds == 10))", false, true, "rounds is 10");
	outcome("not ratio > 1 and a > 9 GB/s", false, true, "ratio");
}

static void not_known(void **state)
{
	(void)state;
	outcome("single.ratio < 1", true, false, "is not known");
	outcome("p99.9.a > 1 ms", true, false, "p99.9.a is not known");
	outcome("not max.a > 1 ms", true, false, "not known");
	outcome("known(max.a) and max.a > 1 ms", false, true, "max.a is not known");
	outcome("unknown(max.a)", true, true, "max.a is not known");
	outcome("max.a > 1 ms and ratio < 1", false, true, "ratio is");	/* whatever max.a is */
	outcome("max.a > 1 ms or ratio > 1", true, true, "ratio is");
	outcome("(((", true, false, "cannot be read");
}

static void errors(void **state)
{
	static const struct {
		const char *expression;
		size_t at;
		const char *says;
	} cases[] = {
		{ "", 0, "ends too early" }, { "ratio", 5, "one of <" }, { "ratio <", 7, "ends too early" },
		{ "ratio < 0.9 0.8", 12, "and, or" }, { "ratio < 3 GB/s", 10, "does not fit" },
		{ "a < 5", 5, "a unit is needed" }, { "a < 5 MB", 6, "a unit is needed" },
		{ "p99.a > 2", 9, "us, ms" }, { "verdict == fast", 11, "not a state" },
		{ "verdict < different", 8, "no order" }, { "speed < 1", 0, "no value speed" },
		{ "nosuch.ratio < 1", 0, "no workload nosuch" }, { "ledger.nosuch == supported", 0, "no row nosuch" },
		{ "seq-read-1m.nosuch.ratio < 1", 0, "selects nothing" },
		{ "(ratio < 1", 10, ") is missing" }, { "known ratio", 6, "( is missing" },
		{ "ratio < a", 8, "different units" }, { "ratio < 1e999", 8, "not a number" },
		{ "\"open.ratio < 1", 0, "a name is needed" }, { "not", 3, "ends too early" },
		{ "ratio < 1 and", 13, "ends too early" },
	};
	struct gate *gate = calloc(1, sizeof(*gate));

	(void)state;
	fixture_story_paired(&fixture);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(gate_parse(cases[i].expression, &fixture.result.plan, gate), -EINVAL);
		if (gate->at != cases[i].at || !strstr(gate->error, cases[i].says))
			fail_msg("%s: at %zu: %s", cases[i].expression, gate->at, gate->error);
	}
	free(gate);
}

/* Pieces of expressions and noise, put together at random: an answer, whatever it is, and no crash. */
static void nonsense(void **state)
{
	static const char *const pieces[] = {
		"ratio", "a", "seq-read-1m.", "single.", "p99.9.", "max.", "ledger.", "(", ")", "not ", " and ",
		" or ", "<", "<=", "==", "!=", ">", "1", "-0.5", "9e", "0x1p3", "GB/s", "%", "C", "k", "\"", ".",
		"known(", "unknown(", "verdict", "different", "headline", "any.", "all.", "\xff", "\x01", " ", "wear",
		"ratio < 1", "known(a)", "p99.a > 1 ms", "any.verdict != different",
	};
	uint32_t seed = 1;
	size_t good = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		_cleanup_text_ struct text t = { 0 };
		struct verdict v = { 0 };
		struct gate *gate = calloc(1, sizeof(*gate));
		int n = i % 40 ? 1 + i % 12 : 200 + i % 997;

		for (int k = 0; k < n; k++) {
			seed = seed * 1664525 + 1013904223;
			text_add(&t, pieces[(seed >> 16) % (sizeof(pieces) / sizeof(*pieces))]);
		}
		fixture_story_paired(&fixture);
		if (!gate_parse(t.data, i % 2 ? &fixture.result.plan : NULL, gate)) {
			const struct strings gates = { &t.data, 1 };

			good++;
			assert_int_equal(gates_judge(&gates, &fixture.result, &v), 0);
		} else {
			assert_true(gate->at <= t.length && *gate->error);
		}
		verdict_free(&v);
		free(gate);
	}
	assert_true(good > 0);
}

static void limits(void **state)
{
	struct gate *gate = calloc(1, sizeof(*gate));
	_cleanup_text_ struct text deep = { 0 }, longer = { 0 };

	(void)state;
	for (int i = 0; i < 400; i++)
		text_add(&deep, "(");
	assert_int_equal(gate_parse(deep.data, NULL, gate), -EINVAL);
	assert_non_null(strstr(gate->error, "too deep"));
	for (int i = 0; i < 40; i++)
		text_add(&longer, "ratio < 1 or ");
	text_add(&longer, "ratio < 1");
	assert_int_equal(gate_parse(longer.data, NULL, gate), -EINVAL);
	assert_non_null(strstr(gate->error, "too long"));
	free(gate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values), cmocka_unit_test(not_known), cmocka_unit_test(errors),
		cmocka_unit_test(nonsense), cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests_name("gates", tests, NULL, NULL);
}
