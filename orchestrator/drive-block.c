/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block device: size, blocks, queue settings, and which hardware lies below it. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "drive-internal.h"

#define SECTOR_BYTES 512	/* of `size`, `start` and `stat`, whatever the drive's block size */

struct attribute {
	const char *field;
	const char *file;	/* below the whole device */
	size_t offset;
	bool text;
};
#define NUMBER(m, f) { #m, f, offsetof(struct drive, m), false }
#define TEXT(m, f) { #m, f, offsetof(struct drive, m), true }

static const struct attribute attributes[] = {
	NUMBER(logical_block_bytes, "queue/logical_block_size"),
	NUMBER(physical_block_bytes, "queue/physical_block_size"),
	NUMBER(minimum_io_bytes, "queue/minimum_io_size"),
	NUMBER(optimal_io_bytes, "queue/optimal_io_size"),
	TEXT(scheduler, "queue/scheduler"),
	TEXT(write_cache, "queue/write_cache"),
	TEXT(zoned, "queue/zoned"),
	NUMBER(nr_requests, "queue/nr_requests"),
	NUMBER(max_sectors_kib, "queue/max_sectors_kb"),
	NUMBER(max_hw_sectors_kib, "queue/max_hw_sectors_kb"),
	NUMBER(read_ahead_kib, "queue/read_ahead_kb"),
	NUMBER(nomerges, "queue/nomerges"),
	NUMBER(rq_affinity, "queue/rq_affinity"),
	NUMBER(wbt_latency_us, "queue/wbt_lat_usec"),
	NUMBER(rotational, "queue/rotational"),
	NUMBER(io_poll, "queue/io_poll"),
};

static int fill_attributes(const char *whole, struct drive *drive)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		const struct attribute *a = &attributes[i];
		void *member = (char *)drive + a->offset;

		if (a->text)
			*(char **)member = sysfs_line(whole, a->file);
		else
			*(int64_t *)member = sysfs_int(whole, a->file);
		if (a->text ? !*(char **)member : !known(*(int64_t *)member))
			ret = drive_missing(drive, a->field, "no such file, or no number, in /sys for %s",
					    path_name(whole));
	}
	return ret;
}

/* "[none] mq-deadline" names the one in use in brackets */
static void chosen_scheduler(char *s)
{
	char *open = s ? strchr(s, '[') : NULL, *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return;
	*close = '\0';
	memmove(s, open + 1, strlen(open + 1) + 1);
}

static int64_t sectors_to_bytes(int64_t sectors)
{
	int64_t bytes;

	if (!known(sectors) || sectors < 0 || __builtin_mul_overflow(sectors, SECTOR_BYTES, &bytes))
		return UNKNOWN_I64;
	return bytes;
}

static int fill_partitions(const char *whole, struct drive *drive)
{
	struct strings names = { 0 };
	int ret = sysfs_names(whole, &names);

	for (size_t i = 0; !ret && i < names.count; i++) {
		_cleanup_free_ char *dir = text_format("%s/%s", whole, names.items[i]);

		if (!dir)
			ret = -ENOMEM;
		else if (sysfs_exists(dir, "partition"))
			ret = strings_add(&drive->partitions, names.items[i]);
	}
	strings_free(&names);
	return ret;
}

static bool starts_with_number(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return !strncmp(name, prefix, n) && isdigit((unsigned char)name[n]);
}

/* For people: by the kinds of devices on the way to the root. */
static const char *transport_of(const char *device)
{
	static const struct { const char *prefix, *transport; } kinds[] = {
		{ "usb", "usb" }, { "ata", "sata" }, { "virtio", "virtio" }, { "mmc", "mmc" },
		{ "end_device-", "sas" }, { "session", "iscsi" },
	};
	_cleanup_free_ char *path = strdup(device);

	for (size_t i = 0; path && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		_cleanup_free_ char *copy = strdup(path);

		for (char *slash; copy && (slash = strrchr(copy, '/')); *slash = '\0')
			if (starts_with_number(slash + 1, kinds[i].prefix))
				return kinds[i].transport;
	}
	return sysfs_exists(device, "vendor") ? "scsi" : NULL;
}

/* Vital product data page 80h: four bytes of header, then the serial number. */
static char *scsi_serial(const char *device)
{
	size_t n;
	_cleanup_free_ char *page = sysfs_text(device, "vpd_pg80", &n);
	char *start, *end;

	if (!page || n <= 4)
		return NULL;
	for (start = page + 4; *start == ' '; start++)
		;
	for (end = start + strnlen(start, n - (size_t)(start - page)); end > start && end[-1] == ' '; end--)
		;
	*end = '\0';
	return *start ? strdup(start) : NULL;
}

static int fill_other_identity(const char *whole, const char *device, struct drive *drive)
{
	const char *transport = transport_of(device);
	_cleanup_free_ char *vendor = sysfs_line(device, "vendor"), *model = sysfs_line(device, "model");

	drive->transport = transport ? strdup(transport) : NULL;
	/* a hexadecimal vendor is a bus number, not a name; "ATA" is the translation layer's */
	if (model && vendor && strcmp(vendor, "ATA") && strncmp(vendor, "0x", 2))
		drive->model = text_format("%s %s", vendor, model);
	else if (model)
		drive->model = strdup(model);
	drive->firmware = sysfs_line(device, "rev");
	drive->serial = scsi_serial(device);
	if (!drive->serial)
		drive->serial = sysfs_line(device, "serial");
	if (!drive->serial)
		drive->serial = sysfs_line(whole, "serial");
	drive->wwid = sysfs_line(device, "wwid");
	return 0;
}

static const char *virtual_kind(const char *whole)
{
	if (sysfs_exists(whole, "dm"))
		return "dm";
	if (sysfs_exists(whole, "md"))
		return "md";
	if (sysfs_exists(whole, "disksize"))
		return "zram";
	return starts_with_number(path_name(whole), "loop") ? "loop" :
	       starts_with_number(path_name(whole), "nbd") ? "nbd" :
	       starts_with_number(path_name(whole), "ram") ? "ram" : "virtual";
}

static int add_once(struct strings *list, const char *s)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->items[i], s))
			return 0;
	return strings_add(list, s);
}

/* The disks at the bottom of a device of dm or md. */
static int leaf_disks(const struct drive_root *root, const char *whole, int depth, struct strings *disks)
{
	struct strings names = { 0 };
	_cleanup_free_ char *slaves = text_format("%s/slaves", whole);
	int ret = slaves ? sysfs_names(slaves, &names) : -ENOMEM;

	if (!ret && !names.count && depth)
		ret = add_once(disks, whole);
	for (size_t i = 0; !ret && i < names.count && depth < 16; i++) {
		_cleanup_free_ char *dir = sysfs_real(root, slaves, names.items[i]);

		if (!dir)
			continue;
		if (sysfs_exists(dir, "partition"))
			*strrchr(dir, '/') = '\0';
		ret = leaf_disks(root, dir, depth + 1, disks);
	}
	strings_free(&names);
	return ret;
}

static int fill_identity(const struct drive_root *root, const char *whole, struct drive *drive, int depth);

/* What lies between the target and its disk: "dm CRYPT-LUKS2", "md raid1", "loop". Outermost only. */
static char *mapping_of(const char *whole, const char *kind)
{
	_cleanup_free_ char *uuid = sysfs_line(whole, "dm/uuid"), *level = sysfs_line(whole, "md/level");
	const char *s = uuid;
	int prefix;

	if (!uuid)
		return level ? text_format("%s %s", kind, level) : strdup(kind);
	prefix = (int)strcspn(s, "-");
	/* CRYPT-LUKS2-..., CRYPT-PLAIN-..., but LVM-<identifier> */
	if (!strncmp(s, "CRYPT-", 6))
		prefix += 1 + (int)strcspn(s + prefix + 1, "-");
	return text_format("%s %.*s", kind, prefix, s);
}

static int fill_virtual(const struct drive_root *root, const char *whole, struct drive *drive, int depth)
{
	const char *kind = virtual_kind(whole);
	struct strings disks = { 0 };
	_cleanup_free_ char *below = NULL;
	size_t count;
	struct stat st;
	int ret = depth < 1 ? leaf_disks(root, whole, 0, &disks) : 0;
	/* others (zram, ram, nbd) are the lowest thing that can be seen */
	bool layer = !strcmp(kind, "dm") || !strcmp(kind, "md") || !strcmp(kind, "loop");

	if (layer && !drive->mapping && depth < 1 && !(drive->mapping = mapping_of(whole, kind)))
		ret = -ENOMEM;
	count = disks.count;
	if (!ret && count == 1 && !(below = strdup(disks.items[0])))
		ret = -ENOMEM;
	strings_free(&disks);
	if (ret)
		return ret;
	if (below)
		return fill_identity(root, below, drive, depth + 1);
	drive->transport = strdup(kind);
	if (count > 1)
		return drive_missing(drive, "model", "%s lies on %zu disks", path_name(whole), count);
	/* of a file or directory on a loop device these members speak of the file itself */
	if (!strcmp(kind, "loop") && drive->kind == TARGET_BLOCK) {
		drive->backing_device = sysfs_line(whole, "loop/backing_file");
		if (drive->backing_device && !root->saved && !stat(drive->backing_device, &st)) {
			drive->file_device = (int64_t)st.st_dev;
			drive->file_inode = (int64_t)st.st_ino;
		}
	}
	return drive->transport ? 0 : -ENOMEM;
}

static int fill_identity(const struct drive_root *root, const char *whole, struct drive *drive, int depth)
{
	_cleanup_free_ char *device = sysfs_real(root, whole, "device");
	_cleanup_free_ char *controller = NULL;
	int ret = 0;

	if (!device)
		return fill_virtual(root, whole, drive, depth);
	if (!drive_is_nvme_controller(device) && !drive_is_nvme_subsystem(device)) {
		ret = fill_other_identity(whole, device, drive);
		if (!ret)
			ret = drive_fill_pci(root, device, drive);
		return ret ? ret : drive_fill_sensors(root, device, drive);
	}
	ret = drive_fill_nvme(root, whole, device, drive, &controller);
	if (ret || !controller)
		return ret;
	ret = drive_fill_sensors(root, controller, drive);
	if (!ret && !drive->sensors_count) {
		/* before Linux 5.12 the sensors hung at the PCI function */
		_cleanup_free_ char *function = sysfs_real(root, controller, "device");

		ret = function ? drive_fill_sensors(root, function, drive) : 0;
	}
	return ret ? ret : drive_fill_pci(root, controller, drive);
}

static int fill_numbers(const char *dir, const char *whole, bool partition, struct drive *drive)
{
	dev_t dev;

	if (sysfs_dev(dir, &dev)) {
		drive->device_major = major(dev);
		drive->device_minor = minor(dev);
	}
	drive->capacity_bytes = sectors_to_bytes(sysfs_int(dir, "size"));
	drive->partition_start_bytes = partition ? sectors_to_bytes(sysfs_int(dir, "start")) : 0;
	drive->read_only = sysfs_int(dir, "ro");
	drive->kernel_name = strdup(path_name(dir));
	drive->whole_device = strdup(path_name(whole));
	drive->sysfs_path = strdup(dir);
	return drive->kernel_name && drive->whole_device && drive->sysfs_path ? 0 : -ENOMEM;
}

int drive_fill_block(const struct drive_root *root, const char *dir, struct drive *drive)
{
	_cleanup_free_ char *whole = strdup(dir);
	_cleanup_free_ char *stat = text_format("%s/stat", dir);
	bool partition = sysfs_exists(dir, "partition");
	int ret;

	if (!whole || !stat)
		return -ENOMEM;
	if (partition)
		*strrchr(whole, '/') = '\0';
	ret = fill_numbers(dir, whole, partition, drive);
	if (!ret)
		ret = fill_attributes(whole, drive);
	chosen_scheduler(drive->scheduler);
	if (!ret && !partition)
		ret = fill_partitions(whole, drive);
	if (!ret)
		ret = fill_identity(root, whole, drive, 0);
	/* drive_fill_nvme has put those of the paths there, where there are any */
	if (!ret && !drive->stat_paths.count && sysfs_exists(dir, "stat"))
		ret = strings_add(&drive->stat_paths, stat);
	return ret;
}
