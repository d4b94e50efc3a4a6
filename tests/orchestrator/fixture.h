/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results made up for tests of the judge and the reports. Everything starts unknown; a test sets
 * what it is about. Strings are literals and arrays are static: nothing is freed.
 */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "model-json.h"
#include "model.h"

#define FIXTURE_ROUNDS 16
#define FIXTURE_WORKLOADS 3

struct fixture {
	struct result result;
	struct workload workloads[FIXTURE_WORKLOADS];
	struct workload_result results[FIXTURE_WORKLOADS];
	struct observation observations[FIXTURE_WORKLOADS][2 * FIXTURE_ROUNDS];
	struct bin bins[16];
	struct range range;
	struct pci_link links[SIDES][2];
};

static inline void fixture_unknown(struct measurement *m)
{
	struct smart none = { .valid = false, .critical_warning = UNKNOWN_I64, .temperature_k = UNKNOWN_I64,
			      .avail_spare = UNKNOWN_I64, .spare_thresh = UNKNOWN_I64,
			      .percent_used = UNKNOWN_I64, .warning_temp_time = UNKNOWN_I64,
			      .critical_comp_time = UNKNOWN_I64, .thm_temp1_trans_count = UNKNOWN_I64,
			      .thm_temp2_trans_count = UNKNOWN_I64, .thm_temp1_total_time = UNKNOWN_I64,
			      .thm_temp2_total_time = UNKNOWN_I64 };

	*m = (struct measurement){
		.bytes = UNKNOWN_I64, .moved_bytes = UNKNOWN_I64, .ios = UNKNOWN_I64, .runtime_ns = UNKNOWN_I64,
		.bw_bytes_per_s = NAN, .iops = NAN, .latency_mean_ns = NAN, .latency_p50_ns = NAN,
		.latency_p99_ns = NAN, .latency_p99_9_ns = NAN, .user_cpu_percent = NAN,
		.system_cpu_percent = NAN, .depth_reached = NAN, .matched_bw_bytes_per_s = NAN,
		.classified_share = NAN, .recorded_ios = UNKNOWN_I64,
		.block = { UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64 },
		.temperature_start_c = NAN, .temperature_min_c = NAN, .temperature_max_c = NAN,
		.temperature_end_c = NAN, .temperature_samples = UNKNOWN_I64, .first_io_ns = UNKNOWN_I64,
		.last_io_ns = UNKNOWN_I64, .started_ns = UNKNOWN_I64, .smart_before = none,
		.smart_after = none, .link_speed_gt_per_s = NAN, .link_width_lanes = UNKNOWN_I64,
		.link_errors = UNKNOWN_I64, .link_errors_uncorrectable = UNKNOWN_I64,
		.error_entries_media = UNKNOWN_I64, .error_entries_other = UNKNOWN_I64,
		.error_entries_own = UNKNOWN_I64,
		.within_run_drop = NAN, .speed_when_hot_ratio = NAN, .seconds_at_threshold = NAN,
		.temperature_slope_c_per_min = NAN,
		.account = { UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64,
			     UNKNOWN_I64, NULL },
		.cooldown = { COOLDOWN_UNKNOWN, UNKNOWN_I64, NAN, NAN, NULL },
	};
	for (int k = 0; k < DATA_STATES; k++) {
		m->classes[k] = m->pure[k] = (struct class_speed){ 0, 0, NAN };
		m->matched_class_bw_bytes_per_s[k] = NAN;
	}
}

static inline void fixture_start(struct fixture *f)
{
	*f = (struct fixture){ 0 };
	f->result.run = "run";
	f->result.state = "complete";
	f->result.label[SIDE_A] = "first";
	f->result.label[SIDE_B] = "second";
	for (int s = 0; s < SIDES; s++) {
		fields_unknown(drive_fields, &f->result.drives[s]);
		f->result.drives[s].path = s ? "/dev/b" : "/dev/a";
		f->result.drives[s].target = f->result.drives[s].path;
	}
	fields_unknown(host_fields, &f->result.host);
	fields_unknown(plan_fields, &f->result.plan);
	f->range = (struct range){ 0, 1 << 30 };
	f->result.plan.workloads = f->workloads;
	f->result.workloads = f->results;
}

/* A workload with all its data alike; no rounds yet. Returns its index. */
static inline size_t fixture_workload(struct fixture *f, char *name, char *rw, int64_t block_bytes)
{
	size_t i = f->result.workloads_count++;
	struct data_match *m = &f->results[i].match;

	f->result.plan.workloads_count = f->result.workloads_count;
	f->workloads[i] = (struct workload){
		.name = name, .rw = rw, .block_bytes = block_bytes, .iodepth = 8, .numjobs = 1, .direct = true,
		.runtime_ns = UNKNOWN_I64, .io_bytes = UNKNOWN_I64, .ranges = &f->range, .ranges_count = 1,
		.writes = rw[0] == 'w' || rw[4] == 'w' || rw[1] == 'w',
	};
	f->results[i].name = name;
	f->results[i].workload = (int64_t)i;
	f->results[i].observations = f->observations[i];
	*m = (struct data_match){ .pairs = 1024, .bytes = 1 << 30, .same_class_share = 1, .same_hash_share = 1,
				  .overlap = 1, .compress_distance = 0.01, .classified_share = { 1, 1 },
				  .matched_bins = 64, .bins = 64 };
	m->class_share[SIDE_A][REC_INCOMPRESSIBLE] = m->class_share[SIDE_B][REC_INCOMPRESSIBLE] = 1;
	return i;
}

/* One more round, in MB/s; latency follows from speed. */
static inline struct observation *fixture_round(struct fixture *f, size_t w, bool concurrent, double a_mb,
						double b_mb)
{
	struct workload_result *r = &f->results[w];
	struct observation *o = &f->observations[w][r->observations_count++];
	const double mb[SIDES] = { a_mb, b_mb };

	*o = (struct observation){ .round = (int64_t)r->observations_count - 1, .concurrent = concurrent,
				   .a_first = (r->observations_count - 1) % 2 == 0,
				   .digest = DIGEST_EQUAL_SEQUENCE, .digest_prefix_ios = UNKNOWN_I64,
				   .overlap_share = concurrent ? 0.99 : NAN, .start_skew_ns = NAN };
	for (int s = 0; s < SIDES; s++) {
		struct measurement *m = &o->side[s];

		fixture_unknown(m);
		m->usable = true;
		m->slot = concurrent ? "0003-w-AB" : s ? "0002-w-B" : "0001-w-A";
		m->fio_state = FIO_OK;
		m->bytes = 1 << 30;
		m->started_ns = (int64_t)r->observations_count * 1000000000;
		m->bw_bytes_per_s = mb[s] * 1e6;
		m->iops = m->bw_bytes_per_s / (double)f->workloads[w].block_bytes;
		m->latency_p50_ns = 1e12 / mb[s];
		m->latency_p99_ns = 2e12 / mb[s];
		m->latency_mean_ns = 8e9 / m->iops;
		m->matched_bw_bytes_per_s = m->bw_bytes_per_s;
		m->matched_class_bw_bytes_per_s[REC_INCOMPRESSIBLE] = m->bw_bytes_per_s;
		m->classes[REC_INCOMPRESSIBLE] = (struct class_speed){ 1024, 1 << 30, (1 << 30) / mb[s] * 1e3 };
		m->pure[REC_INCOMPRESSIBLE] = m->classes[REC_INCOMPRESSIBLE];
		m->classified_share = 1;
	}
	return o;
}

/* SMART pages of every slot: counting, cool, unworn; the units of each slot follow its bytes. */
static inline void fixture_smart(struct fixture *f, int64_t low_c, int64_t high_c)
{
	for (size_t w = 0; w < f->result.workloads_count; w++) {
		for (size_t i = 0; i < f->results[w].observations_count; i++) {
			for (int s = 0; s < SIDES; s++) {
				struct measurement *m = &f->observations[w][i].side[s];
				struct smart page = { .valid = true, .critical_warning = 0,
						      .temperature_k = low_c + 273, .avail_spare = 100,
						      .spare_thresh = 10, .percent_used = 0 };

				page.data_units_read.low = 1000000 + i * 2098;
				m->smart_before = page;
				page.data_units_read.low += 2098;
				page.temperature_k = high_c + 273;
				m->smart_after = page;
				m->temperature_min_c = m->temperature_start_c = (double)low_c;
				m->temperature_max_c = m->temperature_end_c = (double)high_c;
				m->temperature_samples = 30;
			}
		}
	}
	for (int s = 0; s < SIDES; s++)
		f->result.drives[s].identify.warning_temperature_c = 84;
}

/* Both on gen4 x4, below different root ports. */
static inline void fixture_links(struct fixture *f)
{
	for (int s = 0; s < SIDES; s++) {
		struct drive *d = &f->result.drives[s];

		for (int i = 0; i < 2; i++)
			f->links[s][i] = (struct pci_link){ .address = s ? i ? "0000:00:02.0" : "0000:02:00.0" :
							    i ? "0000:00:01.0" : "0000:01:00.0",
							    .current_speed_gt_per_s = 16, .max_speed_gt_per_s = 16,
							    .current_width_lanes = 4, .max_width_lanes = 4,
							    .aer_correctable = UNKNOWN_I64,
							    .aer_nonfatal = UNKNOWN_I64, .aer_fatal = UNKNOWN_I64,
							    .max_payload_bytes = 256,
							    .max_payload_supported_bytes = 512,
							    .max_read_request_bytes = 512,
							    .port_type = i ? 4 : 0 };
		d->links = f->links[s];
		d->links_count = 2;
		d->transport = "nvme-pcie";
	}
}

/* As gather does it, from the block counters; SMART has no say. */
static inline void fixture_account(struct fixture *f)
{
	for (size_t w = 0; w < f->result.workloads_count; w++) {
		for (size_t i = 0; i < f->results[w].observations_count; i++) {
			for (int s = 0; s < SIDES; s++) {
				struct measurement *m = &f->observations[w][i].side[s];
				struct accounting *c = &m->account;

				c->asked_bytes = known(m->moved_bytes) ? m->moved_bytes : m->bytes;
				c->block_bytes = known(m->block.read_bytes) && known(m->block.written_bytes) ?
						 m->block.read_bytes + m->block.written_bytes : UNKNOWN_I64;
				c->block_foreign_bytes = known(c->block_bytes) && known(c->asked_bytes) ?
							 c->block_bytes - c->asked_bytes : UNKNOWN_I64;
			}
		}
	}
}

/* Block counters that agree with fio. */
static inline void fixture_blocks(struct fixture *f)
{
	for (size_t w = 0; w < f->result.workloads_count; w++) {
		for (size_t i = 0; i < f->results[w].observations_count; i++) {
			for (int s = 0; s < SIDES; s++) {
				struct measurement *m = &f->observations[w][i].side[s];

				m->block = (struct block_counters){ m->bytes, 1024, 0, 0, 0, 0 };
			}
		}
	}
	fixture_account(f);
}

/* The first story: one reading of ten regions; A holds data in eight of them, B is all zeros. */
static inline void fixture_story_regions(struct fixture *f)
{
	static const double a_gb[10] = { 3.2, 3.3, 3.4, 3.5, 3.6, 3.4, 3.3, 3.5, 5.3, 5.3 };
	const int64_t region = 1 << 30;
	double time_a = 0;
	struct observation *o;
	size_t w;

	fixture_start(f);
	w = fixture_workload(f, "seq-read-1m", "read", 1 << 20);
	f->results[w].workload = -1;	/* the story does not tell the job */
	f->results[w].match = (struct data_match){ .pairs = 10240, .bytes = 10 * region,
		.same_class_share = 0.2, .same_hash_share = 0.2, .overlap = 0.2, .compress_distance = 0.8,
		.classified_share = { 1, 1 },
		.class_share = { { 0, 0.2, 0, 0, 0, 0.8 }, { 0, 1, 0, 0, 0, 0 } }, .matched_bins = 2, .bins = 10 };
	for (size_t i = 0; i < 10; i++) {
		struct bin *b = &f->bins[i];

		*b = (struct bin){ (int64_t)i * region, region, { a_gb[i] * 1e9, 5.3e9 }, { { 0 }, { 0 } } };
		b->class_bytes[SIDE_A][i < 8 ? REC_INCOMPRESSIBLE : REC_ZERO] = region;
		b->class_bytes[SIDE_B][REC_ZERO] = region;
		time_a += 1 / a_gb[i];
	}
	f->results[w].bins = f->bins;
	f->results[w].bins_count = 10;
	o = fixture_round(f, w, false, 10 / time_a * 1e3, 5300);
	for (int s = 0; s < SIDES; s++) {
		o->side[s].bytes = 10 * region;
		o->side[s].classes[REC_INCOMPRESSIBLE] = (struct class_speed){ 0, 0, NAN };
		o->side[s].matched_bw_bytes_per_s = o->side[s].matched_class_bw_bytes_per_s[REC_ZERO] = 5.3e9;
		o->side[s].matched_class_bw_bytes_per_s[REC_INCOMPRESSIBLE] = NAN;
	}
	o->side[SIDE_A].classes[REC_INCOMPRESSIBLE] =
		(struct class_speed){ 8192, 8 * region, (time_a - 2 / 5.3) * (double)region };
	o->side[SIDE_A].classes[REC_ZERO] = (struct class_speed){ 2048, 2 * region, 2 / 5.3 * (double)region };
	o->side[SIDE_B].classes[REC_ZERO] = (struct class_speed){ 10240, 10 * region, 10 / 5.3 * (double)region };
	fixture_smart(f, 41, 44);
	for (int s = 0; s < SIDES; s++) {
		memcpy(o->side[s].pure, o->side[s].classes, sizeof(o->side[s].pure));
		f->result.drives[s].kind = TARGET_FILE;	/* so that nothing is known of extents */
		o->side[s].smart_after.data_units_read.low += 9 * 2098;
	}
}

/* The second story: ten simultaneous rounds over identical bytes. */
static inline void fixture_story_paired(struct fixture *f)
{
	static const double a[10] = { 5506, 5559, 5481, 5405, 5378, 5440, 5430, 5606, 5472, 5507 };
	static const double b[10] = { 5295, 5241, 5220, 5154, 5165, 5180, 5236, 5266, 5212, 5197 };
	size_t w;

	fixture_start(f);
	w = fixture_workload(f, "seq-read-1m", "read", 1 << 20);
	for (size_t i = 0; i < 10; i++)
		fixture_round(f, w, true, a[i], b[i]);
	fixture_smart(f, 43, 48);
	fixture_links(f);
	fixture_blocks(f);
}

#endif
