/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses ranges, times and the order of slots. */
#include "plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "jobfile.h"
#include "model-json.h"
#include "plan-slots.h"
#include "suite.h"
#include "survey.h"

#define LEAST_ROUNDS 6
#define MATCHED_RANGES 8
#define LONGEST_RUNTIME_NS (INT64_C(86400) * 1000000000)
#define LEAST_RUNTIME_NS INT64_C(200000000)

static int64_t side_bytes(const struct drive *d)
{
	return d->kind == TARGET_BLOCK ? d->capacity_bytes : d->file_bytes;
}

static int smaller_side(const struct plan_request *r, int64_t *bytes)
{
	*bytes = INT64_MAX;
	for (int s = 0; s < SIDES; s++) {
		int64_t n = r->drives[s] ? side_bytes(r->drives[s]) : INT64_MAX;

		if (!known(n) || n <= 0)
			return fail(-EINVAL, "%s: its size is not known or 0", r->drives[s]->target);
		if (n < *bytes)
			*bytes = n;
	}
	return 0;
}

static int64_t block_of(const struct drive *d)
{
	return d && known(d->logical_block_bytes) ? d->logical_block_bytes : 512;
}

static int64_t alignment(const struct plan_request *r)
{
	int64_t a = block_of(r->drives[SIDE_A]), b = block_of(r->drives[SIDE_B]);
	int64_t align = a > b ? a : b;

	return align > r->page_bytes ? align : r->page_bytes;
}

static int check_block(const struct plan_request *r, const struct workload *w)
{
	for (int s = 0; s < SIDES; s++) {
		int64_t block = block_of(r->drives[s]);

		if (!r->drives[s] || !w->direct || !known(w->block_bytes) || w->block_bytes % block == 0)
			continue;
		return fail(-EINVAL, "workload %s: blocks of %lld bytes are not possible on %s, whose logical block "
			    "is %lld bytes: use a bs that is a multiple of it", w->name,
			    (long long)w->block_bytes, r->drives[s]->target, (long long)block);
	}
	return 0;
}

/* `count` ranges of equal length, spread evenly over `bytes` from offset 0. */
static int spread_ranges(struct workload *w, int64_t bytes, int64_t count, int64_t length, int64_t align)
{
	if (known(w->block_bytes) && w->block_bytes > align)
		align = w->block_bytes;
	if (length > bytes / count)
		length = bytes / count;
	while (count > 1 && length / align < 1) {
		count--;
		length = bytes / count;
	}
	length -= length % align;
	if (length <= 0)
		return fail(-EINVAL, "workload %s: the smaller side has %lld bytes, too few for one block of %lld",
			    w->name, (long long)bytes, (long long)align);
	w->ranges = calloc((size_t)count, sizeof(*w->ranges));
	if (!w->ranges)
		return -ENOMEM;
	w->ranges_count = (size_t)count;
	for (int64_t i = 0; i < count; i++) {
		/* 128 bits: drives of many TB times the index */
		int64_t at = count == 1 ? 0 : (int64_t)((__int128)(bytes - length) * i / (count - 1));

		w->ranges[i] = (struct range){ at - at % align, length };
	}
	return 0;
}

/* "offset=" or "size=" of a job, in bytes or as a share of the smaller side. */
static int own_value(const struct workload *w, const char *name, int64_t bytes, int64_t unset, int64_t *value)
{
	const char *s = jobfile_option(&w->options, name);
	char *end;
	uint64_t v;
	double percent;

	*value = unset;
	if (!s)
		return 0;
	percent = strtod(s, &end);
	if (!strcmp(end, "%") && percent > 0 && percent <= 100)
		*value = (int64_t)((double)bytes * percent / 100);
	else if (!text_to_bytes(s, &v) && v <= (uint64_t)bytes)
		*value = (int64_t)v;
	else
		return fail(-EINVAL, "workload %s: %s=%s does not fit the smaller side (%lld bytes)", w->name, name, s,
			    (long long)bytes);
	return 0;
}

static int own_range(struct workload *w, int64_t bytes, int64_t align)
{
	int64_t offset, size;
	int ret = own_value(w, "offset", bytes, 0, &offset);

	offset -= offset % align;
	if (!ret)
		ret = own_value(w, "size", bytes, bytes - offset, &size);
	if (ret)
		return ret;
	if (size > bytes - offset)
		size = bytes - offset;
	size -= size % align;
	if (size <= 0 || (known(w->block_bytes) && size < w->block_bytes))
		return fail(-EINVAL, "workload %s: no block fits between its offset and the end of the smaller side",
			    w->name);
	w->ranges = calloc(1, sizeof(*w->ranges));
	if (!w->ranges)
		return -ENOMEM;
	w->ranges[0] = (struct range){ offset, size };
	w->ranges_count = 1;
	return 0;
}

/* Inside what a survey found to be of one kind on both sides; a job of the user's has one range a piece. */
static int matched_ranges(const struct plan_request *r, struct workload *w)
{
	bool own = r->suite->own_ranges;
	int64_t align = alignment(r), count = own ? MATCHED_RANGES : r->suite->ranges;
	int ret;

	if (own && (jobfile_option(&w->options, "offset") || jobfile_option(&w->options, "size")))
		return fail(-EINVAL, "workload %s: with --matched, offset and size come from the survey: take them out of "
			    "the job", w->name);
	if (known(w->block_bytes) && w->block_bytes > align)
		align = w->block_bytes;
	ret = survey_spread(r->matched, count, own ? INT64_MAX : r->suite->range_bytes, align, &w->ranges,
			    &w->ranges_count);
	if (ret == -EINVAL)
		return fail(ret, "workload %s: no block of %lld bytes fits into a range that matches", w->name,
			    (long long)align);
	return ret;
}

static int copy_workload(const struct workload *from, struct workload *to)
{
	*to = *from;
	to->name = strdup(from->name);
	to->job_file = strdup(from->job_file);
	to->rw = strdup(from->rw);
	to->options = (struct strings){ 0 };
	to->ranges = NULL;
	to->ranges_count = 0;
	for (size_t i = 0; i < from->options.count; i++)
		if (strings_add(&to->options, from->options.items[i]))
			return -ENOMEM;
	return to->name && to->job_file && to->rw ? 0 : -ENOMEM;
}

/* --runtime for a job that says itself how long it runs; one that ends by bytes stays as it is. */
static int own_runtime(const struct plan_request *r, struct workload *w)
{
	char *text;

	if (!known(r->range_runtime_ns) || !known(w->runtime_ns))
		return 0;
	w->runtime_ns = r->range_runtime_ns;
	for (size_t i = 0; i < w->options.count; i++) {
		if (strncmp(w->options.items[i], "runtime=", 8))
			continue;
		text = text_format("runtime=%lldus", (long long)(w->runtime_ns / 1000));
		if (!text)
			return -ENOMEM;
		free(w->options.items[i]);
		w->options.items[i] = text;
	}
	return 0;
}

static int add_workload(const struct plan_request *r, const struct workload *from, int64_t bytes,
			struct plan *plan)
{
	struct workload *w = &plan->workloads[plan->workloads_count++];
	int ret = copy_workload(from, w);

	for (size_t i = 0; !ret && i + 1 < plan->workloads_count; i++)
		if (!strcmp(plan->workloads[i].name, w->name))
			ret = fail(-EINVAL, "%s: two sections are named %s: give each its own name", w->job_file,
				   w->name);
	if (!ret)
		ret = check_block(r, w);
	if (ret)
		return ret;
	if (r->suite->own_ranges)
		ret = own_runtime(r, w);
	if (ret)
		return ret;
	if (r->suite->own_ranges)
		return r->matched ? matched_ranges(r, w) : own_range(w, bytes, alignment(r));
	w->timed = true;
	w->runtime_ns = known(r->range_runtime_ns) ? r->range_runtime_ns : r->suite->range_runtime_ns;
	if (w->runtime_ns > LONGEST_RUNTIME_NS)
		return fail(-EINVAL, "%lld s for one range is more than a day: give a shorter --runtime",
			    (long long)(w->runtime_ns / 1000000000));
	w->ramp_ns = r->suite->range_ramp_ns;
	w->io_bytes = r->suite->range_io_bytes;
	return r->matched ? matched_ranges(r, w) :
	       spread_ranges(w, bytes, r->suite->ranges, r->suite->range_bytes, alignment(r));
}

static int fit_time(const struct plan_request *r, struct plan *plan)
{
	int64_t budget = r->budget_ns;

	if (!known(budget))
		return 0;
	for (size_t i = 0; i < plan->workloads_count; i++)
		if (!known(plan->workloads[i].runtime_ns))
			return fail(-EINVAL, "workload %s: without runtime= nothing bounds its time, so it cannot keep a "
				    "budget of time: set it in the job", plan->workloads[i].name);
	while (plan_total_ns(r, plan) > budget) {
		bool shorter = false;

		for (size_t i = 0; i < plan->workloads_count; i++) {
			struct workload *w = &plan->workloads[i];

			if (!w->timed || w->runtime_ns * 9 / 10 < LEAST_RUNTIME_NS)
				continue;
			w->runtime_ns = w->runtime_ns * 9 / 10;
			shorter = true;
		}
		if (shorter)
			continue;
		if (plan->rounds <= LEAST_ROUNDS)
			return fail(-EINVAL, "a budget of %lld s is too small: %d rounds of this suite take %lld s",
				    (long long)(budget / 1000000000), (int)plan->rounds,
				    (long long)(plan_total_ns(r, plan) / 1000000000 + 1));
		plan->rounds--;
	}
	return 0;
}

static int fit_bytes(const struct plan_request *r, struct plan *plan)
{
	int64_t bytes = 0, share, before = plan_fingerprint_bytes(r, plan);

	if (known(r->budget_bytes)) {
		if (before >= r->budget_bytes)
			return fail(-EINVAL, "a budget of %lld bytes is too small: the fingerprint pass alone reads %lld",
				    (long long)r->budget_bytes, (long long)before);
		share = (r->budget_bytes - before) / plan_side_slots(r, plan) / (int64_t)plan->workloads_count;
		for (size_t i = 0; i < plan->workloads_count; i++) {
			struct workload *w = &plan->workloads[i];
			int64_t least = known(w->block_bytes) ? w->block_bytes : 4096;
			int64_t limit = share / (int64_t)w->ranges_count / (w->numjobs > 0 ? w->numjobs : 1);

			if (jobfile_option(&w->options, "loops") || jobfile_option(&w->options, "time_based") ||
			    jobfile_option(&w->options, "ramp_time"))
				return fail(-EINVAL, "workload %s: loops, time_based and ramp_time do not go with a budget "
					    "of bytes: take them out of the job", w->name);
			if (limit < least)
				return fail(-EINVAL, "a budget of %lld bytes is too small: it leaves less than one block of "
					    "%s for each range", (long long)r->budget_bytes, w->name);
			if (!known(w->io_bytes) || w->io_bytes > limit)
				w->io_bytes = limit - limit % least;
		}
	}
	for (size_t i = 0; i < plan->workloads_count && known(bytes); i++) {
		const struct workload *w = &plan->workloads[i];

		bytes = known(w->io_bytes) ?
			bytes + w->io_bytes * (int64_t)w->ranges_count * w->numjobs * plan_side_slots(r, plan) :
			UNKNOWN_I64;
	}
	plan->expected_bytes = known(bytes) ? bytes + before : UNKNOWN_I64;
	return 0;
}

static int fill(const struct plan_request *r, struct plan *plan)
{
	int64_t bytes;
	int ret = smaller_side(r, &bytes);

	plan->workloads = calloc(r->suite->workloads_count, sizeof(*plan->workloads));
	if (!plan->workloads)
		return -ENOMEM;
	for (size_t i = 0; !ret && i < r->suite->workloads_count; i++)
		ret = add_workload(r, &r->suite->workloads[i], bytes, plan);
	if (!ret)
		ret = fit_time(r, plan);
	if (!ret)
		ret = fit_bytes(r, plan);
	if (!ret)
		ret = plan_order_slots(r, plan);
	plan->expected_ns = plan_total_ns(r, plan);
	return ret;
}

int plan_make(const struct plan_request *r, struct plan *plan)
{
	int ret;

	*plan = (struct plan){ .suite = strdup(r->suite->name), .base_engine = strdup(r->base_engine),
			       .classify = strdup(r->classify), .seed = r->seed,
			       .cpus_a = r->cpus[SIDE_A] ? strdup(r->cpus[SIDE_A]) : NULL,
			       .cpus_b = r->cpus[SIDE_B] ? strdup(r->cpus[SIDE_B]) : NULL,
			       .cpus_alternate = r->cpus_alternate, .one_side = !r->drives[SIDE_B],
			       .record_budget_bytes = r->suite->record_budget_bytes,
			       .rounds = known(r->rounds) ? r->rounds : r->suite->rounds,
			       .fingerprint = strdup(r->fingerprint ? r->fingerprint : "during"),
			       .calibration = r->calibration, .until = r->until ? strdup(r->until) : NULL,
			       .pilot_rounds = r->until ? PLAN_PILOT_ROUNDS : UNKNOWN_I64,
			       .budget_ns = r->budget_ns, .budget_bytes = r->budget_bytes };
	ret = plan->suite && plan->base_engine && plan->classify && plan->fingerprint ? 0 : -ENOMEM;
	if (!ret)
		ret = thresholds_plan(&r->suite->thresholds, plan);
	if (!ret && plan->rounds > PLAN_MOST_ROUNDS)
		ret = fail(-EINVAL, "%lld rounds are too many: at most %d", (long long)plan->rounds, PLAN_MOST_ROUNDS);
	if (!ret && r->until && plan->rounds < LEAST_ROUNDS)
		ret = fail(-EINVAL, "with --until, --rounds is the bound: give at least %d", LEAST_ROUNDS);
	if (!ret)
		ret = fill(r, plan);
	if (ret)
		fields_free(plan_fields, plan);
	return ret;
}
