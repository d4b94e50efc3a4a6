/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gate-make FILE PARTIES TIMEOUT_MS: a start gate as the orchestrator makes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/gate.h"

int main(int argc, char **argv)
{
	int err;

	if (argc != 4)
		return 2;
	err = gate_create(argv[1], (unsigned int)atoi(argv[2]), (unsigned int)atoi(argv[3]));
	if (err)
		fprintf(stderr, "gate-make: %s\n", strerror(-err));
	return err ? 1 : 0;
}
