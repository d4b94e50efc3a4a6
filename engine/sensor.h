/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the temperature of a drive can be read. Knows nothing of fio. */
#ifndef NVMATCH_ENGINE_SENSOR_H
#define NVMATCH_ENGINE_SENSOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Finds the sensor file (hwmon, temp1_input) of the drive behind a block device, a partition,
 * a character device of NVMe, or the file system of a file, below sysfs (normally "/sys").
 * Returns 0 with its path, -ENODEV if the drive has none or there is no single drive.
 */
int sensor_find(const char *sysfs, const char *target, char *path, size_t size);

/* The same for a device number. */
int sensor_find_device(const char *sysfs, mode_t type, dev_t device, char *path, size_t size);

/*
 * Reads a sensor file: an integer in millidegrees, as hwmon has it.
 * Returns 0, or -errno (-EINVAL: no number, or no temperature).
 */
int sensor_read(const char *path, int32_t *millidegree_c);

#endif
