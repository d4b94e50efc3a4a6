/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads baselines. */
#include "baseline.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "model-json.h"
#include "suite.h"

static bool is_path(const char *name)
{
	size_t n = strlen(name);

	return strchr(name, '/') || (n > 5 && !strcmp(name + n - 5, ".json"));
}

static char *path_of(const char *name)
{
	_cleanup_free_ char *file = text_format("baselines/%s.json", name);

	return is_path(name) ? strdup(name) : file ? suite_find(file) : NULL;
}

static int unknown_baseline(const char *name)
{
	struct strings names = { 0 };
	_cleanup_text_ struct text list = { 0 };

	if (!suite_list("baselines", &names))
		for (size_t i = 0; i < names.count; i++)
			text_printf(&list, "%s%s", i ? ", " : "", names.items[i]);
	strings_free(&names);
	return fail(-ENOENT, "no baseline %s (there are: %s; a file of your own ends in .json)", name,
		    list.data ? list.data : "none");
}

static int check(const char *path, const struct baseline *b)
{
	if (!b->name || !b->rows_count)
		return fail(-EINVAL, "%s: a baseline has a name and rows", path);
	for (size_t i = 0; i < b->rows_count; i++) {
		const struct baseline_row *row = &b->rows[i];

		if (!row->rw || !known(row->block_bytes) || row->block_bytes <= 0 || !row->metric ||
		    (strcmp(row->metric, "bw_bytes_per_s") && strcmp(row->metric, "iops")))
			return fail(-EINVAL, "%s: row %zu: rw, block_bytes, and bw_bytes_per_s or iops as metric are "
				    "needed", path, i + 1);
		if (!(row->good > 0 && row->excellent >= row->good && row->exceptional >= row->excellent))
			return fail(-EINVAL, "%s: row %zu: good, excellent and exceptional are numbers above 0 that do not "
				    "fall", path, i + 1);
	}
	return 0;
}

int baseline_load(const char *name, struct baseline *baseline)
{
	_cleanup_free_ char *path = path_of(name);
	const char *wrong = "";
	json_auto_t *json = NULL;
	int ret;

	*baseline = (struct baseline){ 0 };
	if (!path)
		return unknown_baseline(name);
	ret = suite_json(path, &json);
	if (ret)
		return ret;
	ret = fields_from_json(baseline_fields, json, baseline, &wrong);
	if (ret)
		return fail(ret, "%s: the value of %s has the wrong type", path, wrong);
	ret = check(path, baseline);
	if (ret)
		fields_free(baseline_fields, baseline);
	return ret;
}
