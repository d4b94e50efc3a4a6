/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which drive is which over the runs, and whether two measurements of one may be compared. */
#include "compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile.h"
#include "model-json.h"

static bool equal(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* By what the two are one drive; NULL: they are not, as far as is known. A serial settles it. */
static const char *same_by(const struct result *x, int sx, const struct result *y, int sy)
{
	const struct drive *a = &x->drives[sx], *b = &y->drives[sy];

	if (a->serial && b->serial)
		return equal(a->serial, b->serial) && (!a->model || !b->model || equal(a->model, b->model)) &&
		       (!known(a->namespace_id) || !known(b->namespace_id) || a->namespace_id == b->namespace_id) ?
		       "serial" : NULL;
	if (a->serial || b->serial)
		return NULL;
	if (x->label[sx] && y->label[sy])
		return equal(x->label[sx], y->label[sy]) ? "label" : NULL;
	return equal(a->target, b->target) ? "target" : NULL;
}

static char *name_of(const struct result *run, int side)
{
	const struct drive *d = &run->drives[side];

	if (d->serial && d->model)
		return text_format("%s %s", d->model, d->serial);
	if (d->serial)
		return strdup(d->serial);
	return strdup(run->label[side] ? run->label[side] : d->target ? d->target : side ? "B" : "A");
}

/* The same side first: a calibration has one drive on both. */
static int find_side(const struct result *base, int side, const struct result *run, const char **by)
{
	*by = same_by(base, side, run, side);
	if (*by)
		return side;
	*by = same_by(base, side, run, !side);
	return *by ? !side : -1;
}

static int add_note(struct compare *c, char *note)
{
	int ret = note ? strings_add(&c->notes, note) : -ENOMEM;

	free(note);
	return ret;
}

static int say_if_weak(struct compare *c, const struct compared_drive *d)
{
	if (!strcmp(d->known_by, "serial"))
		return 0;
	return add_note(c, text_format("%s has no serial: taken for the same drive by its %s only", d->name,
				       d->known_by));
}

/* Drives that are in other runs only. */
static int say_others(struct compare *c, const struct result *base, const struct result *run, size_t number)
{
	for (int s = 0; s < (run->plan.one_side ? 1 : SIDES); s++) {
		_cleanup_free_ char *name = NULL;
		const char *by;
		bool found = find_side(run, s, base, &by) >= 0;
		int ret;

		if (found)
			continue;
		name = name_of(run, s);
		ret = name ? add_note(c, text_format("run %zu: %s (%c) is no drive of the baseline", number, name,
						     "AB"[s])) : -ENOMEM;
		if (ret)
			return ret;
	}
	return 0;
}

int compare_drives(const struct result *runs, size_t count, size_t baseline, struct compare *c, int *sides)
{
	static const char *const names[] = { "A", "B" };
	const struct result *base = &runs[baseline];
	int ret = 0;

	for (int s = 0; !ret && s < (base->plan.one_side ? 1 : SIDES); s++) {
		struct compared_drive *d = compare_grow(&c->drives, &c->drives_count, sizeof(*d));

		if (!d)
			return -ENOMEM;
		d->name = name_of(base, s);
		d->known_by = strdup(base->drives[s].serial ? "serial" : base->label[s] ? "label" : "target");
		for (size_t r = 0; !ret && r < count; r++) {
			const char *by = NULL;
			int side = r == baseline ? s : find_side(base, s, &runs[r], &by);

			if (by && d->known_by && strcmp(by, d->known_by)) {
				free(d->known_by);
				d->known_by = strdup(by);
			}
			sides[(size_t)s * count + r] = side;
			ret = strings_add(&d->sides, side < 0 ? "" : names[side]);
		}
		if (!ret)
			ret = d->name && d->known_by ? say_if_weak(c, d) : -ENOMEM;
	}
	for (size_t r = 0; !ret && r < count; r++)
		ret = r == baseline ? 0 : say_others(c, base, &runs[r], r + 1);
	return ret;
}

static bool same_ranges(const struct workload *a, const struct workload *b)
{
	if (a->ranges_count != b->ranges_count)
		return false;
	for (size_t i = 0; i < a->ranges_count; i++)
		if (a->ranges[i].offset_bytes != b->ranges[i].offset_bytes ||
		    a->ranges[i].length_bytes != b->ranges[i].length_bytes)
			return false;
	return true;
}

/* 3 of "fio-3.33" or "3.33"; -1: not known. */
static long fio_major(const struct host *host)
{
	const char *s = host->fio_version;

	if (s && !strncmp(s, "fio-", 4))
		s += 4;
	return s && *s >= '0' && *s <= '9' ? strtol(s, NULL, 10) : -1;
}

/* "0.8 zero, 0.2 incompressible"; NULL: no memory. */
static char *share_words(const double *share)
{
	struct text t = { 0 };

	for (int k = 0; k < DATA_STATES; k++)
		if (share[k] >= 0.0005)
			text_printf(&t, "%s%.1f %% %s", t.length ? ", " : "", 100 * share[k], data_state_names[k]);
	return text_steal(&t);
}

static int states_differ(const struct compared_side *x, const struct compared_side *y, double slack,
			 char **why)
{
	const double *a = x->workload->match.class_share[x->side], *b = y->workload->match.class_share[y->side];

	for (int k = 0; k < DATA_STATES; k++) {
		_cleanup_free_ char *before = NULL, *now = NULL;

		if (!(fabs(a[k] - b[k]) > slack))
			continue;
		before = share_words(a);
		now = share_words(b);
		*why = before && now ? text_format("data state differs: %s against %s", before, now) : NULL;
		return *why ? 0 : -ENOMEM;
	}
	return 0;
}

/* Options that say where, how long or under what name; and those that the other rules look at. */
static bool is_minor(const char *option, size_t length)
{
	static const char *const minor[] = { "filename", "directory", "description", "runtime", "time_based",
		"ramp_time", "startdelay", "rw", "bs", "iodepth", "numjobs", "direct", "randseed", "randrepeat",
		"allrandrepeat", "lat_percentiles", "clat_percentiles", "percentile_list", "group_reporting",
		"unlink", "record_budget", "classify" };

	for (size_t i = 0; i < sizeof(minor) / sizeof(minor[0]); i++)
		if (strlen(minor[i]) == length && !strncmp(minor[i], option, length))
			return true;
	return false;
}

/* Name of an option of a that b does not have so: a pace, a sync, other data. The caller's; NULL: none. */
static int other_option(const struct strings *a, const struct strings *b, char **name)
{
	for (size_t i = 0; i < a->count; i++) {
		size_t length = strcspn(a->items[i], "=");
		const char *x, *y;

		if (is_minor(a->items[i], length))
			continue;
		*name = strndup(a->items[i], length);
		if (!*name)
			return -ENOMEM;
		x = jobfile_option(a, *name);
		y = jobfile_option(b, *name);
		if (!equal(x, y))
			return 0;
		free(*name);
		*name = NULL;
	}
	return 0;
}

/* The options beyond those that compare_obstacle() names itself; why is untouched when they agree. */
static int options_differ(const struct strings *a, const struct strings *b, char **why)
{
	_cleanup_free_ char *name = NULL;
	int ret = other_option(a, b, &name);
	const char *x, *y;

	if (!ret && !name)
		ret = other_option(b, a, &name);
	if (ret || !name)
		return ret;
	x = jobfile_option(a, name);
	y = jobfile_option(b, name);
	*why = text_format("the job's %s differs: %s against %s", name, x ? x : "not set", y ? y : "not set");
	return *why ? 0 : -ENOMEM;
}

int compare_obstacle(const struct compared_side *x, const struct compared_side *y, double state_slack,
		     char **why)
{
	const struct workload *a = &x->run->plan.workloads[x->workload->workload];
	const struct workload *b = &y->run->plan.workloads[y->workload->workload];
	long major = fio_major(&x->run->host), other = fio_major(&y->run->host);
	const char *e = x->run->plan.base_engine, *f = y->run->plan.base_engine;
	int kind = x->run->drives[x->side].kind, other_kind = y->run->drives[y->side].kind;

	*why = NULL;
	if (a->block_bytes != b->block_bytes)
		*why = text_format("block size differs: %lld against %lld bytes", (long long)a->block_bytes,
				   (long long)b->block_bytes);
	else if (!equal(a->rw, b->rw))
		*why = text_format("pattern differs: %s against %s", a->rw ? a->rw : "unknown",
				   b->rw ? b->rw : "unknown");
	else if (a->iodepth != b->iodepth)
		*why = text_format("depth differs: %lld against %lld", (long long)a->iodepth,
				   (long long)b->iodepth);
	else if (a->numjobs != b->numjobs)
		*why = text_format("numjobs differs: %lld against %lld", (long long)a->numjobs,
				   (long long)b->numjobs);
	else if (!equal(e, f) && (e || f))
		*why = text_format("engine differs: %s against %s", e ? e : "unknown",
				   f ? f : "unknown");
	else if (a->direct != b->direct)
		*why = text_format("direct I/O in one of them only");
	else if (!same_ranges(a, b) || a->io_bytes != b->io_bytes)
		*why = text_format("the ranges or the bytes of them differ");
	else if (major >= 0 && other >= 0 && major != other)
		*why = text_format("fio's major version differs: %ld against %ld", major, other);
	else if (kind != other_kind)
		*why = text_format("kind of target differs: %s against %s", target_kind_names[kind],
				   target_kind_names[other_kind]);
	else if (options_differ(&a->options, &b->options, why))
		return -ENOMEM;
	else if (!*why)
		return a->writes ? 0 : states_differ(x, y, state_slack, why);
	return *why ? 0 : -ENOMEM;
}
