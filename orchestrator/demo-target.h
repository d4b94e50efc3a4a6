/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The demo's own targets: two zram devices as root, two files otherwise. Nothing else is written. */
#ifndef NVMATCH_DEMO_TARGET_H
#define NVMATCH_DEMO_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#define DEMO_BYTES (INT64_C(512) << 20)

struct demo_target {
	char *path;
	int zram;		/* number of the device we added, or -1: a file */
	bool node_made;		/* we made the device node */
};

/* Adds a zram device, or makes a file in directory when that cannot be. 0 or -errno (printed). */
int demo_target_make(const char *directory, char name, struct demo_target *target);

/*
 * Writes the first data_bytes with incompressible data of seed, and zeros behind it, to the end.
 * Only to what demo_target_make made. 0, -EINTR when a signal came, or -errno (printed).
 */
int demo_target_fill(const struct demo_target *target, int64_t data_bytes, uint64_t seed);

/* Removes the device or file. */
void demo_target_remove(struct demo_target *target);

#endif
