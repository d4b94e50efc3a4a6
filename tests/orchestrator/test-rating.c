/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratings: by the rows of a baseline, with what the drive's link carries beside them. */
#include "examples.h"

#include "fixture.h"
#include "judge-rating.h"
#include "judge.h"
#include "text.h"
#include "verdict-json.h"

static struct fixture fx;
static struct verdict v;
static struct baseline_row rows[] = {
	{ "read", "bw_bytes_per_s", 1 << 20, 500e6, 1e9, 3e9 },
	{ "randread", "iops", 4096, 10e3, 50e3, 300e3 },
};

static int start(void **state)
{
	(void)state;
	fixture_start(&fx);
	v = (struct verdict){ 0 };
	fx.result.plan.baseline = (struct baseline){ .name = "pi", .rows = rows, .rows_count = 2 };
	return 0;
}

static int stop(void **state)
{
	(void)state;
	verdict_free(&v);
	return 0;
}

/* One lane of the second generation on both sides: 500 MB/s before packet headers. */
static void one_lane(void)
{
	fixture_links(&fx);
	for (int s = 0; s < SIDES; s++)
		for (size_t i = 0; i < fx.result.drives[s].links_count; i++) {
			fx.result.drives[s].links[i].current_speed_gt_per_s = 5;
			fx.result.drives[s].links[i].current_width_lanes = 1;
		}
}

static const struct rating_row *rated(double a_mb, double b_mb, int side)
{
	size_t w = fixture_workload(&fx, "seq-read-1m", "read", 1 << 20);

	for (int i = 0; i < 6; i++)
		fixture_round(&fx, w, false, a_mb, b_mb);
	assert_int_equal(judge(&fx.result, &v), 0);
	assert_int_equal(v.ratings_count, 2);
	assert_int_equal(v.ratings[side].side, side);
	return &v.ratings[side];
}

static void by_limits(void **state)
{
	const struct rating_row *r = rated(499.9, 500.1, SIDE_A);

	(void)state;
	assert_int_equal(r->rating, RATING_BELOW_GOOD);
	assert_int_equal(r[1].rating, RATING_GOOD);
	assert_string_equal(r->workload, "seq-read-1m");
	assert_true(fabs(r->value - 499.9e6) < 1);
	assert_true(isnan(r->link_limit) && isnan(r->link_share) && !r->suspect);
}

static void upper_limits(void **state)
{
	const struct rating_row *r = rated(1000.1, 3000.1, SIDE_A);

	(void)state;
	assert_int_equal(r->rating, RATING_EXCELLENT);
	assert_int_equal(r[1].rating, RATING_EXCEPTIONAL);
}

static void above_the_link(void **state)
{
	const struct rating_row *r;

	(void)state;
	one_lane();
	r = rated(410, 900, SIDE_A);
	/* 5 GT/s x 8/10 / 8 bits = 500 MB/s, of which packet headers leave less */
	assert_true(r->link_limit < 500e6 && r->link_limit > 400e6);
	assert_true(fabs(r->link_share - 410e6 / r->link_limit) < 1e-9);
	assert_false(r->suspect);
	assert_true(r[1].suspect);
	assert_true(r[1].link_share > 1.8);
}

static void nothing_to_rate(void **state)
{
	size_t w = fixture_workload(&fx, "seq-read-1m", "read", 65536);

	(void)state;
	for (int i = 0; i < 6; i++)
		fixture_round(&fx, w, false, 500, 500);
	assert_int_equal(judge(&fx.result, &v), 0);
	assert_int_equal(v.ratings_count, 0);	/* other blocks than the baseline speaks of */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(by_limits, start, stop),
		cmocka_unit_test_setup_teardown(upper_limits, start, stop),
		cmocka_unit_test_setup_teardown(above_the_link, start, stop),
		cmocka_unit_test_setup_teardown(nothing_to_rate, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
