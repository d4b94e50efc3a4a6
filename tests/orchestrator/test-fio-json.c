/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fio-json: saved outputs from the field, each with its right reading, and hostile documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "fio-json.h"
#include "model-json.h"

static struct fio_run read_text(const char *text, size_t length, int exit_status, int64_t asked,
				int64_t planned)
{
	struct fio_expect expect = { exit_status, asked, planned };
	struct fio_run run;

	assert_int_equal(fio_json_read(text, length, &expect, &run), 0);
	return run;
}

static struct fio_run read_saved(const char *name, int exit_status, int64_t asked, int64_t planned)
{
	const char *tests = getenv("TESTS");
	_cleanup_free_ char *path = text_format("%s/data/fio/%s", tests ? tests : "tests", name);
	_cleanup_free_ char *text = NULL;
	size_t length;

	assert_int_equal(text_read_file(path, 1 << 20, &text, &length), 0);
	return read_text(text, length, exit_status, asked, planned);
}

/* An entry with one read direction; what is given goes behind the usual keys, so it wins. */
static struct fio_run read_entry(const char *keys, const char *read_keys)
{
	_cleanup_free_ char *text = text_format(
		"{\"fio version\":\"fio-3.33\",\"global options\":{\"bs\":\"4k\"},\"jobs\":[{\"jobname\":\"j\",\"error\":0,"
		"\"elapsed\":11,\"job options\":{}%s,\"read\":{\"io_bytes\":409600,\"bw_bytes\":40960,\"iops\":10.0,"
		"\"runtime\":10000,\"total_ios\":100%s}}]}\n", keys, read_keys);

	return read_text(text, strlen(text), 0, UNKNOWN_I64, UNKNOWN_I64);
}

static void run_free(struct fio_run *run)
{
	fields_free(fio_run_fields, run);
}
#define _cleanup_run_ __attribute__((cleanup(run_free)))

static void states(void **state)
{
	static const struct {
		const char *file;
		int exit_status;
		int64_t planned;
		enum fio_state run;
		const char *reason;	/* part of it, NULL: none */
		size_t jobs;
		enum fio_state first, second;
	} cases[] = {
		{ "text-before-document.json", 1, 2, FIO_FAILED, "driveB: error 5 (EIO", 2, FIO_OK, FIO_FAILED },
		{ "text-after-document.json", 0, 2, FIO_OK, NULL, 2, FIO_OK, FIO_OK },
		{ "status-interval.json", 0, 1, FIO_OK, NULL, 1, FIO_OK, FIO_OK },
		{ "duplicate-keys.json", 0, 1, FIO_OK, NULL, 1, FIO_OK, FIO_OK },
		{ "interrupted.json", 128, 2, FIO_INTERRUPTED, "signal 2", 2, FIO_INTERRUPTED, FIO_INTERRUPTED },
		{ "interrupted.json", -1, 2, FIO_INTERRUPTED, "signal 2", 2, FIO_INTERRUPTED, FIO_INTERRUPTED },
		{ "one-job-failed.json", 1, 2, FIO_FAILED, "driveB: error 28 (ENOSPC", 2, FIO_OK, FIO_FAILED },
		{ "one-job-failed.json", -1, UNKNOWN_I64, FIO_FAILED, "driveB", 2, FIO_OK, FIO_FAILED },
		{ "empty.json", 137, 1, FIO_NO_RESULT, "no document (exit status 137", 0, 0, 0 },
		{ "no-jobs.json", 0, UNKNOWN_I64, FIO_NO_RESULT, "no jobs", 0, 0, 0 },
		{ "text-only.txt", 1, 1, FIO_NO_RESULT, "bad ioops version 1 (want 31)", 0, 0, 0 },
		{ "truncated.json", 137, 1, FIO_NO_RESULT, "cut short", 0, 0, 0 },
		{ "group-reporting-merged.json", 0, UNKNOWN_I64, FIO_NO_RESULT, "merged driveA and driveB", 1,
		  FIO_NO_RESULT, 0 },
		{ "status-interval.json", 0, 2, FIO_NO_RESULT, "2 jobs planned, 1 entries found", 1, FIO_NO_RESULT, 0 },
		{ "fio2-units.json", 0, 1, FIO_NO_RESULT, "fio-2.15 counts in KiB", 1, FIO_NO_RESULT, 0 },
		{ "no-bw-bytes.json", 0, 1, FIO_OK, NULL, 1, FIO_OK, 0 },
		{ "lat-percentiles.json", 0, 1, FIO_OK, NULL, 1, FIO_OK, 0 },
		{ "no-percentiles.json", 0, 1, FIO_OK, NULL, 1, FIO_OK, 0 },
		{ "big-integers.json", 0, 1, FIO_OK, NULL, 1, FIO_OK, 0 },
		{ "runtime-wrapped.json", 0, 1, FIO_SUSPECT, "15372283518324 ms against 62 s", 1, FIO_SUSPECT, 0 },
		{ "mixed-two-clones.json", 0, 2, FIO_OK, NULL, 2, FIO_OK, FIO_OK },
		{ "depth-one.json", 0, 2, FIO_OK, NULL, 2, FIO_OK, FIO_OK },
		{ "compare-base.json", 0, 1, FIO_OK, NULL, 1, FIO_OK, 0 },
		{ "compare-worse-p99.json", 0, 1, FIO_OK, NULL, 1, FIO_OK, 0 },
		{ "compare-other-setup.json", 0, 1, FIO_OK, NULL, 1, FIO_OK, 0 },
		{ "compare-zero-base.json", 0, 1, FIO_NOT_RUN, "did no I/O", 1, FIO_NOT_RUN, 0 },
		{ "compare-base.json", 2, 1, FIO_FAILED, "exit status 2", 1, FIO_OK, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_run_ struct fio_run run = read_saved(cases[i].file, cases[i].exit_status, UNKNOWN_I64,
							      cases[i].planned);

		print_message("# %s: %s\n", cases[i].file, run.reason ? run.reason : "-");
		assert_int_equal(run.state, cases[i].run);
		if (cases[i].reason)
			assert_non_null(strstr(run.reason, cases[i].reason));
		else
			assert_null(run.reason);
		assert_int_equal(run.jobs_count, cases[i].jobs);
		if (run.jobs_count > 0)
			assert_int_equal(run.jobs[0].state, cases[i].first);
		if (run.jobs_count > 1)
			assert_int_equal(run.jobs[1].state, cases[i].second);
	}
}

static void numbers(void **state)
{
	static const struct {
		const char *file;
		int64_t bytes, ios, runtime_ms;
		double bw, iops;
		const char *kind;
		double p50, p99;	/* NAN: none */
	} cases[] = {
		{ "text-before-document.json", 12288000000, 3000000, 10001, 1228677132, 299970.003, "clat",
		  100000, 250000 },
		{ "status-interval.json", 314572800, 76800, 3001, 104822659, 25591.469510, "clat", 80000, 200000 },
		{ "duplicate-keys.json", 4096000, 1000, 1000, 4096000, 1000, "clat", 80000, 200000 },
		{ "interrupted.json", 2042265600, 498600, 1662, 1228800000, 300000, "clat", 80000, 200000 },
		{ "no-bw-bytes.json", 4096000000, 1000000, 10000, 409600000, 100000, "clat", 100000, 250000 },
		{ "lat-percentiles.json", 4096000000, 1000000, 10000, 409600000, 100000, "lat", 100000, 250000 },
		{ "no-percentiles.json", 4096000000, 1000000, 10000, 409600000, 100000, NULL, NAN, NAN },
		{ "big-integers.json", 9007199254740993, 8589934593, 3600000, 2501999792983, 2386092.9425, "clat",
		  80000, 200000 },
		{ "runtime-wrapped.json", 8436842496, 8046, 15372283518324, NAN, NAN, "clat", 80000, 200000 },
		{ "compare-worse-p99.json", 4096000000, 1000000, 10000, 409600000, 100000, "clat", 100000, 300000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_run_ struct fio_run run = read_saved(cases[i].file, -1, UNKNOWN_I64, UNKNOWN_I64);
		const struct fio_direction *d = &run.jobs[0].read;

		print_message("# %s\n", cases[i].file);
		assert_string_equal(run.jobs[0].name, "driveA");
		assert_true(d->bytes == cases[i].bytes);
		assert_true(d->ios == cases[i].ios);
		assert_true(run.jobs[0].runtime_ms == cases[i].runtime_ms);
		assert_true(isnan(cases[i].bw) ? isnan(d->bw_bytes_per_s) : d->bw_bytes_per_s == cases[i].bw);
		assert_true(isnan(cases[i].iops) ? isnan(d->iops) : fabs(d->iops - cases[i].iops) < 1e-3);
		if (cases[i].kind)
			assert_string_equal(d->latency_ns.kind, cases[i].kind);
		else
			assert_null(d->latency_ns.kind);
		assert_true(isnan(cases[i].p50) ? isnan(d->latency_ns.p50_ns) : d->latency_ns.p50_ns == cases[i].p50);
		assert_true(isnan(cases[i].p99) ? isnan(d->latency_ns.p99_ns) : d->latency_ns.p99_ns == cases[i].p99);
	}
}

static void merged_numbers_are_forgotten(void **state)
{
	_cleanup_run_ struct fio_run run = read_saved("group-reporting-merged.json", 0, UNKNOWN_I64, 2);

	(void)state;
	assert_false(known(run.jobs[0].read.bytes));
	assert_true(isnan(run.jobs[0].read.iops));
	assert_string_equal(run.jobs[0].name, "driveA");
}

static void depth_is_flagged(void **state)
{
	_cleanup_run_ struct fio_run run = read_saved("depth-one.json", 0, UNKNOWN_I64, 2);

	(void)state;
	assert_int_equal(run.jobs[0].depth_asked, 32);
	assert_true(run.jobs[0].depth_reached == 1);
	assert_true(run.jobs[1].depth_reached == 32);
	assert_int_equal(run.warnings.count, 1);
	assert_string_equal(run.warnings.items[0], "driveA: queue depth 32 asked, 1 reached");
}

static void clones_add_up(void **state)
{
	_cleanup_run_ struct fio_run run = read_saved("mixed-two-clones.json", 0, UNKNOWN_I64, 2);
	struct fio_job total;

	(void)state;
	assert_int_equal(fio_json_total(&run, &total), 0);
	assert_true(fabs(total.read.iops - 1400) < 1e-6);
	assert_true(fabs(total.write.iops - 600) < 1e-6);
	assert_int_equal(total.read.ios, 14000);
	assert_int_equal(total.read.bytes, 2 * 28672000);
	assert_int_equal(total.runtime_ms, 10000);
	assert_true(fabs(total.read.latency_ns.mean_ns - (94500 + 115500) / 2.0) < 1);
	assert_true(isnan(total.read.latency_ns.p99_ns));
	assert_null(total.trim.latency_ns.kind);
	fields_free(fio_job_fields, &total);
}

/* Two clones and a second range after them, with histograms as json+ has them. */
static void ranges_and_histograms(void **state)
{
	static const char text[] =
		"{\"jobs\":["
		"{\"jobname\":\"r0\",\"usr_cpu\":10.0,\"iodepth_level\":{\"4\":100.0},\"read\":{"
		"\"io_bytes\":1000,\"total_ios\":90,\"bw_bytes\":1000,\"iops\":90,\"runtime\":1000,"
		"\"clat_ns\":{\"N\":90,\"mean\":100.0,\"min\":90,\"max\":110,"
		"\"bins\":{\"100\":90},\"percentile\":{\"50.000000\":100}}}},"
		"{\"jobname\":\"r0\",\"usr_cpu\":20.0,\"iodepth_level\":{\"4\":100.0},\"read\":{"
		"\"io_bytes\":1000,\"total_ios\":9,\"bw_bytes\":1000,\"iops\":9,\"runtime\":900,"
		"\"clat_ns\":{\"N\":9,\"mean\":200.0,\"min\":150,\"max\":250,"
		"\"bins\":{\"250\":1,\"200\":7,\"100\":1}}}},"
		"{\"jobname\":\"r1\",\"usr_cpu\":60.0,\"iodepth_level\":{\"8\":100.0},\"read\":{"
		"\"io_bytes\":12000,\"total_ios\":1,\"bw_bytes\":4000,\"iops\":1,\"runtime\":3000,"
		"\"clat_ns\":{\"N\":1,\"mean\":5000.0,\"min\":5000,\"max\":5000,"
		"\"bins\":{\"5000\":1}}}}]}";
	_cleanup_run_ struct fio_run run = read_text(text, sizeof(text) - 1, 0, UNKNOWN_I64, UNKNOWN_I64);
	const struct fio_latency *l;
	struct fio_job total;

	(void)state;
	assert_int_equal(fio_json_total(&run, &total), 0);
	l = &total.read.latency_ns;
	assert_int_equal(total.read.bytes, 14000);
	assert_int_equal(total.runtime_ms, 4000);
	assert_true(fabs(total.read.bw_bytes_per_s - (2000.0 * 1 + 4000 * 3) / 4) < 1e-9);
	assert_true(fabs(total.user_cpu_percent - (30.0 * 1 + 60 * 3) / 4) < 1e-9);
	assert_true(fabs(total.depth_reached - 8) < 1e-9);
	assert_int_equal(l->samples, 100);
	assert_int_equal(l->min_ns, 90);
	assert_int_equal(l->max_ns, 5000);
	assert_true(l->p50_ns == 100 && l->p90_ns == 100 && l->p99_ns == 250 && l->p99_99_ns == 5000);
	fields_free(fio_job_fields, &total);
}

static void one_clone_keeps_percentiles(void **state)
{
	_cleanup_run_ struct fio_run run = read_saved("compare-base.json", 0, UNKNOWN_I64, 1);
	struct fio_run none = { .state = FIO_NO_RESULT };
	struct fio_job total;

	(void)state;
	assert_int_equal(fio_json_total(&run, &total), 0);
	assert_true(total.read.latency_ns.p99_ns == 200000);
	fields_free(fio_job_fields, &total);
	assert_int_equal(fio_json_total(&none, &total), -ENODATA);
}

static void stopped_early(void **state)
{
	_cleanup_run_ struct fio_run late = read_saved("compare-base.json", 0, 20000, 1);
	_cleanup_run_ struct fio_run just = read_saved("compare-base.json", 0, 10500, 1);

	(void)state;
	assert_int_equal(late.state, FIO_INTERRUPTED);
	assert_int_equal(late.jobs[0].state, FIO_INTERRUPTED);
	assert_non_null(strstr(late.reason, "ran 10000 ms of 20000 ms"));
	assert_int_equal(just.state, FIO_OK);
}

/* Reads 229 MB in 129104 I/Os of 4096: a removed drive under io_uring, exit status 0. */
static void contradictions(void **state)
{
	static const struct {
		const char *keys, *read_keys;
		enum fio_state want;
		const char *reason;
	} cases[] = {
		{ "", "", FIO_OK, NULL },
		{ "", ",\"total_ios\":129104,\"io_bytes\":229638144", FIO_SUSPECT, "129104 I/Os of 4096 bytes moved only" },
		{ "", ",\"total_ios\":100000,\"io_bytes\":0", FIO_SUSPECT, "moved only 0 bytes" },
		{ ",\"job options\":{\"bssplit\":\"4k/50:8k/50\"}", ",\"io_bytes\":300000", FIO_OK, NULL },
		{ ",\"job options\":{\"bs\":\"8k,4k\"}", ",\"io_bytes\":819200", FIO_OK, NULL },
		{ ",\"job options\":{\"bs\":\"8k,4k\"}", ",\"io_bytes\":400000", FIO_SUSPECT, "of 8192 bytes" },
		{ "", ",\"io_bytes\":409000", FIO_OK, NULL },
		{ "", ",\"io_bytes\":9223372036854775808", FIO_SUSPECT, "io_bytes is 9223372036854775808" },
		{ "", ",\"total_ios\":18446744073709551615", FIO_SUSPECT, "total_ios is 18446744073709551615" },
		{ "", ",\"total_ios\":-5", FIO_SUSPECT, "total_ios is -5" },
		{ "", ",\"runtime\":14000", FIO_SUSPECT, "14000 ms against 11 s" },
		{ "", ",\"runtime\":12900", FIO_OK, NULL },
		{ ",\"error\":5", ",\"runtime\":99000", FIO_FAILED, "error 5" },
		{ ",\"error\":99999", "", FIO_FAILED, "error 99999" },
		{ "", ",\"total_ios\":0,\"io_bytes\":0", FIO_NOT_RUN, "no I/O" },
		{ "", ",\"total_ios\":null", FIO_NO_RESULT, "no counts" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_run_ struct fio_run run = read_entry(cases[i].keys, cases[i].read_keys);

		print_message("# %zu: %s\n", i, run.reason ? run.reason : "-");
		assert_int_equal(run.state, cases[i].want);
		assert_int_equal(run.jobs[0].state, cases[i].want);
		if (cases[i].reason)
			assert_non_null(strstr(run.jobs[0].reason, cases[i].reason));
	}
}

static void edges(void **state)
{
	static const struct {
		const char *text;
		enum fio_state want;
		size_t warnings;
	} cases[] = {
		{ "{\"jobs\":[{\"read\":{\"total_ios\":1}}]}", FIO_OK, 0 },
		{ "\r\n  {\"jobs\":[{\"read\":{\"total_ios\":1}}]}trailing\n", FIO_OK, 1 },
		{ "{\"jobs\":[{\"read\":{\"total_ios\":1}}]}{\"jobs\":[{\"read\":{\"total_ios\":0}}]}", FIO_NOT_RUN, 0 },
		{ "{\"jobs\":[{\"read\":{\"total_ios\":1}}]}\n{\"jobs\":[{\"re", FIO_INTERRUPTED, 0 },
		{ "{\"jobs\":[{\"jobname\":\"cut\n{\"jobs\":[{\"read\":{\"total_ios\":1}}]}", FIO_OK, 0 },
		{ "{\"client_stats\":[{\"read\":{\"total_ios\":1}},{\"jobname\":\"All clients\"}]}", FIO_OK, 0 },
		{ "{\"jobs\":[{\"jobname\":7,\"read\":[],\"write\":{\"total_ios\":1.5}}]}", FIO_NO_RESULT, 0 },
		{ "{\"jobs\":[null]}", FIO_NO_RESULT, 0 },
		{ "{\"jobs\":{}}", FIO_NO_RESULT, 0 },
		{ "{}", FIO_NO_RESULT, 0 },
		{ "[]", FIO_NO_RESULT, 1 },
		{ "{", FIO_NO_RESULT, 0 },
		{ "}{", FIO_NO_RESULT, 1 },
		{ "{\"", FIO_NO_RESULT, 0 },
		{ "{\"\\", FIO_NO_RESULT, 0 },
		{ "{\"a\":nan,\"jobs\":[{\"elapsed\":-nan,\"read\":{\"total_ios\":1,\"iops\":inf}}]}", FIO_OK, 0 },
		{ "{\"jobs\":[{\"read\":{\"total_ios\":1,\"iops\":1e999}}]}", FIO_OK, 0 },
		{ "{\"jobs\":[{\"read\":{\"total_ios\":1e400}}]}", FIO_SUSPECT, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_run_ struct fio_run run = read_text(cases[i].text, strlen(cases[i].text), -1, UNKNOWN_I64,
							     UNKNOWN_I64);

		print_message("# %zu: %s\n", i, run.reason ? run.reason : "-");
		assert_int_equal(run.state, cases[i].want);
		assert_int_equal(run.warnings.count, cases[i].warnings);
	}
}

static void hostile_names(void **state)
{
	static const char text[] = "a\0b\xff\n"
		"{\"jobs\":[{\"jobname\":\"d\xc3\xa4\xff\x01\\u0000x\\\"\",\"read\":{\"total_ios\":1}}]}";
	_cleanup_run_ struct fio_run run = read_text(text, sizeof(text) - 1, 0, UNKNOWN_I64, UNKNOWN_I64);
	json_t *json = fields_to_json(fio_run_fields, &run);

	(void)state;
	assert_int_equal(run.state, FIO_OK);
	assert_string_equal(run.jobs[0].name, "d\xc3\xa4\\xff\x01");
	assert_non_null(json);
	json_decref(json);
}

static void deep_nesting(void **state)
{
	_cleanup_text_ struct text t = { 0 };

	(void)state;
	for (int i = 0; i < 1000000; i++)
		text_add(&t, "{\"a\":[");
	for (int i = 0; i < 1000000; i++)
		text_add(&t, "]}");
	_cleanup_run_ struct fio_run run = read_text(t.data, t.length, 0, UNKNOWN_I64, UNKNOWN_I64);
	assert_int_equal(run.state, FIO_NO_RESULT);
}

static void many_lines_are_bounded(void **state)
{
	_cleanup_text_ struct text t = { 0 };

	(void)state;
	for (int i = 0; i < 5000; i++)
		text_printf(&t, "fio: error %d\n", i);
	_cleanup_run_ struct fio_run run = read_text(t.data, t.length, 1, UNKNOWN_I64, UNKNOWN_I64);
	assert_int_equal(run.state, FIO_NO_RESULT);
	assert_string_equal(run.reason, "fio: error 0");
	assert_int_equal(run.warnings.count, 101);
}

/* Every prefix of a document, and every byte of it damaged: an answer, never a crash. */
static void damaged(void **state)
{
	_cleanup_free_ char *text = NULL;
	size_t length;
	const char *tests = getenv("TESTS");
	_cleanup_free_ char *path = text_format("%s/data/fio/no-percentiles.json", tests ? tests : "tests");

	(void)state;
	assert_int_equal(text_read_file(path, 1 << 20, &text, &length), 0);
	for (size_t i = 0; i < length; i += 7) {
		_cleanup_run_ struct fio_run cut = read_text(text, i, -1, UNKNOWN_I64, UNKNOWN_I64);
		char saved = text[i];

		if (i < length - 2)
			assert_int_equal(cut.state, FIO_NO_RESULT);
		for (const char *bad = "\"{}[]\n\xff-9"; *bad; bad++) {
			text[i] = *bad;
			_cleanup_run_ struct fio_run run = read_text(text, length, -1, UNKNOWN_I64, UNKNOWN_I64);
			assert_true(run.state >= FIO_OK && run.state <= FIO_SUSPECT);
			assert_true(run.state == FIO_OK || run.reason);
		}
		text[i] = saved;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states), cmocka_unit_test(numbers),
		cmocka_unit_test(merged_numbers_are_forgotten), cmocka_unit_test(depth_is_flagged),
		cmocka_unit_test(clones_add_up), cmocka_unit_test(ranges_and_histograms),
		cmocka_unit_test(one_clone_keeps_percentiles),
		cmocka_unit_test(stopped_early), cmocka_unit_test(contradictions), cmocka_unit_test(edges),
		cmocka_unit_test(hostile_names), cmocka_unit_test(deep_nesting),
		cmocka_unit_test(many_lines_are_bounded), cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests_name("fio-json", tests, NULL, NULL);
}
