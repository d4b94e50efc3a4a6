/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The share of I/Os that is looked at, for jobs of known speed and cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "record/sample.h"

/* A job: depth I/Os in flight, batches of batch, each of length bytes with that latency. */
struct job {
	const char *name;
	unsigned int batch;
	uint64_t length, latency_ns, gap_ns;	/* gap: from batch to batch */
	uint64_t hash_ns, unit_ns;		/* per 4 KiB, per unit */
	unsigned int hash_shift, state_shift;
};

static void run(const struct job *j, struct sampler *s, unsigned int batches)
{
	uint64_t now = 0;

	sampler_init(s, 0);
	for (unsigned int i = 0; i < batches; i++) {
		now += j->gap_ns;
		sampler_batch(s, now, j->batch);
		for (unsigned int k = 0; k < j->batch; k++) {
			uint64_t units = (j->length + 4095) / 4096;

			sampler_io(s, j->length, j->latency_ns);
			sampler_spent(s, &s->hash, (double)units, units * j->hash_ns);
			if (units > SAMPLE_UNITS)
				units = SAMPLE_UNITS;
			sampler_spent(s, &s->state, (double)units, units * j->unit_ns);
		}
	}
}

static const struct job jobs[] = {
	/* one at a time from a NVMe drive: 0.2 of 60 us is fine, 4.5 us must be 1 in 32 */
	{ "4 KiB depth 1", 1, 4096, 60000, 60000, 200, 4500, 0, 5 },
	/* 600k IOPS: each delays the other three of its batch too */
	{ "4 KiB depth 32", 4, 4096, 53000, 6700, 200, 4500, 2, 7 },
	/* 5 GB/s at depth 32: the device has enough to do meanwhile, every other one */
	{ "1 MiB depth 32", 1, 1 << 20, 6700000, 210000, 250, 4500, 1, 1 },
	{ "1 MiB depth 1", 1, 1 << 20, 210000, 210000, 250, 4500, 6, 6 },
	/* a slow device or an idle thread: everything */
	{ "hard disk", 1, 4096, 8000000, 8000000, 200, 4500, 0, 0 },
	{ "rate limit", 1, 4096, 2000, 2000000, 200, 4500, 0, 0 },
};

static void test_jobs(void **state)
{
	struct sampler s;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		print_message("# %s\n", jobs[i].name);
		run(&jobs[i], &s, 2000);
		assert_int_equal(s.hash_shift, jobs[i].hash_shift);
		assert_int_equal(s.state_shift, jobs[i].state_shift);
	}
}

/* One interrupted measurement among many must not move the share. */
static void test_outliers(void **state)
{
	struct sampler s;

	(void)state;
	run(&jobs[4], &s, 100);
	for (int i = 0; i < 10; i++) {
		sampler_spent(&s, &s.hash, 1, 50000000);
		for (int k = 0; k < 100; k++)
			sampler_spent(&s, &s.hash, 1, 200);
	}
	assert_true(s.hash.ns < 210);
}

/* Cold caches make the first call slow. */
static void test_warm_up(void **state)
{
	struct sampler s;

	(void)state;
	sampler_init(&s, 0);
	sampler_spent(&s, &s.state, 1, 900000);
	for (int i = 0; i < 3; i++)
		sampler_spent(&s, &s.state, 1, 4500);
	assert_true(s.state.ns == 4500);
}

/* Faster later on: the share shrinks; slower again: it stays. */
static void test_never_grows(void **state)
{
	struct job slow = jobs[4], fast = jobs[0];
	struct sampler s;
	unsigned int shift;

	(void)state;
	run(&fast, &s, 1000);
	shift = s.state_shift;
	for (unsigned int i = 0; i < 1000; i++) {
		sampler_batch(&s, 100000000000u + i * slow.gap_ns, 1);
		sampler_io(&s, slow.length, slow.latency_ns);
	}
	assert_int_equal(s.state_shift, shift);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_outliers),
		cmocka_unit_test(test_warm_up),
		cmocka_unit_test(test_never_grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
