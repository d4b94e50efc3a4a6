/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order, sessions, series, sizes of samples and links against the worked examples. */
#include "examples.h"

#include <errno.h>

#include "pcie.h"
#include "stats-design.h"
#include "stats-random.h"
#include "stats-series.h"
#include "stats.h"

#define ROOM 64

static void steady_state(void **state)
{
	json_t *ex = examples("steady_state"), *c;
	const char *name;
	struct stats_steady s;

	(void)state;
	json_object_foreach(get(ex, "cases"), name, c) {
		double y[ROOM];
		size_t n = doubles(get(c, "y"), y, ROOM);
		const json_t *e = get(c, "expect");
		int ret = stats_steady(y, n, 0.20, 0.10, &s);

		if (!json_object_get(e, "mean")) {
			assert_int_equal(ret, -EINVAL);
			continue;
		}
		assert_int_equal(ret, 0);
		assert_near(s.mean, num(e, "mean"), 1e-9);
		assert_near(s.range, num(e, "range"), 1e-9);
		assert_near(s.slope, num(e, "slope_per_round"), 1e-9);
		assert_near(s.excursion, num(e, "fit_excursion"), 1e-9);
		assert_int_equal(s.range_ok, json_is_true(get(e, "range_ok")));
		assert_int_equal(s.slope_ok, json_is_true(get(e, "slope_ok")));
		assert_int_equal(s.steady, json_is_true(get(e, "steady")));
	}
	c = get(get(ex, "cases"), "pass");
	{
		double y[ROOM];
		size_t n = doubles(get(c, "y"), y, ROOM);

		assert_int_equal(stats_steady(y, n, 0.05, 0.02, &s), 0);
		assert_int_equal(s.steady, json_is_true(get(get(ex, "comparison_grade"), "steady")));
	}
	assert_int_equal(stats_steady((double[5]){ 0 }, 5, 0.2, 0.1, &s), -EINVAL);
	json_decref(ex);
}

static void fio_steadystate(void **state)
{
	json_t *ex = examples("fio_steadystate"), *run = get(ex, "observed_run"), *limit;
	double y[ROOM];
	const char *samples;

	(void)state;
	json_object_foreach(get(ex, "limits_pct_for_10pct_excursion"), samples, limit)
		assert_near(stats_fio_slope_limit_percent(10, strtoul(samples, NULL, 10)),
			    json_number_value(limit), 1e-6);
	json_object_foreach(get(ex, "limits_pct_for_2pct_excursion"), samples, limit)
		assert_near(stats_fio_slope_limit_percent(2, strtoul(samples, NULL, 10)),
			    json_number_value(limit), 1e-6);
	assert_near(stats_fio_slope_percent(y, doubles(get(run, "bw"), y, ROOM)),
		    num(get(run, "expect"), "criterion_pct"), 5e-4);
	json_decref(ex);
}

/* Equal drives whose speed falls by 1 % of the start a slot: what an order makes of that. */
static double drift_gap_percent(const char *order)
{
	double sum_a = 0, sum_b = 0;

	for (size_t i = 0; order[i]; i++)
		*(order[i] == 'A' ? &sum_a : &sum_b) += 1 - 0.01 * (double)i;
	return 100 * log(sum_a / sum_b);
}

static void order_examples(void **state)
{
	json_t *ex = examples("order"), *e, *t = get(ex, "order_effect_test");
	struct stats_random r = { 42 };
	struct stats_two_groups g;
	double x[ROOM], y[ROOM];
	bool b_first[10];
	const char *order;

	(void)state;
	json_object_foreach(get(ex, "linear_drift_1pct"), order, e)
		assert_near(drift_gap_percent(order), json_number_value(e), 1e-4);
	e = get(get(ex, "randomised_quads"), "expect");
	for (size_t i = 0; i < json_array_size(e); i++)
		assert_string_equal(stats_random_quad(&r) ? "BAAB" : "ABBA",
				    json_string_value(json_array_get(e, i)));
	r.state = 42;
	stats_random_order(&r, b_first, 10);
	e = get(get(ex, "balanced_shuffle"), "expect");
	for (size_t i = 0; i < 10; i++)
		assert_string_equal(b_first[i] ? "BA" : "AB", json_string_value(json_array_get(e, i)));
	e = get(t, "expect");
	assert_int_equal(stats_pooled_t(x, doubles(get(t, "A_first"), x, ROOM), y,
					doubles(get(t, "B_first"), y, ROOM), &g), 0);
	assert_near(g.difference, num(e, "difference"), 1e-9);
	assert_near(g.t, num(e, "t"), 1e-6);
	assert_near(g.df, num(e, "df"), 0);
	assert_near(g.p, num(e, "p"), 1e-6);
	json_decref(ex);
}

static void sessions(void **state)
{
	json_t *ex = examples("sessions"), *e = get(ex, "expect"), *d = get(ex, "d");
	size_t n = json_array_size(d), rounds = json_array_size(json_array_get(d, 0));
	struct stats_interval boot;
	struct stats_sessions s;
	double x[ROOM];

	(void)state;
	for (size_t i = 0; i < n; i++)
		doubles(json_array_get(d, i), x + i * rounds, rounds);
	assert_int_equal(stats_sessions(x, n, rounds, &s), 0);
	assert_near(s.mean, num(e, "mean"), 1e-9);
	assert_near(s.icc, num(e, "icc"), 1e-6);
	assert_near(s.pooled_ci95.low, at(get(e, "naive_pooled_ci95"), 0), 1e-8);
	assert_near(s.pooled_ci95.high, at(get(e, "naive_pooled_ci95"), 1), 1e-8);
	assert_near(s.ci95.low, at(get(e, "t_on_run_means_ci95"), 0), 1e-8);
	assert_near(s.ci95.high, at(get(e, "t_on_run_means_ci95"), 1), 1e-8);
	assert_int_equal(stats_sessions_bootstrap(x, n, rounds, (uint64_t)num(e, "seed"), &boot), 0);
	assert_near(boot.low, at(get(e, "two_level_boot_ci95"), 0), 1e-8);
	assert_near(boot.high, at(get(e, "two_level_boot_ci95"), 1), 1e-8);
	json_decref(ex);
}

static void autocorrelation(void **state)
{
	json_t *ex = examples("autocorrelation"), *e = get(ex, "expect");
	struct stats_autocorrelation a;
	double y[ROOM], half;
	size_t n = doubles(get(ex, "MBps_per_second"), y, ROOM);

	(void)state;
	assert_int_equal(stats_autocorrelation(y, n, &a), 0);
	assert_near(a.r1, num(e, "r1"), 1e-6);
	assert_near(a.effective_n, num(e, "neff"), 1e-6);
	assert_near(a.naive_halfwidth, num(e, "naive_halfwidth"), 1e-6);
	assert_near(a.effective_halfwidth, num(e, "ess_halfwidth"), 1e-5);
	assert_int_equal(stats_batch_halfwidth(y, n, 6, &half), 0);
	assert_near(half, num(e, "batch_halfwidth"), 1e-6);
	json_decref(ex);
}

/* "s=0.005" -> 0.005 */
static double after_equals(const char *s)
{
	return strtod(strchr(s, '=') + 1, NULL);
}

static void check_rounds(const json_t *table, size_t (*needed)(double, double))
{
	const char *s, *h;
	json_t *row, *n;

	json_object_foreach((json_t *)table, s, row)
		json_object_foreach(row, h, n)
			assert_int_equal(needed(after_equals(s), after_equals(h)), json_integer_value(n));
}

static void rounds_needed(void **state)
{
	json_t *ex = examples("rounds"), *value;
	const char *n;

	(void)state;
	check_rounds(get(ex, "ci_halfwidth"), stats_rounds_for_interval);
	check_rounds(get(ex, "power80"), stats_rounds_for_power);
	check_rounds(get(ex, "tost80"), stats_rounds_for_equivalence);
	json_object_foreach(get(ex, "signflip_min_p"), n, value)
		assert_near(stats_sign_flip_least_p(strtoul(n, NULL, 10)), json_number_value(value), 0);
	json_object_foreach(get(ex, "signflip_min_rounds_for_holm"), n, value)
		assert_int_equal(stats_rounds_for_holm(strtoul(n, NULL, 10)), json_integer_value(value));
	json_decref(ex);
}

static void blocks_needed(void **state)
{
	json_t *ex = examples("sampling"), *row, *c, *list;
	const char *key;
	size_t i;

	(void)state;
	json_object_foreach(get(get(ex, "zero_failures_n"), "table"), key, row) {
		double p = strtod(key, NULL);

		assert_int_equal(stats_blocks_without_exception(p, 0.95), num(row, "95"));
		assert_int_equal(stats_blocks_without_exception(p, 0.99), num(row, "99"));
	}
	list = get(get(ex, "finite_population"), "cases");
	json_array_foreach(list, i, c)
		assert_int_equal(stats_blocks_of_finite((uint64_t)num(c, "N"), num(c, "p"), num(c, "conf")),
				 num(c, "expect_n"));
	json_object_foreach(get(ex, "dkw_halfwidth_95"), key, c)
		assert_near(stats_dkw_halfwidth(strtoul(key, NULL, 10)), json_number_value(c), 1e-6);
	json_decref(ex);
}

static void clopper_pearson(void **state)
{
	json_t *ex = examples("sampling"), *c, *two = get(ex, "two_region_rule");
	uint64_t a[ROOM], b[ROOM];
	struct stats_interval in;
	size_t i, classes = 0;
	const char *name;
	double lower;

	(void)state;
	json_array_foreach(get(ex, "clopper_pearson"), i, c) {
		assert_int_equal(stats_clopper_pearson((uint64_t)num(c, "k"), (uint64_t)num(c, "n"),
						       num(c, "conf"), &in), 0);
		assert_near(in.low, at(get(c, "expect"), 0), 1e-6);
		assert_near(in.high, at(get(c, "expect"), 1), 1e-6);
	}
	assert_int_equal(stats_clopper_pearson(1, 0, 0.95, &in), -EINVAL);
	assert_int_equal(stats_clopper_pearson(3, 2, 0.95, &in), -EINVAL);
	json_object_foreach(get(two, "A"), name, c) {
		a[classes] = (uint64_t)json_integer_value(c);
		b[classes++] = (uint64_t)num(get(two, "B"), name);
	}
	assert_int_equal(stats_overlap_lower(a, b, classes, &lower), 0);
	assert_near(lower, num(get(two, "expect"), "overlap_lower"), 1e-6);
	json_decref(ex);
}

static void quantile_ranks(void **state)
{
	json_t *ex = examples("percentiles"), *c, *per_round = get(ex, "per_round");
	struct stats_interval in;
	const char *key;
	double x[ROOM];
	size_t i, n;

	(void)state;
	json_array_foreach(get(ex, "ranks"), i, c) {
		const json_t *e = get(c, "expect");
		uint64_t low, high;
		double coverage;

		stats_quantile_ranks((uint64_t)num(c, "n"), num(c, "p"), &low, &high, &coverage);
		assert_int_equal(low, num(e, "l"));
		assert_int_equal(high, num(e, "u"));	/* null reads as 0: none */
		if (high)
			assert_near(coverage, num(e, "coverage"), 1e-6);
		else
			assert_true(isnan(coverage));
	}
	json_object_foreach(get(ex, "min_n_two_sided95"), key, c)
		assert_int_equal(stats_quantile_least_n(strtod(key, NULL)), json_integer_value(c));
	n = doubles(get(per_round, "p99_us"), x, ROOM);
	assert_near(stats_geometric_mean(x, n), num(get(per_round, "expect"), "geo_mean"), 1e-4);
	for (i = 0; i < n; i++)
		x[i] = log(x[i]);
	assert_int_equal(stats_t_interval(x, n, 0.95, &in), 0);
	assert_near(exp(in.low), at(get(get(per_round, "expect"), "ci95"), 0), 1e-4);
	assert_near(exp(in.high), at(get(get(per_round, "expect"), "ci95"), 1), 1e-4);
	json_decref(ex);
}

static void multiplicity(void **state)
{
	json_t *ex = examples("multiplicity"), *e = get(ex, "expect");
	double p[ROOM], holm[ROOM], bh[ROOM], two[3];
	size_t n = doubles(get(ex, "p"), p, ROOM);

	(void)state;
	assert_int_equal(stats_holm(p, n, holm), 0);
	assert_int_equal(stats_benjamini_hochberg(p, n, bh), 0);
	for (size_t i = 0; i < n; i++) {
		assert_near(holm[i], at(get(e, "holm"), i), 1e-6);
		assert_near(bh[i], at(get(e, "bh"), i), 1e-6);
		assert_int_equal(holm[i] < 0.05, json_is_true(json_array_get(get(e, "holm_reject_5pct"), i)));
	}
	/* unknown ones do not count */
	assert_int_equal(stats_holm((double[]){ NAN, 0.04, 0.01 }, 3, two), 0);
	assert_true(isnan(two[0]));
	assert_near(two[1], 0.04, 1e-12);
	assert_near(two[2], 0.02, 1e-12);
	json_decref(ex);
}

static void offset_blocks(void **state)
{
	json_t *ex = examples("offset_blocks"), *e = get(ex, "expect");
	size_t rounds = json_array_size(get(ex, "A_MBps"));
	double mean[ROOM], d[ROOM];
	struct stats_interval in;

	(void)state;
	for (size_t r = 0; r < rounds; r++) {
		double a[ROOM], b[ROOM];
		size_t n = doubles(json_array_get(get(ex, "A_MBps"), r), a, ROOM);

		doubles(json_array_get(get(ex, "B_MBps"), r), b, ROOM);
		for (size_t i = 0; i < n; i++)
			d[i] = log(a[i] / b[i]);
		mean[r] = stats_mean(d, n);
		assert_near(mean[r], at(get(e, "round_mean_log"), r), 1e-6);
	}
	assert_near(exp(stats_mean(mean, rounds)), num(e, "geo_ratio"), 1e-6);
	assert_int_equal(stats_t_interval(mean, rounds, 0.95, &in), 0);
	assert_near(exp(in.low), at(get(e, "ci95_rounds"), 0), 1e-6);
	assert_near(exp(in.high), at(get(e, "ci95_rounds"), 1), 1e-6);
	assert_near(stats_sign_flip(mean, rounds), num(e, "signflip_p_rounds"), 1e-9);
	json_decref(ex);
}

static void little(void **state)
{
	json_t *ex = examples("little"), *c;
	size_t i;

	(void)state;
	json_array_foreach(get(ex, "cases"), i, c) {
		double o = stats_occupancy(num(c, "iops"), num(c, "clat_us") * 1000, num(c, "depth"));

		assert_near(o, num(get(c, "expect"), "occupancy"), 1e-6);
	}
	json_decref(ex);
}

static double gt_per_s(double generation)
{
	return (double[]){ 2.5, 5, 8, 16, 32 }[(int)generation - 1];
}

static void pcie_limits(void **state)
{
	json_t *ex = examples("pcie_limits"), *row;
	size_t i;

	(void)state;
	json_array_foreach(get(ex, "table"), i, row) {
		double speed = gt_per_s(num(row, "gen")), raw;
		int64_t width = (int64_t)num(row, "width");

		raw = pcie_raw_bytes_per_s(speed, width);
		assert_int_equal(pcie_generation(speed), num(row, "gen"));
		assert_near(raw, num(row, "raw_Bps"), 1);
		assert_near(pcie_limit_bytes_per_s(speed, width, 128), num(row, "tlp4dw_mps128"), 1);
		assert_near(pcie_limit_bytes_per_s(speed, width, 256), num(row, "tlp4dw_mps256"), 1);
		assert_near(pcie_limit_bytes_per_s(speed, width, 512), num(row, "tlp4dw_mps512"), 1);
		assert_near(raw * pcie_efficiency_to_drive(64), num(row, "cpl3dw_64"), 1);
		assert_near(raw * pcie_efficiency_to_drive(256), num(row, "cpl3dw_256"), 1);
	}
	json_array_foreach(get(ex, "pct_of_limit"), i, row)
		assert_near(100 * num(row, "measured_Bps") /
			    pcie_limit_bytes_per_s(gt_per_s(num(row, "gen")), (int64_t)num(row, "width"),
						   num(row, "mps")), num(row, "expect_pct"), 0.005);
	assert_true(isnan(pcie_raw_bytes_per_s(NAN, 4)) && isnan(pcie_raw_bytes_per_s(8, INT64_MIN)));
	assert_int_equal(pcie_generation(NAN), 0);
	json_decref(ex);
}

static void pcie_links(void **state)
{
	json_t *ex = examples("pcie_link"), *c;
	struct pcie_link_state link;
	size_t i;

	(void)state;
	json_array_foreach(get(ex, "cases"), i, c) {
		const json_t *in = get(c, "in"), *e = get(c, "expect");
		char negotiable[32];

		assert_true(pcie_assess(at(in, 0), (int64_t)at(in, 1), at(in, 2), (int64_t)at(in, 3),
					at(in, 6), (int64_t)at(in, 7), &link));
		assert_int_equal(link.downtrained, json_is_true(get(e, "downtrained")));
		assert_int_equal(link.slot_limited, json_is_true(get(e, "slot_limited")));
		snprintf(negotiable, sizeof(negotiable), "gen%d x%d",
			 pcie_generation(link.negotiable_gt_per_s), (int)link.negotiable_lanes);
		assert_string_equal(negotiable, json_string_value(get(e, "negotiable")));
	}
	assert_false(pcie_assess(NAN, 4, 16, 4, 16, 4, &link));
	assert_false(pcie_assess(16, 4, 16, INT64_MIN, 16, 4, &link));
	json_decref(ex);
}

/* Two rows that fall together over time are related by time alone; bumps in common are more. */
static void rank_correlation(void **state)
{
	static const double bumps[] = { 3, -1, 4, -1, -5, 9, -2, 6, -5, 3, 5, -8 };
	double x[12], y[12], z[12], rho, p;

	(void)state;
	for (size_t i = 0; i < 12; i++) {
		x[i] = 100 - 10 * (double)i + bumps[i];
		y[i] = 5000 + 300 * (double)i - 20 * bumps[i];
		z[i] = 5000 - 300 * (double)i + bumps[(i * 5 + 2) % 12];
	}
	assert_int_equal(stats_detrended_rank_correlation(x, y, 12, &rho, &p), 0);
	assert_true(rho < -0.9 && p < 0.01);
	assert_int_equal(stats_detrended_rank_correlation(x, z, 12, &rho, &p), 0);
	assert_true(fabs(rho) < 0.6 && p > 0.01);
	assert_int_equal(stats_detrended_rank_correlation(x, y, 3, &rho, &p), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady_state), cmocka_unit_test(fio_steadystate),
		cmocka_unit_test(order_examples), cmocka_unit_test(sessions),
		cmocka_unit_test(autocorrelation), cmocka_unit_test(rounds_needed),
		cmocka_unit_test(blocks_needed), cmocka_unit_test(clopper_pearson),
		cmocka_unit_test(quantile_ranks), cmocka_unit_test(multiplicity),
		cmocka_unit_test(offset_blocks), cmocka_unit_test(little),
		cmocka_unit_test(pcie_limits), cmocka_unit_test(pcie_links),
		cmocka_unit_test(rank_correlation),
	};

	return cmocka_run_group_tests_name("stats-more", tests, NULL, NULL);
}
