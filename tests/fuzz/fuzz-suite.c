/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A suite file, or a user's job file. */
#include "suite.h"
#include "tests/fuzz/fuzz.h"

#define FUZZ_JSON_START 1
#include "tests/fuzz/mutate-json.h"

static const char *const names[] = { "suites/x.json", "x.fio", NULL };

static void load(const char *tree)
{
	struct suite suite;
	char path[128];

	setenv("NVMATCH_JOBS", tree, 1);
	if (!suite_load("x", &suite))
		suite_free(&suite);
	snprintf(path, sizeof(path), "%s/x.fio", tree);
	if (!suite_load(path, &suite))
		suite_free(&suite);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_replace(names, data, size, load);
	return 0;
}
