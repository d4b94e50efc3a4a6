/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the survey of a run. */
#include "gather-survey.h"

#include <errno.h>

#include "store.h"
#include "survey.h"

int gather_survey(const char *run, struct result *result)
{
	_cleanup_free_ char *name = text_format("%s/survey.json", run);
	json_auto_t *json = NULL;
	int ret = name ? store_read_json(run, "survey.json", &json) : -ENOMEM;

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	ret = survey_from_json(json, name, &result->survey);
	for (size_t i = 0; !ret && i < result->survey.drives_count; i++) {
		const char *what = survey_differs(&result->survey.drives[i], &result->drives[i]);
		_cleanup_free_ char *note = what ? text_format("survey.json is of another drive on side %c (another %s): "
							       "it is not used", "AB"[i], what) : NULL;

		if (!what)
			continue;
		survey_free(&result->survey);
		ret = note ? strings_add(&result->notes, note) : -ENOMEM;
	}
	return ret;
}
