/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a run was started and how it ended. */
#include "gather-state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"
#include "text.h"

static int load_state(const char *run, struct result *result)
{
	json_t *json = NULL;
	int ret = store_read_json(run, "end.json", &json);
	const char *state = json_string_value(json_object_get(json, "state"));
	const char *reason = json_string_value(json_object_get(json, "reason"));
	_cleanup_free_ char *note = reason ? text_format("the run ended early: %s", reason) : NULL;

	if (ret && ret != -ENOENT)
		return ret;
	result->state = strdup(state ? state : "unfinished");
	json_decref(json);
	if (!result->state || (reason && !note))
		return -ENOMEM;
	return note ? strings_add(&result->notes, note) : 0;
}

static int load_command(const char *run, struct result *result)
{
	json_t *json = NULL, *argv;
	const char *started;
	int ret = store_read_json(run, "run.json", &json);

	argv = json_object_get(json, "argv");
	started = json_string_value(json_object_get(json, "started_utc"));
	if (started && !(result->started_utc = strdup(started)))
		ret = -ENOMEM;
	for (size_t i = 0; !ret && i < json_array_size(argv); i++) {
		const char *word = json_string_value(json_array_get(argv, i));

		ret = strings_add(&result->command, word ? word : "?");
	}
	json_decref(json);
	return ret;
}

int gather_state(const char *run, struct result *result)
{
	int ret = load_state(run, result);

	return ret ? ret : load_command(run, result);
}
