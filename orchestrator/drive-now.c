/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a drive still there? And its block statistics, to be read before and after a measurement. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "drive-internal.h"

#define SECTOR_BYTES 512	/* of the statistics, whatever the drive's block size */

/* Positions in the line, from 0 (Linux Documentation/block/stat.rst); discards came with 4.18. */
enum { READ_IOS, READ_MERGES, READ_SECTORS, READ_TICKS, WRITE_IOS, WRITE_MERGES, WRITE_SECTORS, WRITE_TICKS,
       IN_FLIGHT, IO_TICKS, QUEUE_TICKS, DISCARD_IOS, DISCARD_MERGES, DISCARD_SECTORS, POSITIONS };

bool drive_present(const struct drive *drive)
{
	struct stat st;

	if (drive->sysroot)
		return true;
	if (stat(drive->path, &st))
		return false;
	if (drive->kind != TARGET_BLOCK)
		return true;
	return S_ISBLK(st.st_mode) && drive->device_major == (int64_t)major(st.st_rdev) &&
	       drive->device_minor == (int64_t)minor(st.st_rdev) &&
	       (!drive->sysfs_path || sysfs_int(drive->sysfs_path, "size") > 0);
}

int64_t drive_capacity_now(const struct drive *drive)
{
	int64_t sectors, bytes;

	if (drive->kind != TARGET_BLOCK || !drive->sysfs_path)
		return UNKNOWN_I64;
	sectors = sysfs_int(drive->sysfs_path, "size");
	if (!known(sectors) || __builtin_mul_overflow(sectors, SECTOR_BYTES, &bytes))
		return UNKNOWN_I64;
	return bytes;
}

static bool add(int64_t *sum, int64_t value, int64_t factor)
{
	int64_t v;

	return !__builtin_mul_overflow(value, factor, &v) && !__builtin_add_overflow(*sum, v, sum);
}

static int add_line(const char *line, struct block_counters *c)
{
	int64_t v[POSITIONS] = { 0 };
	int count = 0;

	while (count < POSITIONS) {
		char *end;
		long long x;

		errno = 0;
		x = strtoll(line, &end, 10);
		if (end == line)
			break;
		if (errno || x < 0)
			return -EINVAL;
		v[count++] = x;
		line = end;
	}
	if (count <= IN_FLIGHT)
		return -EINVAL;
	if (count <= DISCARD_SECTORS)
		c->discarded_bytes = UNKNOWN_I64;
	if (!add(&c->read_ios, v[READ_IOS], 1) || !add(&c->read_bytes, v[READ_SECTORS], SECTOR_BYTES) ||
	    !add(&c->written_ios, v[WRITE_IOS], 1) ||
	    !add(&c->written_bytes, v[WRITE_SECTORS], SECTOR_BYTES) || !add(&c->in_flight, v[IN_FLIGHT], 1))
		return -EINVAL;
	if (known(c->discarded_bytes) && !add(&c->discarded_bytes, v[DISCARD_SECTORS], SECTOR_BYTES))
		return -EINVAL;
	return 0;
}

int drive_counters_from_text(const char *raw, struct block_counters *counters)
{
	struct block_counters c = { 0 };
	int lines = 0;

	while (*raw) {
		size_t n = strcspn(raw, "\n");
		_cleanup_free_ char *line = strndup(raw, n);
		char *colon = line ? strrchr(line, ':') : NULL;

		if (!line)
			return -ENOMEM;
		if (*line) {
			if (!colon || add_line(colon + 1, &c))
				return -EINVAL;
			lines++;
		}
		raw += n + (raw[n] == '\n');
	}
	if (!lines)
		return -EINVAL;
	*counters = c;
	return 0;
}

int drive_block_counters(const struct drive *drive, struct block_counters *counters, char **raw)
{
	struct text t = { 0 };
	_cleanup_free_ char *all = NULL;
	int ret;

	if (!drive->stat_paths.count)
		return -ENODATA;
	for (size_t i = 0; i < drive->stat_paths.count; i++) {
		_cleanup_free_ char *line = NULL;

		ret = text_read_line(drive->stat_paths.items[i], &line);
		if (ret) {
			text_free(&t);
			return ret;
		}
		text_printf(&t, "%s: %s\n", drive->stat_paths.items[i], line);
	}
	all = text_steal(&t);
	if (!all)
		return -ENOMEM;
	ret = drive_counters_from_text(all, counters);
	if (ret || !raw)
		return ret;
	*raw = all;
	all = NULL;
	return 0;
}
