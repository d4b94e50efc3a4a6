/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A survey from beginning to end: draw, read, ask, count, match. */
#include "survey.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fail.h"
#include "interrupt.h"
#include "stats-random.h"

static int64_t size_of(const struct drive *d)
{
	return d->kind == TARGET_BLOCK ? d->capacity_bytes : d->file_bytes;
}

static char *copy(const char *s)
{
	return s ? strdup(s) : NULL;
}

/* Who it is: what survey_check_drives compares later, and how it is shown. */
static int describe(const struct drive *d, struct survey_drive *out)
{
	*out = (struct survey_drive){
		.target = copy(d->target), .model = copy(d->model), .serial = copy(d->serial),
		.transport = copy(d->transport), .namespace_id = d->namespace_id, .capacity_bytes = size_of(d),
		.partition_start_bytes = d->partition_start_bytes, .file_device = d->file_device,
		.file_inode = d->file_inode,
	};
	return out->target ? 0 : -ENOMEM;
}

static int64_t block_of(const struct survey_request *r)
{
	int64_t block = STATE_UNIT_BYTES;

	for (int s = 0; s < SIDES; s++)
		if (r->drives[s] && known(r->drives[s]->logical_block_bytes) &&
		    r->drives[s]->logical_block_bytes > block)
			block = r->drives[s]->logical_block_bytes;
	return block;
}

static int common_bytes(const struct survey_request *r, int64_t block, int64_t *bytes)
{
	*bytes = INT64_MAX;
	for (int s = 0; s < SIDES && r->drives[s]; s++) {
		int64_t n = size_of(r->drives[s]);

		if (!known(n))
			return fail(-EINVAL, "survey: the size of %s is not known", r->drives[s]->target);
		if (n < block)
			return fail(-EINVAL, "survey: %s has %lld bytes, less than one block of %lld",
				    r->drives[s]->target, (long long)n, (long long)block);
		if (n < *bytes)
			*bytes = n;
	}
	return 0;
}

/* Samples of one range, so that all of them keep to the bound of bytes. */
static int fit_samples(const struct survey_request *r, int64_t block, size_t ranges, int64_t *samples)
{
	int64_t sides = r->drives[SIDE_B] ? 2 : 1, most;

	*samples = r->samples;
	if (!known(r->budget_bytes))
		return 0;
	most = r->budget_bytes / block / sides / (int64_t)ranges;
	if (most < 1)
		return fail(-EINVAL, "survey: a bound of %lld bytes is too small: one block of each of %zu ranges takes "
			    "%lld", (long long)r->budget_bytes, ranges, (long long)(block * sides * (int64_t)ranges));
	if (most < *samples)
		*samples = most;
	return 0;
}

static int by_pass_and_offset(const void *a, const void *b)
{
	const struct survey_sample *x = a, *y = b;

	if (x->pass != y->pass)
		return x->pass < y->pass ? -1 : 1;
	return (x->offset_bytes > y->offset_bytes) - (x->offset_bytes < y->offset_bytes);
}

static int draw_all(const struct survey_request *r, const struct range *ranges, size_t count, int64_t block,
		    int64_t samples, struct survey_samples *out)
{
	struct stats_random random = { (uint64_t)r->seed };

	out->items = calloc(count * (size_t)samples + 1, sizeof(*out->items));
	out->count = 0;
	for (size_t i = 0; out->items && i < count; i++) {
		uint64_t drawn = 0;
		_cleanup_free_ uint64_t *blocks = survey_draw(&random, (uint64_t)(ranges[i].length_bytes / block),
							      (uint64_t)samples, &drawn);

		if (!blocks)
			return -ENOMEM;
		for (uint64_t k = 0; k < drawn; k++)
			out->items[out->count++] = (struct survey_sample){
				.offset_bytes = ranges[i].offset_bytes + (int64_t)blocks[k] * block,
				.range = (uint32_t)i, .pass = (uint16_t)(k * SURVEY_PASSES / drawn),
				.kind = SURVEY_KINDS };
	}
	if (!out->items)
		return -ENOMEM;
	qsort(out->items, out->count, sizeof(*out->items), by_pass_and_offset);
	return 0;
}

static int set_ranges(const struct range *ranges, size_t count, int64_t block, struct survey_drive *d)
{
	d->ranges = calloc(count, sizeof(*d->ranges));
	if (!d->ranges)
		return -ENOMEM;
	d->ranges_count = count;
	for (size_t i = 0; i < count; i++)
		d->ranges[i] = (struct survey_range){ .offset_bytes = ranges[i].offset_bytes,
						      .length_bytes = ranges[i].length_bytes,
						      .blocks = ranges[i].length_bytes / block };
	return 0;
}

static int64_t deadline_of(const struct survey_request *r, int64_t start_ns, int side)
{
	int64_t share = r->drives[SIDE_B] && side == SIDE_A ? r->budget_ns / 2 : r->budget_ns;

	return known(r->budget_ns) ? start_ns + share : UNKNOWN_I64;
}

static int one_drive(const struct survey_request *r, int side, int64_t start_ns, struct survey *s,
		     struct survey_samples *samples)
{
	const struct drive *drive = r->drives[side];
	struct survey_drive *d = &s->drives[side];
	struct survey_reading reading = { .drive = drive, .block_bytes = s->block_bytes, .page_bytes = r->page_bytes,
					  .deadline_ns = deadline_of(r, start_ns, side),
					  .label = r->quiet ? NULL : drive->target };
	int ret = survey_read(&reading, samples, d);

	if (!ret)
		ret = survey_allocation(r, drive, s->block_bytes, samples, d);
	if (!ret)
		ret = survey_count(samples, r->cells, d);
	if (!ret && d->samples < (int64_t)samples->count && !s->reason) {
		s->complete = false;
		s->reason = interrupt_signal() ? text_format("ended by signal %d", interrupt_signal()) :
						 strdup("its time was over");
	}
	return ret;
}

static char *utc_now(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[32];

	gmtime_r(&now, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return strdup(text);
}

static int run_drawn(const struct survey_request *r, const struct range *ranges, size_t count,
		     struct survey *s)
{
	struct survey_samples samples[SIDES] = { 0 };
	struct timespec t;
	int64_t start_ns;
	int ret = 0;

	clock_gettime(CLOCK_MONOTONIC, &t);
	start_ns = t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
	for (size_t i = 0; !ret && i < s->drives_count; i++) {
		ret = describe(r->drives[i], &s->drives[i]);
		if (!ret)
			ret = set_ranges(ranges, count, s->block_bytes, &s->drives[i]);
		/* the same seed: the same blocks on both */
		if (!ret)
			ret = draw_all(r, ranges, count, s->block_bytes, s->samples_per_range, &samples[i]);
		if (!ret)
			ret = one_drive(r, (int)i, start_ns, s, &samples[i]);
	}
	if (!ret && s->drives_count == SIDES)
		ret = survey_match(samples, s);
	free(samples[SIDE_A].items);
	free(samples[SIDE_B].items);
	return ret;
}

int survey_run(const struct survey_request *r, struct survey *s)
{
	_cleanup_free_ struct range *ranges = NULL;
	int64_t block = block_of(r), bytes;
	size_t count = 0;
	int ret = common_bytes(r, block, &bytes);

	*s = (struct survey){ .seed = r->seed, .block_bytes = block, .started_utc = utc_now(), .complete = true };
	if (!ret)
		ret = survey_ranges(r, bytes, block, &ranges, &count);
	if (!ret)
		ret = fit_samples(r, block, count, &s->samples_per_range);
	if (!ret) {
		s->drives_count = r->drives[SIDE_B] ? 2 : 1;
		s->drives = calloc(s->drives_count, sizeof(*s->drives));
		ret = s->drives ? run_drawn(r, ranges, count, s) : -ENOMEM;
	}
	if (ret)
		survey_free(s);
	return ret == -ENOMEM ? fail(ret, "survey: out of memory") : ret;
}
