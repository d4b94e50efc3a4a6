/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all commands share: their help. */
#include "command.h"

#include <stdio.h>

#include "options.h"

void command_help(const struct command *command, const struct option_row *rows)
{
	printf("usage: nvmatch %s %s\n\n%s\n\n", command->name, command->synopsis, command->summary);
	options_print(rows);
	printf("  -h, --help%16sthis text\n", "");
}
