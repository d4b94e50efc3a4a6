/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One entry of fio's "jobs" list: numbers with their units, and whether they can be true. */
#include "fio-json-job.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ELAPSED_SLACK_MS 2000	/* "elapsed" counts whole seconds */

static const char *const direction_names[] = { "read", "write", "trim" };

const char *fio_option(const struct fio_entry *e, const char *name)
{
	const char *s = json_string_value(json_object_get(json_object_get(e->entry, "job options"), name));

	return s ? s : json_string_value(json_object_get(e->global, name));
}

/* The first doubt stays the reason. Takes reason; 0 or -ENOMEM when it is NULL. */
static int doubt(struct fio_job *job, char *reason)
{
	if (!reason)
		return -ENOMEM;
	if (job->state == FIO_SUSPECT) {
		free(reason);
		return 0;
	}
	job->state = FIO_SUSPECT;
	job->reason = reason;
	return 0;
}

static int warn(struct strings *warnings, char *text)
{
	int ret = text ? strings_add(warnings, text) : -ENOMEM;

	free(text);
	return ret;
}

/* A count. Negative ones and those over 63 bits (strings after fio-json-text.c) make the job suspect. */
static int take_count(struct fio_job *job, const json_t *object, const char *key, int64_t *out)
{
	const json_t *value = json_object_get(object, key);
	const char *s = json_string_value(value);

	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*out = json_integer_value(value);
		return 0;
	}
	if (json_is_integer(value))
		return doubt(job, text_format("%s is %lld", key, (long long)json_integer_value(value)));
	if (s && isdigit((unsigned char)s[strspn(s, "-")]))
		return doubt(job, text_format("%s is %.60s, more than 63 bits hold", key, s));
	return 0;
}

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) && json_number_value(value) >= 0 ? json_number_value(value) : NAN;
}

static int compare_bins(const void *a, const void *b)
{
	const struct fio_latency_bin *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

/* json+ has every occupied bin of fio's histogram: "ns" : count. */
static int take_bins(const json_t *bins, struct fio_latency *l)
{
	size_t count = json_object_size(bins);
	const char *key;
	json_t *value;

	if (!count)
		return 0;
	l->bins = calloc(count, sizeof(*l->bins));
	if (!l->bins)
		return -ENOMEM;
	json_object_foreach((json_t *)bins, key, value) {
		struct fio_latency_bin *bin = &l->bins[l->bins_count];

		bin->count = json_integer_value(value);
		if (!text_to_i64(key, &bin->ns) && bin->ns >= 0 && bin->count > 0)
			l->bins_count++;
	}
	qsort(l->bins, l->bins_count, sizeof(*l->bins), compare_bins);
	return 0;
}

static int take_latency(struct fio_job *job, const json_t *object, const char *kind, struct fio_latency *l)
{
	const json_t *percentile = json_object_get(object, "percentile");
	int ret;

	l->kind = strdup(kind);
	if (!l->kind)
		return -ENOMEM;
	l->mean_ns = number(object, "mean");
	l->stddev_ns = number(object, "stddev");
	l->p50_ns = number(percentile, "50.000000");
	l->p90_ns = number(percentile, "90.000000");
	l->p99_ns = number(percentile, "99.000000");
	l->p99_9_ns = number(percentile, "99.900000");
	l->p99_99_ns = number(percentile, "99.990000");
	ret = take_bins(json_object_get(object, "bins"), l);
	if (!ret)
		ret = take_count(job, object, "N", &l->samples);
	if (!ret)
		ret = take_count(job, object, "min", &l->min_ns);
	return ret ? ret : take_count(job, object, "max", &l->max_ns);
}

/* Percentiles stand under clat_ns, with lat_percentiles=1 under lat_ns; without samples: nothing. */
static int read_latency(struct fio_job *job, const json_t *direction, struct fio_latency *l)
{
	const json_t *clat = json_object_get(direction, "clat_ns"), *lat = json_object_get(direction, "lat_ns");
	bool has_clat = number(clat, "N") > 0, has_lat = number(lat, "N") > 0;

	if (has_clat && (json_object_get(clat, "percentile") || !has_lat || !json_object_get(lat, "percentile")))
		return take_latency(job, clat, "clat", l);
	return has_lat ? take_latency(job, lat, "lat", l) : 0;
}

/* The bs option of direction d, 0 when it is not one known size. fio: "read,write,trim", the last repeats. */
static int64_t block_bytes(const struct fio_entry *e, int d)
{
	const char *bs = fio_option(e, "bs");
	_cleanup_free_ char *one = NULL;
	uint64_t bytes;

	if (!bs || fio_option(e, "bssplit") || fio_option(e, "bsrange") || fio_option(e, "kb_base"))
		return 0;
	for (const char *comma; d > 0 && (comma = strchr(bs, ',')); d--)
		bs = comma + 1;
	one = strndup(bs, strcspn(bs, ","));
	/* "kb" and "kib" depend on fio's kb_base: only plain numbers and one letter are sure */
	if (!one || strlen(one) > strspn(one, "0123456789") + 1 || text_to_bytes(one, &bytes))
		return 0;
	return (int64_t)bytes;
}

static bool power_of_two(int64_t v)
{
	return v > 0 && (v & (v - 1)) == 0;
}

/*
 * fio counts completions without data as I/Os (a drive that is gone, with io_uring or libaio):
 * bytes then stay far behind I/Os x block size. When every I/O moved one and the same other
 * size, it is the printed option that does not describe the job.
 */
static int check_bytes(struct fio_job *job, const char *name, const struct fio_direction *d, int64_t block,
		       struct strings *warnings)
{
	int64_t expected, off;

	if (!block || !known(d->bytes) || !known(d->ios) || d->ios == 0 ||
	    __builtin_mul_overflow(d->ios, block, &expected))
		return 0;
	off = d->bytes - expected;
	if (off <= expected / 100 + block && off >= -(expected / 100 + block))
		return 0;
	if (off < 0 && !(d->bytes % d->ios == 0 && power_of_two(d->bytes / d->ios)))
		return doubt(job, text_format("%s: %lld I/Os of %lld bytes moved only %lld bytes: the target may"
					      " be gone or shorter than the job", name, (long long)d->ios,
					      (long long)block, (long long)d->bytes));
	return warn(warnings, text_format("%s %s: %lld bytes are not %lld I/Os of %lld bytes (bs)",
					  job->name ? job->name : "job", name, (long long)d->bytes,
					  (long long)d->ios, (long long)block));
}

static int check_runtime(struct fio_job *job, const char *name, struct fio_direction *d)
{
	if (!known(d->runtime_ms) || !known(job->elapsed_s) ||
	    d->runtime_ms / 1000 - ELAPSED_SLACK_MS / 1000 <= job->elapsed_s)
		return 0;
	/* both are divided by that runtime */
	d->bw_bytes_per_s = NAN;
	d->iops = NAN;
	return doubt(job, text_format("%s: runtime %lld ms against %lld s elapsed", name,
				      (long long)d->runtime_ms, (long long)job->elapsed_s));
}

static int read_direction(const struct fio_entry *e, int index, struct fio_job *job, struct fio_direction *d,
			  struct strings *warnings)
{
	const char *name = direction_names[index];
	const json_t *object = json_object_get(e->entry, name);
	int ret;

	if (!json_is_object(object))
		return 0;
	ret = take_count(job, object, "io_bytes", &d->bytes);
	if (!ret)
		ret = take_count(job, object, "total_ios", &d->ios);
	if (!ret)
		ret = take_count(job, object, "runtime", &d->runtime_ms);
	if (!ret)
		ret = take_count(job, object, "short_ios", &d->short_ios);
	if (ret)
		return ret;
	/* "bw" is KiB/s; "bw_bytes" came with fio 3.2 */
	d->bw_bytes_per_s = number(object, json_object_get(object, "bw_bytes") ? "bw_bytes" : "bw");
	if (!json_object_get(object, "bw_bytes"))
		d->bw_bytes_per_s *= 1024;
	d->iops = number(object, "iops");
	ret = read_latency(job, object, &d->latency_ns);
	if (!ret)
		ret = check_runtime(job, name, d);
	if (!ret && index != 2)	/* one trim may have many ranges */
		ret = check_bytes(job, name, d, block_bytes(e, index), warnings);
	return ret;
}

static int read_depth(const struct fio_entry *e, struct fio_job *job, struct strings *warnings)
{
	static const struct {
		const char *key;
		int depth;
	} levels[] = { { "1", 1 }, { "2", 2 }, { "4", 4 }, { "8", 8 }, { "16", 16 }, { "32", 32 }, { ">=64", 64 } };
	const json_t *level = json_object_get(e->entry, "iodepth_level");
	const char *asked = fio_option(e, "iodepth");
	double sum = 0, weight = 0;

	if (asked)
		(void)text_to_i64(asked, &job->depth_asked);
	else if (json_object_get(e->entry, "job options"))
		job->depth_asked = 1;	/* fio's default: options that were not given are not listed */
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		double share = number(level, levels[i].key);

		if (share > 0) {
			sum += share * levels[i].depth;
			weight += share;
		}
	}
	if (weight > 0)
		job->depth_reached = sum / weight;
	/* a level holds all depths up to the next one, and the last all above */
	if (known(job->depth_asked) && job->depth_reached < 0.5 * fmin((double)job->depth_asked, 64))
		return warn(warnings, text_format("%s: queue depth %lld asked, %.3g reached",
						  job->name ? job->name : "job", (long long)job->depth_asked,
						  job->depth_reached));
	return 0;
}

static int64_t longest_runtime(const struct fio_job *job)
{
	const struct fio_direction *d[] = { &job->read, &job->write, &job->trim };
	int64_t longest = UNKNOWN_I64;

	for (int i = 0; i < 3; i++)
		if (d[i]->runtime_ms > longest)
			longest = d[i]->runtime_ms;
	return longest;
}

static char *error_text(int64_t error)
{
	const char *name = error < 4096 ? strerrorname_np((int)error) : NULL;

	if (!name)
		return text_format("error %lld", (long long)error);
	return text_format("error %lld (%s, %s)", (long long)error, name, strerrordesc_np((int)error));
}

/* The state of an entry whose numbers are in; takes reason. */
static int set_state(struct fio_job *job, enum fio_state state, char *reason)
{
	free(job->reason);
	job->state = state;
	job->reason = reason;
	return reason ? 0 : -ENOMEM;
}

static int read_state(const struct fio_entry *e, struct fio_job *job, struct strings *warnings)
{
	int64_t errors = 0;
	int ret;

	ret = take_count(job, e->entry, "error", &job->error);
	if (!ret)
		ret = take_count(job, e->entry, "total_err", &errors);
	if (!ret && errors > 0)
		ret = warn(warnings, text_format("%s: fio went on after %lld I/O errors",
						 job->name ? job->name : "job", (long long)errors));
	if (ret)
		return ret;
	if (job->error > 0)
		return set_state(job, FIO_FAILED, error_text(job->error));
	if (job->state == FIO_SUSPECT)
		return 0;
	if (!known(job->read.ios) && !known(job->write.ios) && !known(job->trim.ios))
		return set_state(job, FIO_NO_RESULT, strdup("the entry holds no counts"));
	if (job->read.ios <= 0 && job->write.ios <= 0 && job->trim.ios <= 0)
		return set_state(job, FIO_NOT_RUN, strdup("the job did no I/O"));
	return 0;
}

int fio_job_read(const struct fio_entry *e, struct fio_job *job, struct strings *warnings)
{
	struct fio_direction *directions[] = { &job->read, &job->write, &job->trim };
	const char *name = json_string_value(json_object_get(e->entry, "jobname"));
	int ret;

	job->state = FIO_OK;
	if (name && !(job->name = strdup(name)))
		return -ENOMEM;
	ret = take_count(job, e->entry, "elapsed", &job->elapsed_s);
	for (int i = 0; !ret && i < 3; i++)
		ret = read_direction(e, i, job, directions[i], warnings);
	if (!ret)
		ret = take_count(job, e->entry, "ctx", &job->context_switches);
	if (ret)
		return ret;
	job->runtime_ms = longest_runtime(job);
	job->user_cpu_percent = number(e->entry, "usr_cpu");
	job->system_cpu_percent = number(e->entry, "sys_cpu");
	ret = read_depth(e, job, warnings);
	return ret ? ret : read_state(e, job, warnings);
}

bool fio_job_is_old(const json_t *entry)
{
	for (int i = 0; i < 3; i++) {
		const json_t *d = json_object_get(entry, direction_names[i]);

		if (json_object_get(d, "clat") || json_object_get(d, "lat"))
			return true;
	}
	return false;
}
