/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all commands share: their options, their help, the number of their operands. */
#include "command.h"

#include <stdio.h>

#include "fail.h"
#include "options.h"

int command_options(const struct command *command, const struct option_row *rows, int argc, char **argv,
		    int *operands)
{
	int ret = options_parse(rows, command->name, argc, argv, operands);

	if (ret == OPTIONS_HELP) {
		printf("usage: nvmatch %s %s\n\n%s\n\n", command->name, command->synopsis, command->summary);
		options_print(rows);
		options_print((const struct option_row[]){
			{ "help", 'h', OPTION_FLAG, NULL, NULL, "this text", 0 }, { 0 } });
		return COMMAND_HELPED;
	}
	if (!ret && (*operands < command->least || *operands > command->most))
		ret = fail(-EINVAL, "%s: give %s (see nvmatch %s --help)", command->name, command->operands,
			   command->name);
	return ret;
}
