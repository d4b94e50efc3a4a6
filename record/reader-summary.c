/* SPDX-License-Identifier: BSD-2-Clause */
/* What the reader knows besides records: files, totals, histograms, digest, temperature. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "record/reader-private.h"

size_t rec_file_count(const struct rec_reader *r)
{
	return r->file_count;
}

const struct rec_file *rec_file(const struct rec_reader *r, size_t index)
{
	return index < r->file_count ? &r->files[index] : NULL;
}

const struct rec_total *rec_total(const struct rec_reader *r, enum rec_direction dir,
				  enum rec_state state)
{
	return &r->totals[rec_row(dir, state)];
}

void rec_total_direction(const struct rec_reader *r, enum rec_direction dir, struct rec_total *sum)
{
	unsigned int states = dir <= REC_WRITE ? REC_STATES : 1;

	memset(sum, 0, sizeof(*sum));
	sum->latency_min_ns = UINT64_MAX;
	for (unsigned int s = 0; s < states; s++) {
		const struct rec_total *t = rec_total(r, dir, (enum rec_state)s);

		sum->ios += t->ios;
		sum->bytes += t->bytes;
		sum->busy_ns += t->busy_ns;
		sum->latency_ios += t->latency_ios;
		sum->latency_sum_ns += t->latency_sum_ns;
		sum->unit_bytes += t->unit_bytes;
		if (t->latency_min_ns < sum->latency_min_ns)
			sum->latency_min_ns = t->latency_min_ns;
		if (t->latency_max_ns > sum->latency_max_ns)
			sum->latency_max_ns = t->latency_max_ns;
	}
}

const uint64_t *rec_histogram(const struct rec_reader *r, enum rec_direction dir,
			      enum rec_state state)
{
	return r->histogram + (size_t)rec_row(dir, state) * REC_BUCKETS;
}

int rec_histogram_quantile(const uint64_t *histogram, double share, uint64_t *latency_ns)
{
	uint64_t sum = 0, seen = 0, want;

	for (unsigned int i = 0; i < REC_BUCKETS; i++)
		sum += histogram[i];
	if (!sum)
		return -ENODATA;
	want = (uint64_t)ceil(share * (double)sum);
	if (want < 1)
		want = 1;
	if (want > sum)
		want = sum;
	for (unsigned int i = 0; i < REC_BUCKETS; i++) {
		seen += histogram[i];
		if (seen >= want) {
			*latency_ns = rec_bucket_ns(i + 1) - 1;
			return 0;
		}
	}
	return -ENODATA;
}

const struct rec_bin *rec_bins(const struct rec_reader *r, enum rec_direction dir)
{
	return dir <= REC_TRIM ? r->bins + (size_t)dir * REC_BINS : NULL;
}

const uint64_t *rec_compress(const struct rec_reader *r, enum rec_direction dir)
{
	return dir <= REC_WRITE ? r->compress + (size_t)dir * REC_E_BUCKETS : NULL;
}

const struct rec_stream *rec_stream(const struct rec_reader *r)
{
	return &r->stream;
}

const struct rec_temperature *rec_temperatures(const struct rec_reader *r, size_t *count)
{
	*count = r->temperature_count;
	return r->temperatures;
}

int rec_temperature_at(const struct rec_reader *r, uint64_t time_ns, int32_t *millidegree_c)
{
	uint64_t near_ns = r->header.temperature_interval_ns;
	const struct rec_temperature *before = NULL, *after = NULL, *t;
	size_t low = 0, high = r->temperature_count;

	near_ns = near_ns > UINT64_MAX / 2 ? UINT64_MAX : 2 * near_ns;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (r->temperatures[mid].time_ns <= time_ns)
			low = mid + 1;
		else
			high = mid;
	}
	if (low > 0 && time_ns - r->temperatures[low - 1].time_ns <= near_ns)
		before = &r->temperatures[low - 1];
	if (low < r->temperature_count && r->temperatures[low].time_ns - time_ns <= near_ns)
		after = &r->temperatures[low];
	if (before && after && after->time_ns > before->time_ns) {
		double part = (double)(time_ns - before->time_ns) /
			      (double)(after->time_ns - before->time_ns);
		double step = (double)after->millidegree_c - before->millidegree_c;

		*millidegree_c = (int32_t)(before->millidegree_c + step * part);
		return 0;
	}
	t = before ? before : after;
	if (!t)
		return -ENODATA;
	*millidegree_c = t->millidegree_c;
	return 0;
}
