/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calibration, earlier sessions and a pilot do to the verdict. */
#include "wording.h"

#include "cmd-run-suite.h"
#include "fixture.h"
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
	fixture_workload(&fx, "seq-read-1m", "read", 1 << 20);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	verdict_free(&v);
	return 0;
}

static const struct comparison *head(void)
{
	verdict_free(&v);
	assert_int_equal(judge(&fx.result, &v), 0);
	assert_sober_verdict(&v);
	for (size_t i = 0; i < v.comparisons_count; i++)
		if (v.comparisons[i].heads)
			return &v.comparisons[i];
	fail_msg("no head");
	return NULL;
}

static bool said(const char *words)
{
	for (size_t i = 0; i < v.sentences.count; i++)
		if (strstr(v.sentences.items[i], words))
			return true;
	return strstr(v.headline_text, words) != NULL;
}

/* The example's sessions: the last one is this run, the others are kept of earlier ones. */
static void session_means_decide(void **state)
{
	json_t *ex = examples("sessions"), *d = get(ex, "d"), *e = get(ex, "expect");
	struct session sessions[3] = { 0 };
	struct session_value values[3] = { 0 };
	const struct comparison *h;

	(void)state;
	for (size_t s = 0; s < 3; s++) {
		double x[8];
		size_t n = doubles(json_array_get(d, s), x, 8);

		values[s] = (struct session_value){ "seq-read-1m", "bw_bytes_per_s", "all", false, (int64_t)n,
						    exp(stats_mean(x, n)), stats_sd(x, n) };
		sessions[s] = (struct session){ .run = "earlier", .sums_sha256 = "0", .values = &values[s],
						.values_count = 1 };
	}
	for (size_t i = 0; i < 5; i++)
		fixture_round(&fx, 0, false, 1000 * exp(at(json_array_get(d, 3), i)), 1000);
	fx.result.sessions = sessions;
	fx.result.sessions_count = 3;
	h = head();
	assert_int_equal(h->sessions, 4);
	assert_near(h->ratio, num(e, "geo_ratio"), 1e-8);
	assert_near(log(h->ci95_low), at(get(e, "t_on_run_means_ci95"), 0), 1e-8);
	assert_near(log(h->ci95_high), at(get(e, "t_on_run_means_ci95"), 1), 1e-8);
	assert_int_equal(h->verdict, VERDICT_INCONCLUSIVE);	/* the heap of all rounds would exclude 1 */
	assert_int_equal(v.sessions_count, 1);
	assert_near(v.sessions[0].icc, num(e, "icc"), 1e-6);
	assert_near(log(v.sessions[0].pooled_ci95_low), at(get(e, "naive_pooled_ci95"), 0), 1e-8);
	assert_int_equal(v.sessions[0].sessions_count, 4);
	/* two sessions are listed, and decide nothing */
	fx.result.sessions_count = 1;
	h = head();
	assert_int_equal(h->sessions, 1);
	assert_int_equal(v.sessions[0].sessions_count, 2);
	assert_true(said("today and this setup"));
	/* a session counts once, however many rounds it has */
	fx.result.sessions_count = 3;
	values[0].rounds = 500;
	assert_near(head()->ratio, num(e, "geo_ratio"), 1e-8);
	/* sessions of one hour are no other days */
	assert_true(said("when its sessions began is not known"));
	sessions[0].started_utc = "2026-03-01T10:00:00Z";
	sessions[1].started_utc = "2026-03-01T10:20:00Z";
	sessions[2].started_utc = "2026-03-01T10:40:00Z";
	fx.result.started_utc = "2026-03-01T11:00:00Z";
	head();
	assert_true(said("all its sessions began within 60 min"));
	fx.result.started_utc = "2026-03-01T18:00:01Z";
	head();
	assert_false(said("its sessions began"));
	fx.result.started_utc = NULL;
	json_decref(ex);
}

static void rounds(double ratio)
{
	for (size_t i = 0; i < 8; i++)
		fixture_round(&fx, 0, false, ratio * (1000 + (double)(i * 7 % 5)), 1000 + (double)(i * 3 % 4));
}

static void calibrated(struct noise_floor *floor, int verdict)
{
	*floor = (struct noise_floor){ .workload = "seq-read-1m", .verdict = verdict, .rounds = 6, .ratio = 1.04,
				       .ci95_low = 1.03, .ci95_high = 1.05, .sd_log = 0.03 };
	fx.result.calibration = (struct calibration){ .run = "cal", .sums_sha256 = "0", .workloads = fx.workloads,
						      .workloads_count = 1, .floors = floor, .floors_count = 1 };
}

static void a_floor_caps_the_claim(void **state)
{
	struct noise_floor floor;

	(void)state;
	rounds(1.1);
	assert_int_equal(head()->verdict, VERDICT_DIFFERENT);
	assert_true(said("Difference seen, noise floor unknown."));
	assert_int_equal(v.noise_floor[0].state, NOISE_UNKNOWN);

	calibrated(&floor, VERDICT_EQUIVALENT);
	assert_int_equal(head()->verdict, VERDICT_DIFFERENT);
	assert_false(said("noise floor unknown"));
	assert_int_equal(v.noise_floor[0].state, NOISE_MEASURED);
	assert_int_equal(v.noise_floor[0].rounds_needed, 20);	/* 3 %, against 2 % */
	assert_true(said("it takes 20 rounds"));

	calibrated(&floor, VERDICT_DIFFERENT);
	assert_int_equal(head()->verdict, VERDICT_INCONCLUSIVE);
	assert_non_null(strstr(head()->reason, "differed from itself"));
	assert_non_null(strstr(head()->reason, "do not separate the drives from the set-up's own scatter"));
	assert_true(said("it differed from itself, so the data do not separate the drives"));
	assert_int_equal(v.noise_floor[0].state, NOISE_FAILED);
	assert_int_equal(v.headline, HEADLINE_INCONCLUSIVE);

	/* of another workload it says nothing */
	floor.workload = "rand-read-4k";
	assert_int_equal(head()->verdict, VERDICT_DIFFERENT);
	assert_true(said("noise floor unknown"));
}

static void a_calibration_says_how_it_came_out(void **state)
{
	(void)state;
	fx.result.plan.calibration = true;
	fx.result.drives[SIDE_B].path = "/dev/a";
	rounds(1);
	head();
	assert_true(said("the same drive twice came out as equivalent"));
	fx.results[0].observations_count = 0;
	rounds(1.1);
	head();
	assert_true(said("the same drive twice came out as different"));
	fx.results[0].observations_count = 3;
	head();
	assert_true(said("was not shown"));
}

static void check_until(const json_t *table, const char *name)
{
	const char *s, *h;
	json_t *row, *want;

	json_object_foreach((json_t *)table, s, row)
		json_object_foreach(row, h, want) {
			_cleanup_free_ char *text = text_format("%s=%s", name, strchr(h, '=') + 1), *until = NULL;
			json_int_t n = json_integer_value(want);

			assert_int_equal(until_parse(text, &until), 0);
			assert_int_equal(until_rounds(until, strtod(s + 2, NULL)), n < 6 ? 6 : n);
		}
}

static void rounds_follow_from_scatter(void **state)
{
	json_t *ex = examples("rounds");
	_cleanup_free_ char *until = NULL, *bad = NULL;

	(void)state;
	check_until(get(ex, "ci_halfwidth"), "precision");
	check_until(get(ex, "power80"), "detect");
	assert_int_equal(until_parse("precision=1%", &until), 0);
	assert_string_equal(until, "precision=0.01");
	assert_int_equal(until_rounds(until, 0.02), 18);
	assert_true(until_parse("precision=", &bad) < 0);
	assert_true(until_parse("p=1%", &bad) < 0);
	assert_true(until_parse("detect=0", &bad) < 0);
	assert_true(until_parse("detect=2 percent", &bad) < 0);
	assert_true(until_parse("detect=nan", &bad) < 0);
	json_decref(ex);
}

/* The pilot's ratio changes nothing, its scatter does; the workload that scatters most decides. */
static void a_pilot_gives_its_scatter(void **state)
{
	struct plan *plan = &fx.result.plan;
	struct stop first, second;

	(void)state;
	plan->until = "detect=0.02";
	plan->rounds = 15;
	fixture_workload(&fx, "seq-read-2m", "read", 2 << 20);
	for (size_t i = 0; i < 4; i++) {
		fixture_round(&fx, 0, false, 1000 + 20 * (double)(i % 2), 1000);
		fixture_round(&fx, 1, false, 1000 + (double)(i % 2), 1000);
	}
	head();
	assert_int_equal(until_decide(plan, &v, &first), 0);
	for (size_t i = 0; i < 4; i++)
		for (size_t w = 0; w < 2; w++)
			fx.observations[w][i].side[SIDE_B].bw_bytes_per_s *= 1.5;
	head();
	assert_int_equal(until_decide(plan, &v, &second), 0);
	assert_int_equal(first.pilots[0].rounds, 4);
	assert_near(first.pilots[0].sd_log, second.pilots[0].sd_log, 1e-12);
	assert_int_equal(first.rounds, second.rounds);
	assert_int_equal(first.rounds, until_rounds(plan->until, first.pilots[0].sd_log));
	assert_true(first.rounds > 5 && first.rounds < 15 && !first.bounded);
	assert_int_equal(first.pilots[1].rounds_needed, 6);
	fields_free(stop_fields, &first);
	fields_free(stop_fields, &second);
	plan->rounds = 6;	/* the plan's bound */
	assert_int_equal(until_decide(plan, &v, &first), 0);
	assert_true(first.bounded == (first.pilots[0].rounds_needed > 6));
	assert_int_equal(first.rounds, 6);
	fields_free(stop_fields, &first);
	/* rounds that cannot be used give no scatter: then all planned rounds are run */
	plan->rounds = 15;
	for (size_t i = 0; i < 4; i++)
		fx.observations[0][i].side[SIDE_A].usable = false;
	head();
	assert_int_equal(until_decide(plan, &v, &first), 0);
	assert_int_equal(first.rounds, 15);
	fields_free(stop_fields, &first);
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(session_means_decide), T(a_floor_caps_the_claim), T(a_calibration_says_how_it_came_out),
		T(rounds_follow_from_scatter), T(a_pilot_gives_its_scatter),
	};

	return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
