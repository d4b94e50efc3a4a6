/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the drive-*.c files share; for nobody else. */
#ifndef NVMATCH_DRIVE_INTERNAL_H
#define NVMATCH_DRIVE_INTERNAL_H

#include <sys/types.h>

#include "drive.h"

/* Where /sys and /proc are. */
struct drive_root {
	char *sys, *proc;
	bool saved;		/* not this machine's: open no device, stat no path found in it */
};
int drive_root_open(const char *sysroot, struct drive_root *root);	/* 0 or -errno, printed */
void drive_root_close(struct drive_root *root);

/* ---- drive-sysfs.c: odd contents (missing, garbage, huge, FIFOs, loops) all mean "unknown" ---- */

/* The real path of DIR/NAME when it lies below root->sys, else NULL. */
char *sysfs_real(const struct drive_root *root, const char *dir, const char *name);
/* First line of DIR/NAME without surrounding blanks; NULL when missing, empty or unreadable. */
char *sysfs_line(const char *dir, const char *name);
/* The whole of DIR/NAME up to 64 KiB, NULs in it kept; NULL likewise. */
char *sysfs_text(const char *dir, const char *name, size_t *length);
/* A decimal number, or UNKNOWN_I64. */
int64_t sysfs_int(const char *dir, const char *name);
bool sysfs_exists(const char *dir, const char *name);
/* Names in DIR (without . and ..), sorted as versions; none when it cannot be read. 0 or -ENOMEM. */
int sysfs_names(const char *dir, struct strings *names);
/* Device number in DIR/dev: true when there is one. */
bool sysfs_dev(const char *dir, dev_t *dev);
/* What is behind the last slash. */
const char *path_name(const char *path);

/* Notes that a field is unknown. The first reason for a field stays. 0 or -ENOMEM. */
int drive_missing(struct drive *drive, const char *field, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- parts of drive_read; dir is a real path of a block device in /sys; 0 or -ENOMEM ---- */

/* drive-block.c: all of a block device. Fills kernel_name ... stat_paths. */
int drive_fill_block(const struct drive_root *root, const char *dir, struct drive *drive);
/* drive-nvme.c: identity of the NVMe namespace whole; *controller is its directory or NULL. */
int drive_fill_nvme(const struct drive_root *root, const char *whole, const char *device,
		    struct drive *drive, char **controller);
bool drive_is_nvme_controller(const char *dir);
bool drive_is_nvme_subsystem(const char *dir);
/* drive-pci.c: links from the device directory up to the root, NUMA node. */
int drive_fill_pci(const struct drive_root *root, const char *device, struct drive *drive);
bool pci_is_address(const char *name);
void pci_link_read(struct pci_link *link);		/* all but address and path */
/* drive-sensor.c: hwmon below the device or controller directories. */
int drive_fill_sensors(const struct drive_root *root, const char *device, struct drive *drive);
/* drive-file.c: a file or directory; *below is the device number of the block device below it, or 0. */
int drive_fill_file(const char *path, struct drive *drive, dev_t *below);

/* ---- drive-use.c ---- */

/* The block devices that share bytes with a target: itself, partitions, its disk, holders. */
struct device_set {
	struct related {
		dev_t dev;
		char *name;	/* kernel name */
	} *items;
	size_t count;
};
int device_set_read(const struct drive_root *root, const char *dir, struct drive *drive,
		    struct device_set *set);
const char *device_set_name(const struct device_set *set, dev_t dev);	/* NULL: not in it */
void device_set_free(struct device_set *set);
/* drive-mount.c: mounts and swaps; everything: also of other mount namespaces. */
int drive_fill_mounts(const struct drive_root *root, const struct device_set *set, bool everything,
		      struct drive *drive);
/* drive-signature.c: what libblkid sees on the device and its partitions. */
int drive_fill_signatures(const char *sysfs_dir, struct drive *drive);
/* UUID of the file system on a block device node, or NULL. */
char *drive_probe_uuid(const char *node);

#endif
