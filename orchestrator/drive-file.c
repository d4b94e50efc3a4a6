/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file or directory as a target: its file system, what lies below, and which bytes exist at all. */
#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "drive-internal.h"

#define EXTENTS 256	/* asked for at once */

struct extents {
	int64_t mapped, unwritten;
	uint64_t from;		/* what lies before does not count */
	uint64_t next;		/* first byte not looked at yet */
	bool last;
};

/* One extent, cut to what is asked for (of a file its size: preallocation may lie behind it). */
static void count_extent(struct extents *e, const struct fiemap_extent *x, uint64_t file_bytes)
{
	uint64_t end, start = x->fe_logical < e->from ? e->from : x->fe_logical;

	if (__builtin_add_overflow(x->fe_logical, x->fe_length, &end) || end > file_bytes)
		end = file_bytes;
	if (start < end) {
		if (x->fe_flags & FIEMAP_EXTENT_UNWRITTEN)
			e->unwritten += (int64_t)(end - start);
		else
			e->mapped += (int64_t)(end - start);
	}
	if (x->fe_flags & FIEMAP_EXTENT_LAST || x->fe_logical + x->fe_length <= e->next)
		e->last = true;	/* also when a file system does not advance */
	e->next = x->fe_logical + x->fe_length;
}

/* 0 or -errno. Delayed allocation is written out first: it would look like holes. */
static int read_extents(int fd, int64_t file_bytes, struct extents *e)
{
	_cleanup_free_ struct fiemap *map = calloc(1, sizeof(*map) + EXTENTS * sizeof(struct fiemap_extent));

	if (!map)
		return -ENOMEM;
	while (!e->last && e->next < (uint64_t)file_bytes) {
		memset(map, 0, sizeof(*map));
		map->fm_start = e->next;
		map->fm_length = (uint64_t)file_bytes - e->next;
		map->fm_flags = FIEMAP_FLAG_SYNC;
		map->fm_extent_count = EXTENTS;
		if (ioctl(fd, FS_IOC_FIEMAP, map))
			return -errno;
		if (!map->fm_mapped_extents)
			break;
		for (uint32_t i = 0; i < map->fm_mapped_extents && i < EXTENTS; i++)
			count_extent(e, &map->fm_extents[i], (uint64_t)file_bytes);
	}
	return 0;
}

/* Where FIEMAP is not offered: bytes that the file system calls data. UNKNOWN_I64 when neither is. */
static int64_t data_bytes(int fd, int64_t file_bytes)
{
	int64_t sum = 0, at = 0;

	while (at < file_bytes) {
		off_t data = lseek(fd, at, SEEK_DATA), hole;

		if (data < 0)
			return errno == ENXIO ? sum : UNKNOWN_I64;
		hole = lseek(fd, data, SEEK_HOLE);
		if (hole <= data)
			return UNKNOWN_I64;
		sum += (hole > file_bytes ? file_bytes : hole) - data;
		at = hole;
	}
	return sum;
}

static int fill_extents(const char *path, struct drive *drive)
{
	_cleanup_fd_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct extents e = { 0 };
	int ret;

	if (fd < 0)
		return drive_missing(drive, "extent_mapped_bytes", "the file cannot be opened: %s", strerror(errno));
	ret = fsync(fd) ? -errno : read_extents(fd, drive->file_bytes, &e);
	if (ret == -ENOMEM)
		return ret;
	if (!ret) {
		drive->extent_mapped_bytes = e.mapped;
		drive->extent_unwritten_bytes = e.unwritten;
		drive->extent_hole_bytes = drive->file_bytes - e.mapped - e.unwritten;
		return 0;
	}
	drive->extent_mapped_bytes = data_bytes(fd, drive->file_bytes);
	if (known(drive->extent_mapped_bytes))
		drive->extent_hole_bytes = drive->file_bytes - drive->extent_mapped_bytes;
	return drive_missing(drive, "extent_unwritten_bytes", "%s offers no FIEMAP (%s): unwritten areas count"
			     " as holes", drive->file_system ? drive->file_system : "the file system",
			     strerror(-ret));
}

/* Holes and unwritten bytes of one range: 0 or -errno. */
static int absent_in(int fd, const struct range *r, int64_t *absent)
{
	int64_t end = r->offset_bytes + r->length_bytes;
	struct extents e = { .next = (uint64_t)r->offset_bytes, .from = (uint64_t)r->offset_bytes };
	int ret = read_extents(fd, end, &e);

	if (!ret)
		*absent += r->length_bytes - e.mapped;
	return ret;
}

int drive_absent_bytes(const struct drive *drive, const struct range *ranges, size_t count,
		       int64_t *absent_bytes)
{
	_cleanup_fd_ int fd = -1;
	int64_t absent = 0;
	int ret = 0;

	if (drive->kind == TARGET_BLOCK || drive->sysroot)
		return -ENODATA;
	fd = open(drive->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0 || fsync(fd))
		return -errno;
	for (size_t i = 0; !ret && i < count; i++)
		ret = absent_in(fd, &ranges[i], &absent);
	if (!ret)
		*absent_bytes = absent;
	return ret;
}

/* The mountinfo line of the mount that path is in. */
static struct libmnt_fs *mount_of(struct libmnt_table *table, const char *path)
{
	struct libmnt_iter *iter;
	struct libmnt_fs *fs = NULL;
	struct statx stx;

	if (mnt_table_parse_file(table, "/proc/self/mountinfo"))
		return NULL;
	if (statx(AT_FDCWD, path, 0, STATX_MNT_ID, &stx) || !(stx.stx_mask & STATX_MNT_ID))
		return mnt_table_find_mountpoint(table, path, MNT_ITER_BACKWARD);
	iter = mnt_new_iter(MNT_ITER_BACKWARD);
	while (iter && !mnt_table_next_fs(table, iter, &fs) && mnt_fs_get_id(fs) != (int)stx.stx_mnt_id)
		fs = NULL;
	mnt_free_iter(iter);
	return fs;
}

/* The block device below a mount: its own number, or that of the source (btrfs has an anonymous one). */
static dev_t device_of(struct libmnt_fs *fs)
{
	const char *source = mnt_fs_get_srcpath(fs);
	struct stat st;

	if (major(mnt_fs_get_devno(fs)))
		return mnt_fs_get_devno(fs);
	if (source && source[0] == '/' && !stat(source, &st) && S_ISBLK(st.st_mode))
		return st.st_rdev;
	return 0;
}

static int fill_mount(const char *path, struct drive *drive, dev_t *below)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_fs *fs = table ? mount_of(table, path) : NULL;
	int ret = table ? 0 : -ENOMEM;

	*below = 0;
	if (fs) {
		*below = device_of(fs);
		drive->file_system = mnt_fs_get_fstype(fs) ? strdup(mnt_fs_get_fstype(fs)) : NULL;
	}
	if (!ret && !drive->file_system)
		ret = drive_missing(drive, "file_system", "the mount of %s is not in /proc/self/mountinfo", path);
	mnt_unref_table(table);
	return ret;
}

int drive_fill_file(const char *path, struct drive *drive, dev_t *below)
{
	struct statvfs vfs;
	struct stat st;
	int ret;

	if (stat(path, &st))
		return -errno;
	drive->file_device = (int64_t)st.st_dev;
	drive->file_inode = (int64_t)st.st_ino;
	if (!statvfs(path, &vfs) && vfs.f_bavail < INT64_MAX / (vfs.f_frsize ? vfs.f_frsize : 1))
		drive->free_bytes = (int64_t)(vfs.f_bavail * vfs.f_frsize);
	ret = fill_mount(path, drive, below);
	if (ret || S_ISDIR(st.st_mode))
		return ret;
	drive->file_bytes = st.st_size;
	drive->file_allocated_bytes = (int64_t)st.st_blocks * 512;
	return fill_extents(path, drive);
}
