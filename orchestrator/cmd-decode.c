/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch decode: how nvmatch reads a saved fio output or NVMe page. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "decode.h"
#include "fail.h"

static const struct command *const kinds[] = { &decode_fio, &decode_smart, &decode_identify,
	&decode_endurance, &decode_ocp, &decode_error_log, NULL };
#define PREFIX_LENGTH (sizeof("decode ") - 1)

static int run(int argc, char **argv)
{
	if (argc < 2)
		return fail(-EINVAL, "decode: say what kind of file it is (see nvmatch decode --help)");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		printf("usage: nvmatch decode %s\n\n%s\n\n", cmd_decode.synopsis, cmd_decode.summary);
		for (size_t i = 0; kinds[i]; i++)
			printf("  %-10s %s\n", kinds[i]->name + PREFIX_LENGTH, kinds[i]->summary);
		printf("\n  nvmatch decode KIND --help   options of a kind\n");
		return EXIT_DONE;
	}
	for (size_t i = 0; kinds[i]; i++)
		if (!strcmp(argv[1], kinds[i]->name + PREFIX_LENGTH))
			return kinds[i]->run(argc - 1, argv + 1);
	return fail(-EINVAL, "decode: unknown kind %s (see nvmatch decode --help)", argv[1]);
}

const struct command cmd_decode = {
	.name = "decode",
	.synopsis = "KIND FILE [options]",
	.summary = "how nvmatch reads a saved fio output or NVMe page",
	.run = run,
};
