/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mounts and swap areas by device number, in this and in other mount namespaces. */
#include <ctype.h>
#include <errno.h>
#include <libmount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "drive-internal.h"

/* File systems with an own device number (btrfs, overlay on top of one) name the device only. */
static const char *source_name(const struct drive_root *root, const struct device_set *set,
			       struct libmnt_fs *fs)
{
	const char *source = mnt_fs_get_srcpath(fs);
	struct stat st;

	if (major(mnt_fs_get_devno(fs)) || !source || strncmp(source, "/dev/", 5) || root->saved)
		return NULL;
	return !stat(source, &st) && S_ISBLK(st.st_mode) ? device_set_name(set, st.st_rdev) : NULL;
}

static int add_mount(struct drive *drive, const char *device, struct libmnt_fs *fs, const char *where)
{
	const char *target = mnt_fs_get_target(fs), *type = mnt_fs_get_fstype(fs);
	_cleanup_free_ char *s = text_format("%s on %s (%s)%s", device, target ? target : "?",
					     type ? type : "?", where);

	if (!s)
		return -ENOMEM;
	for (size_t i = 0; i < drive->mounts.count; i++)
		if (!strcmp(drive->mounts.items[i], s))
			return 0;
	return strings_add(&drive->mounts, s);
}

static int read_mountinfo(const struct drive_root *root, const char *path, const char *where,
			  const struct device_set *set, struct drive *drive)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int ret = table && iter ? 0 : -ENOMEM;

	if (!ret && mnt_table_parse_file(table, path)) {
		mnt_free_iter(iter);
		mnt_unref_table(table);
		return -ENOENT;
	}
	while (!ret && !mnt_table_next_fs(table, iter, &fs)) {
		const char *name = device_set_name(set, mnt_fs_get_devno(fs));

		if (!name)
			name = source_name(root, set, fs);
		if (name)
			ret = add_mount(drive, name, fs, where);
	}
	mnt_free_iter(iter);
	mnt_unref_table(table);
	return ret;
}

/* Which mount namespace a process is in; NULL when that may not be known. */
static char *namespace_of(const char *pid)
{
	_cleanup_free_ char *path = text_format("/proc/%s/ns/mnt", pid);
	char name[64];
	ssize_t n = path ? readlink(path, name, sizeof(name) - 1) : -1;

	return n > 0 ? strndup(name, (size_t)n) : NULL;
}

static bool seen(struct strings *list, const char *s)
{
	for (size_t i = 0; s && i < list->count; i++)
		if (!strcmp(list->items[i], s))
			return true;
	return s && strings_add(list, s);
}

static int other_namespaces(const struct drive_root *root, const struct device_set *set, struct drive *drive)
{
	struct strings pids = { 0 }, namespaces = { 0 };
	_cleanup_free_ char *own = namespace_of("self");
	bool hidden = false;
	int ret = sysfs_names("/proc", &pids);

	if (own)
		seen(&namespaces, own);
	for (size_t i = 0; !ret && i < pids.count; i++) {
		const char *pid = pids.items[i];
		_cleanup_free_ char *path = text_format("/proc/%s/mountinfo", pid);
		_cleanup_free_ char *where = text_format(" in the mount namespace of process %s", pid);
		_cleanup_free_ char *ns = NULL;

		errno = 0;
		ns = isdigit((unsigned char)pid[0]) ? namespace_of(pid) : NULL;
		if (isdigit((unsigned char)pid[0]) && !ns && (errno == EACCES || errno == EPERM))
			hidden = true;
		/* those that cannot be told apart would repeat this one's mounts for each process */
		if (!ns || seen(&namespaces, ns))
			continue;
		ret = path && where ? read_mountinfo(root, path, where, set, drive) : -ENOMEM;
		ret = ret == -ENOENT ? 0 : ret;
	}
	if (!ret && hidden)
		ret = drive_missing(drive, "mounts.other_namespaces",
				    "the mount namespaces of some processes are not shown to this user");
	strings_free(&pids);
	strings_free(&namespaces);
	return ret;
}

/* A mounted btrfs lists all its devices; mountinfo names one of them. */
static int btrfs_devices(const struct drive_root *root, const struct device_set *set, struct drive *drive)
{
	struct strings systems = { 0 };
	_cleanup_free_ char *base = text_format("%s/fs/btrfs", root->sys);
	int ret = base ? sysfs_names(base, &systems) : -ENOMEM;

	for (size_t i = 0; !ret && i < systems.count; i++) {
		_cleanup_free_ char *dir = text_format("%s/%s/devices", base, systems.items[i]);

		for (size_t d = 0; !ret && dir && d < set->count; d++) {
			_cleanup_free_ char *s = NULL;

			if (!sysfs_exists(dir, set->items[d].name))
				continue;
			s = text_format("%s in btrfs %s", set->items[d].name, systems.items[i]);
			ret = s ? strings_add(&drive->mounts, s) : -ENOMEM;
		}
	}
	strings_free(&systems);
	return ret;
}

static int read_swaps(const struct drive_root *root, const struct device_set *set, struct drive *drive)
{
	_cleanup_free_ char *path = text_format("%s/swaps", root->proc);
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int ret = table && iter && path ? 0 : -ENOMEM;

	if (!ret && mnt_table_parse_swaps(table, path))
		ret = drive_missing(drive, "swaps", "%s cannot be read", path);
	while (!ret && !mnt_table_next_fs(table, iter, &fs)) {
		const char *source = mnt_fs_get_source(fs), *name = NULL;
		struct stat st;

		if (!source)
			continue;
		if (!root->saved && !stat(source, &st) && S_ISBLK(st.st_mode))
			name = device_set_name(set, st.st_rdev);
		for (size_t i = 0; root->saved && i < set->count; i++)
			if (!strcmp(set->items[i].name, path_name(source)))
				name = set->items[i].name;
		if (name)
			ret = strings_add(&drive->swaps, source);
	}
	mnt_free_iter(iter);
	mnt_unref_table(table);
	return ret;
}

int drive_fill_mounts(const struct drive_root *root, const struct device_set *set, bool everything,
		      struct drive *drive)
{
	_cleanup_free_ char *path = text_format("%s/self/mountinfo", root->proc);
	int ret = path ? read_mountinfo(root, path, "", set, drive) : -ENOMEM;

	if (ret == -ENOENT)
		ret = drive_missing(drive, "mounts", "%s cannot be read", path);
	if (!ret && everything && !root->saved)
		ret = other_namespaces(root, set, drive);
	if (!ret)
		ret = btrfs_devices(root, set, drive);
	return ret ? ret : read_swaps(root, set, drive);
}
