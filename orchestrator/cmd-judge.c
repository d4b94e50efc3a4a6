/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch judge: rebuilds everything derived from the evidence of a run. */
#include <stdio.h>

#include "command.h"
#include "derive.h"
#include "fail.h"
#include "json-text.h"
#include "options.h"
#include "store.h"
#include "verdict-json.h"

/* The gates that were given here are in what is printed, not in the run's own documents. */
static int print(const struct derived *d, bool json)
{
	json_auto_t *document = json ? verdict_to_json(&d->verdict) : NULL;

	for (size_t i = 0; !json && i < d->verdict.gates_count; i++) {
		const struct gate_result *g = &d->verdict.gates[i];
		_cleanup_free_ char *line = text_format("gate %s: %s (%s)", g->failed ? "FAILED" : "passed",
							g->expression, g->text);
		_cleanup_free_ char *safe = line ? text_escape_terminal(line) : NULL;

		printf("%s\n", safe ? safe : "?");
	}
	if (!json)
		return 0;
	if (!document)
		return -ENOMEM;
	return json_print(document, stdout, JSON_SHOWN | JSON_REAL_PRECISION(12));
}

static int judge_main(int argc, char **argv)
{
	struct strings gates = { 0 };
	bool json = false;
	const struct option_row rows[] = {
		{ "fail-if", 0, OPTION_STRINGS, &gates, "EXPR",
		  "a gate: exit status 1 if EXPR is true or cannot be told (docs/gates.md); repeatable", 0 },
		{ "json", 0, OPTION_FLAG, &json, NULL, "verdict.json on standard output too", 0 },
		{ 0 }
	};
	struct derived derived;
	int operands, ret = command_options(&cmd_judge, rows, argc, argv, &operands);

	if (ret)
		return ret;
	ret = derive(argv[1], &derived);
	if (!ret)
		ret = derive_write(argv[1], &derived);
	if (!ret)
		ret = derive_gates(&derived, &gates);
	if (!ret)
		ret = print(&derived, json);
	if (!ret)
		ret = derive_exit_status(&derived);
	derive_free(&derived);
	strings_free(&gates);
	return ret;
}

const struct command cmd_judge = {
	.name = "judge",
	.synopsis = "RUN [--json] [--fail-if EXPR]",
	.summary = "rebuild everything derived from the evidence of a run",
	.least = 1,
	.most = 1,
	.operands = "one run directory",
	.run = judge_main,
};
