/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the record files of one side of one slot: totals by data state, latencies, temperatures. */
#include "gather-slot.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/reader.h"

static int by_range(const void *a, const void *b)
{
	const struct record_file *x = a, *y = b;

	if (x->range != y->range)
		return x->range < y->range ? -1 : 1;
	if (x->clone != y->clone)
		return x->clone < y->clone ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int add_record_file(struct record_files *files, const char *path, const struct rec_header *h)
{
	const char *suffix = strrchr(h->job_name, '-');
	struct record_file *grown = reallocarray(files->files, files->count + 1, sizeof(*grown));
	int64_t range = 0;

	if (!grown)
		return -ENOMEM;
	files->files = grown;
	if (suffix && suffix[1] == 'r' && text_to_i64(suffix + 2, &range))
		range = 0;
	grown[files->count] = (struct record_file){ .path = strdup(path), .range = range, .clone = h->subjob };
	return grown[files->count++].path ? 0 : -ENOMEM;
}

void record_files_free(struct record_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->files[i].path);
	free(files->files);
	*files = (struct record_files){ 0 };
}

struct record_sums {
	uint64_t histogram[REC_BUCKETS];
	uint64_t unclassified_bytes, bytes;
	double clones;
	/* temperature over time, for its slope: time in minutes since the first sample */
	double start_min, n, t, c, tt, tc;
};

static void take_temperatures(const struct rec_reader *reader, struct measurement *m,
			      struct record_sums *sums)
{
	size_t count;
	const struct rec_temperature *t = rec_temperatures(reader, &count);

	for (size_t i = 0; i < count; i++) {
		double c = t[i].millidegree_c / 1000.0, minute;

		if (!m->temperature_samples++)
			m->temperature_start_c = c;
		m->temperature_min_c = fmin(m->temperature_min_c, c);
		m->temperature_max_c = fmax(m->temperature_max_c, c);
		m->temperature_end_c = c;
		minute = ((double)rec_header(reader)->start_realtime_ns + (double)t[i].time_ns) / 60e9;
		if (sums->n++ < 1)
			sums->start_min = minute;
		minute -= sums->start_min;
		sums->t += minute;
		sums->c += c;
		sums->tt += minute * minute;
		sums->tc += minute * c;
	}
}

static void take_times(const struct rec_header *h, struct measurement *m)
{
	int64_t first, last = (int64_t)(h->start_realtime_ns + h->live.time_ns);

	if (h->first_submit_ns == UINT64_MAX)
		return;
	first = (int64_t)(h->start_realtime_ns + h->first_submit_ns);
	if (!known(m->first_io_ns) || first < m->first_io_ns)
		m->first_io_ns = first;
	if (!known(m->last_io_ns) || last > m->last_io_ns)
		m->last_io_ns = last;
}

/* Every I/O of a bin that holds one state counts, looked at or not: what is looked at is no fair sample. */
static int take_pure(struct rec_reader *reader, enum rec_direction d, struct measurement *m, double clones)
{
	struct rec_bin bins[REC_BINS];
	int ret = gather_kinds(reader, d, bins);

	for (int i = 0; !ret && i < REC_BINS; i++) {
		struct class_speed *pure = &m->pure[gather_pure_state(&bins[i])];

		pure->ios += (int64_t)bins[i].ios;
		pure->bytes += (int64_t)bins[i].bytes;
		pure->busy_ns += (double)bins[i].busy_ns / clones;
	}
	return ret;
}

static int take_direction(struct rec_reader *reader, enum rec_direction d, struct measurement *m,
			   struct record_sums *sums)
{
	for (int s = 0; s < DATA_STATES; s++) {
		const struct rec_total *total = rec_total(reader, d, (enum rec_state)s);
		const uint64_t *histogram = rec_histogram(reader, d, (enum rec_state)s);

		m->classes[s].ios += (int64_t)total->ios;
		m->classes[s].bytes += (int64_t)total->bytes;
		m->classes[s].busy_ns += (double)total->busy_ns / sums->clones;
		m->recorded_ios += (int64_t)total->ios;
		sums->bytes += total->bytes;
		if (s == REC_UNCLASSIFIED)
			sums->unclassified_bytes += total->bytes;
		for (int i = 0; i < REC_BUCKETS; i++)
			sums->histogram[i] += histogram[i];
	}
	return take_pure(reader, d, m, sums->clones);
}

/* Syncs and trims take their time, too. */
static double busy_ns(const struct rec_reader *reader)
{
	double sum = 0;

	for (int d = 0; d < REC_DIRECTIONS; d++)
		for (int s = 0; s < (d <= REC_WRITE ? DATA_STATES : 1); s++)
			sum += (double)rec_total(reader, (enum rec_direction)d, (enum rec_state)s)->busy_ns;
	return sum;
}

static int unusable(struct measurement *m, const char *path, const char *why)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *reason = text_format("records/%s %s", slash ? slash + 1 : path, why);

	if (!reason)
		return -ENOMEM;
	measurement_unusable(m, reason);
	return 0;
}

static int take_record_file(const char *path, const struct workload *w, struct measurement *m,
			    struct record_sums *sums, struct record_files *files)
{
	struct rec_reader *reader;
	int ret = rec_open(path, &reader);

	if (ret == -ENOMEM)
		return ret;
	if (ret)
		return unusable(m, path, ret == -EPROTONOSUPPORT ? "is of another version of the engine" :
				ret == -ENODATA ? "is cut" : ret == -EBADMSG ? "is no record file, or damaged" :
				"cannot be read");
	if ((!rec_is_closed(reader) || rec_is_cut(reader)) &&
	    unusable(m, path, "was not ended in order, or is cut")) {
		rec_close(reader);
		return -ENOMEM;
	}
	if (!known(m->recorded_ios))
		m->recorded_ios = m->moved_bytes = m->account.asked_bytes = 0;
	for (int d = 0; d < REC_DIRECTIONS; d++)
		m->moved_bytes += (int64_t)rec_header(reader)->live.bytes[d];
	/* what is trimmed is not transferred */
	m->account.asked_bytes += (int64_t)rec_header(reader)->live.bytes[REC_READ] +
				  (int64_t)rec_header(reader)->live.bytes[REC_WRITE];
	if (!w->writes || strstr(w->rw, "rw"))
		ret = take_direction(reader, REC_READ, m, sums);
	if (!ret && w->writes)
		ret = take_direction(reader, REC_WRITE, m, sums);
	m->recorded_ns += busy_ns(reader) / sums->clones;
	take_temperatures(reader, m, sums);
	take_times(rec_header(reader), m);
	if (!ret)
		ret = add_record_file(files, path, rec_header(reader));
	rec_close(reader);
	return ret;
}

/* Least squares, in degrees a minute. Three samples, and not all at one time. */
static double slope_of(const struct record_sums *s)
{
	double spread = s->n * s->tt - s->t * s->t;

	return s->n >= 3 && spread > 0 ? (s->n * s->tc - s->t * s->c) / spread : NAN;
}

static void quantile(const uint64_t *histogram, double share, double *ns)
{
	uint64_t v;

	if (!rec_histogram_quantile(histogram, share, &v))
		*ns = (double)v;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int gather_records(const char *dir, const struct workload *w, struct measurement *m,
			struct record_files *files)
{
	_cleanup_free_ char *path = text_format("%s/records", dir);
	_cleanup_free_ struct record_sums *sums = calloc(1, sizeof(*sums));
	DIR *d = path ? opendir(path) : NULL;
	struct strings names = { 0 };
	struct dirent *entry;
	int ret = sums ? 0 : -ENOMEM;

	while (!ret && d && (entry = readdir(d)))
		if (entry->d_name[0] != '.')
			ret = strings_add(&names, entry->d_name);
	if (d)
		closedir(d);
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), by_text);
	if (sums)
		sums->clones = w->numjobs > 0 ? (double)w->numjobs : 1;
	for (size_t i = 0; !ret && i < names.count; i++) {
		_cleanup_free_ char *file = text_format("%s/%s", path, names.items[i]);

		ret = file ? take_record_file(file, w, m, sums, files) : -ENOMEM;
	}
	strings_free(&names);
	if (sums)
		m->temperature_slope_c_per_min = slope_of(sums);
	if (ret || !sums->bytes)
		return ret;
	qsort(files->files, files->count, sizeof(*files->files), by_range);
	m->classified_share = 1 - (double)sums->unclassified_bytes / (double)sums->bytes;
	quantile(sums->histogram, 0.5, &m->latency_p50_ns);
	quantile(sums->histogram, 0.99, &m->latency_p99_ns);
	quantile(sums->histogram, 0.999, &m->latency_p99_9_ns);
	return 0;
}
