/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of a side, second by second, beside the temperature. */
#include "gather-slot.h"

#include <errno.h>
#include <stdlib.h>

#include "record/reader.h"
#include "series.h"

#define NS_PER_SECOND 1000000000u
#define MOST_SECONDS 1000000u
/* Thresholds are whole Kelvin less 273; the kernel takes 273.15 off the drive's temperature. */
#define KERNEL_LESS_MILLIDEGREES 150

/* One record file: whole seconds only, as the first and the last one are cut. */
struct seconds {
	double *bytes;
	bool *hot;
	size_t count;
	double state_bytes[DATA_STATES], all_bytes;
	bool temperature_known;
	double hot_seconds;
};

static int add_records(struct rec_reader *reader, uint64_t first, struct seconds *s)
{
	struct rec_record r;
	int ret;

	while ((ret = rec_next(reader, &r)) > 0) {
		uint64_t second = r.time_ns / NS_PER_SECOND;

		if (r.error)
			continue;
		s->state_bytes[r.state] += r.length;
		s->all_bytes += r.length;
		if (second >= first && second - first < s->count)
			s->bytes[second - first] += r.length;
	}
	return ret;
}

static void add_temperatures(const struct rec_reader *reader, uint64_t first, double threshold_c,
			     struct seconds *s)
{
	for (size_t i = 0; i < s->count; i++) {
		int32_t millidegree_c;

		if (rec_temperature_at(reader, (first + i) * NS_PER_SECOND + NS_PER_SECOND / 2, &millidegree_c))
			continue;
		s->temperature_known = true;
		s->hot[i] = (millidegree_c + KERNEL_LESS_MILLIDEGREES) / 1000.0 >= threshold_c;
		s->hot_seconds += s->hot[i];
	}
}

/* Over unlike data a change of speed may be the data's. */
static bool one_state(const struct seconds *s)
{
	for (int k = REC_ZERO; k < DATA_STATES; k++) {
		if (s->state_bytes[k] >= 0.95 * s->all_bytes)
			return s->all_bytes > 0;
	}
	return false;
}

static int read_seconds(struct rec_reader *reader, double threshold_c, struct measurement *m)
{
	const struct rec_header *h = rec_header(reader);
	uint64_t first, last = h->live.time_ns / NS_PER_SECOND;
	struct seconds s = { 0 };
	int ret = -ENOMEM;

	if (h->first_submit_ns == UINT64_MAX)
		return 0;
	first = h->first_submit_ns / NS_PER_SECOND + 1;
	if (last <= first || last - first > MOST_SECONDS)
		return 0;
	s.count = last - first;
	s.bytes = calloc(s.count, sizeof(*s.bytes));
	s.hot = calloc(s.count, sizeof(*s.hot));
	if (s.bytes && s.hot)
		ret = add_records(reader, first, &s);
	if (!ret) {
		add_temperatures(reader, first, threshold_c, &s);
		if (one_state(&s)) {
			m->within_run_drop = fmax(m->within_run_drop, series_drop(s.bytes, s.count));
			m->speed_when_hot_ratio = fmin(m->speed_when_hot_ratio,
						       series_hot_ratio(s.bytes, s.hot, s.count));
		}
		if (s.temperature_known && !isnan(threshold_c))
			m->seconds_at_threshold = s.hot_seconds +
				(isnan(m->seconds_at_threshold) ? 0 : m->seconds_at_threshold);
	}
	free(s.bytes);
	free(s.hot);
	return ret == -ENOMEM ? ret : 0;
}

int gather_series(const struct record_files *files, double threshold_c, struct measurement *m)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < files->count; i++) {
		struct rec_reader *reader;

		if (files->files[i].clone)	/* clones run at the same time as the first */
			continue;
		ret = rec_open(files->files[i].path, &reader);
		if (!ret) {
			ret = read_seconds(reader, threshold_c, m);
			rec_close(reader);
		} else if (ret != -ENOMEM) {
			ret = 0;	/* gather_records has said so */
		}
	}
	return ret;
}
