/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares runs: drives, programs and workloads. */
#include "other-runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && !strcmp(a, b));
}

static char *copy(const char *s, int *failed)
{
	char *new = s ? strdup(s) : NULL;

	*failed |= s && !new;
	return new;
}

void plan_cut(struct plan *plan, int64_t rounds)
{
	size_t kept = 0;

	for (size_t i = 0; i < plan->slots_count; i++) {
		if (plan->slots[i].round < rounds)
			plan->slots[kept++] = plan->slots[i];
		else
			free(plan->slots[i].name);
	}
	plan->slots_count = kept;
	plan->rounds = rounds;
}

int drive_name_set(struct drive_name *name, const struct drive *d)
{
	int failed = 0;

	*name = (struct drive_name){ .target = copy(d->target, &failed), .model = copy(d->model, &failed),
				     .serial = copy(d->serial, &failed), .namespace_id = d->namespace_id,
				     .capacity_bytes = d->capacity_bytes };
	return failed ? -ENOMEM : 0;
}

static int differs(char **why, const char *what, const char *there, const char *here)
{
	*why = text_format("%s was %s there and is %s here", what, there ? there : "not known",
			   here ? here : "not known");
	return *why ? 1 : -ENOMEM;
}

/* By the serial number, as the kernel's names change; a device that has none is known by its path. */
static bool same_drive(const struct drive_name *name, const struct drive *d)
{
	if (name->serial || d->serial)
		return same_text(name->serial, d->serial) && same_text(name->model, d->model) &&
		       name->namespace_id == d->namespace_id && name->capacity_bytes == d->capacity_bytes;
	return same_text(name->target, d->target) && name->capacity_bytes == d->capacity_bytes;
}

static bool same_ranges(const struct workload *a, const struct workload *b, bool offsets)
{
	if (a->ranges_count != b->ranges_count)
		return false;
	for (size_t i = 0; i < a->ranges_count; i++)
		if (a->ranges[i].length_bytes != b->ranges[i].length_bytes ||
		    (offsets && a->ranges[i].offset_bytes != b->ranges[i].offset_bytes))
			return false;
	return true;
}

/* What differs, in a word, or NULL. Offsets follow the smaller drive, so a noise floor does without. */
static const char *workload_differs(const struct workload *a, const struct workload *b, bool offsets)
{
	if (!same_text(a->rw, b->rw))
		return "rw";
	if (a->block_bytes != b->block_bytes)
		return "block size";
	if (a->iodepth != b->iodepth || a->numjobs != b->numjobs || a->direct != b->direct)
		return "depth, number of jobs or direct";
	if (a->runtime_ns != b->runtime_ns || a->ramp_ns != b->ramp_ns || a->io_bytes != b->io_bytes)
		return "runtime of a range";
	if (!same_ranges(a, b, offsets))
		return "ranges";
	if (a->options.count != b->options.count)
		return "options of its job";
	for (size_t i = 0; i < a->options.count; i++)
		if (strcmp(a->options.items[i], b->options.items[i]))
			return "options of its job";
	return NULL;
}

static const struct workload *find(const struct workload *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (same_text(list[i].name, name))
			return &list[i];
	return NULL;
}

/* A floor without its numbers is none. */
static bool is_whole(const struct noise_floor *f)
{
	return f->rounds > 0 && f->ratio > 0 && isfinite(f->ratio) && f->ci95_low > 0 &&
	       f->ci95_high >= f->ci95_low && isfinite(f->ci95_high) && f->sd_log >= 0 && isfinite(f->sd_log);
}

const struct noise_floor *calibration_floor(const struct calibration *c, const struct workload *w)
{
	const struct workload *there = c->run && w ? find(c->workloads, c->workloads_count, w->name) : NULL;

	if (!there || workload_differs(there, w, false))
		return NULL;
	for (size_t i = 0; i < c->floors_count; i++)
		if (same_text(c->floors[i].workload, w->name) && is_whole(&c->floors[i]))
			return &c->floors[i];
	return NULL;
}

static int no_workload_fits(const struct calibration *c, const struct plan *plan, char **why)
{
	for (size_t i = 0; i < plan->workloads_count; i++) {
		const struct workload *w = &plan->workloads[i];
		const struct workload *there = find(c->workloads, c->workloads_count, w->name);
		const char *what = there ? workload_differs(there, w, false) : NULL;

		if (!what)
			continue;
		*why = text_format("the %s of workload %s differs", what, w->name);
		return *why ? 1 : -ENOMEM;
	}
	return differs(why, "the suite", c->suite, plan->suite);
}

int calibration_fits(const struct calibration *c, const struct plan *plan, const struct drive drives[SIDES],
		     const struct host *host, char **why)
{
	if (!c->sums_sha256) {
		*why = strdup("it does not name its evidence");
		return *why ? 1 : -ENOMEM;
	}
	if (!same_drive(&c->drive, &drives[SIDE_A]) && !same_drive(&c->drive, &drives[SIDE_B])) {
		*why = text_format("its drive, %s (serial %s), is neither A nor B", c->drive.target ? c->drive.target :
				   "not known", c->drive.serial ? c->drive.serial : "not known");
		return *why ? 1 : -ENOMEM;
	}
	if (!same_text(c->kernel, host->kernel))
		return differs(why, "the kernel", c->kernel, host->kernel);
	if (!same_text(c->fio_version, host->fio_version))
		return differs(why, "fio", c->fio_version, host->fio_version);
	if (!same_text(c->engine_fio_version, host->engine_fio_version))
		return differs(why, "the engine's fio", c->engine_fio_version, host->engine_fio_version);
	if (!same_text(c->base_engine, plan->base_engine))
		return differs(why, "the base engine", c->base_engine, plan->base_engine);
	if (!same_text(c->classify, plan->classify))
		return differs(why, "classify", c->classify, plan->classify);
	for (size_t i = 0; i < plan->workloads_count; i++)
		if (calibration_floor(c, &plan->workloads[i]))
			return 0;
	return no_workload_fits(c, plan, why);
}

/* The first thing that differs between two lists of workloads; NULL: nothing. *name says of which one. */
static const char *workloads_differ(const struct workload *there, size_t there_count, const struct plan *plan,
				    const char **name)
{
	const char *what = NULL;

	for (size_t i = 0; !what && i < plan->workloads_count; i++) {
		const struct workload *w = &plan->workloads[i], *other = find(there, there_count, w->name);

		*name = w->name;
		what = other ? workload_differs(other, w, true) : "name";
	}
	return what;
}

static int say_workload(char **why, const char *what, const char *name)
{
	*why = text_format("the %s of workload %s differs", what, name);
	return *why ? 1 : -ENOMEM;
}

static int setup_fits(const char *suite, const char *base_engine, const char *classify,
		      const struct plan *plan, char **why)
{
	if (!same_text(suite, plan->suite))
		return differs(why, "the suite", suite, plan->suite);
	if (!same_text(base_engine, plan->base_engine))
		return differs(why, "the base engine", base_engine, plan->base_engine);
	return same_text(classify, plan->classify) ? 0 : differs(why, "classify", classify, plan->classify);
}

static int session_suite_fits(const struct session *s, const struct plan *plan, char **why)
{
	const char *name = "", *what;
	int ret = setup_fits(s->suite, s->base_engine, s->classify, plan, why);

	if (ret)
		return ret;
	what = workloads_differ(s->workloads, s->workloads_count, plan, &name);
	return what ? say_workload(why, what, name) : 0;
}

int session_fits(const struct session *s, const struct plan *plan, const struct drive drives[SIDES],
		 char **why)
{
	const struct drive_name *names[SIDES] = { &s->a, &s->b };

	if (!s->sums_sha256) {
		*why = strdup("it does not name its evidence");
		return *why ? 1 : -ENOMEM;
	}
	for (int side = 0; side < SIDES; side++) {
		const struct drive *d = &drives[side];
		const struct drive_name *name = names[side];

		if (same_drive(name, d))
			continue;
		*why = text_format("%c was %s (serial %s) there and is %s (serial %s) here", "AB"[side],
				   name->target ? name->target : "not known", name->serial ? name->serial : "not known",
				   d->target ? d->target : "not known", d->serial ? d->serial : "not known");
		return *why ? 1 : -ENOMEM;
	}
	return session_suite_fits(s, plan, why);
}

static bool has_mode(const struct plan *plan, bool both)
{
	for (size_t i = 0; i < plan->slots_count; i++)
		if (plan->slots[i].purpose == SLOT_TIMED && (plan->slots[i].mode == MODE_AB) == both)
			return true;
	return false;
}

int session_plans_fit(const struct plan *earlier, const struct plan *plan, char **why)
{
	const char *what = NULL, *name = "";
	int ret = setup_fits(earlier->suite, earlier->base_engine, earlier->classify, plan, why);

	if (ret)
		return ret;
	if (earlier->calibration || earlier->one_side)
		what = "it compared no two drives";
	else if (earlier->workloads_count != plan->workloads_count)
		what = "the number of workloads differs";
	else if (has_mode(earlier, true) != has_mode(plan, true) ||
		 has_mode(earlier, false) != has_mode(plan, false))
		what = "the modes (alone, at once) differ";
	if (what) {
		*why = strdup(what);
		return *why ? 1 : -ENOMEM;
	}
	what = workloads_differ(earlier->workloads, earlier->workloads_count, plan, &name);
	return what ? say_workload(why, what, name) : 0;
}
