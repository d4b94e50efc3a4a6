/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch: is drive A really faster than drive B? Finds the command and runs it. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "config.h"
#include "fail.h"

static const struct command *const commands[] = {
	&cmd_doctor, &cmd_inspect, &cmd_survey, &cmd_run_suite, &cmd_judge, &cmd_report, &cmd_records,
	&cmd_suites, &cmd_decode, &cmd_verify, &cmd_history, &cmd_compare, &cmd_watch, &cmd_demo,
	NULL,
};

static void usage(FILE *out)
{
	fprintf(out, "usage: nvmatch COMMAND [ARGUMENTS]\n\n"
		     "Runs matched fio jobs on two drives and says what the evidence supports.\n\n");
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out, "\n  nvmatch COMMAND --help   options of a command\n"
		     "  nvmatch --version\n\n"
		     "Exit status: 0 done and comparable, 1 a gate failed, 2 wrong usage, 3 the\n"
		     "comparison is not valid, 4 refused (in use, ambiguous, writing not allowed),\n"
		     "5 incomplete, 128+n ended by signal n.\n");
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int run(int argc, char **argv)
{
	static char help_option[] = "--help";
	const struct command *command;
	int ret;

	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || (!strcmp(argv[1], "help") && argc == 2)) {
		usage(stdout);
		return EXIT_DONE;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("nvmatch %s\n", NVMATCH_VERSION);
		return EXIT_DONE;
	}
	if (!strcmp(argv[1], "help")) {
		argv[1] = argv[2];
		argv[2] = help_option;
	}
	command = find(argv[1]);
	if (!command)
		return fail(EXIT_USAGE, "unknown command %s (see nvmatch --help)", argv[1]);
	ret = command->run(argc - 1, argv + 1);
	return ret == COMMAND_HELPED ? EXIT_DONE : exit_status_of(ret);
}

int main(int argc, char **argv)
{
	int ret = run(argc, argv);

	/* a report that did not arrive is not a success */
	if (fflush(stdout) || ferror(stdout))
		return fail(EXIT_INCOMPLETE, "writing to standard output failed");
	return ret;
}
