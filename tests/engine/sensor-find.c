/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensor-find SYSFS b|c MAJOR MINOR: the sensor that the engine would read, or "none". */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "engine/sensor.c"

int main(int argc, char **argv)
{
	char path[PATH_MAX];
	mode_t type;

	if (argc != 5)
		return 2;
	type = argv[2][0] == 'c' ? S_IFCHR : S_IFBLK;
	if (sensor_find_device(argv[1], type, makedev(atoi(argv[3]), atoi(argv[4])), path,
			       sizeof(path)))
		puts("none");
	else
		puts(path);
	return 0;
}
