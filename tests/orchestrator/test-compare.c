/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs compared: which drive is which, what differs, what may be compared, and the words. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare.h"
#include "fixture.h"

static struct fixture first, second;

static void start(void)
{
	fixture_story_paired(&first);
	fixture_story_paired(&second);
	for (int s = 0; s < SIDES; s++)
		first.result.drives[s].serial = second.result.drives[s].serial = s ? "SB" : "SA";
}

/* Of drive (0: A of the first run). */
static struct change change_of(const struct compare *c, size_t drive, const char *metric)
{
	for (size_t i = 0; i < c->rows_count; i++)
		if (!strcmp(c->rows[i].drive, c->drives[drive].name) && !strcmp(c->rows[i].metric, metric))
			return c->rows[i].changes[1];
	fail_msg("no row of %s", metric);
	return (struct change){ 0 };
}

static void run(struct compare *c)
{
	const struct result runs[] = { first.result, second.result };

	assert_int_equal(compare(runs, 2, 0, c), 0);
	assert_int_equal(c->drives_count, 2);
	assert_int_equal(c->drives[0].sides.count, 2);
}

/* The word for a change of A's bandwidth or latency by a factor. */
static int word_of(double factor, const char *metric)
{
	bool rate = !strcmp(metric, "bw_bytes_per_s");
	struct compare c;
	int word;

	start();
	for (size_t i = 0; i < second.results[0].observations_count; i++) {
		struct measurement *m = &second.observations[0][i].side[SIDE_A];

		if (rate)
			m->bw_bytes_per_s *= factor;
		else
			m->latency_p50_ns *= factor;
	}
	run(&c);
	word = change_of(&c, 0, metric).word;
	assert_true(fabs(change_of(&c, 0, metric).ratio - factor) < 1e-9);
	assert_int_equal(change_of(&c, 1, metric).word, CHANGE_NONE);
	fields_free(compare_fields, &c);
	return word;
}

static void words(void **state)
{
	(void)state;
	assert_int_equal(word_of(1.2, "bw_bytes_per_s"), CHANGE_BETTER);
	assert_int_equal(word_of(0.8, "bw_bytes_per_s"), CHANGE_WORSE);
	assert_int_equal(word_of(1, "bw_bytes_per_s"), CHANGE_NONE);
	assert_int_equal(word_of(1.018, "bw_bytes_per_s"), CHANGE_NOT_RESOLVED);
	assert_int_equal(word_of(1.2, "latency_p50_ns"), CHANGE_WORSE);
	assert_int_equal(word_of(0.8, "latency_p50_ns"), CHANGE_BETTER);
}

static void few_rounds(void **state)
{
	struct compare c;

	(void)state;
	start();
	second.results[0].observations_count = 2;
	run(&c);
	assert_int_equal(change_of(&c, 0, "bw_bytes_per_s").word, CHANGE_NOT_RESOLVED);
	assert_true(isnan(change_of(&c, 0, "bw_bytes_per_s").ci95_low));
	fields_free(compare_fields, &c);
}

static void swapped(void **state)
{
	struct compare c;

	(void)state;
	start();
	second.result.drives[SIDE_A].serial = "SB";
	second.result.drives[SIDE_B].serial = "SA";
	run(&c);
	assert_string_equal(c.drives[0].sides.items[1], "B");
	/* B's bandwidth is 5 % less than A's */
	assert_true(change_of(&c, 0, "bw_bytes_per_s").ratio < 0.96);
	assert_true(change_of(&c, 1, "bw_bytes_per_s").ratio > 1.04);
	assert_int_equal(c.setup_count > 0 && !strcmp(c.setup[0].what, "side"), 1);
	fields_free(compare_fields, &c);
	/* the same serial number of another model is another drive */
	start();
	first.result.drives[SIDE_A].model = "one";
	second.result.drives[SIDE_A].model = "two";
	run(&c);
	assert_int_equal(change_of(&c, 0, "bw_bytes_per_s").word, CHANGE_NOT_COMPARABLE);
	assert_int_equal(change_of(&c, 1, "bw_bytes_per_s").word, CHANGE_NONE);
	fields_free(compare_fields, &c);
}

static void no_serial(void **state)
{
	struct compare c;

	(void)state;
	start();
	for (int s = 0; s < SIDES; s++)
		first.result.drives[s].serial = second.result.drives[s].serial = NULL;
	run(&c);
	assert_string_equal(c.drives[0].known_by, "label");
	assert_int_equal(c.notes.count, 2);
	fields_free(compare_fields, &c);
	second.result.drives[SIDE_A].serial = "SA";
	run(&c);
	assert_string_equal(c.drives[0].sides.items[1], "");
	fields_free(compare_fields, &c);
}

static void expect_obstacle(const char *why)
{
	struct compare c;

	run(&c);
	assert_int_equal(change_of(&c, 0, "bw_bytes_per_s").word, CHANGE_NOT_COMPARABLE);
	assert_non_null(strstr(change_of(&c, 0, "bw_bytes_per_s").reason, why));
	assert_true(isnan(change_of(&c, 0, "bw_bytes_per_s").ratio));
	fields_free(compare_fields, &c);
	start();
}

static void obstacles(void **state)
{
	(void)state;
	start();
	second.workloads[0].block_bytes *= 2;
	expect_obstacle("block size");
	second.workloads[0].iodepth++;
	expect_obstacle("depth");
	second.workloads[0].numjobs++;
	expect_obstacle("numjobs");
	second.workloads[0].direct = !second.workloads[0].direct;
	expect_obstacle("direct");
	second.workloads[0].rw = "randread";
	expect_obstacle("pattern");
	second.result.plan.base_engine = "sync";
	expect_obstacle("engine");
	second.range.length_bytes *= 2;
	expect_obstacle("ranges");
	first.result.host.fio_version = "fio-3.33";
	second.result.host.fio_version = "fio-4.1";
	expect_obstacle("fio's major version");
	second.result.drives[SIDE_A].kind = TARGET_FILE;
	expect_obstacle("kind of target");
	for (int k = 0; k < DATA_STATES; k++)
		second.results[0].match.class_share[SIDE_A][k] = k == REC_ZERO;
	for (int k = 0; k < DATA_STATES; k++)
		first.results[0].match.class_share[SIDE_A][k] = k != REC_ZERO ? 0.2 : 0;
	expect_obstacle("data state");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words), cmocka_unit_test(few_rounds), cmocka_unit_test(swapped),
		cmocka_unit_test(no_serial), cmocka_unit_test(obstacles),
	};

	return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
