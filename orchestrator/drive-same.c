/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are two targets one, do they share a drive, or are they clones of each other? */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drive-internal.h"

static bool equal(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b);
}

static bool equal_number(int64_t a, int64_t b)
{
	return known(a) && known(b) && a == b;
}

static bool same_number(const struct drive *a, const struct drive *b)
{
	return equal_number(a->device_major, b->device_major) && equal_number(a->device_minor, b->device_minor);
}

static bool is_partition(const struct drive *d)
{
	return d->kernel_name && d->whole_device && strcmp(d->kernel_name, d->whole_device);
}

static bool listed(const struct strings *list, const char *s)
{
	for (size_t i = 0; s && i < list->count; i++)
		if (!strcmp(list->items[i], s))
			return true;
	return false;
}

static bool same_system(const struct drive *a, const struct drive *b)
{
	return (!a->sysroot && !b->sysroot) || equal(a->sysroot, b->sysroot);
}

static bool below(const char *dir, const char *path)
{
	size_t n = strlen(dir);

	return !strncmp(dir, path, n) && (path[n] == '/' || !path[n] || (n && dir[n - 1] == '/'));
}

/* A device of dm, md or loop, that has the identity of what lies below, if any. */
static bool is_stacked(const struct drive *d)
{
	return d->sysfs_path && strstr(d->sysfs_path, "/virtual/block/");
}

/*
 * The same namespace seen through two controllers. Two drives that merely carry equal strings
 * differ in the subsystem's NQN, where it is known: the kernel makes no two controllers of one
 * subsystem with one identity (they are clones, see drive_clones).
 */
static bool same_namespace(const struct drive *a, const struct drive *b)
{
	return equal(a->model, b->model) && equal(a->serial, b->serial) &&
	       (!known(a->namespace_id) ? !known(b->namespace_id) : a->namespace_id == b->namespace_id) &&
	       !differ(a->subsystem_nqn, b->subsystem_nqn) && !differ(a->eui64, b->eui64) &&
	       !differ(a->nguid, b->nguid) && !differ(a->uuid, b->uuid);
}

/* Same hardware unit: one disk, or one controller or subsystem with several namespaces. */
static bool same_hardware(const struct drive *a, const struct drive *b)
{
	if (!same_system(a, b))
		return false;
	if (equal(a->whole_device, b->whole_device) || equal(a->controller, b->controller))
		return true;
	if (equal(a->subsystem_nqn, b->subsystem_nqn) && equal(a->serial, b->serial))
		return true;
	return equal(a->model, b->model) && equal(a->serial, b->serial) && !differ(a->wwid, b->wwid) &&
	       !differ(a->pci_address, b->pci_address) && !differ(a->subsystem_nqn, b->subsystem_nqn);
}

static int relate_blocks(const struct drive *a, const struct drive *b, char **why)
{
	if (same_system(a, b) && same_number(a, b)) {
		*why = text_format("both are %s (%lld:%lld)", a->kernel_name, (long long)a->device_major,
				   (long long)a->device_minor);
		return DRIVE_SAME;
	}
	if (same_system(a, b) && equal(a->whole_device, b->whole_device) && is_partition(a) != is_partition(b)) {
		*why = text_format("%s lies on %s", is_partition(a) ? a->kernel_name : b->kernel_name,
				   a->whole_device);
		return DRIVE_SAME;
	}
	if (same_system(a, b) && (listed(&a->holders, b->kernel_name) || listed(&b->holders, a->kernel_name))) {
		*why = text_format("one of %s and %s is built on the other", a->kernel_name, b->kernel_name);
		return DRIVE_SAME;
	}
	if (equal_number(a->file_inode, b->file_inode) && equal_number(a->file_device, b->file_device)) {
		*why = text_format("both are backed by the file %s", a->backing_device);
		return DRIVE_SAME;
	}
	if (!a->sysroot && !b->sysroot && equal_number(a->file_device, b->file_device)) {
		*why = text_format("%s and %s are backed by files on one file system", a->kernel_name,
				   b->kernel_name);
		return DRIVE_SHARED;
	}
	if (is_partition(a) || is_partition(b) || is_stacked(a) || is_stacked(b))
		return DRIVE_DIFFERENT;
	if (same_namespace(a, b)) {
		*why = text_format("%s and %s are one drive: same model, serial and namespace", a->kernel_name,
				   b->kernel_name);
		return DRIVE_SAME;
	}
	if (equal(a->wwid, b->wwid) && !differ(a->subsystem_nqn, b->subsystem_nqn) &&
	    !differ(a->serial, b->serial)) {
		*why = text_format("%s and %s have one world-wide identifier: %s", a->kernel_name,
				   b->kernel_name, a->wwid);
		return DRIVE_SAME;
	}
	return DRIVE_DIFFERENT;
}

static int relate_files(const struct drive *a, const struct drive *b, char **why)
{
	if (equal_number(a->file_inode, b->file_inode) && equal_number(a->file_device, b->file_device)) {
		*why = text_format("%s and %s are one %s", a->path, b->path,
				   a->kind == TARGET_DIRECTORY ? "directory" : "file");
		return DRIVE_SAME;
	}
	/* a test file of its own is made in a directory: different even when nested, but one drive */
	if (same_hardware(a, b)) {
		*why = text_format("%s and %s lie on one drive (%s)", a->path, b->path, a->whole_device);
		return DRIVE_SHARED;
	}
	if (!a->sysfs_path && !b->sysfs_path && equal_number(a->file_device, b->file_device)) {
		*why = text_format("%s and %s lie on one file system (%s)", a->path, b->path,
				   a->file_system ? a->file_system : "of unknown type");
		return DRIVE_SHARED;
	}
	return DRIVE_DIFFERENT;
}

/* A block device on one side, a file or directory on the other. */
static int relate_mixed(const struct drive *block, const struct drive *file, char **why)
{
	if (equal_number(block->file_inode, file->file_inode) &&
	    equal_number(block->file_device, file->file_device)) {
		*why = text_format("%s is backed by %s", block->path, file->path);
		return DRIVE_SAME;
	}
	if (file->kind == TARGET_DIRECTORY && block->backing_device && below(file->path, block->backing_device)) {
		*why = text_format("%s is backed by a file in %s", block->path, file->path);
		return DRIVE_SHARED;
	}
	if (same_number(block, file) || (same_hardware(block, file) && !is_partition(block))) {
		*why = text_format("%s lies on %s", file->path, block->path);
		return DRIVE_SAME;
	}
	if (same_hardware(block, file)) {
		*why = text_format("%s and %s lie on one drive (%s)", file->path, block->path,
				   block->whole_device);
		return DRIVE_SHARED;
	}
	return DRIVE_DIFFERENT;
}

int drive_same(const struct drive *a, const struct drive *b, char **why)
{
	int relation;

	*why = NULL;
	if (a->kind == TARGET_BLOCK && b->kind == TARGET_BLOCK)
		relation = relate_blocks(a, b, why);
	else if (a->kind == TARGET_BLOCK)
		relation = relate_mixed(a, b, why);
	else if (b->kind == TARGET_BLOCK)
		relation = relate_mixed(b, a, why);
	else
		relation = relate_files(a, b, why);
	if (relation == DRIVE_DIFFERENT && a->kind == TARGET_BLOCK && b->kind == TARGET_BLOCK &&
	    same_hardware(a, b)) {
		*why = text_format("%s and %s are parts of one drive", a->kernel_name, b->kernel_name);
		relation = DRIVE_SHARED;
	}
	return relation != DRIVE_DIFFERENT && !*why ? -ENOMEM : relation;
}

static int notice(struct strings *notices, const struct drive *a, const struct drive *b, const char *what,
		  const char *x, const char *y)
{
	_cleanup_free_ char *s = NULL;

	if (!equal(x, y))
		return 0;
	s = text_format("%s and %s are different devices with one %s (%s): one may be a clone of the other",
			a->target, b->target, what, x);
	return s ? strings_add(notices, s) : -ENOMEM;
}

/*
 * The kernel hides the identifiers of the second of two equal ones, the namespace itself still
 * says them. Where both are hidden, they are known to be bogus for that model, and mean nothing.
 */
static int notice_hidden(struct strings *notices, const struct drive *a, const struct drive *b,
			 const char *what,
			 const char *x, const char *x_says, const char *y, const char *y_says)
{
	if (!x && !y)
		return 0;
	return notice(notices, a, b, what, x ? x : x_says, y ? y : y_says);
}

/* What lies on them: a copied file system, volume or partition table has the UUID of the original. */
static int notice_signatures(struct strings *notices, const struct drive *a, const struct drive *b)
{
	int ret = 0;

	for (size_t i = 0; i < a->signatures_count; i++)
		for (size_t k = 0; !ret && k < b->signatures_count; k++) {
			const struct signature *x = &a->signatures[i], *y = &b->signatures[k];
			_cleanup_free_ char *what = text_format("%s UUID", x->type);

			if (!what)
				return -ENOMEM;
			if (equal(x->type, y->type))
				ret = notice(notices, a, b, what, x->uuid, y->uuid);
		}
	return ret;
}

int drive_clones(const struct drive *a, const struct drive *b, struct strings *notices)
{
	const struct identify *x = &a->identify, *y = &b->identify;
	_cleanup_free_ char *why = NULL;
	int relation = drive_same(a, b, &why), ret = 0;

	if (relation < 0)
		return relation;
	if (relation != DRIVE_DIFFERENT)
		return 0;
	if (!differ(a->model, b->model))
		ret = notice(notices, a, b, "serial", a->serial, b->serial);
	if (!ret)
		ret = notice_hidden(notices, a, b, "EUI64", a->eui64, x->eui64, b->eui64, y->eui64);
	if (!ret)
		ret = notice_hidden(notices, a, b, "NGUID", a->nguid, x->nguid, b->nguid, y->nguid);
	if (!ret)
		ret = notice_hidden(notices, a, b, "UUID", a->uuid, x->uuid, b->uuid, y->uuid);
	if (!ret)
		ret = notice(notices, a, b, "world-wide identifier", a->wwid, b->wwid);
	if (!ret)
		ret = notice(notices, a, b, "file system UUID", a->file_system_uuid, b->file_system_uuid);
	if (!ret)
		ret = notice_signatures(notices, a, b);
	return ret;
}
