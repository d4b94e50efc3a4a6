/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch judge: rebuilds everything derived from the evidence of a run. */
#include "command.h"
#include "derive.h"
#include "fail.h"
#include "options.h"
#include "store.h"

static int judge_main(int argc, char **argv)
{
	bool json = false;
	const struct option_row rows[] = {
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
	if (!ret && json)
		fputs(derived.documents[1].data, stdout);
	if (!ret)
		ret = derive_exit_status(&derived);
	derive_free(&derived);
	return ret;
}

const struct command cmd_judge = {
	.name = "judge",
	.synopsis = "RUN [--json]",
	.summary = "rebuild everything derived from the evidence of a run",
	.least = 1,
	.most = 1,
	.operands = "one run directory",
	.run = judge_main,
};
