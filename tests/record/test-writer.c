/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the writer writes the reader gives back; summaries; thinning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "record/reader.h"
#include "record/writer.h"

static char path[] = "/tmp/test-writer-XXXXXX";

static const struct rec_writer_file files[] = {
	{ "/dev/nvme0n1", 1 << 30, 1 << 20, 1 << 28 },
	{ "/dev/other", UINT64_MAX, 0, 1 << 20 },
};

static struct rec_writer_config config_with(uint64_t budget)
{
	return (struct rec_writer_config){
		.fio_version = "fio-3.33",
		.engine_version = "0.1.0",
		.base_engine = "io_uring",
		.job_name = "seq-read",
		.thread_number = 3,
		.pid = 1234,
		.iodepth = 32,
		.direct = 1,
		.classify = REC_CLASSIFY_FULL,
		.record_budget_bytes = budget,
		.start_monotonic_ns = 1000,
		.start_realtime_ns = 2000,
		.temperature_source = "/sys/hwmon0/temp1_input",
		.temperature_interval_ns = 1000000000,
		.files = files,
		.file_count = 2,
	};
}

static struct rec_writer *open_writer(uint64_t budget)
{
	struct rec_writer_config config = config_with(budget);
	struct rec_writer *w;

	assert_int_equal(rec_writer_open(path, &config, &w), 0);
	return w;
}

static struct rec_record read_of(uint64_t offset, uint64_t time_ns)
{
	return (struct rec_record){
		.offset = offset,
		.hash = offset * 3,
		.time_ns = time_ns,
		.latency_ns = 80000,
		.length = 4096,
		.e_permille = REC_E_UNKNOWN,
	};
}

static void complete(struct rec_writer *w, const struct rec_record *r)
{
	if (!rec_writer_header(w)->digest.ios)
		rec_writer_start(w, r->time_ns - r->latency_ns);
	rec_writer_submit(w, r->offset, r->length, r->direction, r->file);
	rec_writer_batch(w, r->time_ns, 1);
	rec_writer_complete(w, r, NULL);
}

static struct rec_reader *open_reader(void)
{
	struct rec_reader *r;

	assert_int_equal(rec_open(path, &r), 0);
	return r;
}

static void test_round_trip(void **state)
{
	struct rec_writer *w = open_writer(1 << 20);
	struct rec_record in, out;
	struct rec_reader *r;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		in = read_of(i * 4096, 100000 + i * 1000);
		in.file = i & 1;
		complete(w, &in);
	}
	assert_int_equal(rec_writer_close(w), 0);
	r = open_reader();
	assert_true(rec_is_closed(r));
	assert_false(rec_is_cut(r));
	assert_string_equal(rec_header(r)->job_name, "seq-read");
	assert_string_equal(rec_header(r)->base_engine, "io_uring");
	assert_int_equal(rec_header(r)->thread_number, 3);
	assert_int_equal(rec_header(r)->first_submit_ns, 20000);
	assert_int_equal(rec_header(r)->live.phase, REC_PHASE_END);
	assert_int_equal(rec_file_count(r), 2);
	assert_string_equal(rec_file(r, 1)->name, "/dev/other");
	assert_int_equal(rec_file(r, 1)->size_bytes, UINT64_MAX);
	assert_null(rec_file(r, 2));
	for (uint64_t i = 0; i < 1000; i++) {
		assert_int_equal(rec_next(r, &out), 1);
		in = read_of(i * 4096, 100000 + i * 1000);
		in.file = i & 1;
		in.flags = REC_F_VALID;
		assert_memory_equal(&in, &out, sizeof(in));
	}
	assert_int_equal(rec_next(r, &out), 0);
	rec_rewind(r);
	assert_int_equal(rec_next(r, &out), 1);
	assert_int_equal(out.offset, 0);
	assert_int_equal(rec_stream(r)->digest.ios, 1000);
	rec_close(r);
}

static void test_totals(void **state)
{
	struct rec_writer *w = open_writer(1 << 20);
	struct rec_record rec = read_of(1 << 20, 1000000);
	const struct rec_total *t;
	struct rec_total sum;
	struct rec_reader *r;
	uint64_t q;

	(void)state;
	rec_writer_start(w, 900000);
	/* three at once: 100000 ns since the first submission are shared, nothing is lost */
	rec.state = REC_ZERO;
	rec_writer_batch(w, 1000000, 3);
	rec_writer_complete(w, &rec, NULL);
	rec.state = REC_INCOMPRESSIBLE;
	rec.latency_ns = 500000;
	rec_writer_complete(w, &rec, NULL);
	rec.latency_ns = 100;
	rec_writer_complete(w, &rec, NULL);
	/* none of these is part of the measured phase */
	rec.flags = REC_F_RAMP;
	rec_writer_batch(w, 1100000, 1);
	rec_writer_complete(w, &rec, NULL);
	rec.flags = REC_F_VERIFY;
	rec_writer_complete(w, &rec, NULL);
	rec.flags = REC_F_ERROR;
	rec.length = 0;
	rec_writer_complete(w, &rec, NULL);
	/* short, without latency, unclassified */
	rec.flags = REC_F_SHORT | REC_F_NO_LATENCY;
	rec.length = 512;
	rec.latency_ns = 0;
	rec.state = REC_UNCLASSIFIED;
	rec_writer_complete(w, &rec, NULL);
	rec = (struct rec_record){ .direction = REC_SYNC, .latency_ns = 5 };
	rec_writer_complete(w, &rec, NULL);
	assert_int_equal(rec_writer_close(w), 0);

	r = open_reader();
	t = rec_total(r, REC_READ, REC_ZERO);
	assert_int_equal(t->ios, 1);
	assert_int_equal(t->busy_ns, 33334);
	t = rec_total(r, REC_READ, REC_INCOMPRESSIBLE);
	assert_int_equal(t->ios, 2);
	assert_int_equal(t->bytes, 8192);
	assert_int_equal(t->busy_ns, 66666);
	assert_int_equal(t->latency_min_ns, 100);
	assert_int_equal(t->latency_max_ns, 500000);
	t = rec_total(r, REC_READ, REC_UNCLASSIFIED);
	assert_int_equal(t->ios, 1);
	assert_int_equal(t->latency_ios, 0);
	assert_int_equal(t->latency_min_ns, UINT64_MAX);
	rec_total_direction(r, REC_READ, &sum);
	assert_int_equal(sum.ios, 4);
	assert_int_equal(sum.bytes, 3 * 4096 + 512);
	assert_int_equal(sum.latency_ios, 3);
	assert_int_equal(rec_total(r, REC_SYNC, REC_UNCLASSIFIED)->ios, 1);
	assert_int_equal(rec_total(r, REC_WRITE, REC_UNCLASSIFIED)->ios, 0);
	assert_int_equal(rec_header(r)->apart.ramp_ios[REC_READ], 1);
	assert_int_equal(rec_header(r)->apart.verify_ios[REC_READ], 1);
	assert_int_equal(rec_header(r)->apart.error_ios[REC_READ], 1);
	assert_int_equal(rec_header(r)->apart.short_ios[REC_READ], 1);
	assert_int_equal(rec_header(r)->live.ios[REC_READ], 7);
	assert_int_equal(rec_header(r)->live.errors, 1);
	assert_int_equal(rec_histogram_quantile(rec_histogram(r, REC_READ, REC_ZERO), 0.5, &q), 0);
	assert_in_range(q, 80000, 80000 * 1016 / 1000);
	assert_int_equal(rec_histogram_quantile(rec_histogram(r, REC_WRITE, REC_ZERO), 0.5, &q),
			 -ENODATA);
	rec_close(r);
}

static void test_bins_and_units(void **state)
{
	struct rec_writer *w = open_writer(1 << 20);
	struct state_io data = { REC_COMPRESSIBLE, 0.5, 3,
				 { { REC_ZERO, 4096, 0 }, { REC_INCOMPRESSIBLE, 4096, 1.004 },
				   { REC_COMPRESSIBLE, 512, 0.505 } } };
	const struct rec_bin *bins;
	struct rec_record rec;
	struct rec_reader *r;
	unsigned int shift;

	(void)state;
	/* the area of both files is 0 to 257 MiB: 512 MiB in 256 bins of 2 MiB */
	shift = rec_writer_header(w)->bin_shift;
	assert_int_equal(shift, 21);
	assert_int_equal(rec_writer_header(w)->bin_base, 0);
	for (uint64_t i = 0; i < 1000; i++) {
		rec = read_of(i << 20, i);
		rec.state = REC_COMPRESSIBLE;
		rec_writer_batch(w, i, 1);
		rec_writer_complete(w, &rec, &data);
	}
	rec_writer_close(w);
	r = open_reader();
	bins = rec_bins(r, REC_READ);
	assert_null(rec_bins(r, REC_SYNC));
	assert_int_equal(bins[0].ios, 2);
	assert_int_equal(bins[254].bytes, 8192);
	assert_int_equal(bins[254].state_bytes[REC_COMPRESSIBLE], 8192);
	assert_int_equal(bins[255].ios, 2 + 1000 - 512);
	assert_int_equal(rec_compress(r, REC_READ)[0], 4096 * 1000);
	assert_int_equal(rec_compress(r, REC_READ)[50], 512 * 1000);
	assert_int_equal(rec_compress(r, REC_READ)[100], 4096 * 1000);
	assert_int_equal(rec_compress(r, REC_WRITE)[100], 0);
	assert_int_equal(rec_total(r, REC_READ, REC_ZERO)->unit_bytes, 4096 * 1000);
	rec_close(r);
}

/* Bits of offsets that were kept; the reader says by which shift. */
static unsigned int kept(uint8_t *seen, size_t offsets, uint64_t *ios)
{
	struct rec_reader *r = open_reader();
	unsigned int shift = rec_header(r)->thin_shift;
	struct rec_total sum;
	struct rec_record rec;

	memset(seen, 0, offsets);
	while (rec_next(r, &rec) == 1)
		seen[rec.offset / 4096]++;
	rec_total_direction(r, REC_READ, &sum);
	*ios = sum.ios;
	assert_int_equal(rec_header(r)->dropped, 0);
	rec_close(r);
	return shift;
}

/* Two runs, other order, other length: the coarser share is a subset, complete in both. */
static void test_thinning_keeps_the_same_offsets(void **state)
{
	enum { OFFSETS = 20000 };
	static uint8_t a[OFFSETS], b[OFFSETS];
	unsigned int shift_a, shift_b, shift;
	struct rec_writer *w;
	struct rec_record rec;
	uint64_t ios;
	int share = 0;

	(void)state;
	w = open_writer(1000 * sizeof(struct rec_record));
	for (uint64_t i = 0; i < OFFSETS; i++) {
		rec = read_of(i * 4096, 100000 + i);
		complete(w, &rec);
	}
	rec_writer_close(w);
	shift_a = kept(a, OFFSETS, &ios);
	assert_int_equal(ios, OFFSETS);
	w = open_writer(400 * sizeof(struct rec_record));
	for (uint64_t i = 0; i < 3 * OFFSETS; i++) {
		rec = read_of(i * 7919 % OFFSETS * 4096, 100000 + i);
		complete(w, &rec);
	}
	rec_writer_close(w);
	shift_b = kept(b, OFFSETS, &ios);
	assert_int_equal(ios, 3 * OFFSETS);
	assert_true(shift_b > shift_a);
	shift = shift_b;
	for (uint64_t i = 0; i < OFFSETS; i++) {
		assert_int_equal(a[i], rec_offset_passes(i * 4096, shift_a));
		assert_int_equal(b[i], 3 * rec_offset_passes(i * 4096, shift_b));
		share += a[i] && rec_offset_passes(i * 4096, shift);
	}
	assert_true(share > 50);
}

/* All I/O to a few offsets: bounded work, and either all records of an offset or none. */
static void test_thinning_of_hot_offsets(void **state)
{
	static uint8_t seen[16];
	struct rec_writer *w = open_writer(1000 * sizeof(struct rec_record));
	struct rec_record rec;
	struct rec_reader *r;
	uint64_t n = 0;

	(void)state;
	for (uint64_t i = 0; i < 100000; i++) {
		rec = read_of(i % 16 * 4096, 100000 + i);
		complete(w, &rec);
	}
	rec_writer_close(w);
	r = open_reader();
	while (rec_next(r, &rec) == 1) {
		seen[rec.offset / 4096] = 1;
		n++;
	}
	assert_true(rec_header(r)->thin_shift > 0);
	assert_true(n + rec_header(r)->dropped <= 100000);
	for (unsigned int i = 0; i < 16; i++)
		if (seen[i])
			assert_true(rec_offset_passes(i * 4096, rec_header(r)->thin_shift));
	rec_close(r);
}

static void test_temperature_thins_and_interpolates(void **state)
{
	struct rec_writer *w = open_writer(4800);
	const struct rec_temperature *t;
	struct rec_reader *r;
	int32_t mc;
	size_t n;

	(void)state;
	for (uint64_t i = 0; i < 3 * REC_TEMPERATURES; i++)
		rec_writer_temperature(w, i * 1000000000, (int32_t)(40000 + i));
	assert_int_equal(rec_writer_header(w)->live.temperature_known, 1);
	assert_int_equal(rec_writer_header(w)->live.temperature_millidegree_c,
			 40000 + 3 * REC_TEMPERATURES - 1);
	rec_writer_close(w);
	r = open_reader();
	t = rec_temperatures(r, &n);
	assert_int_equal(n, 3 * REC_TEMPERATURES / 4);
	assert_int_equal(rec_header(r)->temperature_interval_ns, 4000000000u);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(t[i].time_ns, 4 * i * 1000000000);
		assert_int_equal(t[i].millidegree_c, 40000 + 4 * i);
	}
	assert_int_equal(rec_temperature_at(r, 6000000000, &mc), 0);
	assert_int_equal(mc, 40006);
	assert_int_equal(rec_temperature_at(r, (uint64_t)20000 * 1000000000, &mc), -ENODATA);
	rec_close(r);
}

static void test_no_temperature_is_not_measured(void **state)
{
	struct rec_writer *w = open_writer(4800);
	struct rec_reader *r;
	int32_t mc;
	size_t n;

	(void)state;
	rec_writer_close(w);
	r = open_reader();
	rec_temperatures(r, &n);
	assert_int_equal(n, 0);
	assert_int_equal(rec_header(r)->live.temperature_known, 0);
	assert_int_equal(rec_temperature_at(r, 0, &mc), -ENODATA);
	rec_close(r);
}

/* SIGKILL in mid-run: all that was written is there. */
static void test_killed_writer(void **state)
{
	struct rec_record rec;
	struct rec_live_view live;
	struct rec_reader *r;
	struct stat st;
	uint64_t n = 0;
	pid_t pid = fork();

	(void)state;
	if (!pid) {
		struct rec_writer *w = open_writer(1 << 20);

		for (uint64_t i = 0; i < 5000; i++) {
			rec = read_of(i * 4096, 100000 + i);
			complete(w, &rec);
		}
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(rec_live_read(path, &live), 0);
	assert_int_equal(live.live.ios[REC_READ], 5000);
	assert_int_equal(live.live.phase, REC_PHASE_RUN);
	assert_false(live.closed);
	r = open_reader();
	assert_false(rec_is_closed(r));
	while (rec_next(r, &rec) == 1)
		n++;
	assert_int_equal(n, 5000);
	rec_close(r);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size > 1 << 20);
}

static void test_refused(void **state)
{
	struct rec_writer_config config = config_with(4800);
	struct rec_writer *w = NULL;

	(void)state;
	assert_int_equal(rec_writer_open("/nonexistent/x.rec", &config, &w), -ENOENT);
	config.record_budget_bytes = UINT64_MAX;
	assert_int_equal(rec_writer_open(path, &config, &w), -EINVAL);
	assert_null(w);
	assert_int_equal(rec_writer_close(NULL), 0);
}

/* A link in the place of the file is replaced; what it points at stays. */
static void test_link_is_not_followed(void **state)
{
	char target[] = "/tmp/test-writer-target-XXXXXX";
	int fd = mkstemp(target);
	struct stat st;

	(void)state;
	assert_int_equal(write(fd, "keep", 4), 4);
	close(fd);
	unlink(path);
	assert_int_equal(symlink(target, path), 0);
	rec_writer_close(open_writer(4800));
	assert_int_equal(stat(target, &st), 0);
	assert_int_equal(st.st_size, 4);
	unlink(target);
}

static void test_buckets(void **state)
{
	(void)state;
	for (unsigned int i = 0; i + 1 < REC_BUCKETS; i++) {
		assert_int_equal(rec_bucket(rec_bucket_ns(i)), i);
		assert_int_equal(rec_bucket(rec_bucket_ns(i + 1) - 1), i);
	}
	assert_int_equal(rec_bucket(UINT64_MAX), REC_BUCKETS - 1);
}

static int make_path(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	return fd < 0;
}

static int remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_bins_and_units),
		cmocka_unit_test(test_thinning_keeps_the_same_offsets),
		cmocka_unit_test(test_thinning_of_hot_offsets),
		cmocka_unit_test(test_temperature_thins_and_interpolates),
		cmocka_unit_test(test_no_temperature_is_not_measured),
		cmocka_unit_test(test_killed_writer),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_link_is_not_followed),
		cmocka_unit_test(test_buckets),
	};

	return cmocka_run_group_tests(tests, make_path, remove_path);
}
