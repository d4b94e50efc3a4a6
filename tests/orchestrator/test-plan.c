/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans: ranges that fit both sides, the order of slots, budgets, refusals; and the jobs made of them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jobfile.h"
#include "jobs.h"
#include "model-json.h"
#include "plan.h"
#include "suite.h"

static char target_a[] = "/dev/nvme0n1", target_b[] = "/dev/nvme1n1";

struct fixture {
	struct suite suite;
	struct drive a, b;
	struct plan_request request;
	struct plan plan;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_int_equal(suite_load("regional", &f->suite), 0);
	fields_unknown(drive_fields, &f->a);
	f->a.kind = TARGET_BLOCK;
	f->a.target = target_a;
	f->a.capacity_bytes = 1000204886016;
	f->a.logical_block_bytes = 512;
	f->b = f->a;
	f->b.target = target_b;
	f->request = (struct plan_request){
		.suite = &f->suite, .drives = { &f->a, &f->b }, .base_engine = "io_uring", .classify = "full",
		.page_bytes = 4096, .seed = 42, .rounds = UNKNOWN_I64, .range_runtime_ns = UNKNOWN_I64,
		.budget_ns = UNKNOWN_I64, .budget_bytes = UNKNOWN_I64,
	};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	fields_free(plan_fields, &f->plan);
	suite_free(&f->suite);
	free(f);
	return 0;
}

static void check_ranges(const struct plan *plan, int64_t capacity, int64_t align)
{
	for (size_t i = 0; i < plan->workloads_count; i++) {
		const struct workload *w = &plan->workloads[i];

		assert_true(w->ranges_count >= 1);
		for (size_t k = 0; k < w->ranges_count; k++) {
			const struct range *r = &w->ranges[k];

			assert_true(r->offset_bytes >= 0 && r->length_bytes > 0);
			assert_true(r->offset_bytes + r->length_bytes <= capacity);
			assert_int_equal(r->offset_bytes % align, 0);
			assert_int_equal(r->length_bytes % align, 0);
			assert_int_equal(r->length_bytes % w->block_bytes, 0);
			if (k)
				assert_true(r->offset_bytes >= w->ranges[k - 1].offset_bytes + w->ranges[k - 1].length_bytes);
		}
	}
}

static void ranges_fit_the_smaller_side(void **state)
{
	static const struct {
		int64_t a, b, block_a, block_b, page;
	} cases[] = {
		{ 1000204886016, 1000204886016, 512, 512, 4096 },
		{ 1000204886016, 500107862016, 512, 4096, 4096 },
		{ 536870912, 1000204886016, 512, 512, 16384 },
		{ 30000000000000000, 30000000000000000, 4096, 4096, 4096 },
		{ 9437184 + 512, 1000204886016, 512, 512, 4096 },
		{ 1048576, 1000204886016, 512, 512, 4096 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture *f = *state;
		int64_t smaller = cases[i].a < cases[i].b ? cases[i].a : cases[i].b;

		f->a.capacity_bytes = cases[i].a;
		f->b.capacity_bytes = cases[i].b;
		f->a.logical_block_bytes = cases[i].block_a;
		f->b.logical_block_bytes = cases[i].block_b;
		f->request.page_bytes = cases[i].page;
		assert_int_equal(plan_make(&f->request, &f->plan), 0);
		check_ranges(&f->plan, smaller, cases[i].page);
		/* the last range ends at the end of the smaller side, but for the alignment */
		if (smaller > INT64_C(1) << 34)
			assert_true(f->plan.workloads[0].ranges[7].offset_bytes > smaller - (INT64_C(2) << 30));
		fields_free(plan_fields, &f->plan);
	}
}

static void order_is_counterbalanced_and_repeats(void **state)
{
	struct fixture *f = *state;
	struct plan again = { 0 };
	int64_t sum[2][2] = { 0 };

	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	assert_int_equal(f->plan.slots_count, 10 * 2 * 3);
	assert_int_equal(plan_make(&f->request, &again), 0);
	for (size_t i = 0; i < f->plan.slots_count; i++) {
		const struct slot *s = &f->plan.slots[i];

		assert_string_equal(s->name, again.slots[i].name);
		assert_int_equal(s->number, i + 1);
		if (s->mode != MODE_AB)
			sum[s->workload][s->mode] += s->number;
	}
	/* a drift that is linear in time hits A and B alike */
	assert_int_equal(sum[0][MODE_A], sum[0][MODE_B]);
	assert_int_equal(sum[1][MODE_A], sum[1][MODE_B]);
	fields_free(plan_fields, &again);
}

static void budgets_bound_time_and_bytes(void **state)
{
	struct fixture *f = *state;

	f->request.budget_ns = INT64_C(300) * 1000000000;
	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	assert_true(f->plan.expected_ns <= f->request.budget_ns);
	assert_true(f->plan.rounds >= 6);
	fields_free(plan_fields, &f->plan);
	f->request.budget_ns = INT64_C(10) * 1000000000;
	assert_int_equal(plan_make(&f->request, &f->plan), -EINVAL);
	f->request.budget_ns = UNKNOWN_I64;
	f->request.budget_bytes = INT64_C(100) << 30;
	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	assert_true(f->plan.expected_bytes > 0 && f->plan.expected_bytes <= f->request.budget_bytes);
	fields_free(plan_fields, &f->plan);
	f->request.budget_bytes = 4096;
	assert_int_equal(plan_make(&f->request, &f->plan), -EINVAL);
}

static char *job_of(struct fixture *f, size_t slot, enum side side, const char *target)
{
	struct jobs_request r = { &f->plan, &f->plan.slots[slot], side, target, "/x/datastate.so" };
	char *text = NULL;

	return jobs_text(&r, &text) ? NULL : text;
}

static void time_without_bound_keeps_no_budget(void **state)
{
	struct fixture *f = *state;
	struct workload *w = &f->suite.workloads[0];
	int64_t plain;

	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	plain = plan_slot_ns(&f->plan.workloads[0]);
	fields_free(plan_fields, &f->plan);
	strings_add(&w->options, "thinktime=250000");	/* microseconds, as fio takes them */
	strings_add(&w->options, "startdelay=2");
	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	assert_int_equal(plan_slot_ns(&f->plan.workloads[0]),
			 plain + (int64_t)f->plan.workloads[0].ranges_count * INT64_C(2250000000));
	fields_free(plan_fields, &f->plan);

	f->suite.own_ranges = true;			/* takes time and range from its options: it has none */
	f->request.budget_ns = INT64_C(3600) * 1000000000;
	assert_int_equal(plan_make(&f->request, &f->plan), -EINVAL);
	for (size_t i = 0; i < f->suite.workloads_count; i++)
		f->suite.workloads[i].runtime_ns = 1000000000;
	assert_int_equal(plan_make(&f->request, &f->plan), 0);
}

/* Where the slots of one purpose and mode stand, added up. */
static int64_t places(const struct plan *plan, int purpose, int mode, int64_t *count)
{
	int64_t sum = 0;

	*count = 0;
	for (size_t i = 0; i < plan->slots_count; i++) {
		if (plan->slots[i].purpose != purpose || plan->slots[i].mode != mode || plan->slots[i].workload)
			continue;
		sum += plan->slots[i].number;
		++*count;
	}
	return sum;
}

static void plain_slots_are_balanced(void **state)
{
	struct fixture *f = *state;
	int64_t behind = 0, n = 0;

	f->suite.concurrent = false;
	f->suite.workloads_count = 1;
	f->request.calibration = f->request.probe = true;
	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	f->suite.workloads_count = 2;
	assert_true(f->plan.calibration);
	assert_int_equal(f->plan.slots_count, 10 * 3);
	for (size_t i = 0; i < f->plan.slots_count; i++) {
		const struct slot *plain = &f->plan.slots[i];

		for (size_t k = 0; plain->purpose == SLOT_PLAIN && k < f->plan.slots_count; k++) {
			const struct slot *s = &f->plan.slots[k];

			if (s->purpose == SLOT_TIMED && s->mode == plain->mode && s->round == plain->round) {
				behind += plain->number - s->number;
				n++;
			}
		}
	}
	/* each has its partner, and a drift that is linear in time makes neither faster */
	assert_int_equal(n, 10);
	assert_int_equal(behind, 0);
}

static void fingerprints_come_first(void **state)
{
	struct fixture *f = *state;
	int64_t before, timed, n;
	char *text;

	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	assert_string_equal(f->plan.fingerprint, "during");
	before = f->plan.expected_bytes;
	assert_int_equal(places(&f->plan, SLOT_FINGERPRINT, MODE_A, &n) + n, 0);
	timed = places(&f->plan, SLOT_TIMED, MODE_A, &n);
	fields_free(plan_fields, &f->plan);
	f->request.fingerprint = "both";
	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	assert_int_equal(places(&f->plan, SLOT_FINGERPRINT, MODE_A, &n), 1);
	assert_int_equal(places(&f->plan, SLOT_FINGERPRINT, MODE_B, &n), 2);
	/* four slots more, for two workloads, in front of all others */
	assert_int_equal(places(&f->plan, SLOT_TIMED, MODE_A, &n), timed + 4 * 10);
	assert_int_equal(f->plan.expected_bytes, before + INT64_C(4) * 8 * (1 << 30));
	text = job_of(f, 0, SIDE_A, "/dev/nvme0n1");
	assert_non_null(strstr(text, "classify=all\n"));
	assert_non_null(strstr(text, "\nrw=read\n"));
	assert_null(strstr(text, "runtime="));
	assert_null(strstr(text, "io_size="));
	free(text);
	f->plan.workloads[0].ranges[0].length_bytes *= 4;
	text = job_of(f, 0, SIDE_A, "/dev/nvme0n1");
	assert_non_null(strstr(text, "rw=randread\nio_size=1073741824\n"));
	free(text);
	f->request.budget_bytes = INT64_C(16) << 30;	/* the pass alone reads twice as much */
	fields_free(plan_fields, &f->plan);
	assert_int_equal(plan_make(&f->request, &f->plan), -EINVAL);
}

static void impossible_plans_are_refused(void **state)
{
	struct fixture *f = *state;

	f->b.logical_block_bytes = 8192;	/* larger than the 4 KiB of the random reads */
	assert_int_equal(plan_make(&f->request, &f->plan), -EINVAL);
	f->b.logical_block_bytes = 512;
	f->b.capacity_bytes = 0;
	assert_int_equal(plan_make(&f->request, &f->plan), -EINVAL);
	f->b.capacity_bytes = 524288;		/* smaller than one block of the sequential reads */
	assert_int_equal(plan_make(&f->request, &f->plan), -EINVAL);
	f->b.capacity_bytes = UNKNOWN_I64;
	assert_int_equal(plan_make(&f->request, &f->plan), -EINVAL);
}

static void plans_survive_json(void **state)
{
	struct fixture *f = *state;
	struct plan back = { 0 };
	const char *wrong = "";
	json_t *one, *two;

	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	one = fields_to_json(plan_fields, &f->plan);
	assert_int_equal(fields_from_json(plan_fields, one, &back, &wrong), 0);
	two = fields_to_json(plan_fields, &back);
	assert_true(json_equal(one, two));
	json_decref(one);
	json_decref(two);
	fields_free(plan_fields, &back);
}

static size_t first_slot(const struct plan *plan, enum slot_mode mode, int64_t round)
{
	for (size_t i = 0; i < plan->slots_count; i++)
		if (plan->slots[i].mode == (int)mode && plan->slots[i].round == round)
			return i;
	return SIZE_MAX;
}

/* Both sides' jobs differ in the target and the CPUs alone. */
static void jobs_of_both_sides_match(void **state)
{
	struct fixture *f = *state;
	char *a, *b;
	size_t slot;

	f->request.cpus[SIDE_A] = "0";
	f->request.cpus[SIDE_B] = "1";
	f->request.cpus_alternate = true;
	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	slot = first_slot(&f->plan, MODE_AB, 0);
	a = job_of(f, slot, SIDE_A, "/dev/nvme0n1");
	b = job_of(f, slot, SIDE_B, "/dev/nvme0n1");
	assert_non_null(strstr(a, "cpus_allowed=0\n"));
	assert_non_null(strstr(b, "cpus_allowed=1\n"));
	assert_non_null(strstr(a, "gate=../gate\n"));
	*strstr(a, "cpus_allowed=0") = *strstr(b, "cpus_allowed=1") = '\0';
	assert_string_equal(strstr(a, "[global]"), strstr(b, "[global]"));
	free(a);
	free(b);
	slot = first_slot(&f->plan, MODE_AB, 1);	/* the CPUs change sides */
	a = job_of(f, slot, SIDE_A, "/dev/nvme0n1");
	assert_non_null(strstr(a, "cpus_allowed=1\n"));
	free(a);
	a = job_of(f, first_slot(&f->plan, MODE_B, 0), SIDE_B, "/dev/nvme0n1");
	assert_non_null(strstr(a, "cpus_allowed=0\n"));
	assert_null(strstr(a, "gate="));
	free(a);
}

static void paths_are_escaped_or_refused(void **state)
{
	struct fixture *f = *state;
	char *text;

	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	text = job_of(f, 0, SIDE_A, "/dev/disk/by-path/pci-0000:01:00.0-nvme-1");
	assert_non_null(strstr(text, "filename=/dev/disk/by-path/pci-0000\\:01\\:00.0-nvme-1\n"));
	free(text);
	assert_null(job_of(f, 0, SIDE_A, "/tmp/x\nrw=write"));
	assert_null(job_of(f, 0, SIDE_A, "/tmp/$HOME"));
	assert_null(job_of(f, 0, SIDE_A, "/tmp/x "));
	assert_null(job_of(f, 0, SIDE_A, "/tmp/a\\b"));
	assert_null(job_of(f, 0, SIDE_A, ""));
}

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void own_job_files(void **state)
{
	struct fixture *f = *state;
	char path[] = "/tmp/nvmatch-test-XXXXXX.fio";
	struct suite suite;
	char *text;
	int fd = mkstemps(path, 4);

	close(fd);
	write_file(path, "; mine\n[global]\nreadwrite = randread\nblocksize=8k\nfilename=/dev/sda\nioengine=libaio\n"
		   "runtime=3\ntime_based\n[one]\niodepth=4\n[two]\nrw=read\nsize=50%\noffset=1m\nbs=64k\n");
	assert_int_equal(suite_load(path, &suite), 0);
	f->request.suite = &suite;
	assert_int_equal(plan_make(&f->request, &f->plan), 0);
	assert_int_equal(f->plan.workloads_count, 2);
	assert_string_equal(f->plan.workloads[0].rw, "randread");
	assert_int_equal(f->plan.workloads[0].block_bytes, 8192);
	assert_int_equal(f->plan.workloads[0].iodepth, 4);
	assert_false(f->plan.workloads[0].writes);
	assert_int_equal(f->plan.workloads[1].ranges[0].offset_bytes, 1048576);
	assert_int_equal(f->plan.workloads[1].ranges[0].length_bytes, 500102443008 / 4096 * 4096);
	text = job_of(f, 0, SIDE_A, "/dev/nvme0n1");
	assert_null(strstr(text, "/dev/sda"));
	assert_non_null(strstr(text, "base_engine=libaio\n"));
	assert_non_null(strstr(text, "runtime=3\n"));
	assert_non_null(strstr(text, "time_based\n"));
	free(text);
	suite_free(&suite);
	fields_free(plan_fields, &f->plan);

	write_file(path, "[a]\nrw=read\n[a]\nrw=read\n");
	assert_int_equal(suite_load(path, &suite), 0);
	assert_int_equal(plan_make(&f->request, &f->plan), -EINVAL);
	suite_free(&suite);
	write_file(path, "[a]\nrw=read\nexec_prerun=rm -rf /\n");
	assert_int_equal(suite_load(path, &suite), -EINVAL);
	write_file(path, "[a]\nrw=read\nbuffered=1\n");
	assert_int_equal(suite_load(path, &suite), -EINVAL);
	write_file(path, "[a]\nrw=read\ninclude\tother.fio\n");
	assert_int_equal(suite_load(path, &suite), -EINVAL);
	write_file(path, "rw=read\n");
	assert_int_equal(suite_load(path, &suite), -EINVAL);
	write_file(path, "[a\033[2J]\nrw=read\n");
	assert_int_equal(suite_load(path, &suite), -EINVAL);
	write_file(path, "");
	assert_int_equal(suite_load(path, &suite), -EINVAL);
	f->request.suite = &f->suite;
	unlink(path);
}

static void what_writes_is_known(void **state)
{
	(void)state;
	assert_false(jobfile_writes("read"));
	assert_false(jobfile_writes("randread"));
	assert_true(jobfile_writes("write"));
	assert_true(jobfile_writes("randrw"));
	assert_true(jobfile_writes("rw:8"));
	assert_true(jobfile_writes("trimwrite"));
	assert_true(jobfile_writes("read,write"));
	assert_true(jobfile_writes(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ranges_fit_the_smaller_side, setup, teardown),
		cmocka_unit_test_setup_teardown(order_is_counterbalanced_and_repeats, setup, teardown),
		cmocka_unit_test_setup_teardown(budgets_bound_time_and_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(time_without_bound_keeps_no_budget, setup, teardown),
		cmocka_unit_test_setup_teardown(plain_slots_are_balanced, setup, teardown),
		cmocka_unit_test_setup_teardown(fingerprints_come_first, setup, teardown),
		cmocka_unit_test_setup_teardown(impossible_plans_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(plans_survive_json, setup, teardown),
		cmocka_unit_test_setup_teardown(jobs_of_both_sides_match, setup, teardown),
		cmocka_unit_test_setup_teardown(paths_are_escaped_or_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(own_job_files, setup, teardown),
		cmocka_unit_test(what_writes_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
