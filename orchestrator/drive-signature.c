/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File systems, RAID members, LVM and partition tables on a device, as libblkid sees them. Reads only. */
#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drive-internal.h"

static char *value(blkid_probe probe, const char *name)
{
	const char *data;
	size_t n;

	return blkid_probe_lookup_value(probe, name, &data, &n) ? NULL : strndup(data, n);
}

static int add_signature(struct drive *drive, char *type, char *usage, char *uuid, const char *device)
{
	struct signature *list = reallocarray(drive->signatures, drive->signatures_count + 1, sizeof(*list));
	char *where = strdup(device);

	if (list)
		drive->signatures = list;
	if (!list || !type || !usage || !where) {
		free(type);
		free(usage);
		free(uuid);
		free(where);
		return -ENOMEM;
	}
	list[drive->signatures_count++] = (struct signature){ type, usage, where, uuid };
	return 0;
}

static blkid_probe new_probe(int fd, int64_t start, int64_t bytes)
{
	blkid_probe probe = blkid_new_probe();

	if (!probe || blkid_probe_set_device(probe, fd, start, bytes)) {
		blkid_free_probe(probe);
		return NULL;
	}
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_UUID);
	return probe;
}

/* All signatures in [start, start + bytes) of fd, not only the first: old ones lie beside new ones. */
static int probe_area(int fd, int64_t start, int64_t bytes, const char *device, struct drive *drive)
{
	blkid_probe probe = new_probe(fd, start, bytes);
	int ret = 0, more;

	if (!probe)
		return drive_missing(drive, "signatures", "%s: libblkid cannot probe it", device);
	blkid_probe_enable_partitions(probe, 1);
	while (!ret && (more = blkid_do_probe(probe)) == 0) {
		char *type = value(probe, "TYPE"), *table = value(probe, "PTTYPE");

		if (type) {
			char *usage = value(probe, "USAGE");

			ret = add_signature(drive, type, usage ? usage : strdup("other"), value(probe, "UUID"), device);
		}
		if (table && !ret)
			ret = add_signature(drive, table, strdup("partition table"), value(probe, "PTUUID"), device);
		else
			free(table);
	}
	if (!ret && more < 0)
		ret = drive_missing(drive, "signatures", "%s: reading it failed", device);
	blkid_free_probe(probe);
	return ret;
}

int drive_fill_signatures(const char *sysfs_dir, struct drive *drive)
{
	_cleanup_fd_ int fd = open(drive->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct strings names = { 0 };
	int ret;

	if (fd < 0)
		return drive_missing(drive, "signatures", "%s cannot be opened: %s", drive->path, strerror(errno));
	if (drive->capacity_bytes == 0)
		return drive_missing(drive, "signatures", "%s has no size yet", drive->path);
	ret = probe_area(fd, 0, 0, path_name(sysfs_dir), drive);
	if (!ret)
		ret = sysfs_names(sysfs_dir, &names);
	for (size_t i = 0; !ret && i < names.count; i++) {
		_cleanup_free_ char *dir = text_format("%s/%s", sysfs_dir, names.items[i]);
		int64_t start, size;

		if (!dir || !sysfs_exists(dir, "partition"))
			continue;
		start = sysfs_int(dir, "start");
		size = sysfs_int(dir, "size");
		/* an extended partition shows a size of two sectors: nothing to probe */
		if (start > 0 && size > 2 && start < INT64_MAX / 512 && size < INT64_MAX / 512)
			ret = probe_area(fd, start * 512, size * 512, names.items[i], drive);
	}
	strings_free(&names);
	return ret;
}

char *drive_probe_uuid(const char *node)
{
	_cleanup_fd_ int fd = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	blkid_probe probe = fd < 0 ? NULL : new_probe(fd, 0, 0);
	char *uuid = NULL;

	if (probe && blkid_do_safeprobe(probe) == 0)
		uuid = value(probe, "UUID");
	blkid_free_probe(probe);
	return uuid;
}
