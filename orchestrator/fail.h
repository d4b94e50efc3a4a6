/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words for errors, said once, by the one who found them.
 *
 *	return fail(-EINVAL, "plan: %s appears twice", name);
 *
 * What is printed is escaped (text.h): a drive's or a file's name cannot move the cursor.
 */
#ifndef NVMATCH_FAIL_H
#define NVMATCH_FAIL_H

/* Exit statuses of the program: a contract with scripts. */
enum exit_status {
	EXIT_DONE = 0,		/* done, comparable, every gate passed */
	EXIT_GATE = 1,		/* a gate that was asked for failed */
	EXIT_USAGE = 2,		/* wrong usage */
	EXIT_NOT_VALID = 3,	/* done, but the headline comparison is not valid */
	EXIT_REFUSED = 4,	/* target in use, ambiguous, or writing not allowed */
	EXIT_INCOMPLETE = 5,	/* fio failed, a drive vanished, evidence is missing */
};

/* Prints "nvmatch: ..." on stderr and returns error (0 or -errno, any int), so it can end a function. */
int fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "nvmatch: warning: ..." on stderr. */
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The exit status that a stage's return value means: 0, a positive exit status as it is, or -errno. */
int exit_status_of(int ret);

#endif
