/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controller's PCI configuration space: its id, its link, and falling off the bus. */
#include "qshim.h"

#include <stdio.h>
#include <string.h>

/* The object has a pointer to its configuration space, which begins with QEMU's own PCI id. */
bool find_config(struct drive *d)
{
	static const uint8_t id[] = { 0x36, 0x1b, 0x10, 0x00 };
	void **object = d->controller;

	for (int i = 0; i < 512; i++) {
		uint8_t copy[256];
		int guard = 48;

		if (!object[i] || !readable(object[i], copy, sizeof(copy)) || memcmp(copy, id, sizeof(id)))
			continue;
		d->config = object[i];
		for (uint8_t at = copy[0x34]; at && guard--; at = copy[at + 1])
			if (copy[at] == 0x10)
				d->express = d->config + at;
		return true;
	}
	return false;
}

/* GENERATIONxLANES: what the drive can (max_link) and what it runs at (link). */
void set_link(struct drive *d, const char *value, bool maximum)
{
	unsigned int generation, lanes;
	uint64_t was;

	if (!d->express || sscanf(value, "%ux%u", &generation, &lanes) != 2)
		return;
	was = fetch(d->express + (maximum ? 0x0c : 0x12), 2);
	store(d->express + (maximum ? 0x0c : 0x12), (was & ~0x3ffull) | generation | lanes << 4, 2);
	if (maximum)	/* the vector of speeds that it supports */
		store(d->express + 0x2c, (2u << generation) - 2, 4);
}

void set_pci_id(struct drive *d, const char *value)
{
	unsigned int vendor, device;

	if (!d->config || sscanf(value, "%x:%x", &vendor, &device) != 2)
		return;
	store(d->config, vendor, 2);
	store(d->config + 2, device, 2);
	put_over(&d->identify, 0, vendor, 2);
}

/* Off the bus: all ones from everywhere and no DMA. Memory access stays on, so that reads come here. */
void set_dead(struct drive *d, bool dead)
{
	if (!d->config || dead == d->dead)
		return;
	d->dead = dead;
	if (dead) {
		memcpy(d->config_was, d->config, sizeof(d->config_was));
		qemu.config_write(d->controller, 4, 2, 2);
		memset(d->config, 0xff, 4);
		memset(d->config + 6, 0xff, 250);
	} else {
		memcpy(d->config, d->config_was, sizeof(d->config_was));
		d->config[4] = 2;
		qemu.config_write(d->controller, 4, (uint32_t)fetch(d->config_was + 4, 2), 2);
	}
}
