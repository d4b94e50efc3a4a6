/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run-suite: what may be written, and by whom it was allowed. */
#include "cmd-run-suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "drive.h"
#include "fail.h"

bool suite_writes(const struct suite *suite)
{
	for (size_t i = 0; i < suite->workloads_count; i++)
		if (suite->workloads[i].writes)
			return true;
	return false;
}

/* What --allow-write has to say: the serial; the path of what has none (zram, loop). */
static const char *name_for_writing(const struct drive *d)
{
	return d->serial && *d->serial ? d->serial : d->path;
}

static bool is_named(const struct strings *allowed, const struct drive *d)
{
	for (size_t i = 0; i < allowed->count; i++)
		if (!strcmp(allowed->items[i], name_for_writing(d)))
			return true;
	return false;
}

static int check_write_side(const struct run_options *o, struct prepared *p, enum side s)
{
	const struct drive *d = &p->drives[s];
	struct strings reasons = { 0 };
	_cleanup_text_ struct text all = { 0 };
	int ret;

	if (d->kind == TARGET_FILE)
		return fail(-EPERM, "%s: a file of yours is never written; give its directory, and a test file is "
			    "made there and removed", d->target);
	if (d->kind != TARGET_BLOCK)
		return 0;
	ret = drive_in_use(d, &reasons);
	for (size_t i = 0; i < reasons.count; i++)
		text_printf(&all, "%s%s", i ? "; " : "", reasons.items[i]);
	if (!ret && reasons.count)
		ret = fail(-EBUSY, "%s is in use and this suite writes: %s", d->target, all.data);
	strings_free(&reasons);
	if (ret)
		return ret;
	if (!is_named(&o->allow_write, d))
		return fail(-EPERM, "this suite writes to %s (%s, serial %s): allow it with --allow-write %s", d->target,
			    d->model ? d->model : "model unknown", d->serial ? d->serial : "none", name_for_writing(d));
	p->exclusive_fd[s] = open(d->path, O_RDONLY | O_EXCL | O_CLOEXEC);
	if (p->exclusive_fd[s] < 0)
		return fail(-EBUSY, "%s cannot be had exclusively: %s", d->target, strerror(errno));
	return 0;
}

int check_writes(const struct run_options *o, struct prepared *p)
{
	int ret = check_write_side(o, p, SIDE_A);

	return !ret && p->two ? check_write_side(o, p, SIDE_B) : ret;
}
