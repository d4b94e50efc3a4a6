/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations on the host's side: CPU, power, queue settings, order of the slots, identity. */
#include "hypotheses.h"

#include <stdlib.h>
#include <string.h>

#include "judge-compare.h"
#include "stats-series.h"
#include "stats.h"

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static double cpu_percent(const struct measurement *m)
{
	return m->usable ? m->user_cpu_percent + m->system_cpu_percent : NAN;
}

/* Least mean occupancy of a queue that was meant to hold more than one. */
static double least_occupancy(const struct judging *j)
{
	double least = NAN;

	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_case *c = &j->cases[w];
		double depth = c->plan ? (double)c->plan->iodepth * (double)c->plan->numjobs : NAN;

		for (size_t i = 0; depth > 1 && i < c->result->observations_count; i++) {
			for (int s = 0; s < SIDES; s++) {
				const struct measurement *m = &c->result->observations[i].side[s];

				if (m->usable)
					least = fmin(least, stats_occupancy(m->iops, m->latency_mean_ns, depth));
			}
		}
	}
	return least;
}

void host_cpu_bound(struct judging *j, struct ledger_row *row, struct finding *f)
{
	double busiest = fmax(judge_max(j, SIDE_A, cpu_percent), judge_max(j, SIDE_B, cpu_percent));
	double occupancy = least_occupancy(j);

	judge_number(j, row, busiest, "busiest_fio_thread_percent");
	judge_number(j, row, occupancy, "least_queue_occupancy");
	point_at_slots(j, row, "/jobs", "fio.json");
	if (isnan(busiest))
		found(j, f, LEDGER_NOT_MEASURED, "fio's CPU figures are missing");
	else if (busiest >= j->limits->cpu_possible_percent)
		found(j, f, LEDGER_POSSIBLE, "a fio thread used %.1f %% of a core", busiest);
	else if (occupancy <= j->limits->queue_occupancy)
		found(j, f, LEDGER_POSSIBLE, "a queue that was meant to be full was %.1f %% full", 100 * occupancy);
	else
		found(j, f, LEDGER_NOT_SUPPORTED, "the busiest fio thread used %.1f %% of a core", busiest);
}

void power_state_apst(struct judging *j, struct ledger_row *row, struct finding *f)
{
	const struct drive *d = j->result->drives;
	int64_t least_depth = INT64_MAX;

	for (size_t i = 0; i < j->result->workloads_count; i++) {
		int64_t depth = j->cases[i].plan ? j->cases[i].plan->iodepth : 1;

		least_depth = depth < least_depth ? depth : least_depth;
	}
	for (int s = 0; s < SIDES; s++) {
		if (!known(d[s].pm_qos_latency_us)) {
			found(j, f, LEDGER_NOT_MEASURED, "the latency tolerance of %s is not known", side_name(s));
			return;
		}
		judge_number(j, row, (double)d[s].pm_qos_latency_us, "latency_tolerance_us_%c", s ? 'b' : 'a');
		judge_evidence(j, row, s ? "/B/pm_qos_latency_us" : "/A/pm_qos_latency_us", "drives.json");
	}
	if (d[SIDE_A].pm_qos_latency_us == 0 && d[SIDE_B].pm_qos_latency_us == 0)
		found(j, f, LEDGER_RULED_OUT, "autonomous power states are off on both drives");
	else if (least_depth > 1)
		found(j, f, LEDGER_NOT_SUPPORTED, "autonomous power states are on, but the queues were never "
		      "meant to be empty within a slot");
	else
		found(j, f, LEDGER_POSSIBLE, "autonomous power states are on, and a workload has one I/O at a "
		      "time");
}

void firmware_differs(struct judging *j, struct ledger_row *row, struct finding *f)
{
	const struct drive *a = &j->result->drives[SIDE_A], *b = &j->result->drives[SIDE_B];

	judge_evidence(j, row, "/A/firmware", "drives.json");
	judge_evidence(j, row, "/B/firmware", "drives.json");
	if (!a->firmware || !b->firmware)
		found(j, f, LEDGER_NOT_MEASURED, "the firmware revision of %s is not known",
		      a->firmware ? "B" : "A");
	else if (!a->model || !b->model)
		found(j, f, LEDGER_NOT_MEASURED, "the model of %s is not known", a->model ? "B" : "A");
	else if (same_text(a->firmware, b->firmware) && same_text(a->model, b->model))
		found(j, f, LEDGER_RULED_OUT, "model and firmware revision are the same");
	else if (same_text(a->model, b->model))
		found(j, f, LEDGER_POSSIBLE, "one model with two firmware revisions, %s on A and %s on B",
		      a->firmware, b->firmware);
	else
		found(j, f, LEDGER_NOT_SUPPORTED, "the models differ, so firmware is part of what is compared");
}

static bool both_known_differ(int64_t a, int64_t b)
{
	return known(a) && known(b) && a != b;
}

/* Only NVMe has formats beside the block size; there they must have been read. */
static bool has_formats(const struct drive *d)
{
	if (d->transport && strncmp(d->transport, "nvme", 4))
		return true;
	return known(d->identify.lba_metadata_bytes) && known(d->identify.lba_relative_performance);
}

void lba_format_differs(struct judging *j, struct ledger_row *row, struct finding *f)
{
	const struct drive *d = j->result->drives;
	const struct identify *a = &d[SIDE_A].identify, *b = &d[SIDE_B].identify;
	int64_t bytes_a = known(a->lba_data_bytes) ? a->lba_data_bytes : d[SIDE_A].logical_block_bytes;
	int64_t bytes_b = known(b->lba_data_bytes) ? b->lba_data_bytes : d[SIDE_B].logical_block_bytes;

	if (!known(bytes_a) || !known(bytes_b) || bytes_a <= 0 || bytes_b <= 0) {
		found(j, f, LEDGER_NOT_MEASURED, "the block size of %s is not known",
		      known(bytes_a) && bytes_a > 0 ? "B" : "A");
		return;
	}
	judge_number(j, row, (double)bytes_a, "lba_data_bytes_a");
	judge_number(j, row, (double)bytes_b, "lba_data_bytes_b");
	judge_evidence(j, row, "/A/logical_block_bytes", "drives.json");
	judge_evidence(j, row, "/B/logical_block_bytes", "drives.json");
	if (bytes_a != bytes_b || both_known_differ(a->lba_metadata_bytes, b->lba_metadata_bytes) ||
	    both_known_differ(a->lba_relative_performance, b->lba_relative_performance))
		found(j, f, LEDGER_POSSIBLE, "logical blocks have %lld bytes on A and %lld on B, or their "
		      "metadata or relative performance differ", (long long)bytes_a, (long long)bytes_b);
	else if (has_formats(&d[SIDE_A]) && has_formats(&d[SIDE_B]))
		found(j, f, LEDGER_RULED_OUT, "both have logical blocks of %lld bytes%s", (long long)bytes_a,
		      known(a->lba_metadata_bytes) ? ", and the same metadata and relative performance" : "");
	else
		found(j, f, LEDGER_NOT_SUPPORTED, "both have logical blocks of %lld bytes; metadata and relative "
		      "performance were not read on both", (long long)bytes_a);
}

static const struct queue_setting {
	const char *name;
	size_t offset;
	bool text;
} queue_settings[] = {
	{ "scheduler", offsetof(struct drive, scheduler), true },
	{ "write_cache", offsetof(struct drive, write_cache), true },
	{ "nr_requests", offsetof(struct drive, nr_requests), false },
	{ "max_sectors_kib", offsetof(struct drive, max_sectors_kib), false },
	{ "nomerges", offsetof(struct drive, nomerges), false },
	{ "rq_affinity", offsetof(struct drive, rq_affinity), false },
	{ "read_ahead_kib", offsetof(struct drive, read_ahead_kib), false },
	{ "wbt_latency_us", offsetof(struct drive, wbt_latency_us), false },
};

/* -1: unknown on one side, else whether it differs. */
static int setting_differs(const struct judging *j, const struct queue_setting *q)
{
	const char *a = (const char *)&j->result->drives[SIDE_A] + q->offset;
	const char *b = (const char *)&j->result->drives[SIDE_B] + q->offset;

	if (q->text) {
		const char *x = *(char *const *)a, *y = *(char *const *)b;

		return x && y ? strcmp(x, y) != 0 : -1;
	}
	if (!known(*(const int64_t *)a) || !known(*(const int64_t *)b))
		return -1;
	return *(const int64_t *)a != *(const int64_t *)b;
}

void queue_settings_differ(struct judging *j, struct ledger_row *row, struct finding *f)
{
	_cleanup_text_ struct text differing = { 0 };
	int compared = 0;

	for (size_t i = 0; i < sizeof(queue_settings) / sizeof(*queue_settings); i++) {
		int differs = setting_differs(j, &queue_settings[i]);

		compared += differs >= 0;
		if (differs == 1)
			text_printf(&differing, "%s%s", differing.data ? ", " : "", queue_settings[i].name);
	}
	j->failed |= differing.failed;
	judge_number(j, row, compared, "settings_compared");
	judge_evidence(j, row, "/A", "drives.json");
	judge_evidence(j, row, "/B", "drives.json");
	if (!compared)
		found(j, f, LEDGER_NOT_MEASURED, "the queue settings are not known");
	else if (differing.data)
		found(j, f, LEDGER_POSSIBLE, "these settings differ: %s", differing.data);
	else if ((size_t)compared < sizeof(queue_settings) / sizeof(*queue_settings))
		found(j, f, LEDGER_NOT_SUPPORTED, "%d of %zu settings are known on both, and those are equal",
		      compared, sizeof(queue_settings) / sizeof(*queue_settings));
	else
		found(j, f, LEDGER_RULED_OUT, "all %d settings are equal", compared);
}

#define ALIGNMENT_BYTES 4096

static bool misaligned(const struct drive *d, const struct workload *w)
{
	if (known(d->partition_start_bytes) && d->partition_start_bytes % ALIGNMENT_BYTES)
		return true;
	for (size_t i = 0; i < w->ranges_count; i++) {
		if (w->ranges[i].offset_bytes % ALIGNMENT_BYTES)
			return true;
	}
	return known(w->block_bytes) && w->block_bytes % ALIGNMENT_BYTES != 0;
}

void misalignment(struct judging *j, struct ledger_row *row, struct finding *f)
{
	bool writes = false, any = false, looked = false, unknown = false, somewhere = false;

	for (size_t i = 0; i < j->result->workloads_count; i++) {
		const struct workload *w = j->cases[i].plan;

		for (int s = 0; w && s < SIDES; s++) {
			bool bad = misaligned(&j->result->drives[s], w);

			looked = true;
			unknown |= !known(w->block_bytes);
			somewhere |= !known(j->result->drives[s].partition_start_bytes);
			any |= bad;
			writes |= bad && w->writes;
		}
	}
	judge_evidence(j, row, "/A/partition_start_bytes", "drives.json");
	judge_evidence(j, row, "/workloads", "plan.json");
	if (!looked)
		found(j, f, LEDGER_NOT_MEASURED, "no workload is known");
	else if (any)
		found(j, f, writes ? LEDGER_SUPPORTED : LEDGER_POSSIBLE,
		      "a partition, an offset or a block size is not a multiple of 4096 bytes");
	else if (unknown)
		found(j, f, LEDGER_NOT_MEASURED, "a workload has several block sizes, which were not looked at");
	else if (somewhere)
		found(j, f, LEDGER_NOT_SUPPORTED, "every offset and block size is a multiple of 4096 bytes; where the "
		      "target begins on its device is not known");
	else
		found(j, f, LEDGER_RULED_OUT, "every offset and block size is a multiple of 4096 bytes");
}

void numa_distance(struct judging *j, struct ledger_row *row, struct finding *f)
{
	const struct drive *a = &j->result->drives[SIDE_A], *b = &j->result->drives[SIDE_B];

	judge_evidence(j, row, "/A/numa_node", "drives.json");
	judge_evidence(j, row, "/B/numa_node", "drives.json");
	if (!known(a->numa_node) || !known(b->numa_node))
		found(j, f, LEDGER_NOT_MEASURED, "the NUMA node of %s is not known",
		      known(a->numa_node) ? "B" : "A");
	else if (a->numa_node == b->numa_node)
		found(j, f, LEDGER_RULED_OUT, "both drives are on node %lld", (long long)a->numa_node);
	else
		found(j, f, LEDGER_POSSIBLE, "A is on node %lld, B on node %lld", (long long)a->numa_node,
		      (long long)b->numa_node);
}

/* Smallest p over the workloads, for all of them; sets the two means of that one. */
struct order_view {
	size_t single, a_first, b_first, tested;
	double p, gap_percent;
};

static void look_at_order(struct judging *j, const struct workload_case *c, struct order_view *o)
{
	struct round_values v;
	struct stats_two_groups g;
	double *d;
	size_t na = 0, nb = 0;

	if (round_values_get(c->result, false, offsetof(struct measurement, bw_bytes_per_s), SUBSET_ALL, &v)) {
		j->failed = true;
		return;
	}
	d = calloc(2 * v.n + 1, sizeof(*d));
	for (size_t i = 0; d && i < v.n; i++)
		*(v.a_first[i] ? &d[na++] : &d[v.n + nb++]) = log(v.a[i] / v.b[i]);
	o->single += v.n;
	o->a_first += na;
	o->b_first += nb;
	if (d && !stats_pooled_t(d, na, d + v.n, nb, &g)) {
		o->tested++;
		if (!(g.p >= o->p)) {
			o->p = g.p;
			o->gap_percent = 100 * expm1(fabs(g.difference) / 2);
		}
	}
	j->failed |= !d;
	free(d);
	round_values_free(&v);
}

/* Planned, or there without being usable. */
static bool has_single(const struct judging *j)
{
	for (size_t i = 0; i < j->result->plan.slots_count; i++)
		if (j->result->plan.slots[i].mode != MODE_AB)
			return true;
	for (size_t i = 0; i < j->result->workloads_count; i++)
		for (size_t k = 0; k < j->result->workloads[i].observations_count; k++)
			if (!j->result->workloads[i].observations[k].concurrent)
				return true;
	return false;
}

void order_effects(struct judging *j, struct ledger_row *row, struct finding *f)
{
	struct order_view o = { .p = NAN, .gap_percent = NAN };
	double p;

	for (size_t i = 0; i < j->result->workloads_count; i++)
		look_at_order(j, &j->cases[i], &o);
	p = fmin(1, o.p * (double)o.tested);	/* the smallest of so many */
	judge_number(j, row, (double)o.a_first, "rounds_a_first");
	judge_number(j, row, (double)o.b_first, "rounds_b_first");
	judge_number(j, row, o.tested ? p : NAN, "p_order");
	judge_evidence(j, row, "/slots", "plan.json");
	if (!j->result->workloads_count || (!o.single && !j->verdict->comparisons_count))
		found(j, f, LEDGER_NOT_MEASURED, "there are no rounds");
	else if (!o.single && has_single(j))
		found(j, f, LEDGER_NOT_MEASURED, "no single round is usable");
	else if (!o.single)
		found(j, f, LEDGER_RULED_OUT, "both drives ran at once in every round");
	else if (o.single < 2 || (!o.tested && o.a_first && o.b_first))
		found(j, f, LEDGER_NOT_MEASURED, "too few single rounds in each order");
	else if (!o.a_first || !o.b_first)
		found(j, f, LEDGER_POSSIBLE, "%s ran first in every round", o.a_first ? "A" : "B");
	else if (p < j->limits->alpha)
		found(j, f, judge_cap_by_gate(j, LEDGER_SUPPORTED), "the drive that ran first was off by "
		      "%.1f %% (p %.2g, %zu rounds A first, %zu B first); the order is balanced, so the ratio is "
		      "still fair",
		      o.gap_percent, p, o.a_first, o.b_first);
	else
		found(j, f, LEDGER_NOT_SUPPORTED, "%zu rounds began with A and %zu with B, and did not differ "
		      "(p %.2g)", o.a_first, o.b_first, p);
}

void capacity_or_model_differs(struct judging *j, struct ledger_row *row, struct finding *f)
{
	const struct drive *a = &j->result->drives[SIDE_A], *b = &j->result->drives[SIDE_B];
	bool capacities = known(a->capacity_bytes) && known(b->capacity_bytes);

	if (capacities) {
		judge_number(j, row, (double)a->capacity_bytes, "capacity_bytes_a");
		judge_number(j, row, (double)b->capacity_bytes, "capacity_bytes_b");
	}
	judge_evidence(j, row, "/A/model", "drives.json");
	judge_evidence(j, row, "/B/model", "drives.json");
	if (!a->model || !b->model || !capacities)
		found(j, f, LEDGER_NOT_MEASURED, "model or capacity is not known on both");
	else if (!same_text(a->model, b->model) || a->capacity_bytes != b->capacity_bytes)
		found(j, f, LEDGER_NOT_SUPPORTED, "models or capacities differ, so different products are "
		      "compared: that is what the comparison is about");
	else
		found(j, f, LEDGER_RULED_OUT, "model and capacity are the same");
}
