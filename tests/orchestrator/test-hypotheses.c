/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each explanation: what evidence gives which state. */
#include "wording.h"

#include "fixture.h"
#include "hypotheses.h"
#include "judge.h"
#include "verdict-json.h"

static struct fixture fx;
static struct verdict v;

static void run(void)
{
	verdict_free(&v);
	fixture_account(&fx);
	assert_int_equal(judge(&fx.result, &v), 0);
}

static const struct ledger_row *row(const char *id)
{
	for (size_t i = 0; i < v.ledger_count; i++) {
		if (!strcmp(v.ledger[i].id, id))
			return &v.ledger[i];
	}
	fail_msg("no row %s", id);
	return NULL;
}

#define is(id, expected) \
	do { \
		const struct ledger_row *r_ = row(id); \
		if (r_->state != (expected)) \
			fail_msg("%s, expected %s", r_->text, ledger_state_names[expected]); \
	} while (0)

static int start(void **state)
{
	(void)state;
	fixture_story_paired(&fx);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	verdict_free(&v);
	return 0;
}

/* Does something to every measurement of one side, or of both (SIDES). */
#define EACH(m, which, ...) \
	for (size_t i_ = 0; i_ < fx.results[0].observations_count; i_++) { \
		for (int s_ = 0; s_ < SIDES; s_++) { \
			struct measurement *m = &fx.observations[0][i_].side[s_]; \
			if ((which) == SIDES || (which) == s_) { __VA_ARGS__; } \
		} \
	}

/* Ten single rounds; the side that is `slow` is slower by a tenth. */
static void single_rounds(int slow)
{
	size_t w;

	fixture_start(&fx);
	w = fixture_workload(&fx, "seq-read-1m", "read", 1 << 20);
	for (int i = 0; i < 10; i++)
		fixture_round(&fx, w, false, (slow == SIDE_A ? 900 : 1000) + i % 3,
			      (slow == SIDE_B ? 900 : 1000) + i % 4);
	fixture_smart(&fx, 40, 45);
	fixture_links(&fx);
	fixture_blocks(&fx);
}

static double number(const json_t *o, const char *key)
{
	json_t *value = json_object_get(o, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static void thermal_examples(void **state)
{
	json_t *ex = examples("thermal"), *c;
	struct thermal_input t;
	const char *sign;
	size_t i;

	(void)state;
	json_array_foreach(get(ex, "cases"), i, c) {
		const json_t *in = get(c, "in");
		char words[32], *blank;

		t = (struct thermal_input){
			.warning_c = num(in, "wctemp") > 0 ? num(in, "wctemp") : NAN,
			.tmt1_c = json_is_true(get(in, "hctm_enabled")) ? number(in, "tmt1") : NAN,
			.t_max_c = num(in, "t_max"), .d_warning_min = num(in, "d_warn_min"),
			.d_critical_min = num(in, "d_crit_min"), .d_tmt1_count = num(in, "d_tmt1_cnt"),
			.d_tmt2_count = num(in, "d_tmt2_cnt"), .d_tmt1_s = num(in, "d_tmt1_s"),
			.d_tmt2_s = num(in, "d_tmt2_s"), .critical_bit1 = json_is_true(get(in, "crit_bit1")),
			.counters_alive = json_is_true(get(in, "counters_alive")),
			.seconds_at_threshold = number(in, "secs_at_or_above_wctemp"),
			.speed_when_hot_ratio = 1 - num(in, "drop_pct") / 100,
			.drop = num(in, "drop_pct") / 100, .rho = NAN, .p = NAN,
		};
		snprintf(words, sizeof(words), "%s",
			 ledger_state_names[thermal_state(&thresholds_default, &t, &sign)]);
		while ((blank = strchr(words, '_')))
			*blank = ' ';
		assert_string_equal(words, json_string_value(get(get(c, "expect"), "state")));
	}
	json_decref(ex);
	/* a warning that is up is no counter that rose */
	t = (struct thermal_input){ .warning_c = 50, .tmt1_c = NAN, .t_max_c = 75, .critical_bit1 = true,
				    .counters_alive = true };
	assert_int_equal(thermal_state(&thresholds_default, &t, &sign), LEDGER_SUPPORTED);
	assert_string_equal(sign, "the drive raised its temperature warning");
}

static void uplink_examples(void **state)
{
	json_t *ex = examples("concurrent"), *c;
	size_t i;

	(void)state;
	json_array_foreach(get(ex, "cases"), i, c) {
		const json_t *e = get(c, "expect");
		const char *id = json_string_value(get(c, "id")), *shared = json_string_value(get(c, "shared"));
		struct uplink_input in = {
			.shared = !strcmp(id, "shared_gen4x4_uplink"),
			.loss = { num(e, "interference_A"), num(e, "interference_B") },
			.loss_high = { NAN, NAN }, .sum_over_limit = num(e, "sum_over_limit"),
		};

		assert_int_equal(uplink_state(&thresholds_default, &in),
				 !strcmp(shared, "supported") ? LEDGER_SUPPORTED :
				 in.loss[SIDE_A] >= 0.05 && in.loss[SIDE_B] >= 0.05 ? LEDGER_POSSIBLE :
				 LEDGER_NOT_SUPPORTED);
		in.shared = true;
		in.sum_over_limit = 0.5;
		assert_int_equal(uplink_state(&thresholds_default, &in),
				 in.loss[SIDE_A] >= 0.05 ? LEDGER_POSSIBLE : LEDGER_NOT_SUPPORTED);
	}
	json_decref(ex);
}

static void explained_share(void **state)
{
	json_t *ex = examples("explained"), *c;
	size_t i;

	(void)state;
	json_array_foreach(get(ex, "cases"), i, c) {
		const char *words = json_string_value(get(c, "state"));
		int expected = !strcmp(words, "ruled out") ? LEDGER_RULED_OUT :
			       !strcmp(words, "possible") ? LEDGER_POSSIBLE : LEDGER_NOT_SUPPORTED;

		assert_int_equal(explained_state(&thresholds_default, SIGN_NONE, num(c, "expect_f")), expected);
	}
	assert_int_equal(explained_state(&thresholds_default, SIGN_NONE, NAN), LEDGER_NOT_SUPPORTED);
	assert_int_equal(explained_state(&thresholds_default, SIGN_DIRECT, NAN), LEDGER_SUPPORTED);
	assert_int_equal(explained_state(&thresholds_default, SIGN_DIRECT, 0.1), LEDGER_RULED_OUT);
	assert_int_equal(explained_state(&thresholds_default, SIGN_INDIRECT, 0.11), LEDGER_POSSIBLE);
	json_decref(ex);
}

static void mismatch(void **state)
{
	struct data_match *m = &fx.results[0].match;

	(void)state;
	m->same_hash_share = 0.5;
	m->compress_distance = 0.1;
	run();
	is("data_state_mismatch", LEDGER_RULED_OUT);	/* other bytes, but alike in every share */
	m->compress_distance = 0.11;
	run();
	is("data_state_mismatch", LEDGER_NOT_SUPPORTED);
	m->compress_distance = NAN;
	run();
	is("data_state_mismatch", LEDGER_NOT_SUPPORTED);
	m->compress_distance = 0.1;
	m->class_share[SIDE_A][REC_INCOMPRESSIBLE] = 0.94;
	m->class_share[SIDE_A][REC_COMPRESSIBLE] = 0.06;
	run();
	is("data_state_mismatch", LEDGER_NOT_SUPPORTED);
	m->class_share[SIDE_A][REC_INCOMPRESSIBLE] = 1;
	m->class_share[SIDE_A][REC_COMPRESSIBLE] = 0;
	m->same_hash_share = 1;
	m->classified_share[SIDE_A] = 0.1;	/* thirty alike show 88 % alike, no more */
	m->pairs = 30;
	run();
	is("data_state_mismatch", LEDGER_NOT_SUPPORTED);
	m->pairs = 300;
	run();
	is("data_state_mismatch", LEDGER_RULED_OUT);
	m->classified_share[SIDE_A] = 1;
	m->same_class_share = 0.9;
	run();
	is("data_state_mismatch", LEDGER_POSSIBLE);	/* no effect seen within a drive */
	EACH(x, SIDE_B, x->pure[REC_ZERO] = (struct class_speed){ 256, 1 << 28, 256e5 + (double)i_ });
	run();
	is("data_state_mismatch", LEDGER_SUPPORTED);
	m->pairs = 0;
	run();
	is("data_state_mismatch", LEDGER_NOT_MEASURED);
}

/* All random against all zeros: no drive holds two kinds, and yet the mismatch is plain. */
static void mismatch_of_everything(void **state)
{
	struct data_match *m;

	(void)state;
	single_rounds(SIDE_A);
	m = &fx.results[0].match;
	m->same_class_share = m->same_hash_share = m->overlap = 0;
	run();
	is("data_state_mismatch", LEDGER_SUPPORTED);
	m->same_class_share = 0.06;
	run();
	is("data_state_mismatch", LEDGER_POSSIBLE);
	single_rounds(SIDES);		/* no gap: nothing to explain */
	m = &fx.results[0].match;
	m->same_class_share = m->same_hash_share = m->overlap = 0;
	run();
	is("data_state_mismatch", LEDGER_POSSIBLE);
}

static void zeros(void **state)
{
	struct data_match *m = &fx.results[0].match;

	(void)state;
	run();
	is("deallocated_or_zero_reads", LEDGER_RULED_OUT);
	m->classified_share[SIDE_B] = 0.5;
	run();
	is("deallocated_or_zero_reads", LEDGER_NOT_SUPPORTED);
	m->class_share[SIDE_A][REC_ZERO] = 0.1;
	run();
	is("deallocated_or_zero_reads", LEDGER_POSSIBLE);
}

/* What a survey of both drives said of the range that is read: `absent` of 300 blocks are not there. */
static struct survey_drive surveyed[SIDES];
static struct survey_range surveyed_range[SIDES];

static void survey_says(const char *source_a, int64_t absent_a, const char *source_b, int64_t absent_b)
{
	const char *source[SIDES] = { source_a, source_b };
	int64_t absent[SIDES] = { absent_a, absent_b };

	for (int s = 0; s < SIDES; s++) {
		surveyed_range[s] = (struct survey_range){ .length_bytes = 1 << 30, .samples = 300 };
		surveyed_range[s].counts.n[KIND_DEALLOCATED] = absent[s];
		surveyed[s] = (struct survey_drive){ .ranges = &surveyed_range[s], .ranges_count = 1,
						     .allocation = { .source = (char *)source[s], .separable = !!source[s] } };
	}
	fx.result.survey.drives = surveyed;
	fx.result.survey.drives_count = SIDES;
}

/* Get LBA Status and DULBE decide; DLFEAT, zeros and speed alone say possible at most. */
static void zeros_that_were_asked_for(void **state)
{
	struct data_match *m = &fx.results[0].match;

	(void)state;
	m->class_share[SIDE_A][REC_ZERO] = 0.5;
	survey_says("get_lba_status", 0, "get_lba_status", 0);
	run();
	is("deallocated_or_zero_reads", LEDGER_RULED_OUT);
	survey_says("dulbe", 0, NULL, 0);		/* B was not asked, and has no zeros */
	run();
	is("deallocated_or_zero_reads", LEDGER_RULED_OUT);
	survey_says(NULL, 0, "dulbe", 0);		/* A was not, and has */
	run();
	is("deallocated_or_zero_reads", LEDGER_POSSIBLE);
	survey_says("dlfeat", 0, "dlfeat", 0);
	run();
	is("deallocated_or_zero_reads", LEDGER_POSSIBLE);
	survey_says("get_lba_status", 150, "get_lba_status", 0);
	run();
	is("deallocated_or_zero_reads", LEDGER_POSSIBLE);	/* no effect seen within the drive */
	EACH(x, SIDE_A, x->pure[REC_ZERO] = (struct class_speed){ 256, 1 << 28, 256e5 + (double)i_ });
	run();
	is("deallocated_or_zero_reads", LEDGER_SUPPORTED);
	assert_non_null(strstr(row("deallocated_or_zero_reads")->text, "50 %"));
	/* on the other drive the kinds differ by as much, but not surely: no sign there */
	survey_says("get_lba_status", 0, "get_lba_status", 150);
	EACH(x, SIDE_B, x->pure[REC_ZERO] = (struct class_speed){ 256, 1 << 28, i_ % 2 ? 256e4 : 256e7 });
	run();
	is("deallocated_or_zero_reads", LEDGER_POSSIBLE);
	survey_says("get_lba_status", 150, "get_lba_status", 0);
	fx.result.survey.drives_count = 0;		/* the speed without an answer */
	run();
	is("deallocated_or_zero_reads", LEDGER_POSSIBLE);
	surveyed_range[SIDE_A].offset_bytes = INT64_C(1) << 40;	/* none of what was read was asked for */
	fx.result.survey.drives_count = SIDES;
	run();
	is("deallocated_or_zero_reads", LEDGER_POSSIBLE);
}

/* What never reached the device tells holes, too; the page cache does the same. */
static void extents_by_bytes(void **state)
{
	struct drive *d = &fx.result.drives[SIDE_B];

	(void)state;
	d->kind = TARGET_FILE;
	d->range_bytes = 1000000;
	d->range_absent_bytes = 5000;		/* just 0.5 % */
	run();
	is("sparse_or_unwritten_extents", LEDGER_RULED_OUT);
	d->range_absent_bytes = 5001;
	run();
	is("sparse_or_unwritten_extents", LEDGER_SUPPORTED);
	d->extent_hole_bytes = d->extent_unwritten_bytes = 1000000;	/* outside of what is read */
	d->extent_mapped_bytes = 1000000;
	d->range_absent_bytes = 0;
	run();
	is("sparse_or_unwritten_extents", LEDGER_RULED_OUT);
	d->range_bytes = d->range_absent_bytes = UNKNOWN_I64;
	run();
	is("sparse_or_unwritten_extents", LEDGER_SUPPORTED);
}

static void extents(void **state)
{
	struct drive *d = &fx.result.drives[SIDE_B];

	(void)state;
	run();
	is("sparse_or_unwritten_extents", LEDGER_RULED_OUT);
	d->kind = TARGET_FILE;
	run();
	is("sparse_or_unwritten_extents", LEDGER_NOT_MEASURED);
	d->extent_hole_bytes = d->extent_unwritten_bytes = 0;
	d->extent_mapped_bytes = 1000000;
	run();
	is("sparse_or_unwritten_extents", LEDGER_RULED_OUT);
	d->extent_unwritten_bytes = 10000;
	run();
	is("sparse_or_unwritten_extents", LEDGER_SUPPORTED);
	d->kind = TARGET_BLOCK;
	d->transport = "loop";
	run();
	is("sparse_or_unwritten_extents", LEDGER_NOT_MEASURED);
}

static void wear_needs_the_slow_side(void **state)
{
	(void)state;
	single_rounds(SIDE_A);
	run();
	is("wear", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_A, m->smart_after.percent_used = 10);
	run();
	is("wear", LEDGER_POSSIBLE);
	single_rounds(SIDE_B);		/* the used drive is the faster one */
	EACH(m, SIDE_A, m->smart_after.percent_used = 10);
	run();
	is("wear", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_B, m->smart_after.avail_spare = 20);
	run();
	is("wear", LEDGER_POSSIBLE);
	EACH(m, SIDE_B, m->smart_after.percent_used = UNKNOWN_I64);
	run();
	is("wear", LEDGER_NOT_MEASURED);
}

static void media(void **state)
{
	(void)state;
	single_rounds(SIDE_A);
	EACH(m, SIDE_A, m->smart_before.media_errors.low = m->smart_after.media_errors.low = 3);
	run();
	is("media_errors", LEDGER_POSSIBLE);
	EACH(m, SIDE_A, m->smart_after.media_errors.low = 5);
	run();
	is("media_errors", LEDGER_SUPPORTED);
	single_rounds(SIDE_B);
	EACH(m, SIDE_A, m->smart_after.media_errors.low = 5);
	run();
	is("media_errors", LEDGER_POSSIBLE);	/* on the faster drive */
	single_rounds(SIDE_A);
	EACH(m, SIDES, m->error_entries_media = 0);
	EACH(m, SIDE_A, m->smart_after.num_err_log_entries.low = 9);
	run();
	is("media_errors", LEDGER_NOT_SUPPORTED);	/* commands that were refused, no media status */
	EACH(m, SIDE_A, m->error_entries_media = 1);
	run();
	is("media_errors", LEDGER_SUPPORTED);
	assert_non_null(strstr(row("media_errors")->text, "10 and 0 have a media status"));
	single_rounds(SIDE_B);
	EACH(m, SIDES, m->error_entries_media = s_ == SIDE_A);
	run();
	is("media_errors", LEDGER_POSSIBLE);
}

/* Negative test of the method: a frozen page is not a clean bill of health. */
static void frozen_smart(void **state)
{
	static const char *const rows[] = { "wear", "media_errors", "thermal_throttling" };

	(void)state;
	EACH(m, SIDE_B, m->smart_after.data_units_read.low = m->smart_before.data_units_read.low = 77);
	run();
	for (size_t i = 0; i < 3; i++) {
		is(rows[i], LEDGER_NOT_MEASURED);
		assert_non_null(strstr(row(rows[i])->text, "did not move"));
	}
	EACH(m, SIDE_B, m->smart_after.data_units_read.low = 77 + 2098 * 9);	/* nine of ten slots counted */
	run();
	is("wear", LEDGER_NOT_MEASURED);
	EACH(m, SIDE_B, m->smart_after.data_units_read.low = 77 + 2098 * 12);	/* others read, too */
	run();
	is("wear", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_B, m->smart_after.data_units_read.low = 77);
	EACH(m, SIDE_B, m->bytes = 4096);	/* too little was moved to tell */
	run();
	is("wear", LEDGER_NOT_MEASURED);
	EACH(m, SIDES, m->smart_before.valid = m->smart_after.valid = false);
	EACH(m, SIDES, m->smart_after.reason = "no NVMe drive");
	run();
	is("wear", LEDGER_NOT_MEASURED);
	assert_non_null(strstr(row("wear")->text, "no NVMe drive"));
}

static void heat(void **state)
{
	(void)state;
	single_rounds(SIDE_A);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
	fx.result.drives[SIDE_A].identify.warning_temperature_c = NAN;
	run();
	is("thermal_throttling", LEDGER_NOT_MEASURED);
	EACH(m, SIDE_A, m->smart_before.thm_temp1_trans_count = 1);
	EACH(m, SIDE_A, m->smart_after.thm_temp1_trans_count = 2);
	run();
	is("thermal_throttling", LEDGER_SUPPORTED);
	single_rounds(SIDE_B);
	EACH(m, SIDE_A, m->smart_after.critical_warning = 2);
	run();
	is("thermal_throttling", LEDGER_POSSIBLE);	/* the hot one is not the slow one */
	/* a page that does not count: the samples beside it still see the threshold, and nothing else does */
	single_rounds(SIDE_A);
	EACH(m, SIDE_A, m->smart_after.data_units_read.low = m->smart_before.data_units_read.low = 77);
	run();
	is("thermal_throttling", LEDGER_NOT_MEASURED);
	EACH(m, SIDE_A, if (i_ == 3) { m->seconds_at_threshold = 7; m->speed_when_hot_ratio = 0.8; });
	run();
	is("thermal_throttling", LEDGER_SUPPORTED);
	assert_non_null(strstr(row("thermal_throttling")->text, "7 s at or above its threshold"));
	/* of ten rounds one may start warm, two make heat unsure */
	EACH(m, SIDES, m->cooldown.outcome = i_ == 4 ? COOLDOWN_MISSED : COOLDOWN_PASSED);
	run();
	is("thermal_throttling", LEDGER_SUPPORTED);
	EACH(m, SIDE_B, if (i_ == 5) m->cooldown.outcome = COOLDOWN_MISSED);
	run();
	is("thermal_throttling", LEDGER_POSSIBLE);
	assert_non_null(strstr(row("thermal_throttling")->text, "did not start cool"));
	fx.result.plan.thresholds = &(struct number){ "gate_missed", 0.2 };
	fx.result.plan.thresholds_count = 1;
	run();
	is("thermal_throttling", LEDGER_SUPPORTED);
	/* near its threshold in one slot and slower in another is no sign; both in one is */
	single_rounds(SIDE_A);
	EACH(m, SIDE_A, if (i_ == 2) m->temperature_max_c = 83; if (i_ == 3) m->within_run_drop = 0.2);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_A, if (i_ == 2) m->within_run_drop = 0.2);
	run();
	is("thermal_throttling", LEDGER_POSSIBLE);
	/* a temperature that stands still and that no other sensor confirms */
	single_rounds(SIDE_A);
	fixture_smart(&fx, 40, 40);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);	/* the samples agree */
	EACH(m, SIDE_A, m->temperature_min_c = m->temperature_max_c = m->temperature_end_c = NAN);
	EACH(m, SIDE_A, m->temperature_samples = 0);
	run();
	is("thermal_throttling", LEDGER_NOT_MEASURED);
	EACH(m, SIDE_A, m->smart_after.temperature_k++);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
	assert_non_null(strstr(row("thermal_throttling")->text, "excursions under a minute were not watched"));
}

static void links(void **state)
{
	(void)state;
	run();
	is("pcie_downtrained", LEDGER_RULED_OUT);
	is("pcie_link_differs", LEDGER_RULED_OUT);
	assert_null(strstr(row("pcie_link_differs")->text, "may hide"));
	for (int s = 0; s < SIDES; s++)			/* 6.1 of 6.6 GB/s */
		fx.links[s][0].max_payload_bytes = 128;
	fx.result.workloads[0].observations[0].side[SIDE_A].bw_bytes_per_s = 6.1e9;
	run();
	is("pcie_link_differs", LEDGER_RULED_OUT);
	assert_non_null(strstr(row("pcie_link_differs")->text, "may hide"));
	fixture_story_paired(&fx);
	fx.links[SIDE_B][0].current_width_lanes = 2;	/* 5.2 GB/s on gen4 x2: above its limit */
	run();
	is("pcie_downtrained", LEDGER_SUPPORTED);
	is("pcie_link_differs", LEDGER_SUPPORTED);
	assert_int_equal(row("page_cache_hits")->state, LEDGER_RULED_OUT);
	fx.links[SIDE_A][0].current_width_lanes = 2;
	fx.links[SIDE_B][0].current_width_lanes = 4;
	run();
	is("pcie_downtrained", LEDGER_POSSIBLE);	/* the faster drive is the downtrained one */
	fx.result.drives[SIDE_B].links_count = 0;
	run();
	is("pcie_downtrained", LEDGER_NOT_MEASURED);
	is("shared_uplink", LEDGER_NOT_MEASURED);
}

/* Each change alone, on an otherwise equal and half idle pair. */
static void links_in_detail(void **state)
{
	struct link_load load[2] = {
		{ NULL, 9, 2.5, 16, 4, 4 }, { NULL, 9, 16, 16, 4, 4 },
	};

	(void)state;
	/* the port can do less: that is what was negotiated, and what differs */
	fx.links[SIDE_B][1].max_speed_gt_per_s = fx.links[SIDE_B][0].current_speed_gt_per_s = 8;
	fx.links[SIDE_B][1].current_speed_gt_per_s = 8;
	run();
	is("pcie_downtrained", LEDGER_NOT_SUPPORTED);
	is("pcie_link_differs", LEDGER_SUPPORTED);	/* 5.2 GB/s over gen3 x4 */
	fixture_links(&fx);
	/* idle it rests, under load it does not */
	fx.links[SIDE_B][0].current_speed_gt_per_s = 2.5;
	load[0].speed_min_gt_per_s = 16;
	EACH(m, SIDE_B, m->links = load; m->links_count = 2);
	run();
	is("pcie_downtrained", LEDGER_RULED_OUT);
	/* it changed while in use */
	load[0].speed_min_gt_per_s = 2.5;
	run();
	is("pcie_downtrained", LEDGER_POSSIBLE);
	assert_non_null(strstr(row("pcie_downtrained")->text, "changed its speed"));
	/* one slot in which it never got up */
	EACH(m, SIDE_B, m->links = NULL; m->links_count = 0);
	fixture_links(&fx);
	EACH(m, SIDE_B, if (!i_) m->link_speed_gt_per_s = 2.5, m->link_width_lanes = 4);
	run();
	is("pcie_downtrained", LEDGER_SUPPORTED);	/* 5.2 GB/s over gen1 x4 is beyond its limit */
	assert_non_null(strstr(row("pcie_downtrained")->text, "0000:02:00.0"));
}

/* Payload that is not known leaves a range, and what lies across a threshold stays open. */
static void payload_unknown(void **state)
{
	double raw = 16e9 * 128 / 130 / 2;

	(void)state;
	EACH(m, SIDES, m->bw_bytes_per_s = raw * 0.79);	/* 88 % with 256 bytes, 94 % with 128, 79.5 % with 4096 */
	fx.links[SIDE_B][0].current_width_lanes = fx.links[SIDE_B][0].max_width_lanes = 4;
	fx.links[SIDE_A][0].current_width_lanes = fx.links[SIDE_A][0].max_width_lanes = 8;
	fx.links[SIDE_A][1].current_width_lanes = fx.links[SIDE_A][1].max_width_lanes = 8;
	run();
	is("pcie_link_differs", LEDGER_SUPPORTED);
	for (int s = 0; s < SIDES; s++)
		for (int i = 0; i < 2; i++)
			fx.links[s][i].max_payload_bytes = fx.links[s][i].max_payload_supported_bytes = UNKNOWN_I64;
	run();
	is("pcie_link_differs", LEDGER_POSSIBLE);
	assert_non_null(strstr(row("pcie_link_differs")->text, "79 to 94 %"));
}

static void host_path(void **state)
{
	struct drive *d = fx.result.drives;

	(void)state;
	run();
	is("host_path_differs", LEDGER_NOT_SUPPORTED);	/* equal as far as it is known */
	assert_non_null(strstr(row("host_path_differs")->text, "IOMMU"));
	for (int s = 0; s < SIDES; s++) {
		d[s].iommu_type = "DMA-FQ";
		d[s].interrupt_vectors = 3;
		d[s].interrupt_cpus = s ? "1;0;1" : "0;0;1";	/* the first serves no I/O */
		d[s].identify.hmb_bytes = 0;
		d[s].kernel_name = "nvme0n1";
	}
	run();
	is("host_path_differs", LEDGER_RULED_OUT);
	fx.links[SIDE_A][1].max_payload_bytes = 128;	/* a port on the way narrows it */
	run();
	is("host_path_differs", LEDGER_POSSIBLE);
	assert_non_null(strstr(row("host_path_differs")->text, "128 bytes on A, 256 bytes on B"));
	fixture_links(&fx);
	d[SIDE_B].mapping = "dm CRYPT-LUKS2";
	run();
	is("host_path_differs", LEDGER_POSSIBLE);
	d[SIDE_B].mapping = NULL;
	d[SIDE_B].identify.hmb_bytes = 64 << 20;
	run();
	is("host_path_differs", LEDGER_POSSIBLE);
	d[SIDE_B].identify.hmb_bytes = 0;
	d[SIDE_B].interrupt_cpus = "0;0;0";
	run();
	is("host_path_differs", LEDGER_POSSIBLE);
	d[SIDE_A].links_count = d[SIDE_B].links_count = 0;
	d[SIDE_B].interrupt_cpus = "0;0;1";
	run();
	is("host_path_differs", LEDGER_NOT_MEASURED);
}

static void errors_on_links(void **state)
{
	struct ocp_smart quiet = { .valid = true, .log_page_version = 2 }, noisy = quiet;

	(void)state;
	noisy.pcie_link_retraining_count.low = 1;
	run();
	is("link_errors", LEDGER_NOT_MEASURED);
	EACH(m, SIDES, m->link_errors = 0);
	run();
	is("link_errors", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_B, m->link_errors = i_ == 1 ? 12 : 0);
	run();
	is("link_errors", LEDGER_POSSIBLE);
	EACH(m, SIDE_B, if (i_ == 1) m->bw_bytes_per_s *= 0.9);	/* and that slot was slow */
	run();
	is("link_errors", LEDGER_SUPPORTED);
	EACH(m, SIDE_B, m->link_errors = 0; m->link_errors_uncorrectable = i_ == 2);
	run();
	is("link_errors", LEDGER_POSSIBLE);
	/* no counter of the host, but one of the drive */
	EACH(m, SIDES, m->link_errors = m->link_errors_uncorrectable = UNKNOWN_I64);
	EACH(m, SIDES, m->ocp_before = quiet; m->ocp_after = quiet);
	run();
	is("link_errors", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_A, if (i_ == 2) m->ocp_after = noisy);
	run();
	is("link_errors", LEDGER_POSSIBLE);
	assert_non_null(strstr(row("link_errors")->text, "A trained its link anew 1 times"));
}

/* What only the vendor's log counts serves the rows that it is about. */
static void vendor_log(void **state)
{
	struct ocp_smart o = { .valid = true, .log_page_version = 2 };

	(void)state;
	EACH(m, SIDES, m->ocp_before = o; m->ocp_after = o);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
	is("wear", LEDGER_NOT_SUPPORTED);
	assert_non_null(strstr(row("wear")->text, "recovery in the run: 0 on A, 0 on B"));
	assert_null(strstr(row("wear")->text, "retries are not reported"));
	EACH(m, SIDE_B, if (i_ == 1) m->ocp_after.thermal_throttling_event_count = 2,
		     m->ocp_after.soft_ecc_err_count.low = 7);
	run();
	is("thermal_throttling", LEDGER_SUPPORTED);
	assert_non_null(strstr(row("thermal_throttling")->text, "own log counted throttling"));
	assert_non_null(strstr(row("wear")->text, "0 on A, 7 on B"));
	/* no threshold, but a log that counts: it was measured */
	EACH(m, SIDES, m->ocp_after = o);
	for (int s = 0; s < SIDES; s++)
		fx.result.drives[s].identify.warning_temperature_c = NAN;
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
}

static void slow_link_is_no_limit(void **state)
{
	(void)state;
	single_rounds(SIDE_B);		/* 1 GB/s, a seventh of the link */
	fx.links[SIDE_B][0].current_width_lanes = 2;
	run();
	is("pcie_downtrained", LEDGER_POSSIBLE);
	is("pcie_link_differs", LEDGER_NOT_SUPPORTED);
}

static void uplink(void **state)
{
	(void)state;
	single_rounds(SIDE_B);
	run();
	is("shared_uplink", LEDGER_RULED_OUT);		/* nothing ran at once */
	for (int i = 0; i < 8; i++)
		fixture_round(&fx, 0, true, 800 + i, 750 + i);
	run();
	is("shared_uplink", LEDGER_POSSIBLE);	/* both lose: in a chipset that is not seen, or the host */
	assert_non_null(strstr(row("shared_uplink")->text, "chipset"));
	fx.links[SIDE_B][1].address = fx.links[SIDE_A][1].address;
	run();
	is("shared_uplink", LEDGER_POSSIBLE);
	for (int s = 0; s < SIDES; s++)
		fx.links[s][1].current_speed_gt_per_s = 5;	/* gen2 x4: 1.83 GB/s */
	EACH(m, SIDES, if (fx.observations[0][i_].concurrent) m->bw_bytes_per_s *= 1.1);
	run();
	is("shared_uplink", LEDGER_SUPPORTED);
}

static void bytes_that_are_not_fio_s(void **state)
{
	size_t w;

	(void)state;
	single_rounds(SIDE_B);
	run();
	is("background_io", LEDGER_RULED_OUT);
	is("page_cache_hits", LEDGER_RULED_OUT);
	EACH(m, SIDE_B, m->block.read_bytes += m->bytes / 20);	/* five per cent more */
	run();
	is("background_io", LEDGER_SUPPORTED);
	EACH(m, SIDE_A, m->block.read_bytes += m->bytes / 20);	/* on both alike */
	run();
	is("background_io", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_B, m->block.read_bytes = m->bytes / 2);
	run();
	is("page_cache_hits", LEDGER_SUPPORTED);
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
	assert_non_null(strstr(v.headline_text, "never reached its device"));
	single_rounds(SIDE_B);			/* fewer bytes could hide somebody's */
	EACH(m, SIDE_B, m->block.read_bytes -= m->bytes / 20);
	run();
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
	w = fixture_workload(&fx, "rand-read-4k", "randread", 4096);
	for (int i = 0; i < 10; i++)			/* a gap that is valid */
		fixture_round(&fx, w, false, 1000 + i % 3, 900 + i % 4);
	run();
	is("background_io", LEDGER_NOT_SUPPORTED);
	single_rounds(SIDE_B);
	run();
	is("background_io", LEDGER_RULED_OUT);
	assert_int_equal(v.headline, HEADLINE_VALID);
	EACH(m, SIDE_B, m->block.read_bytes = UNKNOWN_I64);
	run();
	is("background_io", LEDGER_NOT_MEASURED);
	is("page_cache_hits", LEDGER_NOT_MEASURED);
	fx.workloads[0].direct = false;
	run();
	is("page_cache_hits", LEDGER_POSSIBLE);
}

/* The drive's own count beside the block device's: bounds of what it moved more than fio asked for. */
static void smart_says(int side, double low, double high)
{
	EACH(m, side, {
		m->account.smart_low_bytes = (int64_t)((double)m->bytes * (1 + low));
		m->account.smart_high_bytes = (int64_t)((double)m->bytes * (1 + high));
		m->account.smart_foreign_low_bytes = (int64_t)((double)m->bytes * low);
		m->account.smart_foreign_high_bytes = (int64_t)((double)m->bytes * high);
	});
}

static void bytes_that_the_drive_counts(void **state)
{
	(void)state;
	single_rounds(SIDE_B);
	smart_says(SIDE_A, -0.001, 0.001);
	smart_says(SIDE_B, 0.049, 0.051);	/* past this kernel's path */
	run();
	is("background_io", LEDGER_SUPPORTED);
	assert_non_null(strstr(row("background_io")->text, "by its SMART data units"));
	smart_says(SIDE_B, 0.017, 0.019);
	run();
	is("background_io", LEDGER_POSSIBLE);
	smart_says(SIDE_B, -0.001, 0.001);
	run();
	is("background_io", LEDGER_RULED_OUT);
	smart_says(SIDE_B, -1, -1);		/* stands still, while the block device moved all */
	run();
	is("background_io", LEDGER_RULED_OUT);
	is("page_cache_hits", LEDGER_RULED_OUT);
	EACH(m, SIDE_B, m->block.read_bytes = UNKNOWN_I64);
	run();
	is("background_io", LEDGER_NOT_MEASURED);
	is("page_cache_hits", LEDGER_NOT_MEASURED);
	smart_says(SIDE_B, -0.8, -0.79);	/* the drive alone says that bytes never came */
	run();
	is("page_cache_hits", LEDGER_SUPPORTED);
	smart_says(SIDE_B, -0.3, 0.3);		/* too coarse */
	run();
	is("background_io", LEDGER_NOT_SUPPORTED);
	is("page_cache_hits", LEDGER_NOT_SUPPORTED);
	smart_says(SIDE_B, -1.1, 0.9);		/* so coarse that nothing might have come */
	run();
	assert_int_equal(row("page_cache_hits")->state, LEDGER_NOT_MEASURED);
	smart_says(SIDE_B, -0.001, 0.001);	/* the only meter, and sharp enough */
	run();
	is("background_io", LEDGER_RULED_OUT);
	is("page_cache_hits", LEDGER_RULED_OUT);
}

static void impossible_speed(void **state)
{
	(void)state;
	EACH(m, SIDE_A, m->bw_bytes_per_s = 9e9);	/* gen4 x4 carries 7.9 raw */
	run();
	is("page_cache_hits", LEDGER_SUPPORTED);
	assert_int_equal(v.headline, HEADLINE_NOT_VALID);
	assert_non_null(strstr(v.headline_text, "faster than its link can carry"));
	EACH(m, SIDE_A, m->bw_bytes_per_s = 5e9);
	run();
	is("page_cache_hits", LEDGER_RULED_OUT);
	assert_int_not_equal(v.headline, HEADLINE_NOT_VALID);
	fx.links[SIDE_A][1].max_speed_gt_per_s = 8;	/* a gen3 port: 3.9 raw */
	fx.links[SIDE_A][0].current_speed_gt_per_s = fx.links[SIDE_A][1].current_speed_gt_per_s = 8;
	run();
	is("page_cache_hits", LEDGER_SUPPORTED);
}

/* What one workload shows, another of which nothing is recorded may gainsay. */
static void unrecorded_workload(void **state)
{
	size_t w;

	(void)state;
	run();
	is("data_state_mismatch", LEDGER_RULED_OUT);
	is("deallocated_or_zero_reads", LEDGER_RULED_OUT);
	w = fixture_workload(&fx, "rand-read-4k", "randread", 4096);
	for (int i = 0; i < 8; i++)
		fixture_round(&fx, w, false, 1000, 1000);
	fx.results[w].match.pairs = 0;
	run();
	is("data_state_mismatch", LEDGER_NOT_MEASURED);
	is("deallocated_or_zero_reads", LEDGER_NOT_MEASURED);
	assert_non_null(strstr(row("data_state_mismatch")->text, "rand-read-4k"));
	/* nor does one that only wrote speak for it */
	fx.results[0].match.pairs = 0;
	fx.workloads[0].rw = "write";
	fx.workloads[0].writes = true;
	run();
	is("data_state_mismatch", LEDGER_NOT_MEASURED);
	fx.results[w].match.pairs = 1024;
	run();
	is("data_state_mismatch", LEDGER_RULED_OUT);
}

/* The page's temperature stands still while another sensor moves, far from it. */
static void dead_temperature(void **state)
{
	(void)state;
	single_rounds(SIDE_B);
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
	EACH(m, SIDE_B, m->smart_before.temperature_k = m->smart_after.temperature_k = 313);
	run();
	is("thermal_throttling", LEDGER_NOT_MEASURED);
	EACH(m, SIDE_B, m->temperature_end_c = 41);	/* now they agree */
	run();
	is("thermal_throttling", LEDGER_NOT_SUPPORTED);
}

static void host_rows(void **state)
{
	struct drive *d = fx.result.drives;

	(void)state;
	EACH(m, SIDES, m->user_cpu_percent = m->system_cpu_percent = 20);
	d[SIDE_A].pm_qos_latency_us = d[SIDE_B].pm_qos_latency_us = 0;
	d[SIDE_A].model = d[SIDE_B].model = "M";
	d[SIDE_A].firmware = "1";
	d[SIDE_B].firmware = "2";
	for (int s = 0; s < SIDES; s++) {
		d[s].scheduler = "none";
		d[s].write_cache = "write back";
		d[s].nr_requests = d[s].max_sectors_kib = d[s].nomerges = d[s].rq_affinity = 128;
		d[s].read_ahead_kib = d[s].wbt_latency_us = 128;
		d[s].identify.lba_metadata_bytes = d[s].identify.lba_relative_performance = 0;
		d[s].partition_start_bytes = 0;
	}
	d[SIDE_A].numa_node = d[SIDE_B].numa_node = 0;
	d[SIDE_A].logical_block_bytes = d[SIDE_B].logical_block_bytes = 512;
	d[SIDE_A].capacity_bytes = d[SIDE_B].capacity_bytes = 1000;
	run();
	is("host_cpu_bound", LEDGER_NOT_SUPPORTED);
	is("power_state_apst", LEDGER_RULED_OUT);
	is("firmware_differs", LEDGER_POSSIBLE);
	is("queue_settings_differ", LEDGER_RULED_OUT);
	is("numa_distance", LEDGER_RULED_OUT);
	is("lba_format_differs", LEDGER_RULED_OUT);
	is("capacity_or_model_differs", LEDGER_RULED_OUT);
	is("misalignment", LEDGER_RULED_OUT);
	EACH(m, SIDE_B, m->system_cpu_percent = 70);
	d[SIDE_A].pm_qos_latency_us = 100000;
	d[SIDE_B].firmware = "1";
	d[SIDE_B].scheduler = "mq-deadline";
	d[SIDE_B].numa_node = 1;
	d[SIDE_B].logical_block_bytes = 4096;
	d[SIDE_B].partition_start_bytes = 512 * 63;
	run();
	is("host_cpu_bound", LEDGER_POSSIBLE);
	is("power_state_apst", LEDGER_NOT_SUPPORTED);
	is("firmware_differs", LEDGER_RULED_OUT);
	is("queue_settings_differ", LEDGER_POSSIBLE);
	is("numa_distance", LEDGER_POSSIBLE);
	is("lba_format_differs", LEDGER_POSSIBLE);
	is("misalignment", LEDGER_POSSIBLE);
	d[SIDE_B].scheduler = "none";
	d[SIDE_B].wbt_latency_us = UNKNOWN_I64;
	d[SIDE_B].logical_block_bytes = 512;
	d[SIDE_B].identify.lba_metadata_bytes = UNKNOWN_I64;
	d[SIDE_B].partition_start_bytes = UNKNOWN_I64;
	run();
	is("queue_settings_differ", LEDGER_NOT_SUPPORTED);	/* seven of eight are equal */
	is("lba_format_differs", LEDGER_NOT_SUPPORTED);
	is("misalignment", LEDGER_NOT_SUPPORTED);
	d[SIDE_A].model = NULL;
	run();
	is("firmware_differs", LEDGER_NOT_MEASURED);
	d[SIDE_A].model = "M";
	d[SIDE_B].model = "N";
	run();
	is("firmware_differs", LEDGER_NOT_SUPPORTED);
	is("capacity_or_model_differs", LEDGER_NOT_SUPPORTED);
}

static void order(void **state)
{
	(void)state;
	single_rounds(SIDE_B);
	run();
	is("order_effects", LEDGER_NOT_SUPPORTED);
	for (size_t i = 0; i < 10; i++)		/* who is first gains three per cent */
		fx.observations[0][i].side[i % 2 ? SIDE_B : SIDE_A].bw_bytes_per_s *= 1.03;
	run();
	is("order_effects", LEDGER_SUPPORTED);
	for (size_t i = 0; i < 10; i++)
		fx.observations[0][i].a_first = true;
	run();
	is("order_effects", LEDGER_POSSIBLE);
}

static void fill_and_caches(void **state)
{
	struct drive *d = fx.result.drives;

	(void)state;
	single_rounds(SIDE_B);
	run();
	is("fill_level_overprovision", LEDGER_NOT_MEASURED);
	is("gc_slc_state", LEDGER_NOT_MEASURED);
	for (int s = 0; s < SIDES; s++) {
		d[s].identify.nsze_blocks = 100;
		d[s].identify.nuse_blocks = s ? 90 : 50;
	}
	EACH(m, SIDE_A, m->within_run_drop = 0.06);
	run();
	is("fill_level_overprovision", LEDGER_NOT_SUPPORTED);	/* reads only */
	is("gc_slc_state", LEDGER_POSSIBLE);
	fx.workloads[0].writes = true;
	run();
	is("fill_level_overprovision", LEDGER_POSSIBLE);
	fx.workloads[0].writes = false;
	EACH(m, SIDE_A, m->within_run_drop = 0.01);
	d[SIDE_A].kind = d[SIDE_B].kind = TARGET_DIRECTORY;
	run();
	is("gc_slc_state", LEDGER_POSSIBLE);			/* we have just written the files */
	is("data_age_or_layout", LEDGER_NOT_SUPPORTED);
	d[SIDE_B].identify.nuse_blocks = 60;
	run();
	is("fill_level_overprovision", LEDGER_NOT_SUPPORTED);
	d[SIDE_B].identify.nuse_blocks = d[SIDE_B].identify.ncap_blocks = 100;	/* says nothing ... */
	run();
	is("fill_level_overprovision", LEDGER_NOT_MEASURED);
	d[SIDE_B].identify.nsfeat = 1;			/* ... unless it is thin */
	run();
	is("fill_level_overprovision", LEDGER_NOT_SUPPORTED);
}

/* No sentence says more than the evidence can carry. */
static void wording(void **state)
{
	(void)state;
	for (int variant = 0; variant < 6; variant++) {
		if (variant == 0)
			fixture_story_regions(&fx);
		else if (variant == 1)
			fixture_story_paired(&fx);
		else
			single_rounds(variant == 2 ? SIDE_A : SIDE_B);
		if (variant >= 4) {	/* as many signs as possible */
			EACH(m, SIDES, m->smart_after.percent_used = 90 + 10 * s_);
			EACH(m, SIDES, m->smart_after.media_errors.low = 4);
			EACH(m, SIDES, m->smart_after.critical_warning = 2);
			EACH(m, SIDES, m->block.read_bytes = variant == 4 ? 2 * m->bytes : 0);
			fx.links[SIDE_B][0].current_width_lanes = 1;
		}
		run();
		assert_sober_verdict(&v);
	}
}

static void evidence_is_named(void **state)
{
	const struct ledger_row *r;

	(void)state;
	run();
	r = row("wear");
	assert_true(r->evidence_count >= 4);
	assert_string_equal(r->evidence[0].file, "slots/0003-w-AB/A/smart-before.bin");
	assert_null(r->evidence[0].pointer);
	r = row("pcie_link_differs");
	assert_string_equal(r->evidence[0].file, "drives.json");
	assert_string_equal(r->evidence[0].pointer, "/A/links/0/current_speed_gt_per_s");
	r = row("data_state_mismatch");
	assert_string_equal(r->evidence[1].file, "slots/0003-w-AB/B/records");
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(thermal_examples), T(uplink_examples), T(explained_share), T(mismatch),
		T(mismatch_of_everything), T(zeros), T(zeros_that_were_asked_for), T(extents), T(extents_by_bytes),
		T(wear_needs_the_slow_side), T(media), T(frozen_smart), T(heat), T(links),
		T(links_in_detail), T(payload_unknown), T(host_path), T(errors_on_links), T(vendor_log),
		T(slow_link_is_no_limit), T(uplink), T(bytes_that_are_not_fio_s),
		T(bytes_that_the_drive_counts), T(impossible_speed), T(unrecorded_workload),
		T(dead_temperature), T(host_rows), T(order), T(fill_and_caches),
		T(wording), T(evidence_is_named),
	};

	return cmocka_run_group_tests_name("hypotheses", tests, NULL, NULL);
}
