/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes fio job files: the workload's own options, and the ones that make slots comparable. */
#include "jobs.h"

#include <errno.h>
#include <string.h>

#include "fail.h"
#include "jobfile.h"
#include "stats-random.h"

/* Options of the source that nvmatch sets itself, or that would make sides differ. */
static const char *const ours[] = {
	"filename", "directory", "filename_format", "nrfiles", "openfiles", "ioengine", "base_engine",
	"record", "record_budget", "classify", "temp_source", "temp_interval", "gate", "rw", "bs", "iodepth",
	"numjobs", "direct", "offset", "size", "randseed", "randrepeat", "allrandrepeat", "group_reporting",
	"new_group", "stonewall", "wait_for", "wait_for_previous", "exitall", "exitall_on_error", "cpus_allowed",
	"cpus_allowed_policy", "cpumask", "unlink", "unlink_each_loop", "unique_filename",
	"allow_file_create", "allow_mounted_write", "name", "cmd_type",
};

static bool is_ours(const char *option)
{
	size_t n = strcspn(option, "=");

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (strlen(ours[i]) == n && !strncmp(ours[i], option, n))
			return true;
	return false;
}

int jobs_check_path(const char *path)
{
	size_t n = strlen(path);

	for (const char *p = path; *p; p++)
		if ((unsigned char)*p < 0x20 || strchr("$\\#;", *p) || *p == 0x7f)
			return fail(-EINVAL, "%s: fio cannot be given a path with $, \\, #, ; or control bytes: use "
				    "another name for it", path);
	if (!n || path[n - 1] == ' ')
		return fail(-EINVAL, "%s: fio cannot be given a path that ends with a blank", path);
	return 0;
}

/* ':' separates files and is escaped. */
static int add_filename(struct text *t, const char *path)
{
	int ret = jobs_check_path(path);

	if (ret)
		return ret;
	text_add(t, "filename=");
	for (const char *p = path; *p; p++)
		text_printf(t, "%s%c", *p == ':' ? "\\" : "", *p);
	text_add(t, "\n");
	return 0;
}

/*
 * The target as the base engine wants it. NVMe commands go to the namespace's character device,
 * which the kernel numbers as the block device: ng0n1 for nvme0n1. It knows no O_DIRECT, and
 * there is no cache in between.
 */
static int add_target(struct text *t, const char *base, const char *path)
{
	static const char block[] = "/dev/nvme";
	_cleanup_free_ char *character = NULL;
	int controller, name_space, end = 0;

	if (strcmp(base, "io_uring_cmd"))
		return add_filename(t, path);
	if (sscanf(path, "/dev/nvme%dn%d%n", &controller, &name_space, &end) != 2 || path[end])
		return fail(-EINVAL, "%s: io_uring_cmd sends NVMe commands, so it needs a whole NVMe namespace", path);
	character = text_format("/dev/ng%s", path + strlen(block));
	if (!character)
		return -ENOMEM;
	text_add(t, "cmd_type=nvme\n");
	return add_filename(t, character);
}

/*
 * Alone, both sides run on the same CPUs; at once, they change CPUs every round where the sides'
 * CPUs are equally near: a faster core must not look like a faster drive.
 */
static const char *cpus(const struct jobs_request *r)
{
	const struct plan *plan = r->plan;
	bool swap = plan->cpus_alternate && r->slot->round % 2;
	bool b = plan->cpus_alternate && r->slot->mode != MODE_AB ? false : r->side == SIDE_B;

	return b != swap ? plan->cpus_b : plan->cpus_a;
}

/* Equal on both sides, another one each round and workload; fio takes 0 as "not set". */
static uint64_t job_seed(const struct jobs_request *r)
{
	struct stats_random random = { (uint64_t)r->plan->seed };

	random.state += (uint64_t)r->slot->round * 1000003 + (uint64_t)r->slot->workload;
	return (stats_random_next(&random) >> 33) + 1;
}

/* The engine that does the I/O: the job's own, or the run's. */
static const char *base_of(const struct jobs_request *r, const struct workload *w)
{
	const char *engine = jobfile_option(&w->options, "ioengine");
	const char *base = jobfile_option(&w->options, "base_engine");

	if (base)
		return base;
	return engine && strcmp(engine, "io_uring") ? engine : r->plan->base_engine;
}

/* fio's own engine alone, or ours around it. */
static int add_engine(struct text *t, const struct jobs_request *r, const char *base)
{
	bool fingerprint = r->slot->purpose == SLOT_FINGERPRINT;
	int ret = jobs_check_path(r->engine);

	if (ret)
		return ret;
	if (r->slot->purpose == SLOT_PLAIN) {
		text_printf(t, "[global]\nioengine=%s\n", base);
		return add_target(t, base, r->target);
	}
	text_printf(t, "[global]\nioengine=external:%s\nbase_engine=%s\n", r->engine, base);
	ret = add_target(t, base, r->target);
	text_printf(t, "record=%s\nrecord_budget=%lld\nclassify=%s\n", JOBS_RECORD_PREFIX,
		    (long long)r->plan->record_budget_bytes, fingerprint ? "all" : r->plan->classify);
	if (r->slot->mode == MODE_AB)
		text_printf(t, "gate=%s\n", JOBS_GATE);
	return ret;
}

static void add_own_options(struct text *t, const struct workload *w)
{
	for (size_t i = 0; i < w->options.count; i++) {
		if (is_ours(w->options.items[i]) ||
		    (w->timed && (!strncmp(w->options.items[i], "runtime", 7) ||
				  !strncmp(w->options.items[i], "ramp_time", 9) ||
				  !strncmp(w->options.items[i], "time_based", 10))))
			continue;
		text_printf(t, "%s\n", w->options.items[i]);
	}
}

/* bs of the fingerprint pass: the workload's, so that its blocks can be compared with the timed ones. */
static int64_t fingerprint_block(const struct workload *w)
{
	return known(w->block_bytes) ? w->block_bytes : 128 * 1024;
}

/* Does the pass read this range as a whole, from its start to its end? */
static bool whole(const struct workload *w, size_t i)
{
	return w->ranges[i].length_bytes <= FINGERPRINT_RANGE_BYTES;
}

static int add_global(struct text *t, const struct jobs_request *r, const struct workload *w)
{
	bool fingerprint = r->slot->purpose == SLOT_FINGERPRINT;
	const char *base = base_of(r, w), *list = cpus(r);
	int ret;

	text_printf(t, "# workload %s, round %lld, side %c of slot %s\n", w->name, (long long)r->slot->round + 1,
		    "AB"[r->side], r->slot->name);
	ret = add_engine(t, r, base);
	if (!fingerprint)
		text_printf(t, "rw=%s\n", w->rw);
	if (fingerprint)
		text_printf(t, "bs=%lld\n", (long long)fingerprint_block(w));
	else if (jobfile_option(&w->options, "bs"))
		text_printf(t, "bs=%s\n", jobfile_option(&w->options, "bs"));
	text_printf(t, "iodepth=%lld\nnumjobs=%lld\ndirect=%d\n", fingerprint ? 8LL : (long long)w->iodepth,
		    fingerprint ? 1LL : (long long)w->numjobs, w->direct && strcmp(base, "io_uring_cmd"));
	text_printf(t, "randseed=%llu\nrandrepeat=1\ngroup_reporting=0\nallow_file_create=0\n",
		    (unsigned long long)job_seed(r));
	if (list)
		text_printf(t, "cpus_allowed=%s\n", list);
	if (!fingerprint)
		add_own_options(t, w);
	return ret;
}

/* Once over the range, or over so many bytes of it at random offsets, none of them twice. */
static void add_fingerprint_range(struct text *t, const struct workload *w, size_t i)
{
	text_printf(t, "rw=%s\n", whole(w, i) ? "read" : "randread");
	if (!whole(w, i))
		text_printf(t, "io_size=%lld\n", (long long)FINGERPRINT_RANGE_BYTES);
}

static void add_range(struct text *t, const struct jobs_request *r, const struct workload *w, size_t i)
{
	text_printf(t, "\n[%s-r%zu]\n", w->name, i);
	if (i)
		text_add(t, "stonewall\n");
	text_printf(t, "offset=%lld\nsize=%lld\n", (long long)w->ranges[i].offset_bytes,
		    (long long)w->ranges[i].length_bytes);
	if (r->slot->purpose == SLOT_FINGERPRINT) {
		add_fingerprint_range(t, w, i);
		return;
	}
	/* the time or so many bytes end a range, whichever comes first; time_based would mean time alone */
	if (w->timed)
		text_printf(t, known(w->io_bytes) ? "runtime=%lldus\n" : "time_based=1\nruntime=%lldus\n",
			    (long long)(w->runtime_ns / 1000));
	if (w->timed && known(w->ramp_ns) && w->ramp_ns > 0)
		text_printf(t, "ramp_time=%lldus\n", (long long)(w->ramp_ns / 1000));
	if (known(w->io_bytes))
		text_printf(t, "io_size=%lld\n", (long long)w->io_bytes);
}

int jobs_text(const struct jobs_request *r, char **text)
{
	const struct workload *w = &r->plan->workloads[r->slot->workload];
	struct text t = { 0 };
	int ret = add_global(&t, r, w);

	for (size_t i = 0; i < w->ranges_count; i++)
		add_range(&t, r, w, i);
	if (ret) {
		text_free(&t);
		return ret;
	}
	*text = text_steal(&t);
	return *text ? 0 : -ENOMEM;
}

int64_t jobs_entries(const struct workload *w)
{
	return (int64_t)w->ranges_count * w->numjobs;
}
