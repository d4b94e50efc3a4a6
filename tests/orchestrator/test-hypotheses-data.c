/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations by what data lies where: mismatch, zeros, extents, caches. */
#include "ledger-rows.h"

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

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(mismatch), T(mismatch_of_everything), T(zeros), T(zeros_that_were_asked_for),
		T(extents_by_bytes), T(extents), T(fill_and_caches),
	};

	return cmocka_run_group_tests_name("hypotheses-data", tests, NULL, NULL);
}
