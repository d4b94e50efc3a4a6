/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader and files that are not sound: the pinned file of version 1.0, cut at every
 * length, with bytes changed. GOLDEN_WRITE=1 writes the pinned file anew (a new version).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "record/reader.h"
#include "record/writer.h"

static char path[] = "/tmp/test-reader-XXXXXX";
static unsigned char *golden;
static size_t golden_bytes;

static void golden_path(char *out, size_t size)
{
	const char *tests = getenv("TESTS");

	snprintf(out, size, "%s/data/golden-1.0.rec", tests ? tests : "tests");
}

/* Nothing in it depends on clock, machine or library. */
static void write_golden(const char *to)
{
	static const struct rec_writer_file file = { "/dev/nvme0n1", 1 << 30, 0, 1 << 20 };
	const struct rec_writer_config config = {
		.fio_version = "fio-3.33",
		.engine_version = "0.1.0",
		.base_engine = "io_uring",
		.job_name = "golden",
		.thread_number = 1,
		.worker = 2,
		.group = 3,
		.subjob = 4,
		.pid = 5,
		.iodepth = 6,
		.direct = 1,
		.classify = REC_CLASSIFY_FULL,
		.record_budget_bytes = 48 * 20,
		.block_min_bytes = { 4096, 8192, 16384 },
		.block_max_bytes = { 65536, 131072, 262144 },
		.start_realtime_ns = 1700000000000000000,
		.start_monotonic_ns = 123456789,
		.temperature_source = "/sys/class/hwmon/hwmon0/temp1_input",
		.temperature_interval_ns = 1000000000,
		.files = &file,
		.file_count = 1,
	};
	struct state_io data = { REC_INCOMPRESSIBLE, 0.99, 1, { { REC_INCOMPRESSIBLE, 4096, 0.99 } } };
	struct rec_writer *w;

	assert_int_equal(rec_writer_open(to, &config, &w), 0);
	rec_writer_header(w)->gate_start_ns = 123456000;
	rec_writer_temperature(w, 1000, 41000);
	rec_writer_start(w, 10000);
	for (uint64_t i = 0; i < 30; i++) {
		struct rec_record r = {
			.offset = i * 4096,
			.hash = i * REC_GOLDEN,
			.time_ns = 50000 + i * 1000,
			.latency_ns = 40000 + i,
			.length = 4096,
			.e_permille = 990,
			.direction = (uint8_t)(i % 2),
			.state = REC_INCOMPRESSIBLE,
			.flags = i == 29 ? REC_F_RAMP : 0,
		};

		rec_writer_submit(w, r.offset, r.length, r.direction, 0);
		rec_writer_batch(w, r.time_ns, 1);
		rec_writer_complete(w, &r, &data);
	}
	rec_writer_temperature(w, 1000001000, 42500);
	assert_int_equal(rec_writer_close(w), 0);
}

static unsigned char *slurp(const char *from, size_t *bytes)
{
	FILE *f = fopen(from, "rb");
	unsigned char *p;

	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	*bytes = (size_t)ftell(f);
	rewind(f);
	p = malloc(*bytes);
	assert_non_null(p);
	assert_int_equal(fread(p, 1, *bytes, f), *bytes);
	fclose(f);
	return p;
}

static void spill(const void *data, size_t bytes)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, bytes, f), bytes);
	fclose(f);
}

/* Uses every function of the reader. Returns what rec_open() said. */
static int use(const char *from)
{
	struct rec_live_view live;
	struct rec_reader *r;
	struct rec_total sum;
	struct rec_record rec;
	uint64_t ns;
	int32_t mc;
	size_t n;
	int err = rec_open(from, &r);

	rec_live_read(from, &live);
	if (err)
		return err;
	while (rec_next(r, &rec) == 1)
		assert_true(rec.direction < REC_DIRECTIONS && rec.state < REC_STATES &&
			    rec.file < rec_file_count(r));
	for (n = 0; n < rec_file_count(r); n++)
		assert_true(strlen(rec_file(r, n)->name) < sizeof(rec_file(r, n)->name));
	for (int dir = 0; dir < REC_DIRECTIONS; dir++) {
		rec_total_direction(r, (enum rec_direction)dir, &sum);
		rec_histogram_quantile(rec_histogram(r, (enum rec_direction)dir, REC_ZERO), 0.99,
				       &ns);
	}
	rec_digest_compare(rec_stream(r), rec_stream(r), &ns);
	rec_temperatures(r, &n);
	for (uint64_t t = 0; t < 3000000000u; t += 500000000)
		rec_temperature_at(r, t, &mc);
	rec_close(r);
	return 0;
}

/* The bytes of version 1.0 do not change. */
static void test_golden_bytes(void **state)
{
	unsigned char *now;
	size_t bytes;

	(void)state;
	write_golden(path);
	now = slurp(path, &bytes);
	assert_int_equal(bytes, golden_bytes);
	for (size_t i = 0; i < bytes; i++) {
		if (now[i] != golden[i])
			print_message("# first difference at byte %zu\n", i);
		assert_int_equal(now[i], golden[i]);
	}
	free(now);
}

static void test_golden_fields(void **state)
{
	const struct rec_header *h;
	const struct rec_temperature *t;
	struct rec_reader *r;
	struct rec_record rec;
	char from[4096];
	unsigned int n = 0;
	size_t count;

	(void)state;
	golden_path(from, sizeof(from));
	assert_int_equal(rec_open(from, &r), 0);
	h = rec_header(r);
	assert_true(rec_is_closed(r));
	assert_int_equal(h->version_major, 1);
	assert_int_equal(h->version_minor, 0);
	assert_int_equal(h->section_count, 8);
	assert_string_equal(h->fio_version, "fio-3.33");
	assert_string_equal(h->engine_version, "0.1.0");
	assert_string_equal(h->base_engine, "io_uring");
	assert_string_equal(h->job_name, "golden");
	assert_string_equal(h->temperature_source, "/sys/class/hwmon/hwmon0/temp1_input");
	assert_int_equal(h->thread_number, 1);
	assert_int_equal(h->worker, 2);
	assert_int_equal(h->group, 3);
	assert_int_equal(h->subjob, 4);
	assert_int_equal(h->pid, 5);
	assert_int_equal(h->iodepth, 6);
	assert_int_equal(h->direct, 1);
	assert_int_equal(h->classify, REC_CLASSIFY_FULL);
	assert_int_equal(h->record_budget_bytes, 960);
	assert_int_equal(h->block_min_bytes[2], 16384);
	assert_int_equal(h->block_max_bytes[0], 65536);
	assert_int_equal(h->start_realtime_ns, 1700000000000000000);
	assert_int_equal(h->start_monotonic_ns, 123456789);
	assert_int_equal(h->gate_start_ns, 123456000);
	assert_int_equal(h->first_submit_ns, 10000);
	assert_int_equal(h->temperature_interval_ns, 1000000000);
	assert_int_equal(h->bin_base, 0);
	assert_int_equal(h->bin_shift, 12);
	assert_int_equal(h->thin_shift, 1);
	assert_int_equal(h->dropped, 0);
	assert_int_equal(h->apart.ramp_ios[REC_WRITE], 1);
	assert_int_equal(h->live.ios[REC_READ], 15);
	assert_int_equal(h->live.time_ns, 79000);
	assert_int_equal(rec_total(r, REC_READ, REC_INCOMPRESSIBLE)->ios, 15);
	assert_int_equal(rec_total(r, REC_WRITE, REC_INCOMPRESSIBLE)->bytes, 14 * 4096);
	assert_int_equal(rec_total(r, REC_READ, REC_INCOMPRESSIBLE)->busy_ns, 40000 + 14 * 1000);
	assert_int_equal(rec_stream(r)->digest.ios, 30);
	assert_int_equal(rec_stream(r)->digest.sequence, rec_stream(r)->checkpoints[29].sequence);
	t = rec_temperatures(r, &count);
	assert_int_equal(count, 2);
	assert_int_equal(t[1].millidegree_c, 42500);
	while (rec_next(r, &rec) == 1) {
		n++;
		assert_true(rec_offset_passes(rec.offset, 1));
		assert_int_equal(rec.hash, rec.offset / 4096 * REC_GOLDEN);
		assert_int_equal(rec.e_permille, 990);
		assert_int_equal(rec.state, REC_INCOMPRESSIBLE);
	}
	for (uint64_t i = 0; i < 30; i++)
		n -= rec_offset_passes(i * 4096, 1);
	assert_int_equal(n, 0);
	rec_close(r);
}

/* Every length; in the wide fields of zeros only now and then. */
static void test_cut_at_every_length(void **state)
{
	struct rec_reader *r;

	(void)state;
	spill(golden, golden_bytes);
	for (size_t n = golden_bytes; n > 0; n -= n > golden_bytes - 1100 || n < 4200 ? 1 : 61) {
		int err;

		assert_int_equal(truncate(path, (off_t)n - 1), 0);
		err = use(path);
		if (n - 1 < golden_bytes - 20 * sizeof(struct rec_record)) {
			assert_true(err == -ENODATA || err == -EBADMSG);
			continue;
		}
		assert_int_equal(err, 0);
		assert_int_equal(rec_open(path, &r), 0);
		assert_true(rec_is_cut(r));
		rec_close(r);
	}
}

/* Hostile bytes: random ones anywhere in the header and the section table. */
static void test_changed_bytes(void **state)
{
	unsigned char *p = malloc(golden_bytes);
	uint64_t seed = 1;

	(void)state;
	assert_non_null(p);
	for (int round = 0; round < 1500; round++) {
		memcpy(p, golden, golden_bytes);
		for (int i = 0; i < 1 + round % 4; i++) {
			size_t where = rec_mix(seed++) % (round % 2 ? 416 : golden_bytes);
			uint64_t what = rec_mix(seed++);

			p[where] = what & 1 ? 0xff : (unsigned char)(what >> 8);
		}
		spill(p, golden_bytes);
		use(path);
	}
	free(p);
}

/* Extreme numbers in each field of the section table. */
static void test_extreme_sections(void **state)
{
	static const uint64_t values[] = { 0, 1, 4096, UINT32_MAX, UINT64_MAX / 48, UINT64_MAX - 1,
					   UINT64_MAX, INT64_MAX };
	struct rec_header *h = malloc(golden_bytes);

	(void)state;
	assert_non_null(h);
	for (uint32_t s = 0; s < 8; s++) {
		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
			for (int field = 0; field < 5; field++) {
				memcpy(h, golden, golden_bytes);
				if (field == 0)
					h->sections[s].element_size = (uint32_t)values[v];
				if (field == 1)
					h->sections[s].offset = values[v];
				if (field == 2)
					h->sections[s].capacity = values[v];
				if (field == 3)
					h->sections[s].count = values[v];
				if (field == 4)
					h->sections[s].count = h->sections[s].capacity = values[v];
				spill(h, golden_bytes);
				use(path);
			}
		}
	}
	free(h);
}

/* What each kind of wrong file is called. */
static void test_refused(void **state)
{
	struct rec_header *h = malloc(golden_bytes);
	struct rec_reader *r;

	(void)state;
	assert_non_null(h);
	memcpy(h, golden, golden_bytes);
	h->version_major = 2;
	spill(h, golden_bytes);
	assert_int_equal(use(path), -EPROTONOSUPPORT);
	memcpy(h, golden, golden_bytes);
	h->byte_order = 0x04030201;
	spill(h, golden_bytes);
	assert_int_equal(use(path), -EPROTONOSUPPORT);
	memcpy(h, golden, golden_bytes);
	h->magic[0] = 'X';
	spill(h, golden_bytes);
	assert_int_equal(use(path), -EBADMSG);
	spill("", 0);
	assert_int_equal(use(path), -ENODATA);
	assert_int_equal(rec_open("/nonexistent", &r), -ENOENT);
	assert_int_equal(rec_open("/dev/null", &r), -EBADMSG);
	assert_int_equal(rec_open("/tmp", &r), -EBADMSG);
	free(h);
}

/* A newer minor version may have longer records; what we know of them is read. */
static void test_longer_records(void **state)
{
	struct rec_header *h = calloc(1, golden_bytes + 20 * 16);
	const struct rec_section *s;
	struct rec_reader *r;
	struct rec_record rec;
	char *to, *from;
	int n = 0;

	(void)state;
	assert_non_null(h);
	memcpy(h, golden, golden_bytes);
	h->version_minor = 9;
	h->record_size = h->sections[7].element_size = sizeof(struct rec_record) + 16;
	s = &h->sections[7];
	to = (char *)h + s->offset;
	from = (char *)golden + s->offset;
	for (uint64_t i = 0; i < s->count; i++) {
		memcpy(to + i * s->element_size, from + i * sizeof(rec), sizeof(rec));
		memset(to + i * s->element_size + sizeof(rec), 0xee, 16);
	}
	spill(h, golden_bytes + s->count * 16);
	assert_int_equal(rec_open(path, &r), 0);
	while (rec_next(r, &rec) == 1) {
		assert_int_equal(rec.hash, rec.offset / 4096 * REC_GOLDEN);
		n++;
	}
	assert_true(n > 5);
	rec_close(r);
	free(h);
}

static int set_up(void **state)
{
	char from[4096];
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	golden_path(from, sizeof(from));
	if (getenv("GOLDEN_WRITE"))
		write_golden(from);
	golden = slurp(from, &golden_bytes);
	return fd < 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(golden);
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_bytes),
		cmocka_unit_test(test_golden_fields),
		cmocka_unit_test(test_cut_at_every_length),
		cmocka_unit_test(test_changed_bytes),
		cmocka_unit_test(test_extreme_sections),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_longer_records),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
