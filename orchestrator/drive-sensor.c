/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temperatures of a drive from hwmon, found below its controller or device. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drive-internal.h"

/* Millidegrees. 0 K means not reported; 65535 K is what the driver shows for "no threshold". */
static double celsius(const char *dir, int64_t index, const char *what)
{
	_cleanup_free_ char *name = text_format("temp%lld_%s", (long long)index, what);
	int64_t v = name ? sysfs_int(dir, name) : UNKNOWN_I64;

	return known(v) && v > -273150 && v < 1000000 ? (double)v / 1000.0 : NAN;
}

static int add_sensor(struct drive *drive, const char *dir, int64_t index)
{
	_cleanup_free_ char *label = text_format("temp%lld_label", (long long)index);
	struct temperature_sensor *list = reallocarray(drive->sensors, drive->sensors_count + 1, sizeof(*list));
	struct temperature_sensor *s;

	if (!list || !label) {
		drive->sensors = list ? list : drive->sensors;
		return -ENOMEM;
	}
	drive->sensors = list;
	s = &list[drive->sensors_count];
	*s = (struct temperature_sensor){
		.label = sysfs_line(dir, label),
		.path = text_format("%s/temp%lld_input", dir, (long long)index),
		.current_c = celsius(dir, index, "input"),
		.max_c = celsius(dir, index, "max"),
		.critical_c = celsius(dir, index, "crit"),
	};
	drive->sensors_count++;
	return s->path ? 0 : -ENOMEM;
}

/* Index N of a name tempN_input, else 0. */
static int64_t sensor_index(const char *name)
{
	char *end;
	long v;

	if (strncmp(name, "temp", 4) || name[4] < '1' || name[4] > '9')
		return 0;
	v = strtol(name + 4, &end, 10);
	return !strcmp(end, "_input") && v < 1000 ? v : 0;
}

/* Two names may lead to one hwmon directory. */
static bool has_sensor(const struct drive *drive, const char *dir, int64_t index)
{
	_cleanup_free_ char *path = text_format("%s/temp%lld_input", dir, (long long)index);

	for (size_t i = 0; path && i < drive->sensors_count; i++)
		if (!strcmp(drive->sensors[i].path, path))
			return true;
	return false;
}

static int add_hwmon(struct drive *drive, const char *dir)
{
	struct strings names = { 0 };
	int ret = sysfs_names(dir, &names);

	for (size_t i = 0; !ret && i < names.count; i++) {
		int64_t index = sensor_index(names.items[i]);

		if (index && !has_sensor(drive, dir, index))
			ret = add_sensor(drive, dir, index);
	}
	strings_free(&names);
	return ret;
}

/* hwmonN directories in DIR, or in DIR/hwmon. */
static int search(const struct drive_root *root, const char *dir, bool inner, struct drive *drive)
{
	struct strings names = { 0 };
	int ret = sysfs_names(dir, &names);

	for (size_t i = 0; !ret && i < names.count; i++) {
		_cleanup_free_ char *real = NULL;

		if (strncmp(names.items[i], "hwmon", 5))
			continue;
		real = sysfs_real(root, dir, names.items[i]);
		if (!real)
			continue;
		if (strcmp(names.items[i], "hwmon"))
			ret = add_hwmon(drive, real);
		else if (!inner)
			ret = search(root, real, true, drive);
	}
	strings_free(&names);
	return ret;
}

int drive_fill_sensors(const struct drive_root *root, const char *device, struct drive *drive)
{
	return search(root, device, false, drive);
}

int drive_temperature_now(const struct drive *drive, double *temperature_c)
{
	_cleanup_free_ char *dir = NULL;
	double v;

	/* temp1 is the composite temperature; another sensor must not stand in for it */
	if (!drive->sensors_count || sensor_index(path_name(drive->sensors[0].path)) != 1)
		return -ENODATA;
	dir = strdup(drive->sensors[0].path);
	if (!dir)
		return -ENOMEM;
	*strrchr(dir, '/') = '\0';
	v = celsius(dir, 1, "input");
	if (isnan(v))
		return -ENODATA;
	*temperature_c = v;
	return 0;
}
