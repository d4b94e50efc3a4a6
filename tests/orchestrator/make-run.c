/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: make-run regions|paired DIR [swap] [match=SHARE] [norecords] [frozen]
 *                 [speed=FACTOR] [depth=N] [firmware=TEXT] [serial=TEXT] [fio=VERSION]
 *
 * Writes a whole run directory, as run-suite would leave it, in which the two founding stories happened
 * (docs/method.md): real record files by record/writer, SMART pages, fio's JSON. What a story does not
 * tell (links, CPU, block statistics of the first one) is not there.
 *   regions   one reading of ten regions: A holds data in eight of them (3.2 to 3.6 GB/s), zeros in two
 *             (5.3 GB/s); B is all zeros (5.3 GB/s)
 *   paired    ten simultaneous rounds over identical bytes; A is faster by 5 %
 *   swap      A and B change places      match    only so much of B's data is as A's (the rest is zeros)
 *   norecords the engine recorded nothing   frozen   no counter of B's SMART pages moves
 *   speed     of A in the paired story, times this   serial   what serials begin with (STORY)
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fail.h"
#include "jobs.h"
#include "model-json.h"
#include "pcie.h"
#include "record/hash.h"
#include "record/writer.h"
#include "stats-random.h"
#include "store.h"
#include "thresholds.h"

#define REGION_BYTES (INT64_C(16) << 30)
#define BLOCK_BYTES (INT64_C(16) << 20)
#define BLOCKS ((uint64_t)(REGION_BYTES / BLOCK_BYTES))
#define START_NS INT64_C(1760000000000000000)
#define SLOT_NS INT64_C(60000000000)
#define REGIONS 10

struct options {
	bool paired, swap, norecords, frozen;
	double match, speed;
	int64_t depth;
	const char *firmware, *serial, *fio;
};

/* One region of one side in one slot. */
struct region {
	double gb_per_s;
	bool zero;
	double data_share;	/* of its blocks; the rest is zeros */
};

static const double a_gb[REGIONS] = { 3.2, 3.3, 3.4, 3.5, 3.6, 3.4, 3.3, 3.5, 5.3, 5.3 };
static const double pair_mb[SIDES][10] = {
	{ 5506, 5559, 5481, 5405, 5378, 5440, 5430, 5606, 5472, 5507 },
	{ 5295, 5241, 5220, 5154, 5165, 5180, 5236, 5266, 5212, 5197 },
};
static const char *const paths[SIDES] = { "/dev/nvme0n1", "/dev/nvme1n1" };

/* Which drive of the story is on this side. */
static int teller(const struct options *o, int side)
{
	return o->swap ? !side : side;
}

static struct region region_of(const struct options *o, int side, int64_t round, int64_t region)
{
	int who = teller(o, side);

	if (o->paired)
		return (struct region){ pair_mb[who][round] / 1000 * (who == SIDE_A ? o->speed : 1), false,
					who == SIDE_B ? o->match : 1 };
	return (struct region){ who == SIDE_A ? a_gb[region] : 5.3, who == SIDE_B || region >= 8, 1 };
}

/* The same offset has the same bytes on both sides. */
static void make_block(struct state_io kinds[2])
{
	static unsigned char zeros[65536], noise[65536];
	struct stats_random random = { 7 };

	for (size_t i = 0; i < sizeof(noise); i += 8) {
		uint64_t v = stats_random_next(&random);

		memcpy(noise + i, &v, 8);
	}
	state_of_io(noise, sizeof(noise), 0, STATE_UNITS_MAX, &kinds[0]);
	state_of_io(zeros, sizeof(zeros), 0, STATE_UNITS_MAX, &kinds[1]);
}

static int write_records(const char *path, const char *job, int side, int64_t region, const struct region *r,
			 uint64_t start_ns, const double celsius[2])
{
	struct rec_writer_file file = { paths[side], 1000204886016u, (uint64_t)(region * REGION_BYTES),
					REGION_BYTES };
	struct rec_writer_config config = {
		.fio_version = "fio-3.33", .engine_version = "0.1.0", .base_engine = "io_uring", .job_name = job,
		.thread_number = (uint32_t)region + 1, .pid = 1000, .iodepth = 8, .direct = 1,
		.classify = REC_CLASSIFY_FULL, .record_budget_bytes = 1 << 20,
		.block_min_bytes = { BLOCK_BYTES, 0, 0 }, .block_max_bytes = { BLOCK_BYTES, 0, 0 },
		.start_realtime_ns = start_ns, .start_monotonic_ns = start_ns - START_NS + 1000000000,
		.temperature_source = "/sys/class/hwmon/hwmon0/temp1_input", .temperature_interval_ns = 1000000000,
		.files = &file, .file_count = 1,
	};
	double step_ns = (double)BLOCK_BYTES / r->gb_per_s;
	struct state_io kinds[2];
	struct rec_writer *w;
	int ret = rec_writer_open(path, &config, &w);

	if (ret)
		return fail(ret, "%s: %s", path, strerror(-ret));
	make_block(kinds);
	rec_writer_start(w, 1000);
	rec_writer_temperature(w, 2000, (int32_t)(celsius[0] * 1000));
	for (uint64_t i = 0; i < BLOCKS; i++) {
		bool zero = r->zero || (double)(i % 100) >= 100 * r->data_share;
		struct rec_record record = {
			.offset = (uint64_t)(region * REGION_BYTES) + i * BLOCK_BYTES, .length = BLOCK_BYTES,
			.time_ns = 1000 + (uint64_t)(step_ns * (double)(i + 1)), .latency_ns = (uint64_t)(8 * step_ns),
			.direction = REC_READ, .state = (uint8_t)kinds[zero].state,
			.e_permille = (uint16_t)(1000 * kinds[zero].e),
		};

		record.hash = zero ? 1 : rec_mix(record.offset + 1);
		rec_writer_submit(w, record.offset, record.length, REC_READ, 0);
		rec_writer_batch(w, record.time_ns, 1);
		rec_writer_complete(w, &record, &kinds[zero]);
	}
	rec_writer_temperature(w, (uint64_t)(step_ns * (double)BLOCKS), (int32_t)(celsius[1] * 1000));
	return rec_writer_close(w);
}

static void put(unsigned char *page, size_t at, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes && i < sizeof(value); i++)
		page[at + i] = (unsigned char)(value >> (8 * i));
}

/* NVMe base spec 2.0, figure 207. */
static int write_smart(const char *run, const char *dir, const char *when, double celsius, uint64_t units)
{
	unsigned char page[512] = { 0 };
	_cleanup_free_ char *name = text_format("%s/smart-%s.bin", dir, when);

	put(page, 1, (uint64_t)celsius + 273, 2);
	page[3] = 100;
	page[4] = 10;
	put(page, 32, units, 16);
	put(page, 64, units / 2, 16);
	put(page, 112, 12, 16);
	put(page, 128, 340, 16);
	return name ? store_write(run, name, page, sizeof(page)) : -ENOMEM;
}

static json_t *fio_job(const struct options *o, const char *name, const struct region *r)
{
	int64_t runtime_ms = (int64_t)((double)REGION_BYTES / r->gb_per_s / 1e6 + 0.5);
	double latency = 8 * (double)BLOCK_BYTES / r->gb_per_s;
	json_t *job, *clat = json_pack("{s:I, s:I, s:f, s:f, s:I, s:{s:I, s:I}}", "min", (json_int_t)latency, "max",
				       (json_int_t)latency, "mean", latency, "stddev", 0.0, "N", (json_int_t)BLOCKS,
				       "percentile", "50.000000", (json_int_t)latency, "99.000000",
				       (json_int_t)latency);

	job = json_pack("{s:s, s:i, s:i, s:I, s:{s:I, s:I, s:I, s:f, s:I, s:o}}", "jobname", name, "error", 0,
			"elapsed", 4, "job_runtime", (json_int_t)runtime_ms, "read", "io_bytes", (json_int_t)REGION_BYTES,
			"total_ios", (json_int_t)BLOCKS, "runtime", (json_int_t)runtime_ms, "iops",
			(double)BLOCKS * 1000 / (double)runtime_ms, "bw_bytes",
			(json_int_t)(REGION_BYTES * 1000 / runtime_ms), "clat_ns", clat);
	if (o->paired) {
		json_object_set_new(job, "usr_cpu", json_real(2));
		json_object_set_new(job, "sys_cpu", json_real(9));
	}
	return job;
}

static int write_fio(const struct options *o, const struct plan *plan, const struct slot *slot, int side,
		     const char *run, const char *dir, int64_t start_ns)
{
	_cleanup_free_ char *name = text_format("%s/fio.json", dir);
	json_t *jobs = json_array(), *json;

	for (int64_t i = 0; i < (int64_t)plan->workloads[0].ranges_count; i++) {
		_cleanup_free_ char *job = text_format("seq-read-16m-r%lld", (long long)i);
		struct region r = region_of(o, side, slot->round, i);

		json_array_append_new(jobs, fio_job(o, job, &r));
	}
	json = json_pack("{s:s, s:I, s:I, s:{s:s}, s:o}", "fio version", "fio-3.33", "timestamp",
			 (json_int_t)(start_ns / 1000000000 + 50), "timestamp_ms", (json_int_t)(start_ns / 1000000 + 50000),
			 "global options", "filename", paths[side], "jobs", jobs);
	return name ? store_write_json(run, name, json) : -ENOMEM;
}

/* Only the paired story tells of the path, and that nobody else used the drives. */
static int write_path(const struct options *o, const char *run, const char *dir, int side,
		      int64_t slot_number, size_t ranges)
{
	_cleanup_free_ char *link = text_format("%s/link.json", dir);
	_cleanup_free_ char *before = text_format("%s/blk-before", dir), *after = text_format("%s/blk-after", dir);
	long long sectors = (long long)((int64_t)ranges * REGION_BYTES / 512);
	int ret;

	if (!link || !before || !after)
		return -ENOMEM;
	ret = store_write_json(run, link, json_pack("{s:[], s:[], s:[]}", "before", "during", "after"));
	for (int i = 0; !ret && o->paired && i < 2; i++) {
		_cleanup_free_ char *line = text_format("/sys/block/nvme%dn1/stat: %lld 0 %lld 10 0 0 0 0 0 10 10\n", side,
							(slot_number + i) * (long long)BLOCKS, (slot_number + i) * sectors);

		ret = line ? store_write(run, i ? after : before, line, strlen(line)) : -ENOMEM;
	}
	return ret;
}

static int write_side(const struct options *o, const struct plan *plan, const struct slot *slot, int side,
		      const char *run)
{
	static const double story[2][SIDES][2] = { { { 41, 44 }, { 41, 44 } }, { { 43, 47 }, { 44, 48 } } };
	const double *celsius = story[o->paired][teller(o, side)];
	_cleanup_free_ char *dir = text_format("slots/%s/%c", slot->name, "AB"[side]), *job_name = NULL, *job = NULL;
	struct jobs_request request = { plan, slot, (enum side)side, paths[side],
					"/usr/local/lib/nvmatch/datastate.so" };
	int64_t start_ns = START_NS + slot->number * SLOT_NS;
	size_t ranges = plan->workloads[0].ranges_count;
	uint64_t units = 1000000, each = (uint64_t)((int64_t)ranges * REGION_BYTES / 512000 + 1);
	bool frozen = o->frozen && teller(o, side) == SIDE_B;
	int ret;

	if (!dir)
		return -ENOMEM;
	ret = store_mkdir(run, dir);
	if (!ret)
		ret = jobs_text(&request, &job);
	job_name = text_format("%s/job.fio", dir);
	if (!ret)
		ret = store_write(run, job_name, job, strlen(job));
	free(job_name);
	job_name = text_format("%s/exit", dir);
	if (!ret)
		ret = store_write(run, job_name, "0\n", 2);
	if (!ret)
		ret = write_fio(o, plan, slot, side, run, dir, start_ns);
	if (!ret)
		ret = write_path(o, run, dir, side, slot->number, ranges);
	units += frozen ? 0 : (uint64_t)slot->round * each;
	if (!ret)
		ret = write_smart(run, dir, "before", celsius[0], units);
	if (!ret)
		ret = write_smart(run, dir, "after", celsius[1], units + (frozen ? 0 : each));
	for (int64_t i = 0; !ret && !o->norecords && i < (int64_t)ranges; i++) {
		_cleanup_free_ char *records = text_format("%s/records", dir);
		_cleanup_free_ char *section = text_format("seq-read-16m-r%lld", (long long)i);
		_cleanup_free_ char *path = text_format("%s/%s/rec.%s.%lld.rec", run, records, section, (long long)i + 1);
		struct region r = region_of(o, side, slot->round, i);

		ret = store_mkdir(run, records);
		if (!ret)
			ret = write_records(path, section, side, i, &r, (uint64_t)start_ns + 1000000000 * (uint64_t)(i + 1),
					    celsius);
	}
	return ret;
}

static int write_slot(const struct options *o, const struct plan *plan, const struct slot *slot,
		      const char *run)
{
	_cleanup_free_ char *name = text_format("slots/%s/slot.json", slot->name);
	int64_t start_ns = START_NS + slot->number * SLOT_NS;
	int ret = 0;

	for (int s = 0; !ret && s < SIDES; s++)
		if (slot->mode == MODE_AB || slot->mode == (s == SIDE_A ? MODE_A : MODE_B))
			ret = write_side(o, plan, slot, s, run);
	if (ret || !name)
		return ret ? ret : -ENOMEM;
	return store_write_json(run, name, json_pack("{s:s, s:I, s:I, s:b, s:n}", "end", "complete", "started_ns",
						     (json_int_t)start_ns, "ended_ns", (json_int_t)(start_ns + SLOT_NS - 1),
						     "cache_dropped", 1, "cache_reason"));
}

static int make_plan(const struct options *o, struct plan *plan)
{
	struct workload *w = calloc(1, sizeof(*w));
	size_t slots = o->paired ? 10 : 2, ranges = o->paired ? 1 : REGIONS;

	fields_unknown(plan_fields, plan);
	plan->slots = calloc(slots, sizeof(*plan->slots));
	if (!w || !plan->slots || thresholds_plan(&thresholds_default, plan))
		return -ENOMEM;
	*w = (struct workload){ .name = strdup("seq-read-16m"), .rw = strdup("read"), .block_bytes = BLOCK_BYTES,
				.iodepth = o->depth, .numjobs = 1, .direct = true, .ramp_ns = UNKNOWN_I64,
				.runtime_ns = UNKNOWN_I64, .io_bytes = REGION_BYTES,
				.ranges = calloc(ranges, sizeof(*w->ranges)), .ranges_count = ranges };
	for (size_t i = 0; i < ranges; i++)
		w->ranges[i] = (struct range){ (int64_t)i * REGION_BYTES, REGION_BYTES };
	strings_add(&w->options, "bs=16m");
	plan->suite = strdup("story");
	plan->base_engine = strdup("io_uring");
	plan->classify = strdup("full");
	plan->record_budget_bytes = 1 << 20;
	plan->seed = 1;
	plan->rounds = o->paired ? 10 : 1;
	plan->workloads = w;
	plan->workloads_count = 1;
	for (size_t i = 0; i < slots; i++) {
		int mode = o->paired ? MODE_AB : (int)i;

		plan->slots[i] = (struct slot){ .number = (int64_t)i + 1, .round = o->paired ? (int64_t)i : 0,
						.mode = mode };
		plan->slots[i].name = text_format("%04zu-seq-read-16m-%s", i + 1, slot_mode_names[mode]);
	}
	plan->slots_count = slots;
	return 0;
}

static json_t *drive_json(const struct options *o, int side)
{
	int who = teller(o, side);
	_cleanup_free_ char *serial = text_format("%s-%c", o->serial, "AB"[who]), *stat = NULL;
	struct pci_link links[2];
	struct drive d;
	json_t *json;

	memset(&d, 0, sizeof(d));
	fields_unknown(drive_fields, &d);
	d.target = d.path = (char *)paths[side];
	d.kind = o->paired ? TARGET_BLOCK : TARGET_FILE;	/* of a file's extents nothing is known */
	d.transport = "nvme-pcie";
	d.serial = serial;
	d.firmware = (char *)o->firmware;
	d.capacity_bytes = 1000204886016;
	d.identify.warning_temperature_c = 84;
	d.identify.critical_temperature_c = 89;
	stat = text_format("/sys/block/nvme%dn1/stat", side);
	if (o->paired && stat)
		strings_add(&d.stat_paths, stat);
	for (int i = 0; i < 2; i++) {
		fields_unknown(pci_link_fields, &links[i]);
		links[i].address = i ? who ? "0000:00:02.0" : "0000:00:01.0" : who ? "0000:02:00.0" : "0000:01:00.0";
		links[i].path = NULL;
		links[i].current_speed_gt_per_s = links[i].max_speed_gt_per_s = 16;
		links[i].current_width_lanes = links[i].max_width_lanes = 4;
		links[i].max_payload_bytes = 256;	/* else 5.5 GB/s may be near the limit of 128 */
		links[i].port_type = i ? PCIE_ROOT_PORT : PCIE_ENDPOINT;
	}
	if (o->paired) {
		d.links = links;
		d.links_count = 2;
	}
	json = fields_to_json(drive_fields, &d);
	strings_free(&d.stat_paths);
	return json;
}

static int write_documents(const struct options *o, const struct plan *plan, const char *run)
{
	json_t *json = model_document(), *plan_json = model_document(), *drives = model_document();
	json_t *host_json = model_document(), *end = model_document(), *body = fields_to_json(plan_fields, plan);
	struct host host;
	int ret;

	json_object_set_new(json, "argv", json_pack("[s]", "run-suite"));
	ret = store_write_json(run, "run.json", json);
	json_object_update(plan_json, body);
	json_decref(body);
	if (!ret)
		ret = store_write_json(run, "plan.json", plan_json);
	for (int s = 0; s < SIDES; s++)
		json_object_set_new(drives, s ? "B" : "A", drive_json(o, s));
	if (!ret)
		ret = store_write_json(run, "drives.json", drives);
	memset(&host, 0, sizeof(host));
	fields_unknown(host_fields, &host);
	host.fio_version = (char *)o->fio;
	body = fields_to_json(host_fields, &host);
	json_object_update(host_json, body);
	json_decref(body);
	if (!ret)
		ret = store_write_json(run, "host.json", host_json);
	json_object_set_new(end, "state", json_string("complete"));
	return ret ? ret : store_write_json(run, "end.json", end);
}

int main(int argc, char **argv)
{
	struct options o = { .match = 1, .speed = 1, .depth = 8, .serial = "STORY" };
	struct plan plan = { 0 };
	char *run = NULL;
	int ret;

	for (int i = 3; i < argc; i++) {
		o.swap |= !strcmp(argv[i], "swap");
		o.norecords |= !strcmp(argv[i], "norecords");
		o.frozen |= !strcmp(argv[i], "frozen");
		if (!strncmp(argv[i], "match=", 6))
			o.match = strtod(argv[i] + 6, NULL);
		if (!strncmp(argv[i], "speed=", 6))
			o.speed = strtod(argv[i] + 6, NULL);
		if (!strncmp(argv[i], "depth=", 6))
			o.depth = strtol(argv[i] + 6, NULL, 10);
		if (!strncmp(argv[i], "firmware=", 9))
			o.firmware = argv[i] + 9;
		if (!strncmp(argv[i], "serial=", 7))
			o.serial = argv[i] + 7;
		if (!strncmp(argv[i], "fio=", 4))
			o.fio = argv[i] + 4;
	}
	if (argc < 3 || (strcmp(argv[1], "regions") && strcmp(argv[1], "paired")))
		return 2;
	o.paired = !strcmp(argv[1], "paired");
	ret = store_create(argv[2], "story", &run);
	if (!ret)
		ret = make_plan(&o, &plan);
	if (!ret)
		ret = write_documents(&o, &plan, run);
	if (!ret)
		ret = store_mkdir(run, "slots");
	for (size_t i = 0; !ret && i < plan.slots_count; i++)
		ret = write_slot(&o, &plan, &plan.slots[i], run);
	if (!ret)
		ret = store_seal(run);
	fields_free(plan_fields, &plan);
	free(run);
	return ret ? 1 : 0;
}
