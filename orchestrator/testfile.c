/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes and removes the test file of a directory target. */
#include "testfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "fail.h"
#include "interrupt.h"
#include "stats-random.h"
#include "text.h"

#define CHUNK_WORDS (128 * 1024)

static int check_space(const char *directory, uint64_t bytes, uint64_t least_bytes)
{
	struct statvfs v;
	uint64_t free_bytes;

	if (statvfs(directory, &v))
		return fail(-errno, "%s: %s", directory, strerror(errno));
	free_bytes = (uint64_t)v.f_bavail * v.f_frsize;
	if (free_bytes < bytes + bytes / 10)
		return fail(-ENOSPC, "%s has %llu MB free, a test file of %llu MB needs 10 %% more than its size: "
			    "give a smaller --file-size", directory, (unsigned long long)(free_bytes / 1000000),
			    (unsigned long long)(bytes / 1000000));
	if (free_bytes < least_bytes)
		return fail(-ENOSPC, "%s has %llu MB free, and this suite wants %llu MB: make room, or give another "
			    "directory", directory, (unsigned long long)(free_bytes / 1000000),
			    (unsigned long long)(least_bytes / 1000000));
	/* file systems without a table of inodes say 0 of 0 */
	if (v.f_files && !v.f_favail)
		return fail(-ENOSPC, "%s has no inode free for a test file: give another directory", directory);
	return 0;
}

static int fill(int fd, uint64_t bytes, uint64_t seed)
{
	struct stats_random random = { seed };
	_cleanup_free_ uint64_t *chunk = malloc(CHUNK_WORDS * sizeof(*chunk));

	if (!chunk)
		return -ENOMEM;
	while (bytes) {
		size_t n = bytes < CHUNK_WORDS * sizeof(*chunk) ? (size_t)bytes : CHUNK_WORDS * sizeof(*chunk);
		size_t done = 0;

		for (size_t i = 0; i < CHUNK_WORDS; i++)
			chunk[i] = stats_random_next(&random);
		while (done < n) {
			ssize_t w = write(fd, (char *)chunk + done, n - done);

			if (interrupt_signal())
				return -EINTR;
			if (w < 0 && errno != EINTR)
				return -errno;
			done += w > 0 ? (size_t)w : 0;
		}
		bytes -= n;
	}
	return fsync(fd) ? -errno : 0;
}

/* nvmatch-test-<pid>-<6 hex digits>.dat, as testfile_make() names them. */
static bool is_our_name(const char *name)
{
	int pid = 0, end = 0;
	unsigned int seed = 0;
	_cleanup_free_ char *again = NULL;

	if (sscanf(name, "nvmatch-test-%9d-%6x.dat%n", &pid, &seed, &end) != 2 || !end || name[end] || pid <= 0)
		return false;
	again = text_format("nvmatch-test-%d-%06x.dat", pid, seed);
	return again && !strcmp(name, again);
}

/*
 * An ordinary file of this user with one name, that nobody holds the lock of: its run was killed.
 * Returns the descriptor with the lock, or -1. The name still means that file then.
 */
static int take_abandoned(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st, now;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1 &&
	    (st.st_mode & 07777) == 0600 && !flock(fd, LOCK_EX | LOCK_NB) &&
	    !fstatat(dir, name, &now, AT_SYMLINK_NOFOLLOW) && now.st_ino == st.st_ino && now.st_dev == st.st_dev)
		return fd;
	close(fd);
	return -1;
}

void testfile_remove_abandoned(const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int fd = is_our_name(entry->d_name) ? take_abandoned(dirfd(dir), entry->d_name) : -1;

		if (fd < 0)
			continue;
		if (!unlinkat(dirfd(dir), entry->d_name, 0))
			warning("%s/%s is left of a run that was killed, and is removed", directory, entry->d_name);
		close(fd);
	}
	if (dir)
		closedir(dir);
}

/* Where locks are not possible nothing is found to be abandoned either. */
static int hold(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return -EAGAIN;
	return fstat(fd, &st) ? -errno : st.st_nlink ? 0 : -EAGAIN;
}

int testfile_make(const char *directory, uint64_t bytes, uint64_t free_bytes, uint64_t seed, char **path,
		  int *held)
{
	char *name = text_format("%s/nvmatch-test-%d-%06x.dat", directory, getpid(),
				 (unsigned int)(seed & 0xffffff));
	_cleanup_fd_ int fd = -1;
	int ret;

	testfile_remove_abandoned(directory);
	ret = check_space(directory, bytes, free_bytes);
	if (!ret && !name)
		ret = -ENOMEM;
	if (ret) {
		free(name);
		return ret;
	}
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		ret = fail(-errno, "cannot make a test file in %s: %s", directory, strerror(errno));
		free(name);
		return ret;
	}
	ret = hold(fd);
	if (!ret)
		ret = fill(fd, bytes, seed);
	if (ret) {
		fail(ret, "cannot fill the test file %s: %s", name, strerror(-ret));
		testfile_remove(name, -1);
		return ret;
	}
	*path = name;
	*held = fd;
	fd = -1;
	return 0;
}

void testfile_remove(char *path, int held)
{
	if (path && unlink(path) && errno != ENOENT)
		fail(0, "the test file %s could not be removed: %s", path, strerror(errno));
	if (held >= 0)
		close(held);
	free(path);
}
