/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch verify: is the evidence whole, and is what was derived from it still what it gives? */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "derive.h"
#include "fail.h"
#include "options.h"
#include "store.h"

static int check_document(const char *run, const struct document *d, struct strings *problems)
{
	_cleanup_free_ char *path = text_format("%s/%s", run, d->name);
	_cleanup_free_ char *stored = NULL, *problem = NULL;
	size_t length = 0;
	int ret = path ? text_read_file(path, 1 << 30, &stored, &length) : 0;

	if (!ret && stored && length == d->length && !memcmp(stored, d->data, length))
		return 0;
	problem = text_format("%s: %s (nvmatch judge rebuilds it)", ret ? "missing" :
			      "differs from what the evidence gives", d->name);
	return problem ? strings_add(problems, problem) : 0;
}

static int verify(const char *run, struct strings *problems)
{
	struct derived derived;
	int ret = store_check(run);

	if (!ret)
		ret = store_verify(run, problems);
	if (ret)
		return ret;
	ret = derive(run, &derived);
	for (size_t i = 0; !ret && i < DERIVED_DOCUMENTS; i++)
		ret = check_document(run, &derived.documents[i], problems);
	if (!ret && strcmp(derived.result.state, "complete")) {
		_cleanup_free_ char *s = text_format("the run is not complete: %s", derived.result.state);

		ret = s ? strings_add(problems, s) : 0;
	}
	derive_free(&derived);
	return ret;
}

static int verify_main(int argc, char **argv)
{
	const struct option_row rows[] = { { 0 } };
	struct strings problems = { 0 };
	int operands, ret = command_options(&cmd_verify, rows, argc, argv, &operands);

	if (ret)
		return ret;
	ret = verify(argv[1], &problems);
	for (size_t i = 0; i < problems.count; i++) {
		_cleanup_free_ char *safe = text_escape_terminal(problems.items[i]);

		printf("%s\n", safe ? safe : "?");
	}
	if (!ret && problems.count)
		ret = EXIT_INCOMPLETE;
	else if (!ret)
		printf("complete; evidence and everything derived from it are as they were written\n");
	strings_free(&problems);
	return ret;
}

const struct command cmd_verify = {
	.name = "verify",
	.synopsis = "RUN",
	.summary = "checksums, completeness, rebuild equals stored",
	.least = 1,
	.most = 1,
	.operands = "one run directory",
	.run = verify_main,
};
