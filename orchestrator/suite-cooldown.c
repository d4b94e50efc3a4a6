/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cool-down gate that a suite asks for. */
#include "suite.h"

#include <errno.h>
#include <string.h>

#include "fail.h"

#define MOST_C 200

static const struct {
	const char *key;
	size_t offset;
} degrees[] = {
	{ "above_start_c", offsetof(struct cooldown_rule, above_start_c) },
	{ "above_idle_c", offsetof(struct cooldown_rule, above_idle_c) },
	{ "below_threshold_c", offsetof(struct cooldown_rule, below_threshold_c) },
	{ "steady_c", offsetof(struct cooldown_rule, steady_c) },
}, times[] = {
	{ "steady", offsetof(struct cooldown_rule, steady_ns) },
	{ "rest", offsetof(struct cooldown_rule, rest_ns) },
	{ "timeout", offsetof(struct cooldown_rule, timeout_ns) },
};

static int take(const char *path, const char *key, const json_t *value, struct cooldown_rule *rule)
{
	const char *text = json_string_value(value);
	uint64_t ns;

	if (!strcmp(key, "enabled")) {
		rule->enabled = json_is_true(value);
		return json_is_boolean(value) ? 0 :
		       fail(-EINVAL, "%s: cooldown: enabled is true or false", path);
	}
	for (size_t i = 0; i < sizeof(degrees) / sizeof(degrees[0]); i++) {
		double c = json_number_value(value);

		if (strcmp(key, degrees[i].key))
			continue;
		*(double *)((char *)rule + degrees[i].offset) = c;
		return json_is_number(value) && c >= 0 && c <= MOST_C ? 0 :
		       fail(-EINVAL, "%s: cooldown: %s is a number of degrees from 0 to %d", path, key, MOST_C);
	}
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (strcmp(key, times[i].key))
			continue;
		if (!text || text_to_ns(text, &ns) || ns > INT64_C(86400000000000))
			return fail(-EINVAL, "%s: cooldown: %s is a time of at most a day (\"30s\", \"15m\")", path, key);
		*(int64_t *)((char *)rule + times[i].offset) = (int64_t)ns;
		return 0;
	}
	return fail(-EINVAL, "%s: cooldown: unknown member %s (there are enabled, above_start_c, above_idle_c, "
		    "below_threshold_c, steady_c, steady, rest and timeout)", path, key);
}

int suite_cooldown(const char *path, json_t *object, struct cooldown_rule *rule)
{
	const char *key;
	json_t *value;
	int ret = 0;

	if (object && !json_is_object(object))
		return fail(-EINVAL, "%s: cooldown is not an object", path);
	json_object_foreach(object, key, value) {
		ret = take(path, key, value, rule);
		if (ret)
			return ret;
	}
	return 0;
}
