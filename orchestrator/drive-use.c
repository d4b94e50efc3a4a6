/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who else has a hand on a device: holders, and everything that forbids writing. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "drive-internal.h"
#include "fail.h"
#include "model-json.h"

const char *device_set_name(const struct device_set *set, dev_t dev)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->items[i].dev == dev)
			return set->items[i].name;
	return NULL;
}

void device_set_free(struct device_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->items[i].name);
	free(set->items);
	*set = (struct device_set){ 0 };
}

/* 1: added, 0: it was there or has no number, -ENOMEM */
static int set_add(struct device_set *set, const char *dir)
{
	struct related *items;
	dev_t dev;

	if (!sysfs_dev(dir, &dev) || device_set_name(set, dev))
		return 0;
	items = reallocarray(set->items, set->count + 1, sizeof(*items));
	if (!items)
		return -ENOMEM;
	set->items = items;
	items[set->count] = (struct related){ .dev = dev, .name = strdup(path_name(dir)) };
	if (!items[set->count].name)
		return -ENOMEM;
	set->count++;
	return 1;
}

static int add_holders(const struct drive_root *root, const char *dir, int depth, struct drive *drive,
		       struct device_set *set)
{
	struct strings names = { 0 };
	_cleanup_free_ char *holders = text_format("%s/holders", dir);
	int ret = holders ? sysfs_names(holders, &names) : -ENOMEM;

	for (size_t i = 0; !ret && i < names.count; i++) {
		_cleanup_free_ char *real = sysfs_real(root, holders, names.items[i]);
		int added = real ? set_add(set, real) : 0;

		/* without a number it can be told by its name only */
		if (added < 0 || (added == 0 && real))
			ret = added;
		else
			ret = strings_add(&drive->holders, names.items[i]);
		if (!ret && added > 0 && depth < 16)
			ret = add_holders(root, real, depth + 1, drive, set);
	}
	strings_free(&names);
	return ret;
}

/* Loop devices on a block device are no holders to the kernel. */
static int add_loops(const struct drive_root *root, struct drive *drive, struct device_set *set)
{
	struct strings names = { 0 };
	_cleanup_free_ char *block = text_format("%s/block", root->sys);
	int ret = block ? sysfs_names(block, &names) : -ENOMEM;

	for (size_t i = 0; !ret && i < names.count; i++) {
		_cleanup_free_ char *dir = sysfs_real(root, block, names.items[i]);
		_cleanup_free_ char *file = dir ? sysfs_line(dir, "loop/backing_file") : NULL;
		struct stat st;

		if (!file || stat(file, &st) || !S_ISBLK(st.st_mode) || !device_set_name(set, st.st_rdev))
			continue;
		ret = set_add(set, dir);
		if (ret > 0)
			ret = strings_add(&drive->holders, names.items[i]);
	}
	strings_free(&names);
	return ret;
}

int device_set_read(const struct drive_root *root, const char *dir, struct drive *drive,
		    struct device_set *set)
{
	struct strings names = { 0 };
	size_t own;
	int ret = set_add(set, dir);

	if (ret >= 0 && sysfs_exists(dir, "partition")) {
		_cleanup_free_ char *whole = strndup(dir, (size_t)(strrchr(dir, '/') - dir));

		ret = whole ? set_add(set, whole) : -ENOMEM;
	}
	if (ret >= 0)
		ret = sysfs_names(dir, &names);
	for (size_t i = 0; ret >= 0 && i < names.count; i++) {
		_cleanup_free_ char *sub = text_format("%s/%s", dir, names.items[i]);

		if (!sub)
			ret = -ENOMEM;
		else if (sysfs_exists(sub, "partition"))
			ret = set_add(set, sub);
	}
	own = set->count;
	for (size_t i = 0; ret >= 0 && i < own; i++) {
		_cleanup_free_ char *base = sysfs_real(root, dir, ".");
		_cleanup_free_ char *sub = NULL;

		if (!strcmp(set->items[i].name, path_name(dir)))
			sub = base ? strdup(base) : NULL;
		else if (sysfs_exists(dir, set->items[i].name))
			sub = text_format("%s/%s", dir, set->items[i].name);
		else
			sub = strndup(dir, (size_t)(strrchr(dir, '/') - dir));
		ret = sub ? add_holders(root, sub, 0, drive, set) : -ENOMEM;
	}
	if (ret >= 0 && !root->saved)
		ret = add_loops(root, drive, set);
	strings_free(&names);
	return ret < 0 ? ret : 0;
}

static int say(struct strings *reasons, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int say(struct strings *reasons, const char *format, ...)
{
	struct text t = { 0 };
	_cleanup_free_ char *s = NULL;
	va_list ap;

	va_start(ap, format);
	text_vprintf(&t, format, ap);
	va_end(ap);
	s = text_steal(&t);
	return s ? strings_add(reasons, s) : -ENOMEM;
}

static int say_all(struct strings *reasons, const char *what, const struct strings *list)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < list->count; i++)
		ret = say(reasons, "%s%s", what, list->items[i]);
	return ret;
}

/* What the system says now. 0 or -errno, printed. */
static int read_uses(const struct drive *drive, struct drive *now)
{
	struct drive_root root;
	struct device_set set = { 0 };
	dev_t dev;
	int ret = drive_root_open(drive->sysroot, &root);

	if (ret)
		return ret;
	if (!sysfs_dev(drive->sysfs_path, &dev) ||
	    dev != makedev((unsigned int)drive->device_major, (unsigned int)drive->device_minor))
		ret = fail(-ENODEV, "drive: %s is not there any more, or another device has its place",
			   drive->path);
	if (!ret)
		ret = device_set_read(&root, drive->sysfs_path, now, &set);
	if (!ret)
		ret = drive_fill_mounts(&root, &set, true, now);
	now->path = strdup(drive->path);
	now->capacity_bytes = drive->capacity_bytes;
	if (!ret)
		ret = now->path ? drive_fill_signatures(drive->sysfs_path, now) : -ENOMEM;
	device_set_free(&set);
	drive_root_close(&root);
	return ret;
}

static int say_exclusive(const struct drive *drive, struct strings *reasons)
{
	_cleanup_fd_ int fd = open(drive->path, O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		return 0;
	if (errno == EBUSY)
		return say(reasons, "the kernel refuses an exclusive open of %s: something uses it", drive->path);
	return say(reasons, "%s cannot be opened exclusively: %s", drive->path, strerror(errno));
}

static int say_signatures(const struct drive *now, struct strings *reasons)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < now->signatures_count; i++) {
		const struct signature *s = &now->signatures[i];

		ret = say(reasons, "%s holds %s (%s)", s->device, s->type, s->usage);
	}
	for (size_t i = 0; !ret && i < now->missing_count; i++)
		if (!strcmp(now->missing[i].field, "signatures"))
			ret = say(reasons, "signatures could not be looked for: %s", now->missing[i].reason);
	return ret;
}

int drive_in_use(const struct drive *drive, struct strings *reasons)
{
	struct drive now = { 0 };
	_cleanup_free_ char *whole = NULL;
	int ret;

	if (drive->kind != TARGET_BLOCK)
		return 0;
	if (drive->sysroot)
		return say(reasons, "%s is known from a saved /sys only", drive->path);
	fields_unknown(drive_fields, &now);
	ret = read_uses(drive, &now);
	if (!ret)
		ret = say_all(reasons, "mounted: ", &now.mounts);
	if (!ret)
		ret = say_all(reasons, "swap: ", &now.swaps);
	if (!ret)
		ret = say_all(reasons, "held by ", &now.holders);
	if (!ret)
		ret = say_signatures(&now, reasons);
	if (!ret)
		ret = say_exclusive(drive, reasons);
	if (!ret && sysfs_int(drive->sysfs_path, "ro") != 0)
		ret = say(reasons, "%s is read-only", drive->path);
	if (!ret && drive->zoned && strcmp(drive->zoned, "none"))
		ret = say(reasons, "%s is a zoned device (%s)", drive->path, drive->zoned);
	drive_free(&now);
	return ret == -ENOMEM ? fail(ret, "drive: out of memory") : ret;
}
