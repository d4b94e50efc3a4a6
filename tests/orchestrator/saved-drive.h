/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives of saved /sys trees (tests/fake-sysfs), made once before the first test. */
#ifndef TESTS_SAVED_DRIVE_H
#define TESTS_SAVED_DRIVE_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "drive-internal.h"

static char *top;	/* where the trees are; made once, before the first test */

static inline void run_program(const char *const *argv)
{
	pid_t pid;
	int status;

	assert_int_equal(posix_spawnp(&pid, argv[0], NULL, NULL, (char **)(void *)argv, environ), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static inline char *tree(const char *scenario)
{
	const char *tests = getenv("TESTS") ? getenv("TESTS") : "tests";
	_cleanup_free_ char *script = text_format("%s/fake-sysfs", tests);
	char *dir = text_format("%s/%s", top, scenario);
	const char *argv[] = { script, dir, scenario, NULL };

	if (access(dir, F_OK))
		run_program(argv);
	return dir;
}

static inline int make_top(void **state)
{
	char name[] = "/tmp/nvmatch-test-drive.XXXXXX";

	(void)state;
	top = mkdtemp(name) ? strdup(name) : NULL;
	return top ? 0 : -1;
}

static inline int remove_top(void **state)
{
	const char *argv[] = { "rm", "-rf", top, NULL };

	(void)state;
	run_program(argv);
	free(top);
	return 0;
}

static inline void read_saved_drive(const char *scenario, const char *name, struct drive *d)
{
	_cleanup_free_ char *dir = tree(scenario);

	assert_int_equal(drive_read(name, dir, d), 0);
}

static inline const char *reason_for(const struct drive *d, const char *field)
{
	for (size_t i = 0; i < d->missing_count; i++)
		if (!strcmp(d->missing[i].field, field))
			return d->missing[i].reason;
	return NULL;
}

#endif
