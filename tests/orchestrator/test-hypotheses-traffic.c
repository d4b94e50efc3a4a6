/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations by bytes that were counted: other I/O, caches, impossible speed. */
#include "ledger-rows.h"

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

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(bytes_that_are_not_fio_s), T(bytes_that_the_drive_counts), T(impossible_speed),
		T(unrecorded_workload),
	};

	return cmocka_run_group_tests_name("hypotheses-traffic", tests, NULL, NULL);
}
