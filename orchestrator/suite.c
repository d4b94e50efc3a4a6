/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads suites and job files into workloads. */
#include "suite.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "cooldown.h"
#include "fail.h"
#include "jobfile.h"
#include "model-json.h"

static bool looks_like_job_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (!strcmp(dot, ".fio") || !strcmp(dot, ".job") || !strcmp(dot, ".ini"));
}

static char *suite_path(const char *name)
{
	_cleanup_free_ char *file = text_format("suites/%s.json", name);
	size_t n = strlen(name);

	/* one of the user's own; its job files are beside it or the program's */
	if (n > 5 && !strcmp(name + n - 5, ".json"))
		return strdup(name);
	if (!file || strchr(name, '/') || !*name)
		return NULL;
	return suite_find(file);
}

bool suite_exists(const char *name)
{
	_cleanup_free_ char *path = suite_path(name);

	return path || looks_like_job_file(name);
}

static int unknown_suite(const char *name)
{
	struct strings names = { 0 };
	_cleanup_text_ struct text list = { 0 };

	if (!suite_names(&names))
		for (size_t i = 0; i < names.count; i++)
			text_printf(&list, "%s%s", i ? ", " : "", names.items[i]);
	strings_free(&names);
	return fail(-ENOENT, "no suite %s (there are: %s; a suite of your own ends in .json, a job file in .fio)",
		    name, list.data ? list.data : "none");
}

int suite_check_engine(const char *name)
{
	/* others do no block I/O, or more than I/O: they run programs, remove files, use the network */
	static const char *const good[] = { "io_uring", "io_uring_cmd", "libaio", "posixaio", "psync", "sync",
					    "pvsync", "pvsync2", "vsync", "mmap", "null" };

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (!strcmp(name, good[i]))
			return 0;
	return fail(-EINVAL, "the fio engine %s cannot be used in a matched run (io_uring, io_uring_cmd, libaio, "
		    "posixaio, psync, sync, pvsync, pvsync2, vsync, mmap and null can)", name);
}

static void to_bytes(const struct strings *options, const char *name, int64_t *value)
{
	const char *s = jobfile_option(options, name);
	uint64_t v;

	if (s)
		*value = text_to_bytes(s, &v) ? UNKNOWN_I64 : (int64_t)v;
}

/*
 * What a job may say. A list of what is good, not of what is bad: fio has options that run programs,
 * write logs anywhere, map other files (iomem), or take other targets. Those that nvmatch sets itself
 * are in jobs.c and replaced there.
 */
static const char *const known_options[] = {
	"rw", "bs", "bsrange", "bssplit", "size", "offset", "io_size", "runtime", "time_based", "ramp_time",
	"startdelay", "loops", "number_ios", "iodepth", "iodepth_batch", "iodepth_batch_submit",
	"iodepth_batch_complete", "iodepth_batch_complete_min", "iodepth_batch_complete_max", "iodepth_low",
	"io_submit_mode", "numjobs", "thread", "direct", "sync", "fsync", "fdatasync", "end_fsync",
	"fsync_on_close", "norandommap", "random_generator", "random_distribution", "percentage_random",
	"rwmixread", "rwmixwrite", "refill_buffers", "scramble_buffers", "zero_buffers",
	"buffer_compress_percentage", "buffer_compress_chunk", "dedupe_percentage", "invalidate", "rate",
	"rate_iops", "rate_process", "thinktime", "thinktime_blocks", "verify", "do_verify", "verify_fatal",
	"lat_percentiles", "clat_percentiles", "percentile_list", "hipri", "fixedbufs", "registerfiles",
	"sqthread_poll", "nonvectored", "userspace_reap", "cmd_type", "nice", "prio", "prioclass",
	"description", "filename", "directory", "ioengine", "base_engine", "group_reporting", "stonewall",
	"new_group", "randseed", "randrepeat", "allrandrepeat", "cpus_allowed", "cpus_allowed_policy", "exitall",
	"unlink", "nrfiles", "record_budget", "classify",
};

static bool is_known(const char *option, size_t length)
{
	for (size_t i = 0; i < sizeof(known_options) / sizeof(known_options[0]); i++)
		if (strlen(known_options[i]) == length && !strncmp(known_options[i], option, length))
			return true;
	return false;
}

static int check_options(const char *path, const struct job_section *section)
{
	static const char *const engines[] = { "ioengine", "base_engine" };

	for (size_t i = 0; i < section->options.count; i++) {
		const char *option = section->options.items[i];
		size_t n = strcspn(option, "=");

		if (!is_known(option, n))
			return fail(-EINVAL, "%s: [%s]: %.*s cannot be used in a matched run: take it out", path,
				    section->name, (int)n, option);
		/* fio puts variables in place of $NAME; where a file is named we set it ourselves */
		if (strchr(option, '$') && strncmp(option, "filename=", 9))
			return fail(-EINVAL, "%s: [%s]: variables cannot be used in a matched run: %s", path,
				    section->name, option);
	}
	for (size_t i = 0; i < 2; i++) {
		const char *engine = jobfile_option(&section->options, engines[i]);
		int ret = engine ? suite_check_engine(engine) : 0;

		if (ret)
			return ret;
	}
	return 0;
}

/* io_uring has no deeper queue; fio with more jobs than that is no measurement. */
#define DEEPEST_QUEUE 32768
#define MOST_JOBS 4096
#define LARGEST_BLOCK (INT64_C(1) << 30)

static int check_number(const char *path, const struct job_section *section, const char *name, int64_t value,
			int64_t most)
{
	if (value >= 1 && value <= most)
		return 0;
	return fail(-EINVAL, "%s: [%s]: %s=%s is not possible: give 1 to %lld", path, section->name, name,
		    jobfile_option(&section->options, name), (long long)most);
}

/* bs may be one size, or one for each of reads, writes and trims: then it varies, and is unknown. */
static int take_block(const char *path, const struct job_section *section, int64_t *block)
{
	const char *s = jobfile_option(&section->options, "bs");
	_cleanup_free_ char *copy = s ? strdup(s) : NULL;
	char *rest = copy, *part;
	int parts = 0;

	if (s && !copy)
		return -ENOMEM;
	while ((part = strsep(&rest, ","))) {
		uint64_t v = 0;

		if (parts++ && !*part)
			continue;	/* "4k,,8k": the one between is as the first */
		if (text_to_bytes(part, &v) || !v || v > LARGEST_BLOCK)
			return fail(-EINVAL, "%s: [%s]: bs=%s is not possible: give a size of 1 byte to 1 GiB", path,
				    section->name, s);
		*block = parts == 1 ? (int64_t)v : UNKNOWN_I64;
	}
	if (jobfile_option(&section->options, "bsrange") || jobfile_option(&section->options, "bssplit"))
		*block = UNKNOWN_I64;
	return 0;
}

static int workload_from(const char *path, const struct job_section *section, struct workload *w)
{
	const char *rw = jobfile_option(&section->options, "rw");
	const char *direct = jobfile_option(&section->options, "direct");
	const char *runtime = jobfile_option(&section->options, "runtime");
	const char *ramp = jobfile_option(&section->options, "ramp_time");
	uint64_t ns;
	int ret = check_options(path, section);

	if (ret)
		return ret;
	*w = (struct workload){ .name = strdup(section->name), .job_file = strdup(path),
				.rw = strdup(rw ? rw : "read"), .block_bytes = 4096, .iodepth = 1,
				.numjobs = 1, .direct = !direct || *direct != '0',
				.runtime_ns = UNKNOWN_I64, .io_bytes = UNKNOWN_I64 };
	to_bytes(&section->options, "iodepth", &w->iodepth);
	to_bytes(&section->options, "numjobs", &w->numjobs);
	ret = take_block(path, section, &w->block_bytes);
	if (!ret)
		ret = check_number(path, section, "iodepth", w->iodepth, DEEPEST_QUEUE);
	if (!ret)
		ret = check_number(path, section, "numjobs", w->numjobs, MOST_JOBS);
	if (ret)
		return ret;
	w->writes = jobfile_writes(w->rw ? w->rw : "write");
	if (ramp && !text_to_ns(ramp, &ns))
		w->ramp_ns = (int64_t)ns;
	if (runtime && !text_to_ns(runtime, &ns))
		w->runtime_ns = (int64_t)ns;
	for (size_t i = 0; i < section->options.count; i++)
		if (strings_add(&w->options, section->options.items[i]))
			return -ENOMEM;
	return w->name && w->job_file && w->rw ? 0 : -ENOMEM;
}

static int add_job_file(struct suite *suite, const char *path)
{
	struct job_file file;
	int ret = jobfile_read(path, &file);

	if (ret)
		return ret;
	for (size_t i = 0; !ret && i < file.sections_count; i++) {
		struct workload *grown = reallocarray(suite->workloads, suite->workloads_count + 1, sizeof(*grown));

		if (!grown) {
			ret = -ENOMEM;
			break;
		}
		suite->workloads = grown;
		memset(&grown[suite->workloads_count], 0, sizeof(*grown));
		ret = workload_from(path, &file.sections[i], &grown[suite->workloads_count++]);
	}
	jobfile_free(&file);
	return ret;
}

struct suite_json {
	char *name, *summary, *range_runtime, *range_ramp, *baseline;
	int64_t rounds, ranges, range_bytes, range_io_bytes, record_budget, file_bytes, free_bytes;
	struct strings modes, workloads, gates;
};

static const struct field suite_json_fields[] = {
	F_STRING(struct suite_json, name), F_STRING(struct suite_json, summary),
	F_STRING(struct suite_json, range_runtime), F_STRING(struct suite_json, range_ramp),
	F_INT(struct suite_json, rounds),
	F_INT(struct suite_json, ranges), F_INT(struct suite_json, range_bytes),
	F_INT(struct suite_json, range_io_bytes), F_INT(struct suite_json, record_budget),
	F_INT(struct suite_json, file_bytes), F_INT(struct suite_json, free_bytes),
	F_STRING(struct suite_json, baseline),
	F_STRINGS(struct suite_json, modes), F_STRINGS(struct suite_json, workloads),
	F_STRINGS(struct suite_json, gates),
	F_END
};

static bool has(const struct strings *list, const char *s)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->items[i], s))
			return true;
	return false;
}

/* With "ranges" the suite spreads the job over the drives; without, its jobs say where and how long. */
static int take_ranges(const char *path, const struct suite_json *j, struct suite *suite)
{
	uint64_t ns, ramp_ns = 0;

	suite->own_ranges = !known(j->ranges);
	if (suite->own_ranges && (known(j->range_bytes) || known(j->range_io_bytes) || j->range_runtime ||
				  j->range_ramp))
		return fail(-EINVAL, "%s: what is said about ranges needs the number of them: ranges", path);
	if (suite->own_ranges)
		return 0;
	if (j->range_ramp && text_to_ns(j->range_ramp, &ramp_ns))
		return fail(-EINVAL, "%s: range_ramp is not a time: %s", path, j->range_ramp);
	if (!j->range_runtime || text_to_ns(j->range_runtime, &ns) || j->ranges < 1 || j->range_bytes < 4096)
		return fail(-EINVAL, "%s: ranges go with range_bytes and range_runtime", path);
	suite->ranges = j->ranges;
	suite->range_bytes = j->range_bytes;
	suite->range_runtime_ns = (int64_t)ns;
	suite->range_ramp_ns = (int64_t)ramp_ns;
	suite->range_io_bytes = j->range_io_bytes;
	return 0;
}

/* A suite of the user's has its job files beside it; what is not there is looked for in the program's. */
static char *job_path(const char *suite, const char *name)
{
	const char *slash = strrchr(suite, '/');
	_cleanup_free_ char *beside = text_format("%.*s%s", slash ? (int)(slash + 1 - suite) : 0, suite, name);

	if (!beside || *name == '/')
		return strdup(name);
	return access(beside, R_OK) ? suite_find(name) : strdup(beside);
}

static int take_suite(const char *path, struct suite_json *j, struct suite *suite)
{
	int ret = take_ranges(path, j, suite);

	if (ret)
		return ret;
	if (!j->name || j->rounds < 1 || j->record_budget < 4096 || !j->workloads.count)
		return fail(-EINVAL, "%s: name, rounds, record_budget and workloads are needed", path);
	suite->name = strdup(j->name);
	suite->summary = strdup(j->summary ? j->summary : "");
	suite->rounds = j->rounds;
	suite->file_bytes = j->file_bytes;
	suite->free_bytes = j->free_bytes;
	suite->record_budget_bytes = j->record_budget;
	suite->single = has(&j->modes, "single");
	suite->concurrent = has(&j->modes, "concurrent");
	suite->baseline = j->baseline ? strdup(j->baseline) : NULL;
	for (size_t i = 0; !ret && i < j->gates.count; i++)
		ret = strings_add(&suite->gates, j->gates.items[i]);
	for (size_t i = 0; !ret && i < j->workloads.count; i++) {
		_cleanup_free_ char *job = job_path(path, j->workloads.items[i]);

		ret = job ? add_job_file(suite, job) :
			    fail(-ENOENT, "%s: the job file %s is not there", path, j->workloads.items[i]);
	}
	return ret;
}

static int load_json(const char *path, struct suite *suite)
{
	json_auto_t *json = NULL;
	struct suite_json j = { 0 };
	const char *wrong = "";
	int ret = suite_json(path, &json);

	if (ret)
		return ret;
	ret = fields_from_json(suite_json_fields, json, &j, &wrong);
	if (ret)
		return fail(ret, "%s: the value of %s has the wrong type", path, wrong);
	ret = take_suite(path, &j, suite);
	if (!ret)
		ret = suite_thresholds(path, json_object_get(json, "thresholds"), &suite->thresholds);
	if (!ret)
		ret = suite_cooldown(path, json_object_get(json, "cooldown"), &suite->cooldown);
	fields_free(suite_json_fields, &j);
	return ret;
}

int suite_load(const char *name_or_path, struct suite *suite)
{
	_cleanup_free_ char *path = suite_path(name_or_path);
	int ret;

	*suite = (struct suite){ .range_io_bytes = UNKNOWN_I64,
				  .file_bytes = UNKNOWN_I64, .free_bytes = UNKNOWN_I64, .single = true, .concurrent = true,
				  .thresholds = thresholds_default, .cooldown = cooldown_rule_default };
	if (path) {
		ret = load_json(path, suite);
	} else if (looks_like_job_file(name_or_path)) {
		const char *slash = strrchr(name_or_path, '/');

		suite->own_ranges = true;
		suite->name = text_file_name(slash ? slash + 1 : name_or_path);
		suite->summary = text_format("the job file %s", name_or_path);
		suite->rounds = 10;
		suite->record_budget_bytes = 8 << 20;
		ret = add_job_file(suite, name_or_path);
	} else {
		ret = unknown_suite(name_or_path);
	}
	if (ret)
		suite_free(suite);
	return ret;
}

void suite_free(struct suite *suite)
{
	for (size_t i = 0; i < suite->workloads_count; i++)
		fields_free(planned_workload_fields, &suite->workloads[i]);
	free(suite->workloads);
	free(suite->name);
	free(suite->summary);
	free(suite->baseline);
	strings_free(&suite->gates);
	*suite = (struct suite){ 0 };
}
