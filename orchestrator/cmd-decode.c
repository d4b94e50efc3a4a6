/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch decode: how nvmatch reads a saved fio output or NVMe page; one row a kind. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "decode-fio.h"
#include "decode-pages.h"
#include "fail.h"

static const struct kind {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} kinds[] = {
	{ "fio", decode_fio_main, "output of fio --output-format=json" },
	{ "smart", decode_smart_main, "SMART / Health page, 512 bytes (log 02h)" },
	{ "identify", decode_identify_main, "Identify Controller or Namespace page, 4096 bytes" },
	{ NULL, NULL, NULL },
};

static int run(int argc, char **argv)
{
	if (argc < 2)
		return fail(-EINVAL, "decode: say what kind of file it is (see nvmatch decode --help)");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		printf("usage: nvmatch decode %s\n\n%s\n\n", cmd_decode.synopsis, cmd_decode.summary);
		for (const struct kind *k = kinds; k->name; k++)
			printf("  %-10s %s\n", k->name, k->summary);
		printf("\n  nvmatch decode KIND --help   options of a kind\n");
		return EXIT_DONE;
	}
	for (const struct kind *k = kinds; k->name; k++)
		if (!strcmp(argv[1], k->name))
			return k->run(argc - 1, argv + 1);
	return fail(-EINVAL, "decode: unknown kind %s (see nvmatch decode --help)", argv[1]);
}

const struct command cmd_decode = {
	.name = "decode",
	.synopsis = "KIND FILE [options]",
	.summary = "how nvmatch reads a saved fio output or NVMe page",
	.run = run,
};
