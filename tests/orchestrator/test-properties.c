/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must hold for any result: less evidence never says more, a wider bound never rules out more, the
 * sides mirror, the order of slots does not matter, and no sentence claims too much. Every member that
 * the tables of fields know is taken away, one at a time, on either side.
 */
#include "wording.h"

#include "fixture.h"
#include "hypotheses.h"
#include "judge.h"
#include "json-fields.h"
#include "result-json.h"
#include "stats-random.h"
#include "verdict-json.h"

static struct fixture fx;
static struct verdict v;

static void run(void)
{
	verdict_free(&v);
	assert_int_equal(judge(&fx.result, &v), 0);
	assert_sober_verdict(&v);
}

static int state_of(const char *id)
{
	for (size_t i = 0; i < v.ledger_count; i++)
		if (!strcmp(v.ledger[i].id, id))
			return v.ledger[i].state;
	fail_msg("no row %s", id);
	return -1;
}

static int stop(void **state)
{
	(void)state;
	verdict_free(&v);
	return 0;
}

/* ---- results to start from ---- */

static void each(void (*change)(struct measurement *m, int side))
{
	for (size_t w = 0; w < fx.result.workloads_count; w++)
		for (size_t i = 0; i < fx.results[w].observations_count; i++)
			for (int s = 0; s < SIDES; s++)
				change(&fx.observations[w][i].side[s], s);
}

static void busy(struct measurement *m, int side)
{
	(void)side;
	m->user_cpu_percent = m->system_cpu_percent = 10;
	m->depth_reached = 100;
	m->link_errors = m->link_errors_uncorrectable = 0;
	m->within_run_drop = 0.01;
}

/* All settings known and equal. */
static void settings(void)
{
	for (int s = 0; s < SIDES; s++) {
		struct drive *d = &fx.result.drives[s];

		d->kernel_name = s ? "nvme1n1" : "nvme0n1";
		d->serial = s ? "S2" : "S1";
		d->model = "M";
		d->firmware = "1";
		d->scheduler = "none";
		d->write_cache = "write back";
		d->iommu_type = "DMA";
		d->interrupt_cpus = "0;0-3";
		d->interrupt_vectors = 9;
		d->capacity_bytes = INT64_C(1000204886016);
		d->logical_block_bytes = 512;
		d->physical_block_bytes = d->minimum_io_bytes = 4096;
		d->partition_start_bytes = d->nomerges = d->wbt_latency_us = d->pm_qos_latency_us = d->numa_node = 0;
		d->nr_requests = 1023;
		d->max_sectors_kib = d->max_hw_sectors_kib = 1024;
		d->rq_affinity = 1;
		d->identify.nsze_blocks = d->identify.ncap_blocks = 1000;
		d->identify.nuse_blocks = 900;
		d->identify.nsfeat = d->identify.dlfeat = 1;
		d->identify.lba_format = d->identify.lba_metadata_bytes = d->identify.hmb_bytes = 0;
		d->identify.lba_data_bytes = 512;
		d->identify.lba_relative_performance = 2;
	}
	each(busy);
}

static void single_and_both(void)
{
	size_t w;

	fixture_start(&fx);
	w = fixture_workload(&fx, "seq-read-1m", "read", 1 << 20);
	for (int i = 0; i < 16; i++)
		fixture_round(&fx, w, i >= 8, 1000 + i * 7 % 5, 900 + i * 3 % 4);
	fixture_smart(&fx, 40, 45);
	fixture_links(&fx);
	fixture_blocks(&fx);
	settings();
}

static void signs_on_b(struct measurement *m, int side)
{
	if (side != SIDE_B)
		return;
	m->smart_before.percent_used = m->smart_after.percent_used = 95;
	m->smart_after.media_errors.low = 4;
	m->smart_after.critical_warning = 2;
	m->link_errors = 3;
	m->within_run_drop = 0.2;
	m->user_cpu_percent = 90;
	m->block.read_bytes = m->bytes + m->bytes / 20;
}

static void many_signs(void)
{
	struct drive *d = &fx.result.drives[SIDE_B];

	single_and_both();
	each(signs_on_b);
	fixture_account(&fx);
	fx.links[SIDE_B][0].current_width_lanes = 1;
	d->firmware = "2";
	d->scheduler = "mq-deadline";
	d->numa_node = 1;
	d->pm_qos_latency_us = 100000;
	d->identify.lba_data_bytes = d->logical_block_bytes = 4096;
	d->identify.nuse_blocks = 100;
	fx.results[0].match.same_class_share = fx.results[0].match.same_hash_share = 0.5;
	fx.results[0].match.class_share[SIDE_B][REC_INCOMPRESSIBLE] = 0.5;
	fx.results[0].match.class_share[SIDE_B][REC_ZERO] = 0.5;
}

static void from_files(void)
{
	single_and_both();
	for (int s = 0; s < SIDES; s++) {
		struct drive *d = &fx.result.drives[s];

		d->kind = TARGET_FILE;
		d->extent_hole_bytes = d->extent_unwritten_bytes = d->range_absent_bytes = 0;
		d->extent_mapped_bytes = d->range_bytes = 1 << 30;
	}
	fx.result.drives[SIDE_B].range_absent_bytes = fx.result.drives[SIDE_B].extent_hole_bytes = 1 << 28;
}

static void story_of_the_regions(void)
{
	fixture_story_regions(&fx);
	settings();
}

static void story_of_the_pairs(void)
{
	fixture_story_paired(&fx);
	settings();
}

static void counts_of_smart(struct measurement *m, int side)
{
	struct accounting *c = &m->account;

	(void)side;
	c->smart_low_bytes = m->bytes - 500000;
	c->smart_high_bytes = m->bytes + 500000;
	c->smart_foreign_low_bytes = -500000;
	c->smart_foreign_high_bytes = 500000;
}

static void counted_twice(void)
{
	single_and_both();
	each(counts_of_smart);
}

static void not_by_the_block_device(struct measurement *m, int side)
{
	(void)side;
	m->account.block_bytes = m->account.block_foreign_bytes = UNKNOWN_I64;
}

static void counted_by_smart_alone(void)
{
	counted_twice();
	each(not_by_the_block_device);
}

static void (*const results[])(void) = {
	story_of_the_regions, story_of_the_pairs, single_and_both, many_signs, from_files, counted_twice,
	counted_by_smart_alone,
};
#define RESULTS (sizeof(results) / sizeof(*results))

/* ---- less evidence ---- */

static bool take_away(const struct field *f, char *data)
{
	char *member = data + f->offset;

	switch (f->type) {
	case FIELD_STRING:
		if (!*(char **)member)
			return false;
		*(char **)member = NULL;
		return true;
	case FIELD_INT:
		if (!known(*(int64_t *)member))
			return false;
		*(int64_t *)member = UNKNOWN_I64;
		return true;
	case FIELD_DOUBLE:
		if (isnan(*(double *)member))
			return false;
		*(double *)member = NAN;
		return true;
	case FIELD_ARRAY:
		if (!*(size_t *)(data + f->count_offset))
			return false;
		*(size_t *)(data + f->count_offset) = 0;
		return true;
	case FIELD_BOOL:	/* a page, a link or a round with all that is in it; others are facts, true or false */
		if ((strcmp(f->key, "valid") && strcmp(f->key, "usable")) || !*(bool *)member)
			return false;
		*(bool *)member = false;
		return true;
	default:	/* a counter is as known as its page, and nothing of the others is ever unknown by itself */
		return false;
	}
}

/* A claim is one that was made with all the evidence, or a weaker one. */
static void assert_no_stronger(const struct verdict *full, const char *without, size_t result)
{
	if (v.headline == HEADLINE_VALID && full->headline != HEADLINE_VALID)
		fail_msg("result %zu without %s: %s\nwas: %s", result, without, v.headline_text, full->headline_text);
	for (size_t i = 0; i < v.ledger_count; i++) {
		int now = v.ledger[i].state, was = full->ledger[i].state;

		if (now == was || now == LEDGER_NOT_MEASURED)
			continue;
		if (now == LEDGER_SUPPORTED || now == LEDGER_RULED_OUT || was == LEDGER_NOT_MEASURED)
			fail_msg("result %zu without %s: %s\nwas: %s", result, without, v.ledger[i].text,
				 full->ledger[i].text);
	}
}

/* Where the struct of a table lies, of the result as it is now; NULL: no more of them. */
typedef char *place_fn(int side, size_t i);

/* Takes away each member in turn, in all places of one side at once. */
static size_t take_each_away(const struct field *fields, size_t at, place_fn *place, size_t result,
			     const struct verdict *full)
{
	size_t taken = 0;

	for (const struct field *f = fields; f->key; f++) {
		if (f->type == FIELD_STRUCT) {
			taken += take_each_away(f->fields, at + f->offset, place, result, full);
			continue;
		}
		for (int side = 0; side < SIDES; side++) {
			bool any = false;
			char *data;

			results[result]();
			for (size_t i = 0; (data = place(side, i)); i++)
				any |= take_away(f, data + at);
			if (!any)
				continue;
			run();
			assert_no_stronger(full, f->key, result);
			taken++;
		}
	}
	return taken;
}

static struct measurement *measurement_at(int side, size_t i)
{
	for (size_t w = 0; w < fx.result.workloads_count; w++) {
		if (i < fx.results[w].observations_count)
			return &fx.observations[w][i].side[side];
		i -= fx.results[w].observations_count;
	}
	return NULL;
}

static char *every_measurement(int side, size_t i)
{
	return (char *)measurement_at(side, i);
}

static char *one_measurement(int side, size_t i)
{
	return i ? NULL : (char *)measurement_at(side, 0);
}

static char *page_before(int side, size_t i)
{
	struct measurement *m = measurement_at(side, i);

	return m ? (char *)&m->smart_before : NULL;
}

static char *page_after(int side, size_t i)
{
	struct measurement *m = measurement_at(side, i);

	return m ? (char *)&m->smart_after : NULL;
}

static char *drive(int side, size_t i)
{
	return i ? NULL : (char *)&fx.result.drives[side];
}

static char *link_of(int side, size_t i)
{
	return i < fx.result.drives[side].links_count ? (char *)&fx.result.drives[side].links[i] : NULL;
}

static char *match(int side, size_t i)
{
	return side || i >= fx.result.workloads_count ? NULL : (char *)&fx.results[i].match;
}

static void less_evidence_never_says_more(void **state)
{
	struct verdict full;

	(void)state;
	for (size_t i = 0; i < RESULTS; i++) {
		size_t taken = 0;

		results[i]();
		run();
		full = v;
		v = (struct verdict){ 0 };
		taken += take_each_away(measurement_fields, 0, every_measurement, i, &full);
		taken += take_each_away(measurement_fields, 0, one_measurement, i, &full);
		taken += take_each_away(smart_fields, 0, page_before, i, &full);
		taken += take_each_away(smart_fields, 0, page_after, i, &full);
		taken += take_each_away(drive_fields, 0, drive, i, &full);
		taken += take_each_away(pci_link_fields, 0, link_of, i, &full);
		taken += take_each_away(match_fields, 0, match, i, &full);
		assert_true(taken > 60);
		verdict_free(&full);
	}
}

/* ---- wider bounds ---- */

static double widen_by;

static void wider(struct measurement *m, int side)
{
	struct accounting *c = &m->account;
	int64_t by = (int64_t)(widen_by * (double)m->bytes);

	(void)side;
	if (!known(c->smart_low_bytes))
		return;
	c->smart_low_bytes -= by;
	c->smart_high_bytes += by;
	c->smart_foreign_low_bytes -= by;
	c->smart_foreign_high_bytes += by;
}

static void no_payload(void)
{
	for (int s = 0; s < SIDES; s++)
		for (size_t i = 0; i < fx.result.drives[s].links_count; i++)
			fx.links[s][i].max_payload_bytes = fx.links[s][i].max_payload_supported_bytes = UNKNOWN_I64;
}

static void fewer_blocks(void)
{
	for (size_t w = 0; w < fx.result.workloads_count; w++) {
		fx.results[w].match.pairs = (int64_t)(300 / (1 + 100 * widen_by));
		fx.results[w].match.classified_share[SIDE_A] = fx.results[w].match.classified_share[SIDE_B] = 0.1;
	}
}

static void a_wider_bound_rules_out_no_more(void **state)
{
	static const double widths[] = { 0.001, 0.01, 0.1, 0.5, 2 };
	struct verdict full;

	(void)state;
	for (size_t i = 0; i < RESULTS; i++) {
		results[i]();
		run();
		full = v;
		v = (struct verdict){ 0 };
		for (size_t k = 0; k < sizeof(widths) / sizeof(*widths); k++) {
			for (int what = 0; what < 3; what++) {
				results[i]();
				widen_by = widths[k];
				if (what == 0)
					each(wider);
				else
					(what == 1 ? no_payload : fewer_blocks)();
				run();
				assert_no_stronger(&full, "narrow bounds", i);
			}
		}
		verdict_free(&full);
	}
	counted_by_smart_alone();
	run();
	assert_int_equal(state_of("page_cache_hits"), LEDGER_RULED_OUT);
	assert_int_equal(state_of("background_io"), LEDGER_RULED_OUT);
	widen_by = 0.1;
	each(wider);
	run();
	assert_int_not_equal(state_of("page_cache_hits"), LEDGER_RULED_OUT);
	assert_int_not_equal(state_of("background_io"), LEDGER_RULED_OUT);
	for (double share = 0; share < 3; share += 0.01) {
		for (int sign = SIGN_NONE; sign <= SIGN_DIRECT; sign++) {
			int at_share = explained_state(&thresholds_default, (enum sign)sign, share),
			    wider_share = explained_state(&thresholds_default, (enum sign)sign, share + 0.1);

			assert_false(wider_share == LEDGER_RULED_OUT && at_share != LEDGER_RULED_OUT);
		}
	}
	for (double loss = 0; loss < 0.2; loss += 0.005) {
		struct uplink_input in = { .loss = { loss / 2, loss / 2 }, .loss_high = { loss, loss },
					   .sum_over_limit = NAN };
		int narrow = uplink_state(&thresholds_default, &in);

		in.loss_high[SIDE_A] += 0.01;
		assert_false(uplink_state(&thresholds_default, &in) == LEDGER_RULED_OUT && narrow != LEDGER_RULED_OUT);
	}
}

/* ---- mirrors and orders ---- */

static void swap_bytes(void *a, void *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char kept = ((char *)a)[i];

		((char *)a)[i] = ((char *)b)[i];
		((char *)b)[i] = kept;
	}
}
#define SWAP_SIDES(pair) swap_bytes(&(pair)[SIDE_A], &(pair)[SIDE_B], sizeof((pair)[0]))

static void swap_sides(void)
{
	SWAP_SIDES(fx.result.drives);
	for (size_t w = 0; w < fx.result.workloads_count; w++) {
		struct workload_result *r = &fx.results[w];

		SWAP_SIDES(r->match.class_share);
		SWAP_SIDES(r->match.classified_share);
		SWAP_SIDES(r->match.changed_share);
		for (size_t i = 0; i < r->observations_count; i++) {
			SWAP_SIDES(r->observations[i].side);
			r->observations[i].a_first = !r->observations[i].a_first;
		}
		for (size_t i = 0; i < r->bins_count; i++) {
			SWAP_SIDES(r->bins[i].bw_bytes_per_s);
			SWAP_SIDES(r->bins[i].class_bytes);
		}
	}
}

static void assert_same_states(const struct verdict *first, size_t result)
{
	assert_int_equal(v.headline, first->headline);
	assert_int_equal(v.comparisons_count, first->comparisons_count);
	for (size_t i = 0; i < v.ledger_count; i++)
		if (v.ledger[i].state != first->ledger[i].state)
			fail_msg("result %zu: %s\nwas: %s", result, v.ledger[i].text, first->ledger[i].text);
}

static void the_sides_mirror(void **state)
{
	struct verdict first;

	(void)state;
	for (size_t i = 0; i < RESULTS; i++) {
		results[i]();
		run();
		first = v;
		v = (struct verdict){ 0 };
		results[i]();
		swap_sides();
		run();
		assert_same_states(&first, i);
		for (size_t k = 0; k < v.comparisons_count; k++) {
			const struct comparison *c = &v.comparisons[k], *was = &first.comparisons[k];

			assert_int_equal(c->verdict, was->verdict);
			if (isnan(was->ratio))
				continue;
			assert_near(c->ratio * was->ratio, 1, 1e-12);
			if (!isnan(was->ci95_low)) {
				assert_near(c->ci95_low * was->ci95_high, 1, 1e-9);
				assert_near(c->p_sign_flip, was->p_sign_flip, 1e-12);
			}
		}
		verdict_free(&first);
	}
}

static void shuffle(struct stats_random *random)
{
	for (size_t w = 0; w < fx.result.workloads_count; w++) {
		struct workload_result *r = &fx.results[w];

		for (size_t i = r->observations_count; i-- > 1;) {
			size_t k = stats_random_next(random) % (i + 1);

			swap_bytes(&r->observations[i], &r->observations[k], i == k ? 0 : sizeof(r->observations[0]));
		}
	}
}

static void the_order_of_slots_does_not_matter(void **state)
{
	struct stats_random random = { 1 };
	struct verdict first;

	(void)state;
	for (size_t i = 0; i < RESULTS; i++) {
		results[i]();
		run();
		first = v;
		v = (struct verdict){ 0 };
		for (int times = 0; times < 20; times++) {
			results[i]();
			shuffle(&random);
			run();
			assert_same_states(&first, i);
			assert_string_equal(v.headline_text, first.headline_text);
			for (size_t k = 0; k < v.ledger_count; k++)
				assert_string_equal(v.ledger[k].text, first.ledger[k].text);
			for (size_t k = 0; k < v.comparisons_count; k++) {
				const struct comparison *c = &v.comparisons[k], *was = &first.comparisons[k];

				if (!isnan(was->ci95_low))
					assert_near(c->ci95_low, was->ci95_low, 1e-12);
				if (!isnan(was->p_sign_flip))
					assert_near(c->p_sign_flip, was->p_sign_flip, 1e-12);
			}
		}
		verdict_free(&first);
	}
}

/* Whoever says something names what it looked at. */
static void states_have_evidence(void **state)
{
	(void)state;
	for (size_t i = 0; i < RESULTS; i++) {
		results[i]();
		run();
		for (size_t k = 0; k < v.ledger_count; k++)
			if (v.ledger[k].state != LEDGER_NOT_MEASURED && !v.ledger[k].evidence_count)
				fail_msg("without evidence: %s", v.ledger[k].text);
	}
}

#define T(f) cmocka_unit_test_teardown(f, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(less_evidence_never_says_more), T(a_wider_bound_rules_out_no_more), T(the_sides_mirror),
		T(the_order_of_slots_does_not_matter), T(states_have_evidence),
	};

	return cmocka_run_group_tests_name("properties", tests, NULL, NULL);
}
