/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of the judge that a suite sets. */
#include "suite.h"

#include <errno.h>

#include "fail.h"

int suite_thresholds(const char *path, json_t *object, struct thresholds *limits)
{
	const char *name, *conflict;
	json_t *value;

	if (object && !json_is_object(object))
		return fail(-EINVAL, "%s: thresholds is not an object of names and numbers", path);
	json_object_foreach(object, name, value) {
		const struct threshold_info *info = threshold_find(name);

		if (!info)
			return fail(-EINVAL, "%s: unknown threshold %s (the nearest one is %s)", path, name,
				    threshold_nearest(name)->name);
		if (!json_is_number(value) || threshold_set(limits, info, json_number_value(value)))
			return fail(-EINVAL, "%s: the threshold %s (%s) must be a number from %g to %g", path, name,
				    info->meaning, info->least, info->most);
	}
	conflict = thresholds_conflict(limits);
	return conflict ? fail(-EINVAL, "%s: thresholds: %s", path, conflict) : 0;
}
