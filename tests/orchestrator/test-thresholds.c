/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of limits: names, bounds, contradictions, and the way through a plan. */
#include "examples.h"

#include <errno.h>

#include "fixture.h"
#include "judge.h"
#include "suite.h"
#include "thresholds.h"
#include "verdict-json.h"

static size_t known_thresholds(void)
{
	size_t n = 0;

	while (thresholds_info[n].name)
		n++;
	return n;
}

/* Each member of the struct has one row, its default lies within its bounds. */
static void the_table_is_whole(void **state)
{
	(void)state;
	assert_int_equal(known_thresholds() * sizeof(double), sizeof(struct thresholds));
	assert_null(thresholds_conflict(&thresholds_default));
	for (size_t i = 0; i < known_thresholds(); i++) {
		const struct threshold_info *t = &thresholds_info[i];
		struct thresholds limits = thresholds_default;

		assert_int_equal(t->offset, i * sizeof(double));
		assert_ptr_equal(threshold_find(t->name), t);
		assert_int_equal(threshold_set(&limits, t, threshold_value(&thresholds_default, t)), 0);
		assert_int_equal(threshold_set(&limits, t, t->least), 0);
		assert_int_equal(threshold_set(&limits, t, t->most), 0);
		assert_int_equal(threshold_set(&limits, t, t->most + 1), -ERANGE);
		assert_int_equal(threshold_set(&limits, t, t->least - 1), -ERANGE);
		assert_int_equal(threshold_set(&limits, t, NAN), -ERANGE);
		assert_near(threshold_value(&limits, t), t->most, 0);	/* what was refused was not set */
	}
}

static void the_nearest_name(void **state)
{
	static const char *const cases[][2] = {
		{ "margin", "margin_ratio" }, { "margin_ratoi", "margin_ratio" }, { "wear_point", "wear_points" },
		{ "min_round", "min_rounds" }, { "forein_much", "foreign_much" }, { "alhpa", "alpha" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(threshold_nearest(cases[i][0])->name, cases[i][1]);
	assert_null(threshold_find("margin"));
	assert_non_null(threshold_nearest(""));
}

static int from_text(const char *text, struct thresholds *limits)
{
	json_t *json = json_loads(text, 0, NULL);
	int ret;

	assert_non_null(json);
	*limits = thresholds_default;
	ret = suite_thresholds("a suite", json, limits);
	json_decref(json);
	return ret;
}

static void from_a_suite(void **state)
{
	static const char *const bad[] = {
		"{\"margin\": 1.01}", "{\"margin_ratio\": 1}", "{\"margin_ratio\": \"2 %\"}", "{\"alpha\": 0.9}",
		"{\"min_rounds\": 3}", "{\"match_valid\": 1.2}", "[1]", "{\"foreign_some\": 0.5}",
		"{\"explains_nothing\": 0.5}", "{\"match_narrower\": 0.99}",
	};
	struct thresholds limits;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(from_text(bad[i], &limits), -EINVAL);
	assert_int_equal(from_text("{\"margin_ratio\": 1.2, \"wear_points\": 20}", &limits), 0);
	assert_near(limits.margin_ratio, 1.2, 0);
	assert_near(limits.wear_points, 20, 0);
	assert_near(limits.alpha, thresholds_default.alpha, 0);
}

/* The judge uses what the plan says, and the verdict says what was used. */
static void through_a_plan(void **state)
{
	struct thresholds limits = thresholds_default;
	struct fixture *fx = calloc(1, sizeof(*fx));
	struct verdict v = { 0 };
	json_t *json;

	(void)state;
	assert_non_null(fx);
	fixture_story_paired(fx);
	limits.margin_ratio = 1.2;
	assert_int_equal(thresholds_plan(&limits, &fx->result.plan), 0);
	assert_int_equal(fx->result.plan.thresholds_count, known_thresholds());
	assert_int_equal(judge(&fx->result, &v), 0);
	assert_int_equal(v.comparisons[0].verdict, VERDICT_EQUIVALENT_SMALL_DIFFERENCE);
	json = verdict_to_json(&v);
	assert_near(num(get(json, "thresholds"), "margin_ratio"), 1.2, 0);
	assert_int_equal(json_object_size(get(json, "thresholds")), known_thresholds());
	assert_near(num(get(json_array_get(get(json, "ledger"), 0), "thresholds"), "match_valid"), 0.95, 0);
	json_decref(json);
	verdict_free(&v);
	for (size_t i = 0; i < fx->result.plan.thresholds_count; i++)
		free(fx->result.plan.thresholds[i].name);
	free(fx->result.plan.thresholds);
	free(fx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_whole), cmocka_unit_test(the_nearest_name),
		cmocka_unit_test(from_a_suite), cmocka_unit_test(through_a_plan),
	};

	return cmocka_run_group_tests_name("thresholds", tests, NULL, NULL);
}
