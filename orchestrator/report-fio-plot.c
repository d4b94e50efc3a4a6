/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files for fio-plot. It reads one job per file, finds its place by rw, iodepth and numjobs, and
 * takes what jsonparsing_support.py (get_json_mapping) names; so a file here has those keys, with
 * the meaning and the units that fio gives them, and no other numbers.
 */
#include "report-fio-plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fail.h"
#include "json-text.h"
#include "model-json.h"
#include "store.h"

#define LOG_STEP_S 1.0		/* fio-plot spoils the values of logs with longer steps */

/* One workload on one side in one mode, over the rounds. */
struct cell {
	const struct result *result;
	const struct workload *workload;
	const struct workload_result *rounds;
	const struct latency_histogram *histogram;	/* or NULL */
	int side;
	bool concurrent;
	char *place;			/* directory below the user's: A-alone/1m */
	char *stem;			/* read-8-1 */
};

/* Mean and standard deviation of what is known. */
struct moments {
	double sum, squares;
	int64_t count;
};

static void moments_add(struct moments *m, double value)
{
	if (!isfinite(value))
		return;
	m->sum += value;
	m->squares += value * value;
	m->count++;
}

static double mean_of(const struct moments *m)
{
	return m->count ? m->sum / (double)m->count : NAN;
}

static double deviation_of(const struct moments *m)
{
	double n = (double)m->count;

	return m->count > 1 ? sqrt(fmax(0, (m->squares - m->sum * m->sum / n) / (n - 1))) : 0;
}

struct means {
	struct moments bw, iops, latency, user_cpu, system_cpu;
};

static struct means means_of(const struct cell *c)
{
	struct means all = { 0 };

	for (size_t i = 0; i < c->rounds->observations_count; i++) {
		const struct observation *o = &c->rounds->observations[i];
		const struct measurement *m = &o->side[c->side];

		if (o->concurrent != c->concurrent || !m->usable)
			continue;
		moments_add(&all.bw, m->bw_bytes_per_s);
		moments_add(&all.iops, m->iops);
		moments_add(&all.latency, m->latency_mean_ns);
		moments_add(&all.user_cpu, m->user_cpu_percent);
		moments_add(&all.system_cpu, m->system_cpu_percent);
	}
	return all;
}

/* fio's three tables: percent of the I/Os below each bound and not below the one before (stat.c). */
static json_t *share_table(const struct latency_histogram *h, double unit_ns, bool last)
{
	static const int bounds[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000 };
	size_t count = last ? 12 : 10;
	double shares[12] = { 0 }, total = 0;
	json_t *table = json_object();

	for (size_t i = 0; h && i < h->bins_count; i++) {
		double value = (double)h->bins[i].ns / unit_ns;
		size_t k = 0;

		total += (double)h->bins[i].count;
		if ((value < 1 && unit_ns > 1) || (value >= 1000 && !last))
			continue;
		while (k < count - 1 && value >= bounds[k])
			k++;
		shares[k] += (double)h->bins[i].count;
	}
	for (size_t k = 0; k < count; k++) {
		_cleanup_free_ char *key = k == 11 ? strdup(">=2000") : text_format("%d", bounds[k]);

		if (key)
			json_object_set_new(table, key, json_real(total > 0 ? 100 * shares[k] / total : 0));
	}
	return table;
}

static double latency_deviation(const struct latency_histogram *h)
{
	double n = 0, sum = 0, squares = 0;

	for (size_t i = 0; h && i < h->bins_count; i++) {
		double ns = (double)h->bins[i].ns, count = (double)h->bins[i].count;

		n += count;
		sum += count * ns;
		squares += count * ns * ns;
	}
	return n > 1 ? sqrt(fmax(0, (squares - sum * sum / n) / (n - 1))) : 0;
}

static json_t *options_of(const struct cell *c)
{
	const struct workload *w = c->workload;

	/* as fio writes them: strings */
	return json_pack("{s:s, s:o, s:o, s:o, s:s, s:s*}", "rw", w->rw, "bs",
			 json_sprintf("%lld", (long long)w->block_bytes), "iodepth",
			 json_sprintf("%lld", (long long)w->iodepth), "numjobs", json_sprintf("%lld", (long long)w->numjobs),
			 "direct", w->direct ? "1" : "0", "ioengine",
			 c->result->plan.base_engine);
}

static const char *direction_of(const struct workload *w)
{
	if (!strcmp(w->rw, "read") || !strcmp(w->rw, "randread"))
		return "read";
	return !strcmp(w->rw, "write") || !strcmp(w->rw, "randwrite") ? "write" : NULL;
}

static json_t *document_of(const struct cell *c, const struct means *m)
{
	const char *version = c->result->host.fio_version;
	double bw = mean_of(&m->bw), user = mean_of(&m->user_cpu), kernel = mean_of(&m->system_cpu);
	json_t *direction = json_pack("{s:I, s:I, s:f, s:f, s:{s:f, s:f}}",
				      "bw_bytes", (json_int_t)llround(bw), "bw", (json_int_t)llround(bw / 1024),
				      "iops", mean_of(&m->iops), "iops_stddev", deviation_of(&m->iops),
				      "lat_ns", "mean", mean_of(&m->latency), "stddev",
				      latency_deviation(c->histogram));
	json_t *job = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:f, s:f}", "jobname", c->workload->name,
				"job options", options_of(c), direction_of(c->workload), direction, "latency_ns",
				share_table(c->histogram, 1, false), "latency_us", share_table(c->histogram, 1e3, false),
				"latency_ms", share_table(c->histogram, 1e6, true), "usr_cpu", isfinite(user) ? user : 0.0,
				"sys_cpu", isfinite(kernel) ? kernel : 0.0);

	return json_pack("{s:s, s:o, s:[o]}", "fio version", version ? version : "fio", "global options",
			 options_of(c), "jobs", job);
}

/*
 * The rounds one after another, without the pauses; fio's columns: ms, value, direction, bs, offset.
 * As in fio's own logs a step in which nothing completed has no line: it is the pause between sections.
 */
static void log_text(const struct cell *c, const struct pictures *p, double unit, struct text *log)
{
	double at_s = 0, step_s = fmin(p->step_s, LOG_STEP_S);
	bool writes = !strcmp(direction_of(c->workload), "write");

	for (size_t i = 0; i < p->traces_count; i++) {
		const struct trace *t = &p->traces[i];
		const struct slot *slot = &c->result->plan.slots[t->slot];
		double length_s = fmin(t->end_s - t->start_s, (double)t->steps * p->step_s);

		if (t->side != c->side || (slot->mode == MODE_AB) != c->concurrent ||
		    slot->purpose != SLOT_TIMED || slot->workload != c->rounds->workload)
			continue;
		for (double s = 0; s + step_s / 2 < length_s; s += step_s) {
			double bw = t->bw_bytes_per_s[(size_t)((s + step_s / 2) / p->step_s)];

			if (bw > 0)
				text_printf(log, "%lld, %lld, %d, %lld, 0\n", llround(1e3 * (at_s + s + step_s)),
					    llround(bw / unit), writes, (long long)c->workload->block_bytes);
		}
		at_s += length_s;
	}
}

static int write_logs(const struct cell *c, const struct pictures *p, const char *directory)
{
	static const char *const kinds[] = { "bw", "iops" };
	const double units[] = { 1024, (double)c->workload->block_bytes };
	int ret = 0;

	for (size_t i = 0; !ret && i < 2; i++) {
		_cleanup_text_ struct text log = { 0 };
		_cleanup_free_ char *path = text_format("%s/%s/%s-iodepth-%lld-numjobs-%lld_%s.1.log", directory, c->place,
							c->workload->rw, (long long)c->workload->iodepth,
							(long long)c->workload->numjobs, kinds[i]);

		log_text(c, p, units[i], &log);
		ret = !path || log.failed ? -ENOMEM : log.length ? store_publish(path, log.data, log.length) : 0;
	}
	return ret;
}

static int write_cell(const struct cell *c, const struct pictures *pictures, const char *directory)
{
	struct means m = means_of(c);
	_cleanup_free_ char *path = text_format("%s/%s/%s.json", directory, c->place, c->stem), *data = NULL;
	json_auto_t *json = NULL;
	int ret;

	if (!m.bw.count || !m.iops.count || !m.latency.count)
		return 0;	/* it did not run like this */
	json = document_of(c, &m);
	data = json ? json_text(json, JSON_SHOWN | JSON_REAL_PRECISION(12)) : NULL;
	if (!path || !data)
		return -ENOMEM;
	ret = store_mkdir(directory, c->place);
	if (!ret)
		ret = store_publish(path, data, strlen(data));
	return ret ? ret : write_logs(c, pictures, directory);
}

/* 1m, 4k, 520: as one would type it. */
static char *block_words(int64_t bytes)
{
	if (bytes % (1 << 20) == 0)
		return text_format("%lldm", (long long)(bytes >> 20));
	return bytes % 1024 ? text_format("%lld", (long long)bytes) : text_format("%lldk", (long long)(bytes >> 10));
}

static bool same_place(const struct workload *a, const struct workload *b)
{
	return !strcmp(a->rw, b->rw) && a->block_bytes == b->block_bytes && a->iodepth == b->iodepth &&
	       a->numjobs == b->numjobs;
}

static int name_cell(struct cell *c)
{
	const struct plan *plan = &c->result->plan;
	const struct workload *w = c->workload;
	const char *label = c->result->label[c->side], *side = c->side == SIDE_B ? "B" : "A";
	const char *mode = plan->one_side ? "" : c->concurrent ? "-both" : "-alone";
	_cleanup_free_ char *block = block_words(w->block_bytes), *safe = label ? text_file_name(label) : NULL;
	_cleanup_free_ char *name = text_file_name(w->name);
	bool second = false;

	for (const struct workload *x = plan->workloads; x < w; x++)
		second |= same_place(x, w);
	if (!block || !name || (label && !safe))
		return -ENOMEM;
	c->place = text_format("%s%s%.60s%s/%s%s%.80s", side, safe && strcmp(safe, side) ? "-" : "",
			       safe && strcmp(safe, side) ? safe : "", mode, block, second ? "-" : "", second ? name : "");
	c->stem = text_format("%s-%lld-%lld", w->rw, (long long)w->iodepth, (long long)w->numjobs);
	return c->place && c->stem ? 0 : -ENOMEM;
}

static const struct latency_histogram *find_histogram(const struct cell *c, const struct pictures *p)
{
	for (size_t i = 0; i < p->latencies_count; i++) {
		const struct latency_histogram *h = &p->latencies[i];

		if (h->workload == c->rounds->workload && h->side == c->side && h->concurrent == c->concurrent)
			return h;
	}
	return NULL;
}

static int write_workload(const char *directory, const struct result *result,
			  const struct workload_result *rounds, const struct pictures *pictures)
{
	struct cell c = { .result = result, .rounds = rounds,
			  .workload = &result->plan.workloads[rounds->workload] };
	int ret = 0;

	if (!c.workload->rw || !direction_of(c.workload)) {
		warning("%s is left out: fio-plot wants reads and writes apart, this workload has %s", rounds->name,
			c.workload->rw ? c.workload->rw : "no rw");
		return 0;
	}
	for (int k = 0; !ret && k < 2 * SIDES; k++) {
		c.side = k % SIDES;
		c.concurrent = k / SIDES;
		c.histogram = find_histogram(&c, pictures);
		ret = name_cell(&c);
		if (!ret)
			ret = write_cell(&c, pictures, directory);
		free(c.place);
		free(c.stem);
		c.place = c.stem = NULL;
	}
	return ret;
}

int report_fio_plot(const char *directory, const struct result *result, const struct pictures *pictures)
{
	int ret = 0;

	if (mkdir(directory, 0777)) {
		if (errno == EEXIST)
			return fail(EXIT_USAGE, "%s exists: what is in it would mix with this run, give a new name",
				    directory);
		return fail(-errno, "cannot make %s: %s", directory, strerror(errno));
	}
	for (size_t i = 0; !ret && i < result->workloads_count; i++)
		ret = write_workload(directory, result, &result->workloads[i], pictures);
	return ret == -ENOMEM ? fail(ret, "out of memory while writing %s", directory) : ret;
}
