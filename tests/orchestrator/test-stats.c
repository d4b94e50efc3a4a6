/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paired comparison against the worked examples, and what must hold for any data. */
#include "examples.h"

#include <errno.h>

#include "stats-random.h"
#include "stats.h"

#define ROOM 64

static void random_stream(void **state)
{
	json_t *ex = examples("random");
	static const struct {
		uint64_t seed;
		const char *key;
	} hex[] = { { 0, "seed0_first3_hex" }, { 42, "seed42_first3_hex" } };
	struct stats_random r;

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		r.state = hex[k].seed;
		for (size_t i = 0; i < 3; i++) {
			const char *s = json_string_value(json_array_get(get(ex, hex[k].key), i));

			assert_int_equal(stats_random_next(&r), strtoull(s, NULL, 16));
		}
	}
	r.state = 42;
	for (size_t i = 0; i < 12; i++)
		assert_int_equal(stats_random_index(&r, 10), at(get(ex, "seed42_idx10_first12"), i));
	r.state = 7;
	for (size_t i = 0; i < 3; i++)
		assert_near(stats_random_unit(&r), at(get(ex, "seed7_u01_first3"), i), 1e-15);
	json_decref(ex);
}

static void check_basics(const struct stats_paired *p, const json_t *e)
{
	assert_int_equal(p->n, num(e, "n"));
	assert_near(p->mean_log, num(e, "mean_log"), 1e-8);
	assert_near(p->sd_log, num(e, "sd_log"), 1e-8);
	assert_near(p->ratio, num(e, "geo_ratio"), 1e-8);
	assert_near(p->ci95.low, at(get(e, "t_ci95_ratio"), 0), 1e-8);
	assert_near(p->ci95.high, at(get(e, "t_ci95_ratio"), 1), 1e-8);
	assert_near(p->ci90.low, at(get(e, "t_ci90_ratio"), 0), 1e-8);
	assert_near(p->ci90.high, at(get(e, "t_ci90_ratio"), 1), 1e-8);
	assert_near(p->t, num(e, "t_stat"), 1e-7);
	assert_near(p->p_t, num(e, "p_t_two_sided"), 1e-6 * num(e, "p_t_two_sided") + 1e-8);
	assert_near(p->p_sign_flip, num(e, "signflip_count") / num(e, "signflip_total"), 1e-15);
	assert_near(p->median_ratio, num(e, "median_ratio"), 1e-8);
}

static void check_bootstrap(const double *d, const double *a, const double *b, size_t n, const json_t *e)
{
	uint64_t seed = (uint64_t)num(get(e, "boot"), "seed");
	struct stats_bootstrap boot;

	assert_int_equal(stats_bootstrap_mean(d, n, seed, &boot), 0);
	assert_near(exp(boot.percentile95.low), at(get(get(e, "boot"), "pct95_ratio"), 0), 1e-8);
	assert_near(exp(boot.percentile95.high), at(get(get(e, "boot"), "pct95_ratio"), 1), 1e-8);
	assert_near(exp(boot.percentile90.low), at(get(get(e, "boot"), "pct90_ratio"), 0), 1e-8);
	assert_near(exp(boot.percentile90.high), at(get(get(e, "boot"), "pct90_ratio"), 1), 1e-8);
	assert_int_equal(stats_bootstrap_median_ratio(a, b, n, seed + 1000, &boot), 0);
	assert_near(boot.percentile95.low, at(get(e, "median_ratio_boot95"), 0), 1e-8);
	assert_near(boot.percentile95.high, at(get(e, "median_ratio_boot95"), 1), 1e-8);
	assert_near(stats_expanded_alpha_half(n, 0.95), num(e, "expanded_alpha_half"), 1e-8);
}

static void paired_examples(void **state)
{
	static const struct {
		const char *set;
		enum stats_verdict verdict;
	} cases[] = {
		{ "real_difference", STATS_DIFFERENT },
		{ "equivalent", STATS_EQUIVALENT },
		{ "inconclusive", STATS_INCONCLUSIVE },
		{ "small_but_detected", STATS_EQUIVALENT_SMALL_DIFFERENCE },
		{ "size_unresolved", STATS_DIFFERENT_SIZE_UNRESOLVED },
	};
	json_t *ex = examples("paired");

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		const json_t *set = get(get(ex, "sets"), cases[k].set), *e = get(set, "expect");
		double a[ROOM], b[ROOM], d[ROOM];
		size_t n = doubles(get(set, "A_MBps"), a, ROOM);
		struct stats_paired p;

		assert_int_equal(doubles(get(set, "B_MBps"), b, ROOM), n);
		assert_int_equal(stats_paired(a, b, n, &p), 0);
		check_basics(&p, e);
		assert_int_equal(stats_decide(&p, 1.02), cases[k].verdict);
		assert_false(stats_disagree(&p, 0.05));
		for (size_t i = 0; i < n; i++) {
			d[i] = log(a[i] / b[i]);
			assert_near(d[i], at(get(e, "log_ratio"), i), 1e-8);
		}
		check_bootstrap(d, a, b, n, e);
	}
	json_decref(ex);
}

/* Made-up rounds: speeds around 5000 with noise and a gap. */
static size_t rounds(struct stats_random *r, double *a, double *b)
{
	size_t n = 6 + stats_random_index(r, 9);
	double gap = 0.9 + 0.2 * stats_random_unit(r);

	for (size_t i = 0; i < n; i++) {
		b[i] = 5000 * (0.95 + 0.1 * stats_random_unit(r));
		a[i] = b[i] * gap * (0.98 + 0.04 * stats_random_unit(r));
	}
	return n;
}

static void swap_mirrors(void **state)
{
	struct stats_random r = { 1 };

	(void)state;
	for (int k = 0; k < 200; k++) {
		double a[ROOM], b[ROOM];
		size_t n = rounds(&r, a, b);
		struct stats_paired p, q;

		assert_int_equal(stats_paired(a, b, n, &p), 0);
		assert_int_equal(stats_paired(b, a, n, &q), 0);
		assert_near(p.ratio * q.ratio, 1, 1e-12);
		assert_near(p.ci95.low * q.ci95.high, 1, 1e-12);
		assert_near(p.median_ratio * q.median_ratio, 1, 1e-12);
		assert_near(p.p_sign_flip, q.p_sign_flip, 0);
		assert_int_equal(stats_decide(&p, 1.02), stats_decide(&q, 1.02));
	}
}

static void order_and_scale_do_not_matter(void **state)
{
	struct stats_random r = { 2 };

	(void)state;
	for (int k = 0; k < 200; k++) {
		double a[ROOM], b[ROOM], a2[ROOM], b2[ROOM];
		size_t n = rounds(&r, a, b);
		struct stats_paired p, q;

		for (size_t i = 0; i < n; i++) {	/* rotated, and in other units */
			a2[i] = a[(i + 3) % n] * 1048576;
			b2[i] = b[(i + 3) % n] * 1048576;
		}
		assert_int_equal(stats_paired(a, b, n, &p), 0);
		assert_int_equal(stats_paired(a2, b2, n, &q), 0);
		assert_near(q.ratio, p.ratio, 1e-12);
		assert_near(q.t, p.t, 1e-6 * fabs(p.t));
		assert_near(q.p_sign_flip, p.p_sign_flip, 0);
		assert_int_equal(stats_decide(&p, 1.02), stats_decide(&q, 1.02));
	}
}

static void bad_values_are_refused(void **state)
{
	static const double bad[] = { 0, -1, NAN, INFINITY, -INFINITY };
	struct stats_paired p = { .n = 77 };
	struct stats_interval i;

	(void)state;
	assert_int_equal(stats_paired((double[]){ 1 }, (double[]){ 1 }, 1, &p), -EINVAL);
	assert_int_equal(stats_paired(NULL, NULL, 0, &p), -EINVAL);
	for (size_t k = 0; k < sizeof(bad) / sizeof(*bad); k++) {
		const double good[] = { 1, 2, 3 }, with[] = { 1, bad[k], 3 };

		assert_int_equal(stats_paired(good, with, 3, &p), -EINVAL);
		assert_int_equal(stats_paired(with, good, 3, &p), -EINVAL);
	}
	assert_int_equal(p.n, 77);
	assert_int_equal(stats_t_interval((double[]){ 1 }, 1, 0.95, &i), -EINVAL);
	assert_true(isnan(stats_mean(NULL, 0)) && isnan(stats_median(NULL, 0)));
	assert_true(isnan(stats_sd((double[]){ 1 }, 1)) && isnan(stats_sign_flip(NULL, 0)));
	assert_true(isnan(stats_geometric_mean((double[]){ 1, 0 }, 2)));
	assert_true(isnan(stats_explained(1.1, 1)) && isnan(stats_explained(NAN, 2)));
}

static void equal_rounds_are_equivalent(void **state)
{
	const double x[] = { 5, 5, 5, 5, 5, 5 }, y[] = { 4, 4, 4, 4, 4, 4 };
	struct stats_paired p;

	(void)state;
	assert_int_equal(stats_paired(x, x, 6, &p), 0);
	assert_int_equal(stats_decide(&p, 1.02), STATS_EQUIVALENT);
	assert_near(p.p_t, 1, 0);
	assert_near(p.p_sign_flip, 1, 0);
	assert_false(stats_disagree(&p, 0.05));
	assert_int_equal(stats_paired(x, y, 6, &p), 0);
	assert_int_equal(stats_decide(&p, 1.02), STATS_DIFFERENT);
	assert_near(p.p_sign_flip, 2.0 / 64, 0);
}

/* One round far off: the t interval includes 1, every sign agrees. */
static void disagreement_is_seen(void **state)
{
	const double a[] = { 1.001, 1.001, 1.002, 1.001, 1.002, 3 }, b[] = { 1, 1, 1, 1, 1, 1 };
	struct stats_paired p;

	(void)state;
	assert_int_equal(stats_paired(a, b, 6, &p), 0);
	assert_true(p.p_t > 0.05 && p.p_sign_flip < 0.05);
	assert_true(stats_disagree(&p, 0.05));
}

static void many_rounds_are_sampled(void **state)
{
	double d[30];

	(void)state;
	for (size_t i = 0; i < 30; i++)
		d[i] = i % 2 ? 0.01 : -0.01;
	assert_near(stats_sign_flip(d, 30), 1, 1e-12);
	for (size_t i = 0; i < 30; i++)
		d[i] = 0.01;
	assert_near(stats_sign_flip(d, 30), 1e-5, 1e-12);
	for (size_t i = 0; i < 30; i++)
		d[i] = 0.01 * (i % 3 ? 1 : -1);	/* 20 up, 10 down: binomial, two-sided 0.0987 */
	assert_near(stats_sign_flip(d, 30), 0.0987, 0.004);
}

static void explained_examples(void **state)
{
	json_t *ex = examples("explained");

	(void)state;
	for (size_t i = 0; i < json_array_size(get(ex, "cases")); i++) {
		const json_t *c = json_array_get(get(ex, "cases"), i);

		assert_near(stats_explained(num(c, "u"), num(c, "R")), num(c, "expect_f"), 1e-6);
	}
	json_decref(ex);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_stream),
		cmocka_unit_test(paired_examples),
		cmocka_unit_test(swap_mirrors),
		cmocka_unit_test(order_and_scale_do_not_matter),
		cmocka_unit_test(bad_values_are_refused),
		cmocka_unit_test(equal_rounds_are_equivalent),
		cmocka_unit_test(disagreement_is_seen),
		cmocka_unit_test(many_rounds_are_sampled),
		cmocka_unit_test(explained_examples),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
