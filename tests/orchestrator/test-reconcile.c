/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Byte accounting: the worked example ex05, steps of a counter, and what two counts say together. */
#include "examples.h"

#include "orchestrator/model.h"
#include "orchestrator/reconcile.h"

static struct accounting account(double asked, double block, double smart_low, double smart_high)
{
	struct accounting c = { UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64,
				UNKNOWN_I64, NULL };

	c.asked_bytes = (int64_t)asked;
	if (!isnan(block)) {
		c.block_bytes = (int64_t)block;
		c.block_foreign_bytes = c.block_bytes - c.asked_bytes;
	}
	if (!isnan(smart_low)) {
		c.smart_low_bytes = (int64_t)smart_low;
		c.smart_high_bytes = (int64_t)smart_high;
		c.smart_foreign_low_bytes = c.smart_low_bytes - c.asked_bytes;
		c.smart_foreign_high_bytes = c.smart_high_bytes - c.asked_bytes;
	}
	return c;
}

static struct foreign_share share(double asked, double block, double smart_low, double smart_high)
{
	struct accounting c = account(asked, block, smart_low, smart_high);
	struct reconciled sum = { 0 };

	reconcile_add(&sum, &c);
	return reconcile_share(&sum, 51200000);
}

/* The case of a counter that stands still is in two_counts(). */
static void worked_example(void **state)
{
	static const struct {
		int64_t before, after, low, high;
		double asked, low_percent, high_percent;
	} cases[] = {
		{ 1000000, 1134218, 68719104512, 68720127488, 68719476736, -0.000542, 0.000947 },
		{ 1000000, 1150995, 77308928512, 77309951488, 68719476736, 12.499297, 12.500786 },
		{ 1000000, 1025166, 12884480512, 12885503488, 68719476736, -81.250613, -81.249125 },
		{ 500, 501, 512, 1023488, 262144, -99.804688, 290.429688 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct foreign_share s;
		int64_t low, high;

		reconcile_bounds(cases[i].after - cases[i].before, 1, &low, &high);
		assert_true(low == cases[i].low && high == cases[i].high);
		s = share(cases[i].asked, NAN, (double)low, (double)high);
		assert_near(100 * s.smart_low, cases[i].low_percent, 1e-6);
		assert_near(100 * s.smart_high, cases[i].high_percent, 1e-6);
	}
}

static void step_of_a_counter(void **state)
{
	static const int64_t fine[] = { 131072, 0, 131075, 131070, 98304 }, coarse[] = { 64, 0, 0, 128, 320, 64 },
			     few[] = { 64, 64, 64 };
	int64_t low, high;

	(void)state;
	assert_true(reconcile_step_units(fine, 5) == 1);
	assert_true(reconcile_step_units(coarse, 6) == 64);
	assert_true(reconcile_step_units(few, 3) == 1);
	assert_true(reconcile_step_units(NULL, 0) == 1);
	reconcile_bounds(128, 64, &low, &high);
	assert_true(low == (64 * 1000 + 1) * 512 && high == (192 * 1000 - 1) * 512);
	reconcile_bounds(INT64_MAX, 1, &low, &high);
	assert_true(low == INT64_MAX && high == INT64_MAX);
}

static void two_counts(void **state)
{
	struct foreign_share s;

	(void)state;
	s = share(1e9, 1e9, 0.999e9, 1.001e9);
	assert_near(reconcile_foreign_low(&s), 0, 1e-9);
	assert_near(reconcile_foreign_high(&s), 0, 1e-9);
	assert_false(s.smart_frozen);
	s = share(1e9, 1e9, 1.1e9, 1.102e9);	/* past this kernel */
	assert_near(reconcile_foreign_low(&s), 0.1, 1e-9);
	s = share(1e9, 0.5e9, 0.499e9, 0.501e9);	/* half of it never came */
	assert_near(reconcile_foreign_high(&s), -0.5, 1e-9);
	s = share(1e9, 1e9, 0, 0.0005e9);	/* a counter that stands still */
	assert_true(s.smart_frozen);
	assert_near(reconcile_foreign_low(&s), 0, 1e-9);
	s = share(1e6, 1e6, 0, 0.5e6);		/* too little to say so */
	assert_false(s.smart_frozen);
	s = share(1e9, NAN, NAN, NAN);
	assert_true(isnan(reconcile_foreign_low(&s)) && isnan(reconcile_foreign_high(&s)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worked_example),
		cmocka_unit_test(step_of_a_counter),
		cmocka_unit_test(two_counts),
	};

	return cmocka_run_group_tests_name("reconcile", tests, NULL, NULL);
}
