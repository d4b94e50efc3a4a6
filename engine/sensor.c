/* SPDX-License-Identifier: GPL-2.0-only */
/* From a target to its drive's sensor file, by sysfs. */
#include "engine/sensor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define COLDEST_MILLIDEGREE (-100000)
#define HOTTEST_MILLIDEGREE 200000

static int join(char *out, size_t size, const char *dir, const char *name)
{
	int n = snprintf(out, size, "%s/%s", dir, name);

	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

/* The entry of dir that begins with prefix; the first by name if there are several. */
static int entry_with(const char *dir, const char *prefix, char *out, size_t size,
		      unsigned int *count)
{
	char best[NAME_MAX + 1] = "";
	struct dirent *e;
	DIR *d = opendir(dir);

	*count = 0;
	if (!d)
		return -errno;
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.' || strncmp(e->d_name, prefix, strlen(prefix)))
			continue;
		++*count;
		if (!*best || strcmp(e->d_name, best) < 0)
			snprintf(best, sizeof(best), "%s", e->d_name);
	}
	closedir(d);
	return *best ? join(out, size, dir, best) : -ENOENT;
}

/* dir/hwmonN/temp1_input, or dir/hwmon/hwmonN/temp1_input */
static int sensor_below(const char *dir, char *path, size_t size)
{
	char hwmon[PATH_MAX], parent[PATH_MAX];
	unsigned int n;

	if (join(parent, sizeof(parent), dir, "hwmon"))
		return -ENAMETOOLONG;
	if (access(parent, F_OK))
		snprintf(parent, sizeof(parent), "%s", dir);
	if (entry_with(parent, "hwmon", hwmon, sizeof(hwmon), &n) ||
	    join(path, size, hwmon, "temp1_input"))
		return -ENODEV;
	return access(path, R_OK) ? -ENODEV : 0;
}

/* A partition lies in the directory of its disk. */
static void cut_to_disk(char *dir)
{
	char mark[PATH_MAX], *slash = strrchr(dir, '/');

	if (slash && !join(mark, sizeof(mark), dir, "partition") && !access(mark, F_OK))
		*slash = '\0';
}

/* A volume on exactly one device (dm, md) is as warm as that one. */
static int single_slave(char *dir, size_t size)
{
	char slaves[PATH_MAX], slave[PATH_MAX], real[PATH_MAX];
	unsigned int n;

	if (join(slaves, sizeof(slaves), dir, "slaves") ||
	    entry_with(slaves, "", slave, sizeof(slave), &n))
		return 0;
	if (n != 1 || !realpath(slave, real) || strlen(real) >= size)
		return -ENODEV;
	memcpy(dir, real, strlen(real) + 1);
	cut_to_disk(dir);
	return 0;
}

/*
 * The controller is the device of the disk: nvme0 of nvme0n1, or the SCSI device. With NVMe
 * multipath it is the subsystem instead, with its controllers beside the disk.
 */
static int sensor_of_disk(const char *disk, char *path, size_t size)
{
	char device[PATH_MAX], controller[PATH_MAX], below[PATH_MAX];
	unsigned int n;

	if (join(device, sizeof(device), disk, "device"))
		return -ENAMETOOLONG;
	if (!sensor_below(device, path, size))
		return 0;
	if (!join(below, sizeof(below), device, "device") && !sensor_below(below, path, size))
		return 0;
	if (!entry_with(device, "nvme", controller, sizeof(controller), &n) &&
	    !sensor_below(controller, path, size))
		return 0;
	return -ENODEV;
}

int sensor_find_device(const char *sysfs, mode_t type, dev_t device, char *path, size_t size)
{
	char link[PATH_MAX], dir[PATH_MAX];
	int err = 0;

	snprintf(link, sizeof(link), "%s/dev/%s/%u:%u", sysfs, S_ISCHR(type) ? "char" : "block",
		 major(device), minor(device));
	if (!realpath(link, dir))
		return -ENODEV;
	cut_to_disk(dir);
	for (int depth = 0; !err && depth < 8; depth++) {
		if (!sensor_of_disk(dir, path, size))
			return 0;
		err = single_slave(dir, sizeof(dir));
	}
	return -ENODEV;
}

int sensor_find(const char *sysfs, const char *target, char *path, size_t size)
{
	struct stat st;

	if (stat(target, &st))
		return -ENODEV;
	if (S_ISBLK(st.st_mode) || S_ISCHR(st.st_mode))
		return sensor_find_device(sysfs, st.st_mode, st.st_rdev, path, size);
	return sensor_find_device(sysfs, S_IFBLK, st.st_dev, path, size);
}

int sensor_read(const char *path, int32_t *millidegree_c)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char text[32], *end;
	ssize_t n;
	long value;

	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text) - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return (int)n;
	text[n] = '\0';
	errno = 0;
	value = strtol(text, &end, 10);
	if (end == text || errno || (*end && *end != '\n') || value < COLDEST_MILLIDEGREE ||
	    value > HOTTEST_MILLIDEGREE)
		return -EINVAL;
	*millidegree_c = (int32_t)value;
	return 0;
}
