/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed over the seconds of a slot. */
#include "examples.h"

#include "series.h"

static void drop(void **state)
{
	double y[60];

	(void)state;
	for (size_t i = 0; i < 60; i++)
		y[i] = i < 5 ? 10000 : i < 40 ? 1000 : 900;	/* a fast start is no speed to fall from */
	assert_near(series_drop(y, 60), 0.1, 1e-12);
	assert_near(series_drop(y, 30), 0, 1e-12);
	for (size_t i = 0; i < 60; i++)
		y[i] = i % 10 ? 1000 : 1;			/* a second without I/O now and then */
	assert_near(series_drop(y, 60), 0, 1e-12);
	for (size_t i = 0; i < 8; i++)
		y[i] = i < 4 ? 1000 : 500;
	assert_near(series_drop(y, 8), 0.5, 1e-12);
	for (size_t n = 0; n < 8; n++)
		assert_true(isnan(series_drop(y, n)));
}

static void hot(void **state)
{
	const double y[] = { 100, 101, 99, 100, 60, 61, 59, 100, 60 };
	const bool h[] = { 0, 0, 0, 0, 1, 1, 1, 0, 1 };

	(void)state;
	assert_near(series_hot_ratio(y, h, 9), 0.6, 1e-12);
	assert_true(isnan(series_hot_ratio(y, h, 6)));		/* two hot seconds */
	assert_true(isnan(series_hot_ratio(y + 2, h + 2, 7)));	/* two cool ones */
	assert_true(isnan(series_hot_ratio(y, h, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(drop), cmocka_unit_test(hot) };

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
