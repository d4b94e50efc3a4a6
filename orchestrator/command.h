/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adding a command: write cmd-NAME.c that ends with a `const struct command cmd_NAME`, name it
 * here and in the table of main.c, add tests/cli/NAME.test and a line in README.md.
 * Everything else (help, unknown names) comes from the table.
 */
#ifndef NVMATCH_COMMAND_H
#define NVMATCH_COMMAND_H

#include <errno.h>

struct command {
	const char *name;
	const char *synopsis;	/* operands and main options, behind "nvmatch NAME " */
	const char *summary;	/* one line */
	int least, most;	/* operands it takes */
	const char *operands;	/* what they are, behind "give ": "one run directory" */
	/* argv[0] is the command's name. Returns an exit status, or -errno after printing the error. */
	int (*run)(int argc, char **argv);
};

extern const struct command cmd_doctor, cmd_inspect, cmd_survey, cmd_run_suite, cmd_judge, cmd_report,
	cmd_records, cmd_suites, cmd_decode, cmd_verify, cmd_history, cmd_compare, cmd_demo, cmd_watch;

/*
 * Takes the options out of argv, prints the help for --help, and counts what is left (operands).
 * 0; else what the command returns: COMMAND_HELPED, which ends the program with 0, or -EINVAL
 * after printing what is wrong.
 */
#define COMMAND_HELPED (-ECANCELED)
struct option_row;
int command_options(const struct command *command, const struct option_row *rows, int argc, char **argv,
		    int *operands);

#endif
