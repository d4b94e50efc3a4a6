/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch demo: the founding mistake being caught, and then a valid comparison. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "demo-target.h"
#include "fail.h"
#include "interrupt.h"
#include "options.h"

/* Runs the demo suite on both targets as a user would. */
static int run(struct demo_target targets[2], const char *fio, const char *engine)
{
	static char name[] = "run-suite", suite[] = "demo", fio_option[] = "--fio", engine_option[] = "--engine",
		    label_a[] = "--label-a=demo drive A", label_b[] = "--label-b=demo drive B";
	char *argv[12] = { name, suite, targets[0].path, targets[1].path, label_a, label_b };
	int argc = 6;

	if (fio) {
		argv[argc++] = fio_option;
		argv[argc++] = (char *)fio;
	}
	if (engine) {
		argv[argc++] = engine_option;
		argv[argc++] = (char *)engine;
	}
	return exit_status_of(cmd_run_suite.run(argc, argv));
}

static void title(const char *text)
{
	printf("\n== %s\n\n", text);
	fflush(stdout);
}

static int show(struct demo_target targets[2], const char *fio, const char *engine)
{
	int ret, status, first;

	title("Part 1. A: half data, half zeros. B: zeros. Is B the faster drive?");
	ret = demo_target_fill(&targets[0], DEMO_BYTES / 2, 1);
	if (!ret)
		ret = demo_target_fill(&targets[1], 0, 1);
	if (ret)
		return ret;
	first = run(targets, fio, engine);
	/* on a noisy machine the zeros alone may seem to differ: a narrower comparison, status 0 */
	if (first != EXIT_NOT_VALID && first != EXIT_DONE)
		return interrupt_signal() ? first :
		       fail(EXIT_INCOMPLETE, "the demo expected exit status 3 (not valid) and got %d", first);

	title("Part 2. The same bytes on both. Now the comparison is valid.");
	ret = demo_target_fill(&targets[0], DEMO_BYTES, 2);
	if (!ret)
		ret = demo_target_fill(&targets[1], DEMO_BYTES, 2);
	if (ret)
		return ret;
	status = run(targets, fio, engine);
	if (status != EXIT_DONE)
		return interrupt_signal() ? status :
		       fail(EXIT_INCOMPLETE, "the demo expected exit status 0 and got %d", status);
	printf("\n== That was it: part 1 ended with exit status %d, part 2 with %d. Two drives of your own:\n\n",
	       first, status);
	printf("nvmatch run-suite quick /dev/nvme0n1 /dev/nvme1n1\n");
	return EXIT_DONE;
}

static int demo_main(int argc, char **argv)
{
	const char *fio = NULL, *engine = NULL;
	const struct option_row rows[] = {
		{ "fio", 0, OPTION_STRING, &fio, "PATH", "the fio program", 0 },
		{ "engine", 0, OPTION_STRING, &engine, "PATH", "the engine datastate.so", 0 },
		{ 0 }
	};
	char directory[] = "/var/tmp/nvmatch-demo-XXXXXX";
	struct demo_target targets[2] = { { .zram = -1 }, { .zram = -1 } };
	int operands, ret = command_options(&cmd_demo, rows, argc, argv, &operands);

	if (ret)
		return ret;
	if (!mkdtemp(directory))
		return fail(-errno, "cannot make %s: %s", directory, strerror(errno));
	interrupt_install();
	for (int i = 0; !ret && i < 2; i++)
		ret = demo_target_make(directory, "AB"[i], &targets[i]);
	if (!ret)
		ret = show(targets, fio, engine);
	for (int i = 0; i < 2; i++)
		demo_target_remove(&targets[i]);
	rmdir(directory);
	return interrupt_signal() ? 128 + interrupt_signal() : ret;
}

const struct command cmd_demo = {
	.name = "demo",
	.synopsis = "",
	.summary = "a whole comparison on two demo drives of its own",
	.least = 0,
	.most = 0,
	.operands = "no operands: it makes its own drives",
	.run = demo_main,
};
