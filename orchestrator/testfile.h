/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The test file that is made in a directory target: ours from the first byte to its removal. */
#ifndef NVMATCH_TESTFILE_H
#define NVMATCH_TESTFILE_H

#include <stdint.h>

/*
 * Makes DIRECTORY/nvmatch-test-PID-RANDOM.dat with `bytes` of incompressible data that depend on
 * seed alone, written out to the device. Never touches a file that exists. *path is the caller's.
 * *held is a descriptor that keeps it locked, so that no other run takes it for abandoned; what
 * lies there abandoned is removed first.
 * 0, or after printing: -ENOSPC when less than bytes + 10 %, or less than free_bytes, is free,
 * or no inode; other -errno. On failure
 * nothing is left behind.
 */
int testfile_make(const char *directory, uint64_t bytes, uint64_t free_bytes, uint64_t seed, char **path,
		  int *held);

/*
 * Removes what runs that were killed left in the directory, and says so: ordinary files named as ours,
 * of this user, with this mode and no second name, that no process holds the lock of.
 */
void testfile_remove_abandoned(const char *directory);

/* Removes it and frees the path; says where it is when that fails. NULL and -1 are accepted. */
void testfile_remove(char *path, int held);

#endif
