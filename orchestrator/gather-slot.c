/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what one side of one slot left: fio's JSON, records, snapshots. */
#include "gather-slot.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "drive.h"
#include "fio-json.h"
#include "gather-links.h"
#include "json-fields.h"
#include "model-json.h"
#include "pages.h"
#include "smart.h"

void measurement_unknown(struct measurement *m)
{
	const double nan = NAN;

	*m = (struct measurement){
		.fio_state = FIO_NOT_RUN, .bytes = UNKNOWN_I64, .ios = UNKNOWN_I64, .runtime_ns = UNKNOWN_I64,
		.bw_bytes_per_s = nan, .iops = nan, .latency_mean_ns = nan, .latency_p50_ns = nan,
		.latency_p99_ns = nan, .latency_p99_9_ns = nan, .latency_max_ns = UNKNOWN_I64,
		.user_cpu_percent = nan,
		.system_cpu_percent = nan, .depth_reached = nan, .matched_bw_bytes_per_s = nan,
		.classified_share = nan, .recorded_ios = UNKNOWN_I64, .moved_bytes = UNKNOWN_I64,
		.block = { UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64 },
		.temperature_start_c = nan, .temperature_min_c = nan, .temperature_max_c = nan,
		.temperature_end_c = nan, .first_io_ns = UNKNOWN_I64, .last_io_ns = UNKNOWN_I64,
		.started_ns = UNKNOWN_I64, .link_speed_gt_per_s = nan, .link_width_lanes = UNKNOWN_I64,
		.link_speed_min_gt_per_s = nan, .link_speed_max_gt_per_s = nan,
		.link_width_min_lanes = UNKNOWN_I64, .link_width_max_lanes = UNKNOWN_I64,
		.link_errors = UNKNOWN_I64, .link_errors_uncorrectable = UNKNOWN_I64,
		.error_entries_media = UNKNOWN_I64, .error_entries_other = UNKNOWN_I64,
		.error_entries_own = UNKNOWN_I64,
		.within_run_drop = nan, .speed_when_hot_ratio = nan, .seconds_at_threshold = nan,
		.temperature_slope_c_per_min = nan,
		.account = { UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64,
			     UNKNOWN_I64, NULL },
		.cooldown = { COOLDOWN_UNKNOWN, UNKNOWN_I64, nan, nan, NULL },
	};
	for (int c = 0; c < DATA_STATES; c++)
		m->matched_class_bw_bytes_per_s[c] = nan;
	smart_unknown(&m->smart_before, "not read");
	smart_unknown(&m->smart_after, "not read");
	gather_pages_unknown(m);
}

void measurement_free(struct measurement *m)
{
	free(m->reason);
	free(m->slot);
	free(m->cache_reason);
	free(m->fio_warning);
	free(m->account.smart_reason);
	free(m->cooldown.reason);
	for (size_t i = 0; i < m->links_count; i++)
		free(m->links[i].address);
	free(m->links);
	smart_free(&m->smart_before);
	smart_free(&m->smart_after);
	endurance_free(&m->endurance_before);
	endurance_free(&m->endurance_after);
	ocp_free(&m->ocp_before);
	ocp_free(&m->ocp_after);
	m->reason = m->slot = m->cache_reason = m->fio_warning = m->account.smart_reason = m->cooldown.reason = NULL;
	m->links = NULL;
	m->links_count = 0;
}

void measurement_unusable(struct measurement *m, const char *reason)
{
	m->usable = false;
	if (!m->reason)
		m->reason = strdup(reason);
}

const struct fio_direction *gather_direction(const struct workload *w, const struct fio_job *job)
{
	if (!w->writes)
		return &job->read;
	return strstr(w->rw, "trim") ? &job->trim : &job->write;
}

/* A damaged document may have jobs without a name: each of them stands alone. */
static bool same_name(const struct fio_job *a, const struct fio_job *b)
{
	return a == b || (a->name && b->name && !strcmp(a->name, b->name));
}

struct speed_sums {
	int64_t bytes, ios, runtime_ms;
};

/*
 * Ranges run one after another, clones of a range at once: bytes add up over all, the time is the
 * longest of the clones of a range, added up over ranges. So the total is a harmonic mean.
 */
static void add_speed(const struct workload *w, const struct fio_run *run, struct speed_sums *sums)
{
	for (size_t i = 0; i < run->jobs_count;) {
		int64_t longest_ms = 0;
		size_t k = i;

		for (; k < run->jobs_count && same_name(&run->jobs[k], &run->jobs[i]); k++) {
			const struct fio_direction *own = gather_direction(w, &run->jobs[k]);
			const struct fio_direction *parts[2] = { own, NULL };

			/* a mixed workload counts both of its directions */
			if (w->writes && strstr(w->rw, "rw"))
				parts[1] = &run->jobs[k].read;
			for (int p = 0; p < 2; p++) {
				if (!parts[p])
					continue;
				sums->bytes += known(parts[p]->bytes) ? parts[p]->bytes : 0;
				sums->ios += known(parts[p]->ios) ? parts[p]->ios : 0;
				if (known(parts[p]->runtime_ms) && parts[p]->runtime_ms > longest_ms)
					longest_ms = parts[p]->runtime_ms;
			}
		}
		sums->runtime_ms += longest_ms;
		i = k;
	}
}

static int take_fio(const struct fio_run *run, const struct workload *w, struct measurement *m)
{
	struct speed_sums sums = { 0 };
	struct fio_job total = { 0 };
	int ret;

	m->fio_state = run->state;
	if (run->state != FIO_OK) {
		measurement_unusable(m, run->reason ? run->reason : "fio's result is not usable");
		if (run->state == FIO_NO_RESULT)
			return 0;
	}
	ret = fio_json_total(run, &total);
	if (ret)
		return ret == -ENODATA ? 0 : ret;
	add_speed(w, run, &sums);
	m->bytes = sums.bytes;
	m->ios = sums.ios;
	m->runtime_ns = sums.runtime_ms * 1000000;
	if (sums.runtime_ms > 0 && sums.bytes > 0) {
		m->bw_bytes_per_s = (double)sums.bytes * 1000 / (double)sums.runtime_ms;
		m->iops = (double)sums.ios * 1000 / (double)sums.runtime_ms;
	} else {
		measurement_unusable(m, "fio moved no bytes");
	}
	m->latency_mean_ns = gather_direction(w, &total)->latency_ns.mean_ns;
	m->latency_p50_ns = gather_direction(w, &total)->latency_ns.p50_ns;
	m->latency_p99_ns = gather_direction(w, &total)->latency_ns.p99_ns;
	m->latency_p99_9_ns = gather_direction(w, &total)->latency_ns.p99_9_ns;
	m->latency_max_ns = gather_direction(w, &total)->latency_ns.max_ns;
	m->user_cpu_percent = total.user_cpu_percent;
	m->system_cpu_percent = total.system_cpu_percent;
	m->depth_reached = total.depth_reached;
	fields_free(fio_job_fields, &total);
	return 0;
}

/*
 * Behind a ramp_time fio's counts do not fit its runtime while much is in flight: its bytes have too
 * much (3.33: 107 MB/s where 100 were done), its I/Os, counted when issued (ioengines.c), too little
 * (4.4 MB/s where 6.5 were done). The records fit. Else bytes are fio's I/Os times their mean length.
 */
static void count_bytes(const struct workload *w, struct measurement *m)
{
	int64_t recorded = 0;

	for (int c = 0; c < DATA_STATES; c++)
		recorded += m->classes[c].bytes;
	if (!known(m->recorded_ios) || m->recorded_ios <= 0 || !known(m->ios) || m->ios <= 0)
		return;
	if (w->ramp_ns > 0 && m->recorded_ns > 0) {
		m->ios = m->recorded_ios;
		m->runtime_ns = (int64_t)(m->recorded_ns + 0.5);
		m->iops = (double)m->ios * 1e9 / m->recorded_ns;
	}
	m->bytes = m->recorded_ios == m->ios ? recorded :
		   (int64_t)((double)recorded / (double)m->recorded_ios * (double)m->ios + 0.5);
	if (m->runtime_ns > 0)
		m->bw_bytes_per_s = (double)m->bytes * 1e9 / (double)m->runtime_ns;
}

static int read_fio(const char *dir, const struct workload *w, struct measurement *m)
{
	struct fio_run run;
	int ret = gather_fio(dir, w, &run);

	if (!ret)
		ret = take_fio(&run, w, m);
	fields_free(fio_run_fields, &run);
	return ret;
}

static void read_smart(const char *dir, const char *when, struct smart *smart)
{
	_cleanup_free_ char *page_path = text_format("%s/smart-%s.bin", dir, when);
	_cleanup_free_ char *reason_path = text_format("%s/smart-%s.txt", dir, when);
	_cleanup_free_ char *page = NULL, *reason = NULL;
	size_t length = 0;
	int ret;

	if (!page_path || !reason_path)
		return;
	ret = text_read_file(page_path, 1 << 20, &page, &length);
	if (!ret && length == SMART_PAGE_BYTES) {
		smart_free(smart);
		smart_decode((const unsigned char *)page, smart);
	} else if (!ret || ret != -ENOENT) {
		_cleanup_free_ char *cut = text_format("smart-%s.bin has %zu bytes instead of %d: it is cut or damaged",
						       when, ret ? 0 : length, SMART_PAGE_BYTES);

		smart_free(smart);
		smart_unknown(smart, cut ? cut : "not read");
	} else if (!text_read_line(reason_path, &reason)) {
		smart_free(smart);
		smart_unknown(smart, reason);
	}
}

static void subtract(int64_t before, int64_t after, int64_t *difference)
{
	if (known(before) && known(after) && after >= before)
		*difference = after - before;
}

/* NVMe commands of a program's own are not in the block layer's statistics. */
static bool past_the_block_layer(const char *dir)
{
	_cleanup_free_ char *path = text_format("%s/job.fio", dir), *job = NULL;

	return path && !text_read_file(path, 1 << 20, &job, NULL) && strstr(job, "\nbase_engine=io_uring_cmd\n");
}

static void read_block(const char *dir, struct measurement *m)
{
	_cleanup_free_ char *b = text_format("%s/blk-before", dir), *a = text_format("%s/blk-after", dir);
	_cleanup_free_ char *before = NULL, *after = NULL;
	struct block_counters x, y;

	if (!a || !b || past_the_block_layer(dir) || text_read_file(b, 65536, &before, NULL) ||
	    text_read_file(a, 65536, &after, NULL) ||
	    drive_counters_from_text(before, &x) || drive_counters_from_text(after, &y))
		return;
	subtract(x.read_bytes, y.read_bytes, &m->block.read_bytes);
	subtract(x.read_ios, y.read_ios, &m->block.read_ios);
	subtract(x.written_bytes, y.written_bytes, &m->block.written_bytes);
	subtract(x.written_ios, y.written_ios, &m->block.written_ios);
	subtract(x.discarded_bytes, y.discarded_bytes, &m->block.discarded_bytes);
}

/* What one counter of all links of the path gained in the slot; unknown where none has it. */
static void add_link_errors(const json_t *before, const json_t *after, const char *key, int64_t *errors)
{
	for (size_t i = 0; i < json_array_size(after); i++) {
		const json_t *x = json_object_get(json_array_get(before, i), key);
		const json_t *y = json_object_get(json_array_get(after, i), key);
		int64_t gained;

		if (!json_is_integer(x) || !json_is_integer(y) ||
		    !smart_number_delta(json_integer_value(x), json_integer_value(y), &gained) ||
		    __builtin_add_overflow(known(*errors) ? *errors : 0, gained, &gained))
			continue;
		*errors = gained;
	}
}

static void take_link_errors(const json_t *before, const json_t *after, struct measurement *m)
{
	add_link_errors(before, after, "aer_correctable", &m->link_errors);
	add_link_errors(before, after, "aer_nonfatal", &m->link_errors_uncorrectable);
	add_link_errors(before, after, "aer_fatal", &m->link_errors_uncorrectable);
}

static void read_link(const char *dir, struct measurement *m)
{
	_cleanup_free_ char *path = text_format("%s/link.json", dir);
	json_auto_t *json = path ? json_load_file(path, 0, NULL) : NULL;
	const json_t *links = json_object_get(json, "during");
	json_t *endpoint;

	take_link_errors(json_object_get(json, "before"), json_object_get(json, "after"), m);
	if (!json_array_size(links))
		links = json_object_get(json, "after");
	endpoint = json_array_get(links, 0);
	if (json_is_number(json_object_get(endpoint, "current_speed_gt_per_s")))
		m->link_speed_gt_per_s = json_number_value(json_object_get(endpoint, "current_speed_gt_per_s"));
	if (json_is_integer(json_object_get(endpoint, "current_width_lanes")))
		m->link_width_lanes = json_integer_value(json_object_get(endpoint, "current_width_lanes"));
}

static double real_of(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

/* How the slot came through the cool-down gate. */
static int take_cooldown(const json_t *cooldown, enum side side, struct cooldown_record *c)
{
	const char *outcome = json_string_value(json_object_get(cooldown, "outcome"));
	const char *reason = json_string_value(json_object_get(cooldown, "reason"));
	const json_t *waited = json_object_get(cooldown, "waited_ns");
	const json_t *own = json_object_get(cooldown, side == SIDE_A ? "A" : "B");

	for (int i = 0; outcome && cooldown_names[i]; i++)
		if (!strcmp(outcome, cooldown_names[i]))
			c->outcome = i;
	if (json_is_integer(waited))
		c->waited_ns = json_integer_value(waited);
	c->start_c = real_of(own, "start_c");
	c->gate_c = real_of(own, "gate_c");
	c->reason = reason ? strdup(reason) : NULL;
	return reason && !c->reason ? -ENOMEM : 0;
}

static int read_slot(const char *run, const char *slot, enum side side, struct measurement *m)
{
	_cleanup_free_ char *path = text_format("%s/slots/%s/slot.json", run, slot);
	json_auto_t *json = path ? json_load_file(path, 0, NULL) : NULL;
	const char *end = json_string_value(json_object_get(json, "end"));
	const char *reason = json_string_value(json_object_get(json, "cache_reason"));

	if (!end) {
		measurement_unusable(m, "the slot was not run, or not to its end");
		return 0;
	}
	if (!strcmp(end, "interrupted"))
		measurement_unusable(m, "the slot was interrupted");
	else if (!strcmp(end, "timed_out"))
		measurement_unusable(m, "the slot took too long and was ended");
	if (json_is_integer(json_object_get(json, "started_ns")))
		m->started_ns = json_integer_value(json_object_get(json, "started_ns"));
	m->cache_dropped = json_is_true(json_object_get(json, "cache_dropped"));
	if (reason) {
		m->cache_reason = strdup(reason);
		if (!m->cache_reason)
			return -ENOMEM;
	}
	return take_cooldown(json_object_get(json, "cooldown"), side, &m->cooldown);
}

/* What fio had to say of a slot that it ended well: nvmatch does not know what it means, so it is shown. */
static int read_warning(const char *dir, struct measurement *m)
{
	_cleanup_free_ char *path = text_format("%s/fio.stderr", dir), *data = NULL;
	int ret = path ? text_read_file(path, 65536, &data, NULL) : -ENOMEM;
	const char *line;

	if (!m->usable || ret == -ENOENT)
		return 0;
	if (ret) {
		m->fio_warning = text_format("(what it wrote cannot be shown: %s)", strerror(-ret));
		return m->fio_warning ? 0 : -ENOMEM;
	}
	line = data + strspn(data, " \t\r\n");
	m->fio_warning = *line ? strndup(line, strcspn(line, "\r\n")) : NULL;
	return *line && !m->fio_warning ? -ENOMEM : 0;
}

int gather_side(const char *run, const char *slot, enum side side, const struct workload *w,
		struct measurement *m, struct record_files *files)
{
	_cleanup_free_ char *dir = text_format("%s/slots/%s/%c", run, slot, "AB"[side]);
	int ret;

	measurement_unknown(m);
	*files = (struct record_files){ 0 };
	m->usable = true;
	m->slot = strdup(slot);
	if (!dir || !m->slot)
		return -ENOMEM;
	ret = read_slot(run, slot, side, m);
	if (ret || !known(m->started_ns))
		return ret;
	ret = read_fio(dir, w, m);
	if (!ret)
		ret = gather_records(dir, w, m, files);
	if (!ret)
		count_bytes(w, m);
	read_smart(dir, "before", &m->smart_before);
	read_smart(dir, "after", &m->smart_after);
	if (!ret)
		ret = gather_pages(dir, m);
	read_block(dir, m);
	read_link(dir, m);
	if (!ret)
		ret = read_warning(dir, m);
	return ret ? ret : gather_links(dir, m);
}
