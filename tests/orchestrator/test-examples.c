/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Worked examples that go through several parts at once (classes of data, counts of bytes, the two
 * stories), and that no group of tests/data/method-examples.json is left without a test.
 */
#include "wording.h"

#include <dirent.h>

#include "fixture.h"
#include "judge.h"
#include "reconcile.h"
#include "record/state.h"
#include "stats-random.h"
#include "text.h"
#include "verdict-json.h"

/* ---- classes of data ---- */

#define UNIT 4096

static void noise(unsigned char *p, size_t n)
{
	struct stats_random random = { 1 };

	for (size_t i = 0; i < n; i += 8) {
		uint64_t v = stats_random_next(&random);

		for (size_t k = 0; k < 8; k++)
			p[i + k] = (unsigned char)(v >> (8 * k));
	}
}

/* Fills one unit as its name in the examples says. */
static void fill(const char *name, unsigned char *p)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char raw[UNIT];

	noise(raw, UNIT);
	if (!strncmp(name, "splitmix", 8) || !strncmp(name, "first2048", 9)) {
		memcpy(p, raw, UNIT);
		if (name[0] == 'f')
			memset(p + 2048, 0, 2048);
		return;
	}
	for (size_t i = 0; i < UNIT; i++) {
		size_t k = i / 4 * 3;
		unsigned int three = k + 2 < UNIT ? (unsigned int)raw[k] << 16 | raw[k + 1] << 8 | raw[k + 2] : 0;

		p[i] = !strncmp(name, "zeros", 5) ? 0 :
		       !strncmp(name, "deadbeef", 8) ? (unsigned char)(0xdeadbeefu >> (24 - 8 * (i % 4))) :
		       !strncmp(name, "counter", 7) ? (unsigned char)i :
		       !strncmp(name, "hex", 3) ? (unsigned char)"0123456789abcdef"[raw[i / 2] >> (i % 2 ? 0 : 4) & 15] :
		       (unsigned char)digits[three >> (18 - 6 * (i % 4)) & 63];
	}
}

static void entropy(void **state)
{
	json_t *ex = examples("entropy"), *value;
	unsigned char p[UNIT];
	const char *name;

	(void)state;
	json_object_foreach(get(ex, "H_bits"), name, value) {
		fill(name, p);
		assert_near(state_entropy_bits(p, UNIT), json_number_value(value), 1e-6);
	}
	json_object_foreach(get(ex, "lz4_ratio_liblz4_1_9_4"), name, value) {
		fill(name, p);
		assert_near(state_lz4_ratio(p, UNIT), json_number_value(value), 0.01);
	}
	/* noise lies where noise should, and is called incompressible */
	fill("splitmix", p);
	value = get(get(ex, "null_uniform_bytes"), "4096");
	assert_near(state_entropy_bits(p, UNIT), num(value, "mean"), 4 * num(value, "sd"));
	assert_true(num(value, "min_of_4000") / 8 > STATE_COMPRESSIBLE_BELOW);
	json_decref(ex);
}

/* ---- counts of bytes ---- */

static void smart_units(void **state)
{
	json_t *ex = examples("smart_units"), *c;
	int64_t low, high;
	size_t i;

	(void)state;
	json_array_foreach(get(ex, "cases"), i, c) {
		const json_t *e = get(c, "expect");
		double asked = num(c, "fio_bytes");

		reconcile_bounds(json_integer_value(get(c, "d1")) - json_integer_value(get(c, "d0")), 1, &low, &high);
		assert_near((double)low, num(e, "device_bytes_lo"), 0);
		assert_near((double)high, num(e, "device_bytes_hi"), 0);
		assert_near((double)low - asked, num(e, "foreign_lo"), 0);
		assert_near((double)high - asked, num(e, "foreign_hi"), 0);
		assert_near(100 * ((double)low - asked) / asked, num(e, "foreign_lo_pct"), 1e-6);
		assert_near(100 * ((double)high - asked) / asked, num(e, "foreign_hi_pct"), 1e-6);
	}
	reconcile_bounds(0, 1, &low, &high);
	assert_near((double)high, num(ex, "rounding_halfwidth_bytes"), 0);
	json_decref(ex);
}

/* ---- latencies of a closed loop ---- */

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void assert_ranks(double *x, size_t n, const json_t *expected)
{
	const char *p;
	json_t *value;

	qsort(x, n, sizeof(*x), ascending);
	json_object_foreach((json_t *)expected, p, value)
		assert_near(x[(size_t)ceil(strtod(p, NULL) * (double)n - 1e-9) - 1], json_number_value(value), 1e-9);
}

/* Why each verdict says that latencies are those of a closed loop: a stall hides what waited for it. */
static void closed_loop(void **state)
{
	json_t *ex = examples("coordinated_omission"), *in = get(ex, "in"), *e = get(ex, "expect");
	size_t fast = (size_t)num(in, "n_fast"), n = 0;
	double interval = num(in, "interval_ms"), *x = calloc(2 * fast, sizeof(*x));
	struct fixture *fx = malloc(sizeof(*fx));
	struct verdict v = { 0 };
	bool said = false;

	(void)state;
	for (; n < fast; n++)
		x[n] = num(in, "fast_ms");
	x[n++] = at(get(in, "stalls"), 0);
	assert_int_equal(n, num(e, "n_raw"));
	assert_ranks(x, n, get(e, "raw"));
	for (double rest = x[n - 1] - interval; rest >= interval - 1e-9; rest -= interval)
		x[n++] = rest;
	assert_int_equal(n, num(e, "n_corrected"));
	assert_ranks(x, n, get(e, "corrected"));
	free(x);
	json_decref(ex);
	fixture_story_paired(fx);
	assert_int_equal(judge(&fx->result, &v), 0);
	for (size_t i = 0; i < v.conditions.count; i++)
		said |= strstr(v.conditions.items[i], "closed loop") != NULL;
	assert_true(said);
	verdict_free(&v);
	free(fx);
}

/* ---- the two stories, by the numbers in the examples ---- */

static char *all_of(const struct verdict *v)
{
	struct text t = { 0 };

	text_printf(&t, "%s\n", v->headline_text);
	for (size_t i = 0; i < v->sentences.count; i++)
		text_printf(&t, "%s\n", v->sentences.items[i]);
	for (size_t i = 0; i < v->ledger_count; i++)
		text_printf(&t, "%s\n", v->ledger[i].text);
	return text_steal(&t);
}

static void assert_told(const struct verdict *v, const json_t *expect)
{
	char *all = all_of(v);
	const char *id;
	json_t *value;
	size_t i, k;

	assert_sober_verdict(v);
	json_object_foreach(get(expect, "ledger"), id, value) {
		for (k = 0; k < v->ledger_count && strcmp(v->ledger[k].id, id); k++)
			;
		assert_true(k < v->ledger_count);
		if (strcmp(ledger_state_names[v->ledger[k].state], json_string_value(value)))
			fail_msg("%s, expected %s", v->ledger[k].text, json_string_value(value));
	}
	json_array_foreach(get(expect, "must_contain"), i, value)
		if (!strcasestr(all, json_string_value(value)))
			fail_msg("not said: %s\nin: %s", json_string_value(value), all);
	json_array_foreach(get(expect, "must_not_contain"), i, value)
		if (strcasestr(all, json_string_value(value)))
			fail_msg("said: %s\nin: %s", json_string_value(value), all);
	free(all);
}

static void stories(void **state)
{
	json_t *regions = examples("story_regions"), *paired = examples("story_paired"), *e, *in, *region;
	struct fixture *fx = malloc(sizeof(*fx));
	struct verdict v = { 0 };
	size_t i;

	(void)state;
	fixture_story_regions(fx);
	for (int s = 0; s < SIDES; s++) {
		in = get(get(get(regions, "input"), s ? "B" : "A"), "regions");
		assert_int_equal(json_array_size(in), fx->results[0].bins_count);
		json_array_foreach(in, i, region)
			assert_near(fx->bins[i].bw_bytes_per_s[s] / 1e9, at(region, 1), 1e-9);
	}
	e = get(regions, "expect");
	assert_int_equal(judge(&fx->result, &v), 0);
	assert_told(&v, e);
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
	assert_near(1 / v.comparisons[0].ratio, num(e, "headline_ratio_B_over_A"), 1e-6);
	assert_near(v.comparisons[0].match_share, num(e, "matched_share"), 1e-12);
	verdict_free(&v);

	in = get(paired, "input");
	fixture_start(fx);
	i = fixture_workload(fx, "seq-read-1m", "read", 1 << 20);
	for (size_t k = 0; k < json_array_size(get(in, "A_MBps")); k++)
		fixture_round(fx, i, true, at(get(in, "A_MBps"), k), at(get(in, "B_MBps"), k));
	fixture_smart(fx, 43, 48);
	fixture_links(fx);
	fixture_blocks(fx);
	e = get(paired, "expect");
	assert_int_equal(judge(&fx->result, &v), 0);
	assert_told(&v, e);
	assert_int_equal(v.headline, HEADLINE_VALID);
	assert_int_equal(v.comparisons[0].verdict, VERDICT_DIFFERENT);
	assert_near(v.comparisons[0].ratio, num(e, "geo_ratio"), 1e-6);
	assert_near(v.comparisons[0].ci95_low, at(get(e, "ci95"), 0), 1e-6);
	assert_near(v.comparisons[0].ci95_high, at(get(e, "ci95"), 1), 1e-6);
	assert_near(v.comparisons[0].p_sign_flip, num(e, "signflip_p"), 1e-6);
	verdict_free(&v);
	free(fx);
	json_decref(regions);
	json_decref(paired);
}

/* ---- no group without a test ---- */

/* All unit tests as one text. */
static char *all_tests(const char *tests)
{
	char *directory = text_format("%s/orchestrator", tests);
	struct text all = { 0 };
	struct dirent *entry;
	DIR *d = opendir(directory);

	assert_non_null(d);
	while ((entry = readdir(d))) {
		char *path = text_format("%s/%s", directory, entry->d_name), *data = NULL;
		size_t length;

		if (!strncmp(entry->d_name, "test-", 5) && !text_read_file(path, 1 << 20, &data, &length))
			text_printf(&all, "%s", data);
		free(data);
		free(path);
	}
	closedir(d);
	free(directory);
	return text_steal(&all);
}

static void every_group_is_used(void **state)
{
	const char *tests = getenv("TESTS") ? getenv("TESTS") : "tests", *group;
	char *path = text_format("%s/data/method-examples.json", tests), *all = all_tests(tests);
	json_t *json = json_load_file(path, 0, NULL), *value;

	(void)state;
	assert_non_null(json);
	assert_true(json_object_size(json) > 20);
	json_object_foreach(json, group, value) {
		char *use = text_format("examples(\"%s\")", group);

		if (json_is_object(value) && !strstr(all, use))
			fail_msg("no test uses the examples '%s'", group);
		free(use);
	}
	json_decref(json);
	free(path);
	free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entropy), cmocka_unit_test(smart_units), cmocka_unit_test(closed_loop),
		cmocka_unit_test(stories), cmocka_unit_test(every_group_is_used),
	};

	return cmocka_run_group_tests_name("examples", tests, NULL, NULL);
}
