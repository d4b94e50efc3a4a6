/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speeds by kind of data: sentences, ledger and tables are of one estimator, and too little gives none. */
#include "examples.h"

#include "fixture.h"
#include "judge-data.h"
#include "judge.h"
#include "text.h"
#include "verdict-json.h"

#define ROUNDS 8

static struct fixture fx;
static struct verdict v;

static int start(void **state)
{
	(void)state;
	fixture_start(&fx);
	v = (struct verdict){ 0 };
	return 0;
}

static int stop(void **state)
{
	(void)state;
	verdict_free(&v);
	return 0;
}

static void run(void)
{
	verdict_free(&v);
	assert_int_equal(judge(&fx.result, &v), 0);
}

/* One kind in one slot: that many I/Os of 1 MiB at that speed. */
static struct class_speed kind(int64_t ios, double mb_per_s)
{
	double bytes = (double)ios * (1 << 20);

	return (struct class_speed){ ios, ios << 20, bytes * 1e3 / mb_per_s };
}

/*
 * Half zeros, half data on A; B has zeros only. All I/Os at zeros run at 1000 MB/s on both, with some
 * spread; the few that were looked at seem to say that A is 3.5 times as fast. zeros: I/Os at zeros
 * that the bins of A and B hold, of 1000 in a slot.
 */
static void half_zeros(int64_t zeros)
{
	size_t w = fixture_workload(&fx, "seq-read-1m", "read", 1 << 20);
	struct data_match *m = &fx.results[w].match;

	*m = (struct data_match){ .pairs = 100, .bytes = 100 << 20, .same_class_share = 0.5, .same_hash_share = 0.5,
				  .overlap = 0.5, .compress_distance = 0.8, .classified_share = { 0.01, 0.01 },
				  .class_share = { [SIDE_A] = { [REC_ZERO] = 0.5, [REC_INCOMPRESSIBLE] = 0.5 },
						   [SIDE_B] = { [REC_ZERO] = 1 } },
				  .matched_bins = 64, .bins = 128 };
	for (int i = 0; i < ROUNDS; i++) {
		struct observation *o = fixture_round(&fx, w, false, 800, 1000);
		double zero[SIDES] = { 860 + i * 5 % 7, 1000 + i * 3 % 5 };

		for (int s = 0; s < SIDES; s++) {
			struct measurement *x = &o->side[s];

			memset(x->classes, 0, sizeof(x->classes));
			memset(x->pure, 0, sizeof(x->pure));
			x->classes[REC_ZERO] = kind(10, s ? 1000 : 3475);
			x->classes[REC_UNCLASSIFIED] = kind(990, 900);
			x->pure[REC_ZERO] = kind(zeros, zero[s]);
			x->pure[REC_INCOMPRESSIBLE] = s ? (struct class_speed){ 0 } : kind(400, 430 + i % 3);
			x->pure[REC_UNCLASSIFIED] = kind(1000 - zeros - x->pure[REC_INCOMPRESSIBLE].ios, 900);
			x->matched_bw_bytes_per_s = x->matched_class_bw_bytes_per_s[REC_ZERO] = zero[s] * 1e6;
			x->matched_class_bw_bytes_per_s[REC_INCOMPRESSIBLE] = NAN;
		}
	}
}

static const struct class_row *row_of(const char *data_state)
{
	for (size_t i = 0; i < v.classes_count; i++)
		if (!strcmp(v.classes[i].data_state, data_state))
			return &v.classes[i];
	fail_msg("no row of %s", data_state);
	return NULL;
}

static const struct comparison *comparison_of(const char *subset)
{
	for (size_t i = 0; i < v.comparisons_count; i++)
		if (!strcmp(v.comparisons[i].subset, subset))
			return &v.comparisons[i];
	return NULL;
}

static const char *said(const char *words)
{
	for (size_t i = 0; i < v.sentences.count; i++)
		if (strstr(v.sentences.items[i], words))
			return v.sentences.items[i];
	return NULL;
}

static const struct ledger_row *mismatch(void)
{
	for (size_t i = 0; i < v.ledger_count; i++)
		if (!strcmp(v.ledger[i].id, "data_state_mismatch"))
			return &v.ledger[i];
	fail_msg("no row of the ledger");
	return NULL;
}

static void says_number(const char *text, const char *before, double number)
{
	const char *at = text ? strstr(text, before) : NULL;

	if (!at || fabs(strtod(at + strlen(before), NULL) - number) > 0.0006)
		fail_msg("'%s' says no '%s%.3f'", text, before, number);
}

/* What sentences and ledger say of zeros is what the tables say. */
static void one_estimator(void)
{
	const struct comparison *table = comparison_of("zero");
	const char *common = said("In zero-filled data, which both hold");
	double a = row_of("zero")->bw_bytes_per_s[SIDE_A];
	_cleanup_free_ char *speed = NULL;
	char rate[TEXT_NUMBER_SIZE];

	says_number(common, "A ran at ", table->ratio);
	says_number(common, "interval ", table->ci95_low);
	says_number(common, " to ", table->ci95_high);
	assert_near(a / row_of("zero")->bw_bytes_per_s[SIDE_B], table->ratio, 1e-9);
	says_number(mismatch()->text, "by a factor of ", a / row_of("incompressible")->bw_bytes_per_s[SIDE_A]);
	speed = text_format("zero-filled data (50 %%) ran at %s", text_rate(rate, a));
	assert_non_null(said(speed));
}

static void half_of_it(void **state)
{
	(void)state;
	half_zeros(400);
	run();
	one_estimator();
	assert_near(comparison_of("zero")->ratio, 0.863, 0.005);
	assert_int_equal(mismatch()->state, LEDGER_SUPPORTED);
	assert_near(row_of("zero")->behind_share[SIDE_A], 0.4, 1e-12);
	assert_non_null(said("(shares of what was looked at; speeds from 80 % of the bytes)"));
	assert_non_null(said("On B, all that was looked at was zero-filled, at 1.00 GB/s (from 40 % of the "
			     "bytes)."));
	/* the mix alone: half at 861, half at 431 against all at 861 */
	says_number(said("Giving B the speeds"), "predicts B at ", 0.5 + 0.5 *
		    row_of("zero")->bw_bytes_per_s[SIDE_A] / row_of("incompressible")->bw_bytes_per_s[SIDE_A]);
}

/* Rounds of another mode do not mix with those that the table has. */
static void other_mode(void **state)
{
	(void)state;
	half_zeros(400);
	for (int i = 0; i < ROUNDS; i++) {
		struct observation *o = fixture_round(&fx, 0, true, 800, 1000);

		o->side[SIDE_A].pure[REC_ZERO] = kind(400, 9000);
		o->side[SIDE_A].matched_class_bw_bytes_per_s[REC_ZERO] = 9000e6;
		o->side[SIDE_B].matched_class_bw_bytes_per_s[REC_ZERO] = 1000e6;
	}
	run();
	one_estimator();
}

static void silent(void)
{
	assert_null(said("from 0 %"));
	assert_true(isnan(row_of("zero")->bw_bytes_per_s[SIDE_A]));
	assert_null(said("which both hold"));
	assert_null(said("Giving B"));
	assert_null(strstr(mismatch()->text, "by a factor of"));
	assert_non_null(said("zero-filled data (50 %) ran at a speed that was not measured"));
}

static void too_little(void **state)
{
	(void)state;
	half_zeros(0);			/* and none of the data, either */
	for (int i = 0; i < ROUNDS; i++)
		fx.results[0].observations[i].side[SIDE_A].pure[REC_INCOMPRESSIBLE] = (struct class_speed){ 0 };
	run();
	silent();
	fixture_start(&fx);
	half_zeros(9);			/* 0.9 % of the bytes */
	run();
	silent();
	fixture_start(&fx);
	half_zeros(10);
	run();
	one_estimator();
}

/* 10 of 1000 I/Os are 80 in all rounds. */
static void own_thresholds(void **state)
{
	static const struct {
		const char *name;
		double value;
		bool speaks;
	} limits[] = { { "min_class_share", 0.02, false }, { "min_class_share", 0.005, true },
		       { "min_class_ios", 81, false }, { "min_class_ios", 80, true } };

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct number one = { .name = (char *)limits[i].name, .value = limits[i].value };

		fixture_start(&fx);
		half_zeros(10);
		fx.result.plan.thresholds = &one;
		fx.result.plan.thresholds_count = 1;
		run();
		if (limits[i].speaks)
			one_estimator();
		else
			silent();
	}
}

/* A: a range of zeros at 800 MB/s, one of data at 400. B: zeros in both. */
static void mix_of_ranges(void **state)
{
	struct range ranges[] = { { 0, 1 << 30 }, { 1 << 30, 1 << 30 } };
	struct workload plan = { .numjobs = 1, .ranges = ranges, .ranges_count = 2, .timed = true,
				 .runtime_ns = 1000000000, .ramp_ns = 500000000, .io_bytes = UNKNOWN_I64 };
	struct bin bins[2] = { { .offset_bytes = 0, .length_bytes = 1 << 30 },
			       { .offset_bytes = 1 << 30, .length_bytes = 1 << 30 } };
	struct workload_result *w;
	int reference;

	(void)state;
	half_zeros(400);
	w = &fx.results[0];
	for (size_t i = 0; i < w->observations_count; i++) {
		w->observations[i].side[SIDE_A].pure[REC_ZERO] = kind(400, 800);
		w->observations[i].side[SIDE_A].pure[REC_INCOMPRESSIBLE] = kind(400, 400);
	}
	bins[0].class_bytes[SIDE_A][REC_ZERO] = bins[0].class_bytes[SIDE_B][REC_ZERO] = 1;
	bins[1].class_bytes[SIDE_A][REC_INCOMPRESSIBLE] = bins[1].class_bytes[SIDE_B][REC_ZERO] = 5;
	w->bins = bins;
	w->bins_count = 2;
	/* equal bytes: 2 / (1/800 + 1/400) = 533 against 800 */
	assert_near(1 / predicted_ratio(&thresholds_default, NULL, w, &reference), 1.5, 1e-9);
	assert_int_equal(reference, SIDE_A);
	/* equal times: 600 against 800 */
	assert_near(1 / predicted_ratio(&thresholds_default, &plan, w, &reference), 4. / 3, 1e-9);
	/* the fast range ends after 600 MB, 200 of them timed; the slow one after 1 s */
	plan.io_bytes = 600000000;
	assert_near(1 / predicted_ratio(&thresholds_default, &plan, w, &reference),
		    800 / ((800 * .25 + 400 * 1) / 1.25), 1e-9);
	/* sizes alone bound it */
	plan.timed = false;
	plan.io_bytes = UNKNOWN_I64;
	assert_near(1 / predicted_ratio(&thresholds_default, &plan, w, &reference), 1.5, 1e-9);
	/* half of one range: within a range bytes are equal */
	bins[0].class_bytes[SIDE_A][REC_INCOMPRESSIBLE] = 1;
	plan.ranges_count = 1;
	plan.timed = true;
	assert_near(1 / predicted_ratio(&thresholds_default, &plan, w, &reference), 1.5, 1e-9);
	w->bins_count = 0;
	assert_near(1 / predicted_ratio(&thresholds_default, &plan, w, &reference), 1.5, 1e-9);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)
	const struct CMUnitTest tests[] = { T(half_of_it), T(other_mode), T(too_little), T(own_thresholds),
					    T(mix_of_ranges) };

	return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
