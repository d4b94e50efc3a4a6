/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes and removes the test file of a directory target. */
#include "testfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "fail.h"
#include "interrupt.h"
#include "stats-random.h"
#include "text.h"

#define CHUNK_WORDS (128 * 1024)

static int check_space(const char *directory, uint64_t bytes)
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

int testfile_make(const char *directory, uint64_t bytes, uint64_t seed, char **path)
{
	char *name = text_format("%s/nvmatch-test-%d-%06x.dat", directory, getpid(),
				 (unsigned int)(seed & 0xffffff));
	_cleanup_fd_ int fd = -1;
	int ret = check_space(directory, bytes);

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
	ret = fill(fd, bytes, seed);
	if (ret) {
		fail(ret, "cannot fill the test file %s: %s", name, strerror(-ret));
		testfile_remove(name);
		return ret;
	}
	*path = name;
	return 0;
}

void testfile_remove(char *path)
{
	if (path && unlink(path) && errno != ENOENT)
		fail(0, "the test file %s could not be removed: %s", path, strerror(errno));
	free(path);
}
