/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run-suite: looks at drives, fio and engine, refuses what must be refused, and plans. */
#include "cmd-run-suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "baseline.h"
#include "drive.h"
#include "fail.h"
#include "file-system.h"
#include "host.h"
#include "jobs.h"
#include "model-json.h"
#include "gates.h"
#include "plan.h"
#include "smart.h"
#include "survey.h"
#include "testfile.h"

static int check_readable(const struct drive *d)
{
	int fd = open(d->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return fail(-errno, "%s cannot be read: %s%s", d->target, strerror(errno),
			    errno == EACCES ? " (reading a raw device needs root or the group disk)" : "");
	close(fd);
	return 0;
}

static int check_file_system(const struct drive *d)
{
	const char *doubt = file_system_doubt(d->file_system);

	if (file_system_in_memory(d->file_system))
		return fail(-EPERM, "%s is on %s, which is memory and no drive: give a directory or file on a drive",
			    d->target, d->file_system);
	if (doubt)
		warning("%s is on %s: %s", d->target, d->file_system, doubt);
	return 0;
}

static int read_side(const struct run_options *o, const char *target, enum side s, struct prepared *p)
{
	struct drive *d = &p->drives[s];
	int ret = drive_read(target, o->sysroot, d);

	if (!ret)
		ret = jobs_check_path(d->path);
	if (!ret && d->kind != TARGET_DIRECTORY && !*o->sysroot)
		ret = check_readable(d);
	if (!ret && d->kind != TARGET_BLOCK)
		ret = check_file_system(d);
	/* before the sides are compared: the kernel hides the identifiers of clones, Identify tells them */
	return ret ? ret : identify_fill(d);
}

/* A directory becomes a test file of ours in it; the drive is then the one below the file. */
static int make_testfile(const struct run_options *o, enum side s, struct prepared *p)
{
	struct drive *d = &p->drives[s];
	_cleanup_free_ char *typed = NULL;
	int ret;

	if (d->kind != TARGET_DIRECTORY)
		return 0;
	if (o->dry_run) {
		d->file_bytes = o->file_bytes;
		return 0;
	}
	ret = testfile_make(d->path, (uint64_t)o->file_bytes,
			    known(p->suite.free_bytes) ? (uint64_t)p->suite.free_bytes : 0, (uint64_t)o->seed,
			    &p->testfile[s], &p->testfile_fd[s]);
	if (ret)
		return ret;
	typed = d->target;
	d->target = NULL;
	drive_free(d);
	ret = drive_read(p->testfile[s], o->sysroot, d);
	if (ret)
		return ret;
	/* in reports it stays what the user gave */
	free(d->target);
	d->target = strdup(typed);
	d->kind = TARGET_DIRECTORY;
	return d->target ? identify_fill(d) : -ENOMEM;
}

static int check_sides(struct prepared *p)
{
	_cleanup_free_ char *why = NULL;
	struct strings notices = { 0 };
	int relation = drive_same(&p->drives[SIDE_A], &p->drives[SIDE_B], &why);
	int ret = relation < 0 ? relation : 0;

	if (relation == DRIVE_SAME)
		return fail(-ENOTUNIQ, "A and B are the same: %s", why ? why : "");
	if (relation == DRIVE_SHARED)
		warning("%s", why ? why : "");
	if (!ret)
		ret = drive_clones(&p->drives[SIDE_A], &p->drives[SIDE_B], &notices);
	for (size_t i = 0; i < notices.count; i++)
		warning("%s", notices.items[i]);
	strings_free(&notices);
	return ret;
}

/*
 * Both sides' lists from --cpus "LIST" (both), "LIST:LIST" (A:B) or "none"; without the option
 * they come from the drives' NUMA nodes.
 */
static int choose_cpus(const struct run_options *o, struct prepared *p, bool *alternate)
{
	const char *colon = o->cpus ? strchr(o->cpus, ':') : NULL;

	*alternate = false;
	if (!o->cpus) {
		*alternate = host_cpus(p->drives[SIDE_A].local_cpus,
				       p->two ? p->drives[SIDE_B].local_cpus : p->drives[SIDE_A].local_cpus, p->cpus);
		return 0;
	}
	if (!strcmp(o->cpus, "none"))
		return 0;
	p->cpus[SIDE_A] = colon ? strndup(o->cpus, (size_t)(colon - o->cpus)) : strdup(o->cpus);
	p->cpus[SIDE_B] = strdup(colon ? colon + 1 : o->cpus);
	if (!p->cpus[SIDE_A] || !p->cpus[SIDE_B])
		return -ENOMEM;
	for (int s = 0; s < SIDES; s++) {
		int ret = *o->sysroot ? 0 : host_cpus_check(p->cpus[s]);

		if (ret == -ENODEV)
			return fail(-EINVAL, "--cpus %s: %s: not all of these CPUs can be used here", o->cpus, p->cpus[s]);
		if (ret)
			return fail(ret, "--cpus %s: give a list (0-3), one for each side (0-3:4-7), or none", o->cpus);
	}
	return 0;
}

static int64_t random_seed(void)
{
	uint32_t seed = 1;

	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		seed = (uint32_t)getpid();
	return seed & 0x7fffffff;
}

/* Gates are checked before anything is run, and saved with the plan: judge then repeats them. */
static int take_gates(const struct strings *gates, struct plan *plan)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < gates->count; i++) {
		_cleanup_free_ char *utf8 = text_make_utf8(gates->items[i]);

		ret = gates_check(gates->items[i], plan);
		if (!ret)
			ret = utf8 ? strings_add(&plan->gates, utf8) : -ENOMEM;
	}
	return ret;
}

/* Without a look during the timed pass the engine records, but leaves the data alone. */
static const char *classify_of(const struct run_options *o)
{
	bool before = o->fingerprint && (!strcmp(o->fingerprint, "before") || !strcmp(o->fingerprint, "off"));

	return before ? "off" : o->classify ? o->classify : "full";
}

static int check_fingerprint(const struct run_options *o)
{
	static const char *const words[] = { "before", "during", "both", "off" };

	if (!o->fingerprint)
		return 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(o->fingerprint, words[i]))
			return 0;
	return fail(-EINVAL, "--fingerprint %s: it is before, during, both or off", o->fingerprint);
}

/* One drive at both places. At once it would compete with itself, which no pair of drives does. */
static int calibrate(const struct run_options *o, const char *b, struct prepared *p)
{
	if (b)
		return fail(-EINVAL, "--calibrate measures one drive against itself: give one drive");
	if (known(o->rounds) && o->rounds < 6)
		return fail(-EINVAL, "--calibrate needs at least 6 rounds, not %lld", (long long)o->rounds);
	p->suite.single = true;
	p->suite.concurrent = false;
	p->two = true;
	return 0;
}

#define UNTIL_ROUNDS 40		/* at most, unless --rounds says otherwise */

static int take_until(const struct run_options *o, struct prepared *p)
{
	if (!o->until)
		return 0;
	if (!p->two)
		return fail(-EINVAL, "--until needs two drives: without a comparison there is nothing to settle");
	return until_parse(o->until, &p->until);
}

/* Before anything is made or measured; judge then finds it in the plan. */
static int take_baseline(const struct run_options *o, struct prepared *p)
{
	const char *name = o->baseline ? o->baseline : p->suite.baseline;

	return name && strcmp(name, "none") ? baseline_load(name, &p->baseline) : 0;
}

static int make_plan(const struct run_options *o, struct prepared *p)
{
	struct plan_request request = {
		.suite = &p->suite, .drives = { &p->drives[SIDE_A], p->two ? &p->drives[SIDE_B] : NULL },
		.classify = classify_of(o), .fingerprint = o->fingerprint, .calibration = o->calibrate,
		.probe = o->calibrate || o->probe_overhead, .page_bytes = p->host.page_bytes, .seed = o->seed,
		.until = p->until, .rounds = p->until && !known(o->rounds) ? UNTIL_ROUNDS : o->rounds,
		.range_runtime_ns = o->runtime_ns, .budget_ns = o->budget_ns,
		.budget_bytes = o->budget_bytes, .matched = o->matched ? &p->survey : NULL,
		.base_engine = o->base_engine,
	};
	_cleanup_free_ char *reason = NULL;
	int ret = choose_cpus(o, p, &request.cpus_alternate);

	if (known(request.budget_bytes) && o->matched && !*o->matched)
		request.budget_bytes -= matched_bytes(p);

	if (!request.base_engine)
		host_base_engine(&request.base_engine, &reason);
	if (reason)
		warning("%s", reason);
	request.cpus[SIDE_A] = p->cpus[SIDE_A];
	request.cpus[SIDE_B] = p->cpus[SIDE_B];
	if (!ret)
		ret = plan_make(&request, &p->plan);
	p->plan.cooldown = p->suite.cooldown;
	if (o->no_cooldown)
		p->plan.cooldown.enabled = false;
	if (known(o->cooldown_timeout_ns))
		p->plan.cooldown.timeout_ns = o->cooldown_timeout_ns;
	p->plan.baseline = p->baseline;
	p->baseline = (struct baseline){ 0 };
	if (!ret)
		ret = take_gates(&p->suite.gates, &p->plan);
	return ret ? ret : take_gates(&o->gates, &p->plan);
}

static int check_fio(const struct run_options *o, struct prepared *p)
{
	_cleanup_free_ char *engine = o->engine ? strdup(o->engine) : suite_find_engine();
	int ret = host_find_fio(o->fio, &p->host);

	if (ret)
		return ret;
	if (!engine)
		return fail(-EIO, "the engine datastate.so is neither beside the program nor installed "
			    "(./quickstart build makes it, --engine PATH names it)");
	ret = host_check_engine(engine, &p->host);
	return ret ? ret : jobs_check_path(p->host.engine_path);
}

/* Of each side, the workload that meets most holes and unwritten bytes. */
static void look_at_extents(const struct run_options *o, struct prepared *p)
{
	for (int s = 0; s <= p->two && !o->dry_run; s++)
		for (size_t i = 0; i < p->plan.workloads_count; i++) {
			const struct workload *w = &p->plan.workloads[i];
			struct drive *d = &p->drives[s];
			int64_t absent, bytes = 0;

			if (w->writes || drive_absent_bytes(d, w->ranges, w->ranges_count, &absent))
				continue;
			for (size_t k = 0; k < w->ranges_count; k++)
				bytes += w->ranges[k].length_bytes;
			if (known(d->range_bytes) && (double)absent / (double)bytes <=
			    (double)d->range_absent_bytes / (double)d->range_bytes)
				continue;
			d->range_absent_bytes = absent;
			d->range_bytes = bytes;
		}
}

int prepare(const struct run_options *options, const char *suite, const char *a, const char *b,
	    struct prepared *p)
{
	struct run_options o = *options;
	int ret;

	*p = (struct prepared){ .two = b != NULL, .exclusive_fd = { -1, -1 },
				.testfile_fd = { -1, -1 } };
	if (!known(o.seed))
		o.seed = random_seed();
	ret = o.base_engine ? suite_check_engine(o.base_engine) : 0;
	if (!ret && o.classify && strcmp(o.classify, "off") && strcmp(o.classify, "hash") &&
	    strcmp(o.classify, "state") && strcmp(o.classify, "full"))
		ret = fail(-EINVAL, "--classify %s: it is off, hash, state or full", o.classify);
	if (!ret)
		ret = check_fingerprint(&o);
	if (!ret)
		ret = suite_load(suite, &p->suite);
	if (!ret)
		ret = take_baseline(&o, p);
	if (!ret && !known(o.file_bytes))
		o.file_bytes = known(p->suite.file_bytes) ? p->suite.file_bytes : 1 << 30;
	if (!ret && o.calibrate)
		ret = calibrate(&o, b, p);
	if (!ret && o.calibrate && o.session_of)
		ret = fail(-EINVAL, "--session-of goes with two drives, not with --calibrate");
	if (!ret && (o.calibration || o.session_of) && !p->two)
		ret = fail(-EINVAL, "%s needs two drives", o.calibration ? "--calibration" : "--session-of");
	if (!ret && o.calibrate && o.calibration)
		ret = fail(-EINVAL, "--calibrate makes a calibration, --calibration uses one: give one of them");
	if (!ret)
		ret = take_until(&o, p);
	if (ret)
		return ret;
	if (o.calibrate)
		b = a;
	ret = read_side(&o, a, SIDE_A, p);
	if (!ret && b)
		ret = read_side(&o, b, SIDE_B, p);
	if (!ret && o.calibrate && p->drives[SIDE_A].kind == TARGET_DIRECTORY)
		ret = fail(-EINVAL, "%s: --calibrate needs a device or a file: two test files are not one drive", a);
	if (!ret && b && !o.calibrate)
		ret = check_sides(p);
	if (!ret && o.calibrate && suite_writes(&p->suite))
		ret = fail(-EINVAL, "--calibrate goes with a suite that only reads");
	if (!ret && suite_writes(&p->suite))
		ret = check_writes(&o, p);
	host_read(o.sysroot, &p->host);
	if (!ret)
		ret = check_fio(&o, p);
	for (int s = 0; !ret && s <= p->two; s++)
		ret = make_testfile(&o, (enum side)s, p);
	if (!ret && o.matched)
		ret = matched_prepare(&o, p);
	if (!ret)
		ret = make_plan(&o, p);
	if (!ret)
		ret = other_runs_take(&o, p);
	if (!ret)
		look_at_extents(&o, p);
	return ret;
}

void prepare_free(struct prepared *p)
{
	for (int s = 0; s < SIDES; s++) {
		testfile_remove(p->testfile[s], p->testfile_fd[s]);
		if (p->exclusive_fd[s] >= 0)
			close(p->exclusive_fd[s]);
		drive_free(&p->drives[s]);
		free(p->cpus[s]);
	}
	other_runs_free(p);
	free(p->until);
	suite_free(&p->suite);
	survey_free(&p->survey);
	fields_free(host_fields, &p->host);
	fields_free(plan_fields, &p->plan);
	fields_free(baseline_fields, &p->baseline);
}
