/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons and headlines: the two stories, the gates, and what must hold for any result. */
#include "examples.h"

#include "fixture.h"
#include "judge-compare.h"
#include "judge-data.h"
#include "judge.h"
#include "stats.h"
#include "verdict-json.h"

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
	assert_non_null(v.headline_text);
}

static const struct comparison *find(const char *metric, const char *subset, bool concurrent)
{
	for (size_t i = 0; i < v.comparisons_count; i++) {
		const struct comparison *c = &v.comparisons[i];

		if (!strcmp(c->metric, metric) && !strcmp(c->subset, subset) && c->concurrent == concurrent)
			return c;
	}
	fail_msg("no comparison of %s, %s", metric, subset);
	return NULL;
}

static int state_of(const char *id)
{
	for (size_t i = 0; i < v.ledger_count; i++) {
		if (!strcmp(v.ledger[i].id, id))
			return v.ledger[i].state;
	}
	fail_msg("no row %s", id);
	return -1;
}

/* All that is said, as one text. */
static char *everything(void)
{
	struct text t = { 0 };

	text_printf(&t, "%s\n", v.headline_text);
	for (size_t i = 0; i < v.sentences.count; i++)
		text_printf(&t, "%s\n", v.sentences.items[i]);
	for (size_t i = 0; i < v.ledger_count; i++)
		text_printf(&t, "%s\n", v.ledger[i].text);
	for (size_t i = 0; i < v.conditions.count; i++)
		text_printf(&t, "%s\n", v.conditions.items[i]);
	return text_steal(&t);
}

static void must(const char *const *contain, const char *const *lack)
{
	char *all = everything();

	for (; *contain; contain++) {
		if (!strstr(all, *contain))
			fail_msg("not said: %s\nin: %s", *contain, all);
	}
	for (; *lack; lack++) {
		if (strcasestr(all, *lack))
			fail_msg("said: %s\nin: %s", *lack, all);
	}
	free(all);
}

static void ledger_is(const char *const (*expected)[2])
{
	for (; (*expected)[0]; expected++) {
		int state = state_of((*expected)[0]);

		if (strcmp(ledger_state_names[state], (*expected)[1]))
			fail_msg("%s is %s, expected %s", (*expected)[0], ledger_state_names[state],
				 (*expected)[1]);
	}
}

static void story_of_the_regions(void **state)
{
	static const char *const contain[] = {
		"not valid", "data state mismatch", "Only 20 %", "Wear: not supported", "Thermal throttling: not supported",
		"logical offset is not a physical location",
		"On A, zero-filled data (20 %) ran at 5.30 GB/s and incompressible data (80 %) at 3.40 GB/s.",
		"On B, all data was zero-filled, at 5.30 GB/s.",
		"In zero-filled data, which both hold, A ran at 1.000 times B.",
		"predicts B at 1.449 times A; observed is 1.449.",
		"B was not measured on incompressible data, so nothing is said about that case.",
		"41 to 44 C", NULL };
	static const char *const lack[] = { "worn flash caused", "B is faster", "A is slower", "degraded cells",
					    "proves", "establish", NULL };
	static const char *const ledger[][2] = {
		{ "data_state_mismatch", "supported" }, { "deallocated_or_zero_reads", "possible" },
		{ "sparse_or_unwritten_extents", "not_measured" }, { "wear", "not_supported" },
		{ "media_errors", "not_supported" }, { "thermal_throttling", "not_supported" },
		{ "pcie_downtrained", "not_measured" }, { "pcie_link_differs", "not_measured" },
		{ "shared_uplink", "not_measured" }, { "host_cpu_bound", "not_measured" },
		{ "page_cache_hits", "not_measured" }, { "background_io", "not_measured" },
		{ "gc_slc_state", "not_measured" }, { "data_age_or_layout", "not_measured" },
		{ "power_state_apst", "not_measured" }, { "firmware_differs", "not_measured" },
		{ "lba_format_differs", "not_measured" }, { "queue_settings_differ", "not_measured" },
		{ "misalignment", "not_measured" }, { "numa_distance", "not_measured" },
		{ "order_effects", "not_measured" }, { NULL, NULL } };

	(void)state;
	fixture_story_regions(&fx);
	run();
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
	must(contain, lack);
	ledger_is(ledger);
	assert_near(1 / find("bw_bytes_per_s", "all", false)->ratio, 1.448681, 1e-6);
	assert_int_equal(find("bw_bytes_per_s", "all", false)->verdict, VERDICT_NOT_COMPARED);
	assert_near(find("bw_bytes_per_s", "zero", false)->ratio, 1, 1e-12);
	assert_near(find("bw_bytes_per_s", "all", false)->match_share, 0.2, 1e-12);
}

static void story_of_the_pairs(void **state)
{
	static const char *const contain[] = {
		"A ran at 1.050 times B in seq-read-1m (95 % interval 1.044 to 1.057, 10 rounds, sign-flip p 0.002): "
		"both drives at once, identical bytes at identical offsets.",
		"difference", "narrower", "other setups were not tested", "does not establish physical wear",
		"percentage used is 0 % on A and 0 % on B", "noise floor of this setup is unknown", NULL };
	static const char *const lack[] = { "because of wear", "worn", "faulty", NULL };
	static const char *const ledger[][2] = {
		{ "data_state_mismatch", "ruled_out" }, { "background_io", "ruled_out" },
		{ "wear", "not_supported" }, { "thermal_throttling", "not_supported" },
		{ "pcie_downtrained", "ruled_out" }, { "pcie_link_differs", "ruled_out" },
		{ "shared_uplink", "ruled_out" }, { "data_age_or_layout", "possible" },
		{ "page_cache_hits", "ruled_out" }, { "order_effects", "ruled_out" }, { NULL, NULL } };
	const struct comparison *c;

	(void)state;
	fixture_story_paired(&fx);
	run();
	assert_int_equal(v.headline, HEADLINE_VALID);
	must(contain, lack);
	ledger_is(ledger);
	c = find("bw_bytes_per_s", "all", true);
	assert_true(c->heads);
	assert_int_equal(c->verdict, VERDICT_DIFFERENT);
	assert_near(c->ratio, 1.05014421, 1e-8);
	assert_near(c->ci95_low, 1.04355985, 1e-8);
	assert_near(c->ci95_high, 1.05677012, 1e-8);
	assert_near(c->p_sign_flip, 2.0 / 1024, 1e-12);
	assert_int_equal(find("latency_p99_ns", "all", true)->higher_is_better, false);
}

static void state_arithmetic(void **state)
{
	json_t *ex = examples("state_match"), *e = get(ex, "expect");
	const double a[DATA_STATES] = { 0, 0.2, 0, 0, 0, 0.8 }, b[DATA_STATES] = { 0, 1, 0, 0, 0, 0 };
	double speed[DATA_STATES] = { NAN, 5.3, NAN, NAN, NAN, num(e, "A_populated_GBps") };
	int reference;

	(void)state;
	assert_near(match_overlap(a, b), num(e, "overlap"), 1e-12);
	assert_near(match_total_speed(a, speed), num(e, "A_total_GBps"), 1e-4);
	assert_near(match_total_speed(b, speed), num(e, "B_total_GBps"), 1e-12);
	assert_near(speed[REC_ZERO] / speed[REC_INCOMPRESSIBLE], num(e, "within_A_zero_over_populated"), 1e-6);
	speed[REC_INCOMPRESSIBLE] = NAN;
	assert_true(isnan(match_total_speed(a, speed)));
	fixture_story_regions(&fx);
	assert_near(1 / predicted_ratio(&thresholds_default, NULL, &fx.results[0], &reference),
		    num(e, "predicted_ratio_from_A_class_speeds"), 1e-6);
	assert_int_equal(reference, SIDE_A);
	json_decref(ex);
}

/* Twelve rounds in which A is faster by about a tenth in both modes. */
static void faster_a(size_t rounds, double factor)
{
	size_t w = fixture_workload(&fx, "seq-read-1m", "read", 1 << 20);

	for (size_t i = 0; i < rounds; i++)
		fixture_round(&fx, w, false, factor * (1000 + (double)(i * 7 % 5)), 1000 + (double)(i * 3 % 4));
}

static void gates_of_the_data_state(void **state)
{
	static const struct {
		double same;
		int64_t pairs, bins;
		int headline, verdict;
	} cases[] = {
		{ 1, 1000, 64, HEADLINE_VALID, VERDICT_DIFFERENT },
		{ 0.95, 1000, 60, HEADLINE_VALID, VERDICT_DIFFERENT },
		{ 0.9499, 1000, 60, HEADLINE_NARROWER, VERDICT_NOT_COMPARED },
		{ 0.5, 1000, 8, HEADLINE_NARROWER, VERDICT_NOT_COMPARED },
		{ 0.5, 1000, 7, HEADLINE_NOT_VALID, VERDICT_NOT_COMPARED },
		{ 0.05, 1000, 8, HEADLINE_NARROWER, VERDICT_NOT_COMPARED },
		{ 0.0499, 1000, 8, HEADLINE_NOT_VALID, VERDICT_NOT_COMPARED },
		{ 1, 0, 0, HEADLINE_NOT_VALID, VERDICT_NOT_COMPARED },
		{ NAN, 1000, 64, HEADLINE_NOT_VALID, VERDICT_NOT_COMPARED },
		{ 1, UNKNOWN_I64, 64, HEADLINE_NOT_VALID, VERDICT_NOT_COMPARED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fixture_start(&fx);
		faster_a(8, 1.1);
		fx.results[0].match.same_class_share = cases[i].same;
		fx.results[0].match.pairs = cases[i].pairs;
		fx.results[0].match.matched_bins = cases[i].bins;
		run();
		assert_int_equal(v.headline, cases[i].headline);
		assert_int_equal(find("bw_bytes_per_s", "all", false)->verdict, cases[i].verdict);
		assert_near(find("bw_bytes_per_s", "all", false)->ratio, 1.1, 0.01);
	}
}

/* Half of the data is alike and does not separate the drives: that is no headline for the whole. */
static void a_mismatch_without_a_difference(void **state)
{
	static const char *const contain[] = { "not valid", "data state mismatch", "Only 50 %",
					       "In the part that does", NULL };
	static const char *const lack[] = { "Real difference", NULL };

	(void)state;
	fixture_start(&fx);
	faster_a(8, 1);
	fx.results[0].match.same_class_share = 0.5;
	fx.results[0].match.matched_bins = 32;
	run();
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
	must(contain, lack);
}

static void unknown_data_state(void **state)
{
	static const char *const contain[] = { "data state unknown", NULL };
	static const char *const lack[] = { "A is faster", "A ran at", NULL };

	(void)state;
	faster_a(8, 1.1);
	fx.results[0].match = (struct data_match){ .pairs = 0, .same_class_share = NAN, .same_hash_share = NAN,
						   .classified_share = { NAN, NAN } };
	run();
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
	assert_int_equal(state_of("data_state_mismatch"), LEDGER_NOT_MEASURED);
	must(contain, lack);
	/* what was only written was given, so it is known without records */
	fx.workloads[0].rw = "write";
	fx.workloads[0].writes = true;
	run();
	assert_int_equal(v.headline, HEADLINE_VALID);
	fx.workloads[0].rw = "randrw";
	run();
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
}

static void sampled_data(void **state)
{
	(void)state;
	faster_a(8, 1.1);
	fx.results[0].match.classified_share[SIDE_A] = 0.1;
	fx.results[0].match.pairs = 300;
	run();
	assert_int_equal(v.headline, HEADLINE_VALID);
	fx.results[0].match.pairs = 30;		/* thirty alike show 88 % alike, no more */
	run();
	assert_int_equal(v.headline, HEADLINE_NARROWER);
	assert_non_null(strstr(v.headline_text, "at least 88 %"));
}

static void too_few_rounds(void **state)
{
	(void)state;
	for (size_t rounds = 0; rounds < 8; rounds++) {
		fixture_start(&fx);
		faster_a(rounds, 1.5);
		run();
		assert_int_equal(v.headline, rounds >= 6 ? HEADLINE_VALID :
				 rounds ? HEADLINE_INCONCLUSIVE : HEADLINE_NOT_VALID);
		if (rounds)
			assert_int_equal(find("bw_bytes_per_s", "all", false)->rounds, rounds);
		if (rounds && rounds < 6)
			assert_non_null(find("bw_bytes_per_s", "all", false)->reason);
	}
}

static void different_io_is_not_compared(void **state)
{
	(void)state;
	faster_a(8, 1.1);
	fx.observations[0][3].digest = DIGEST_DIFFERENT;
	run();
	assert_int_equal(find("bw_bytes_per_s", "all", false)->verdict, VERDICT_NOT_COMPARED);
	assert_non_null(strstr(find("iops", "all", false)->reason, "offsets"));
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
	assert_non_null(strstr(v.workloads[0].offsets, "different"));
	fx.observations[0][3].digest = DIGEST_EQUAL_PREFIX;
	fx.observations[0][3].digest_prefix_ios = 17;
	run();
	assert_int_equal(v.headline, HEADLINE_VALID);
	assert_non_null(strstr(v.workloads[0].offsets, "17 I/Os"));
}

static void unusable_rounds_do_not_count(void **state)
{
	(void)state;
	faster_a(8, 1.1);
	fx.observations[0][0].side[SIDE_B].usable = false;
	fx.observations[0][0].side[SIDE_B].reason = "fio failed";
	fx.observations[0][1].side[SIDE_A].bw_bytes_per_s = 0;
	fx.observations[0][2].side[SIDE_A].bw_bytes_per_s = NAN;
	run();
	assert_int_equal(find("bw_bytes_per_s", "all", false)->rounds, 5);
	assert_int_equal(v.headline, HEADLINE_INCONCLUSIVE);
	for (size_t i = 0; i < 8; i++) {
		fx.observations[0][i].side[SIDE_B].usable = false;
		fx.observations[0][i].side[SIDE_B].reason = "fio failed";
	}
	run();
	assert_string_equal(find("bw_bytes_per_s", "all", false)->reason, "fio failed");
	assert_true(isnan(find("bw_bytes_per_s", "all", false)->ratio));
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
}

static void head_is_iops_for_random(void **state)
{
	size_t w = fixture_workload(&fx, "rand-read-4k", "randread", 4096);

	(void)state;
	for (size_t i = 0; i < 6; i++)
		fixture_round(&fx, w, true, 100 + (double)i, 99);
	for (size_t i = 0; i < 7; i++)
		fixture_round(&fx, w, false, 100 + (double)i, 99);
	run();
	assert_true(find("iops", "all", false)->heads);
	assert_false(find("iops", "all", true)->heads);
	assert_false(find("bw_bytes_per_s", "all", false)->heads);
	assert_near(find("iops", "matched", false)->a, find("iops", "all", false)->a, 1e-6);
	assert_int_equal(v.concurrency_count, 1);
	fx.results[w].observations_count = 11;	/* five single rounds are too few: both at once heads */
	run();
	assert_true(find("iops", "all", true)->heads);
}

/* Heads and repetitions have no q; the others one that is p adjusted for their number. */
static void exploratory_rows(void)
{
	double p[64], q[64];
	size_t n = 0, m = 0;

	for (size_t i = 0; i < v.comparisons_count; i++) {
		const struct comparison *c = &v.comparisons[i];
		bool counts = !c->heads && !c->repeats && c->verdict != VERDICT_NOT_COMPARED;

		assert_int_equal(isnan(c->q_benjamini_hochberg), !counts);
		if (!strcmp(c->metric, "iops") && !strcmp(c->workload, "seq-read-1m"))
			assert_true(c->repeats);
		if (counts) {
			p[n++] = judge_p(c);
			assert_true(c->q_benjamini_hochberg >= judge_p(c));
		}
	}
	assert_true(n > 2 && n < 64);
	assert_int_equal(stats_benjamini_hochberg(p, n, q), 0);
	for (size_t i = 0; i < v.comparisons_count; i++) {
		if (!isnan(v.comparisons[i].q_benjamini_hochberg))
			assert_near(v.comparisons[i].q_benjamini_hochberg, q[m++], 1e-12);
	}
	assert_int_equal(m, n);
}

static void several_workloads(void **state)
{
	double p[2];
	size_t w;

	(void)state;
	faster_a(8, 1.1);
	w = fixture_workload(&fx, "rand-read-4k", "randread", 4096);
	for (size_t i = 0; i < 8; i++)
		fixture_round(&fx, w, false, 100 + (double)(i % 2), 100 + (double)(i / 4));
	run();
	assert_int_equal(v.headline, HEADLINE_VALID);
	assert_int_equal(v.workloads_count, 2);
	assert_non_null(strstr(v.headline_text, "differ in seq-read-1m"));
	assert_non_null(strstr(v.headline_text, "Equivalent in rand-read-4k"));
	for (size_t i = 0, k = 0; i < v.comparisons_count; i++) {
		if (v.comparisons[i].heads)
			p[k++] = v.comparisons[i].p_holm;
		else
			assert_true(isnan(v.comparisons[i].p_holm));
	}
	assert_near(p[0], 2 * 2.0 / 256, 1e-12);
	assert_true(p[1] > p[0]);
	exploratory_rows();
	fx.results[1].match.pairs = 0;
	run();
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
	assert_non_null(strstr(v.headline_text, "not valid for rand-read-4k"));
	assert_non_null(strstr(v.headline_text, "differ in seq-read-1m"));
}

static void swapping_sides_mirrors(void **state)
{
	struct measurement kept;
	struct verdict first;

	(void)state;
	for (int story = 0; story < 2; story++) {
		struct data_match *m;

		(story ? fixture_story_paired : fixture_story_regions)(&fx);
		verdict_free(&v);
		run();
		first = v;
		v = (struct verdict){ 0 };
		m = &fx.results[0].match;
		for (size_t i = 0; i < fx.results[0].observations_count; i++) {
			struct observation *o = &fx.observations[0][i];

			kept = o->side[SIDE_A];
			o->side[SIDE_A] = o->side[SIDE_B];
			o->side[SIDE_B] = kept;
		}
		for (int k = 0; k < DATA_STATES; k++) {
			double share = m->class_share[SIDE_A][k];

			m->class_share[SIDE_A][k] = m->class_share[SIDE_B][k];
			m->class_share[SIDE_B][k] = share;
		}
		for (size_t i = 0; i < fx.results[0].bins_count; i++) {
			struct bin *b = &fx.bins[i], old = *b;

			for (int s = 0; s < SIDES; s++) {
				b->bw_bytes_per_s[s] = old.bw_bytes_per_s[!s];
				memcpy(b->class_bytes[s], old.class_bytes[!s], sizeof(b->class_bytes[s]));
			}
		}
		run();
		assert_int_equal(v.headline, first.headline);
		assert_int_equal(v.comparisons_count, first.comparisons_count);
		for (size_t i = 0; i < v.comparisons_count; i++) {
			assert_near(v.comparisons[i].ratio * first.comparisons[i].ratio, 1, 1e-12);
			assert_int_equal(v.comparisons[i].verdict, first.comparisons[i].verdict);
		}
		for (size_t i = 0; i < v.ledger_count; i++)
			assert_int_equal(v.ledger[i].state, first.ledger[i].state);
		verdict_free(&first);
	}
}

static void scale_and_order_change_nothing_else(void **state)
{
	struct verdict first;

	(void)state;
	fixture_story_paired(&fx);
	run();
	first = v;
	v = (struct verdict){ 0 };
	for (size_t i = 0; i < 5; i++) {
		struct observation o = fx.observations[0][i];

		fx.observations[0][i] = fx.observations[0][9 - i];
		fx.observations[0][9 - i] = o;
	}
	for (size_t i = 0; i < 10; i++) {
		for (int s = 0; s < SIDES; s++)
			fx.observations[0][i].side[s].bw_bytes_per_s *= 0.5;
	}
	run();
	assert_string_equal(v.headline_text, first.headline_text);
	for (size_t i = 0; i < v.ledger_count; i++)
		assert_int_equal(v.ledger[i].state, first.ledger[i].state);
	assert_near(find("bw_bytes_per_s", "all", true)->a * 2, first.comparisons[0].a, 1);
	verdict_free(&first);
}

static void equivalence_is_said_as_such(void **state)
{
	(void)state;
	faster_a(10, 1.0);
	run();
	assert_int_equal(v.headline, HEADLINE_VALID);
	assert_non_null(strstr(v.headline_text, "equivalent within 2 %"));
	assert_int_equal(state_of("data_age_or_layout"), LEDGER_NOT_MEASURED);	/* no gap to explain */
}

static void an_a_a_run(void **state)
{
	static const char *const contain[] = { "This is an A/A run", NULL };
	static const char *const lack[] = { "noise floor of this setup is unknown", NULL };

	(void)state;
	faster_a(10, 1.0);
	fx.result.drives[SIDE_B].path = "/dev/a";
	run();
	must(contain, lack);
}

/* One drive alone: its numbers, no comparison, and no word about a B that does not exist. */
static void without_b(void **state)
{
	static const char *const contain[] = { "Only A was measured", NULL };
	static const char *const lack[] = { "noise floor", "temperature of B", "not valid", NULL };

	(void)state;
	faster_a(8, 1.1);
	fx.result.drives[SIDE_B].path = fx.result.drives[SIDE_B].target = NULL;
	fx.results[0].match.pairs = 0;
	for (size_t i = 0; i < 8; i++)
		fixture_unknown(&fx.observations[0][i].side[SIDE_B]);
	run();
	assert_int_equal(v.headline, HEADLINE_INCONCLUSIVE);
	must(contain, lack);
	assert_near(find("bw_bytes_per_s", "all", false)->a, 1.1e9, 1e7);
	assert_true(isnan(find("bw_bytes_per_s", "all", false)->b));
	assert_string_equal(find("bw_bytes_per_s", "all", false)->reason, "there is no B");
}

static void verdict_as_json(void **state)
{
	static const char *const keys[] = { "workload", "mode", "metric", "subset", "match_share", "a", "b", "ratio",
					    "ci95", "p_sign_flip", "rounds", "verdict", "reason" };
	json_t *doc, *c, *row;

	(void)state;
	fixture_story_paired(&fx);
	run();
	doc = verdict_to_json(&v);
	assert_non_null(doc);
	assert_string_equal(json_string_value(get(get(doc, "headline"), "state")), "valid");
	assert_string_equal(json_string_value(get(get(doc, "headline"), "text")), v.headline_text);
	assert_int_equal(at(get(doc, "json_format_version"), 0), 1);
	c = json_array_get(get(doc, "comparisons"), 0);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		get(c, keys[i]);
	assert_string_equal(json_string_value(get(c, "mode")), "concurrent");
	assert_near(at(get(c, "ci95"), 1), 1.05677012, 1e-8);
	assert_true(json_is_null(get(json_array_get(get(doc, "comparisons"), 1), "p_holm")));
	assert_true(json_is_false(get(c, "exploratory")));
	assert_true(json_is_true(get(json_array_get(get(doc, "comparisons"), 1), "exploratory")));
	row = json_array_get(get(doc, "ledger"), 0);
	assert_string_equal(json_string_value(get(row, "state")), "ruled_out");
	assert_near(num(get(row, "numbers"), "same_hash_share"), 1, 0);
	assert_non_null(json_string_value(get(json_array_get(get(row, "evidence"), 0), "file")));
	json_decref(doc);
}

static void nothing_at_all(void **state)
{
	(void)state;
	run();
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
	assert_int_equal(v.comparisons_count, 0);
	for (size_t i = 0; i < v.ledger_count; i++) {
		if (v.ledger[i].state != LEDGER_NOT_MEASURED &&
		    strcmp(v.ledger[i].id, "sparse_or_unwritten_extents"))
			fail_msg("without evidence: %s", v.ledger[i].text);
	}
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(story_of_the_regions), T(story_of_the_pairs), T(state_arithmetic), T(gates_of_the_data_state),
		T(a_mismatch_without_a_difference),
		T(unknown_data_state), T(sampled_data), T(too_few_rounds), T(different_io_is_not_compared),
		T(unusable_rounds_do_not_count), T(head_is_iops_for_random), T(several_workloads),
		T(swapping_sides_mirrors), T(scale_and_order_change_nothing_else),
		T(equivalence_is_said_as_such), T(an_a_a_run), T(without_b), T(verdict_as_json), T(nothing_at_all),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
