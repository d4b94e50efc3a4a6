/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes, fills and removes the demo's targets. */
#include "demo-target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "fail.h"
#include "interrupt.h"
#include "stats-random.h"
#include "text.h"

#define CHUNK_BYTES (1 << 20)

static int write_attribute(const char *path, const char *value)
{
	_cleanup_fd_ int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, value, strlen(value)) != (ssize_t)strlen(value))
		return -errno;
	return 0;
}

/* Where no udev makes device nodes (a chroot, a container), we make our own. */
static int make_node(struct demo_target *t)
{
	_cleanup_free_ char *attribute = text_format("/sys/block/zram%d/dev", t->zram), *line = NULL;
	char *colon, *end;
	unsigned long major_number, minor_number;
	struct stat st;

	for (int i = 0; i < 20 && stat(t->path, &st); i++)
		usleep(10000);
	if (!stat(t->path, &st))
		return S_ISBLK(st.st_mode) ? 0 : -ENOTBLK;
	if (!attribute || text_read_line(attribute, &line))
		return -ENODEV;
	colon = strchr(line, ':');
	major_number = strtoul(line, &end, 10);
	minor_number = colon ? strtoul(colon + 1, NULL, 10) : 0;
	if (!colon || end != colon || mknod(t->path, S_IFBLK | 0600, makedev(major_number, minor_number)))
		return -errno;
	t->node_made = true;
	return 0;
}

/* hot_add gives the number of a new device (Documentation/admin-guide/blockdev/zram.rst). */
static int make_zram(struct demo_target *t)
{
	_cleanup_free_ char *line = NULL, *size = NULL, *value = NULL;
	int64_t number;
	int ret = text_read_line("/sys/class/zram-control/hot_add", &line);

	if (ret || text_to_i64(line, &number))
		return ret ? ret : -EINVAL;
	t->zram = (int)number;
	t->path = text_format("/dev/zram%d", t->zram);
	size = text_format("/sys/block/zram%d/disksize", t->zram);
	value = text_format("%lld", (long long)DEMO_BYTES);
	if (!t->path || !size || !value)
		return -ENOMEM;
	ret = write_attribute(size, value);
	return ret ? ret : make_node(t);
}

int demo_target_make(const char *directory, char name, struct demo_target *t)
{
	int fd;

	*t = (struct demo_target){ .zram = -1 };
	if (!geteuid() && !make_zram(t))
		return 0;
	demo_target_remove(t);
	t->path = text_format("%s/demo-%c.dat", directory, name);
	if (!t->path)
		return -ENOMEM;
	fd = open(t->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return fail(-errno, "cannot make %s: %s", t->path, strerror(errno));
	close(fd);
	return 0;
}

static int write_chunk(int fd, const char *chunk)
{
	for (size_t done = 0; done < CHUNK_BYTES;) {
		ssize_t n = write(fd, chunk + done, CHUNK_BYTES - done);

		if (interrupt_signal())
			return -EINTR;
		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

int demo_target_fill(const struct demo_target *t, int64_t data_bytes, uint64_t seed)
{
	_cleanup_fd_ int fd = open(t->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (t->zram >= 0 ? O_EXCL : 0));
	_cleanup_free_ char *chunk = calloc(1, CHUNK_BYTES);
	struct stats_random random = { seed };
	int ret = fd < 0 ? -errno : chunk ? 0 : -ENOMEM;

	for (int64_t at = 0; !ret && at < DEMO_BYTES; at += CHUNK_BYTES) {
		if (at >= data_bytes)
			memset(chunk, 0, CHUNK_BYTES);
		for (size_t i = 0; at < data_bytes && i < CHUNK_BYTES; i += sizeof(uint64_t)) {
			uint64_t word = stats_random_next(&random);

			memcpy(chunk + i, &word, sizeof(word));
		}
		ret = write_chunk(fd, chunk);
	}
	if (!ret && fsync(fd))
		ret = -errno;
	return !ret || ret == -EINTR ? ret : fail(ret, "cannot fill %s: %s", t->path, strerror(-ret));
}

static void remove_zram(const struct demo_target *t)
{
	_cleanup_free_ char *reset = text_format("/sys/block/zram%d/reset", t->zram);
	_cleanup_free_ char *number = text_format("%d", t->zram);
	int ret = -ENOMEM;

	/* busy for a moment after the last close */
	for (int i = 0; reset && number && i < 50; i++) {
		write_attribute(reset, "1");
		ret = write_attribute("/sys/class/zram-control/hot_remove", number);
		if (!ret)
			break;
		usleep(100000);
	}
	if (ret)
		fail(0, "/dev/zram%d could not be removed: %s", t->zram, strerror(-ret));
	else if (t->node_made)
		unlink(t->path);
}

void demo_target_remove(struct demo_target *t)
{
	if (t->zram >= 0)
		remove_zram(t);
	else if (t->path)
		unlink(t->path);
	free(t->path);
	*t = (struct demo_target){ .zram = -1 };
}
