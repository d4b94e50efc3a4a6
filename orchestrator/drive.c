/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what the user typed to what the target is. */
#include "drive.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <fcntl.h>
#include <unistd.h>

#include "drive-internal.h"
#include "fail.h"
#include "model-json.h"

/* Newer than Debian 12's headers: Linux 6.9, include/uapi/linux/fs.h. */
struct file_system_uuid {
	uint8_t length;
	uint8_t bytes[16];
};
#define GET_FILE_SYSTEM_UUID _IOR(0x15, 0, struct file_system_uuid)

/* Directory in /sys of a block device by kernel name; partitions may lie below their disk only. */
static char *find_by_name(const struct drive_root *root, const char *name)
{
	_cleanup_free_ char *class = text_format("%s/class/block", root->sys);
	_cleanup_free_ char *block = text_format("%s/block", root->sys);
	struct strings disks = { 0 };
	char *dir = NULL;

	if (!class || !block || strchr(name, '/') || name[0] == '.' || !*name)
		return NULL;
	dir = sysfs_real(root, class, name);
	if (!dir)
		dir = sysfs_real(root, block, name);
	if (!dir)
		sysfs_names(block, &disks);
	for (size_t i = 0; !dir && i < disks.count; i++) {
		_cleanup_free_ char *disk = sysfs_real(root, block, disks.items[i]);
		_cleanup_free_ char *sub = disk ? text_format("%s/%s", disk, name) : NULL;

		if (sub && sysfs_exists(sub, "partition"))
			dir = sysfs_real(root, disk, name);
	}
	strings_free(&disks);
	return dir;
}

static char *find_by_number(const struct drive_root *root, dev_t dev)
{
	_cleanup_free_ char *base = text_format("%s/dev/block", root->sys);
	_cleanup_free_ char *name = text_format("%u:%u", major(dev), minor(dev));

	return base && name ? sysfs_real(root, base, name) : NULL;
}

/* The usual node of a kernel name if it is that very device ('!' stands for '/' in names). */
static char *usual_node(const char *kernel_name, dev_t dev)
{
	char *node = text_format("/dev/%s", kernel_name);
	struct stat st;

	for (char *p = node ? node + 5 : NULL; p && *p; p++)
		if (*p == '!')
			*p = '/';
	if (node && !lstat(node, &st) && S_ISBLK(st.st_mode) && st.st_rdev == dev)
		return node;
	free(node);
	return NULL;
}

static int fill_uuid(struct drive *drive)
{
	_cleanup_fd_ int fd = open(drive->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct file_system_uuid u = { 0 };
	static const uint8_t none[sizeof(u.bytes)];
	const uint8_t *b = u.bytes;

	if (fd >= 0 && !ioctl(fd, GET_FILE_SYSTEM_UUID, &u) && u.length == sizeof(u.bytes) &&
	    memcmp(b, none, sizeof(none))) {
		drive->file_system_uuid = text_format(
			"%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
			b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
		return drive->file_system_uuid ? 0 : -ENOMEM;
	}
	if (drive->backing_device)
		drive->file_system_uuid = drive_probe_uuid(drive->backing_device);
	if (drive->file_system_uuid)
		return 0;
	return drive_missing(drive, "file_system_uuid", drive->backing_device ?
			     "the kernel does not tell it, and the device shows none or cannot be read" :
			     "there is no block device below this file system");
}

static int fill_uses(const struct drive_root *root, const char *dir, struct drive *drive)
{
	struct device_set set = { 0 };
	int ret = device_set_read(root, dir, drive, &set);

	if (!ret)
		ret = drive_fill_mounts(root, &set, true, drive);
	device_set_free(&set);
	return ret;
}

/* Which members a kind of target cannot have; absence of the others is explained. */
static bool applies(const struct drive *drive, const char *field)
{
	static const char *const files[] = { "file_system", "file_system_uuid", "file_device", "file_inode",
		"file_bytes", "file_allocated_bytes", "free_bytes", "extent_hole_bytes",
		"extent_unwritten_bytes", "extent_mapped_bytes" };
	static const char *const never[] = { "target", "sysroot", "path", "sysfs_path", "identify" };
	bool nvme = drive->controller != NULL;

	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (!strcmp(field, never[i]))
			return false;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!strcmp(field, files[i]))
			return drive->kind == TARGET_FILE || (drive->kind == TARGET_DIRECTORY && i < 4) ||
			       (drive->kind == TARGET_DIRECTORY && i == 6);
	if (!strcmp(field, "backing_device"))
		return drive->kind != TARGET_BLOCK;
	/* NVMe's own words are not missing from what is no NVMe drive */
	if (!strncmp(field, "controller", 10) || !strcmp(field, "namespace_id") || !strcmp(field, "eui64") ||
	    !strcmp(field, "nguid") || !strcmp(field, "uuid") || !strcmp(field, "subsystem_nqn") ||
	    !strcmp(field, "pm_qos_latency_us"))
		return nvme;
	return true;
}

/* Every member that is still unknown gets its sentence. */
static int explain_rest(struct drive *drive)
{
	const char *what = drive->transport ? drive->transport : "unknown";
	int ret = 0;

	for (const struct field *f = drive_fields; !ret && f->key; f++) {
		const void *p = (const char *)drive + f->offset;
		bool unknown = (f->type == FIELD_STRING && !*(char *const *)p) ||
			       (f->type == FIELD_INT && !known(*(const int64_t *)p)) ||
			       (f->type == FIELD_DOUBLE && isnan(*(const double *)p));

		if (!unknown || !applies(drive, f->key))
			continue;
		if (!drive->sysfs_path)
			ret = drive_missing(drive, f->key, "no block device is known below this %s",
					    drive->kind == TARGET_DIRECTORY ? "directory" : "file");
		else
			ret = drive_missing(drive, f->key, "the kernel shows none for %s (transport %s)",
					    drive->kernel_name, what);
	}
	if (!ret && !drive->sensors_count)
		ret = drive_missing(drive, "sensors", drive->controller ?
				    "no hwmon below the controller: the kernel lacks CONFIG_NVME_HWMON, or the"
				    " drive gives no temperature" : "no hwmon below this device");
	if (!ret && !drive->stat_paths.count)
		ret = drive_missing(drive, "stat_paths", "no block statistics: no block device, or none of"
				    " its paths has any");
	return ret;
}

static int read_block(const struct drive_root *root, const char *dir, struct drive *drive)
{
	int ret = drive_fill_block(root, dir, drive);

	if (!ret)
		ret = fill_uses(root, dir, drive);
	if (ret)
		return ret;
	if (root->saved)
		return drive_missing(drive, "signatures", "known from a saved /sys: no device was opened");
	return drive_fill_signatures(dir, drive);
}

static int read_saved(const struct drive_root *root, const char *target, struct drive *drive)
{
	const char *name = path_name(target);
	_cleanup_free_ char *dir = find_by_name(root, name);

	if (!dir)
		return fail(-ENOENT, "drive: there is no block device %s in %s", name, root->sys);
	drive->path = text_format("/dev/%s", name);
	return drive->path ? read_block(root, dir, drive) : -ENOMEM;
}

static int read_device(const struct drive_root *root, const char *target, const struct stat *st,
		       struct drive *drive)
{
	_cleanup_free_ char *dir = find_by_number(root, st->st_rdev);

	if (!dir)
		return fail(-ENODEV, "drive: %s is a device node (%u:%u), but no such block device is there",
			    target, major(st->st_rdev), minor(st->st_rdev));
	drive->path = usual_node(path_name(dir), st->st_rdev);
	if (!drive->path)
		drive->path = realpath(target, NULL);
	return drive->path ? read_block(root, dir, drive) : -ENOMEM;
}

static int read_file(const struct drive_root *root, const char *target, struct drive *drive)
{
	_cleanup_free_ char *dir = NULL;
	struct stat st;
	dev_t below;
	int ret;

	drive->path = realpath(target, NULL);
	if (!drive->path)
		return fail(-errno, "drive: %s: %s", target, strerror(errno));
	ret = drive_fill_file(drive->path, drive, &below);
	if (ret)
		return ret == -ENOMEM ? ret : fail(ret, "drive: %s: %s", target, strerror(-ret));
	dir = below ? find_by_number(root, below) : NULL;
	if (dir) {
		drive->backing_device = usual_node(path_name(dir), below);
		ret = drive_fill_block(root, dir, drive);
		if (!ret)
			ret = fill_uses(root, dir, drive);
	}
	/* a file left in /dev by a program that wrote to a missing device is in RAM */
	if (!ret && !stat("/dev", &st) && drive->file_device == (int64_t)st.st_dev)
		ret = fail(-EINVAL, "drive: %s is an ordinary %s in /dev, not a device", target,
			   drive->kind == TARGET_DIRECTORY ? "directory" : "file");
	return ret ? ret : fill_uuid(drive);
}

static int no_such_target(const struct drive_root *root, const char *target)
{
	_cleanup_free_ char *dir = find_by_name(root, path_name(target));
	_cleanup_free_ char *dev = dir ? sysfs_line(dir, "dev") : NULL;
	_cleanup_free_ char *controller = text_format("%s/class/nvme/%s", root->sys, path_name(target));

	if (dev)
		return fail(-ENOENT, "drive: the kernel has %s (%s), but there is no device node /dev/%s",
			    path_name(target), dev, path_name(target));
	if (controller && !access(controller, F_OK))
		return fail(-EINVAL, "drive: %s is a controller; name a namespace of it, such as %sn1", target,
			    path_name(target));
	if (!strncmp(target, "/dev/", 5) || !strchr(target, '/'))
		return fail(-ENOENT, "drive: there is no device %s (no file is made in its place)", target);
	return fail(-ENOENT, "drive: there is no file or directory %s", target);
}

static int read_live(const struct drive_root *root, const char *target, struct drive *drive)
{
	_cleanup_free_ char *dir = strchr(target, '/') ? NULL : find_by_name(root, target);
	_cleanup_free_ char *node = dir ? text_format("/dev/%s", target) : NULL;
	struct stat st;

	if (node && !access(target, F_OK))
		return fail(-ENOTUNIQ, "drive: %s is a device and a file here: write /dev/%s or ./%s", target,
			    target, target);
	if (stat(node ? node : target, &st))
		return errno == ENOENT || errno == ENOTDIR ? no_such_target(root, target) :
		       fail(-errno, "drive: %s: %s", target, strerror(errno));
	switch (st.st_mode & S_IFMT) {
	case S_IFBLK:
		drive->kind = TARGET_BLOCK;
		return read_device(root, node ? node : target, &st, drive);
	case S_IFREG:
		drive->kind = TARGET_FILE;
		return read_file(root, target, drive);
	case S_IFDIR:
		drive->kind = TARGET_DIRECTORY;
		return read_file(root, target, drive);
	case S_IFCHR:
		return fail(-EINVAL, "drive: %s is a character device; a drive is a block device"
			    " (of a controller name a namespace, such as nvme0n1)", target);
	default:
		return fail(-EINVAL, "drive: %s is neither a block device nor a file or directory", target);
	}
}

int drive_read(const char *target, const char *sysroot, struct drive *drive)
{
	struct drive_root root;
	int ret = drive_root_open(sysroot, &root);

	*drive = (struct drive){ 0 };
	fields_unknown(drive_fields, drive);
	if (ret)
		return ret;
	drive->target = strdup(target);
	if (root.saved)
		drive->sysroot = strdup(sysroot);
	if (!*target)
		ret = fail(-EINVAL, "drive: the name of a target is empty");
	else if (!drive->target || (root.saved && !drive->sysroot))
		ret = -ENOMEM;
	else
		ret = root.saved ? read_saved(&root, target, drive) : read_live(&root, target, drive);
	if (!ret)
		ret = explain_rest(drive);
	drive_root_close(&root);
	if (ret)
		drive_free(drive);
	return ret == -ENOMEM ? fail(ret, "drive: out of memory") : ret;
}

void drive_free(struct drive *drive)
{
	fields_free(drive_fields, drive);
	*drive = (struct drive){ 0 };
	fields_unknown(drive_fields, drive);
}
