/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In front of QEMU's register file. A write to the doorbell of the admin queue means new commands:
 * they are looked at, and changed, in guest memory before QEMU sees them. A hanging controller does
 * not see its I/O doorbells, one that is off the bus none.
 */
#include "qshim.h"

#include <stdio.h>

enum register_offset { REG_CC = 0x14, REG_AQA = 0x24, REG_ASQ = 0x28, REG_ADMIN_TAIL = 0x1000,
		      REG_IO = 0x1008 };
enum opcode { GET_LOG_PAGE = 0x02, IDENTIFY = 0x06 };
enum { IDENTIFY_NAMESPACE = 0x00, IDENTIFY_CONTROLLER = 0x01 };
/* Bytes of a command (NVMe base spec 2.0, figures 87 and 202) */
enum { COMMAND_BYTES = 64, CDW10 = 40, NUMDL = 42, NUMDU = 44, LPO = 48 };

static void look_at_identify(struct drive *d, const uint8_t *command)
{
	if (command[CDW10] == IDENTIFY_CONTROLLER && d->identify.used)
		expect_page(command, PAGE_BYTES, 0, &d->identify);
	else if (command[CDW10] == IDENTIFY_NAMESPACE && d->identify_namespace.used)
		expect_page(command, PAGE_BYTES, 0, &d->identify_namespace);
}

/*
 * QEMU refuses a page that it does not know: for a page that is served here it is asked for one
 * of 4096 bytes that it has, to be laid over wholly.
 */
static void look_at_log(struct drive *d, const uint8_t *command, uint64_t address)
{
	uint64_t length = (fetch(command + NUMDL, 4) + 1) * 4, offset = fetch(command + LPO, 8);
	const struct overlay *served = served_page(d, command[CDW10]);
	uint8_t other = command[CDW10];

	if (other == LOG_SMART && d->refuse_smart) {
		other = LOG_UNKNOWN;
	} else if (other == LOG_SMART) {
		if (d->smart.used && length <= 512 && !offset)
			expect_page(command, length, 0, &d->smart);
	} else if (served && length <= PAGE_BYTES && offset < PAGE_BYTES) {
		other = LOG_EFFECTS;
		expect_page(command, length, offset, served);
	}
	if (other != command[CDW10])
		qemu.memory_rw(address + CDW10, &other, 1, true);
}

static void look_at_commands(struct drive *d, uint32_t tail)
{
	uint32_t size = (uint32_t)(d->ops_were->read(d->controller, REG_AQA, 4) & 0xfff) + 1;
	uint64_t queue = d->ops_were->read(d->controller, REG_ASQ, 8) & ~0xfffull;

	for (uint32_t i = d->admin_tail; i != tail && tail < size; i = (i + 1) % size) {
		uint64_t address = queue + i * COMMAND_BYTES;
		uint8_t command[COMMAND_BYTES];

		qemu.memory_rw(address, command, sizeof(command), false);
		if (command[0] == IDENTIFY)
			look_at_identify(d, command);
		else if (command[0] == GET_LOG_PAGE)
			look_at_log(d, command, address);
	}
	d->admin_tail = tail;
}

static void end_hang(struct drive *d, bool deliver)
{
	d->hanging = false;
	for (int i = 0; deliver && i < d->held_count; i++)
		d->ops_were->write(d->controller, d->held[i].address, d->held[i].value, d->held[i].size);
	d->held_count = 0;
}

void set_hang(struct drive *d, bool hang)
{
	if (d->hanging && !hang)
		end_hang(d, true);
	d->hanging = hang;
}

/* Of each doorbell only the last value counts. */
static void hold(struct drive *d, uint64_t address, uint64_t value, unsigned int size)
{
	int i = 0;

	while (i < d->held_count && d->held[i].address != address)
		i++;
	if (i == HELD)
		return;
	d->held_count += i == d->held_count;
	d->held[i].address = address;
	d->held[i].value = value;
	d->held[i].size = size;
}

static uint64_t register_read(void *controller, uint64_t address, unsigned int size)
{
	struct drive *d = drive_of(controller);

	return d->dead ? UINT64_MAX : d->ops_were->read(controller, address, size);
}

static void register_write(void *controller, uint64_t address, uint64_t value, unsigned int size)
{
	struct drive *d = drive_of(controller);

	if (d->dead)
		return;
	if (address == REG_ADMIN_TAIL)
		look_at_commands(d, (uint32_t)value);
	if (address == REG_CC && !(value & 1)) {	/* a reset: the queues are gone */
		d->admin_tail = 0;
		end_hang(d, false);
	}
	if (d->hanging && address >= REG_IO)
		hold(d, address, value, size);
	else
		d->ops_were->write(controller, address, value, size);
}

/* In QEMU's memory region for the registers: ... ops, opaque = the controller, ... */
bool find_registers(struct drive *d)
{
	char path[96];
	void **region;

	snprintf(path, sizeof(path), "/machine/peripheral/%.31s/nvme[0]", d->name);
	region = qemu.resolve(path, NULL);
	for (int i = 1; region && i < 48; i++) {
		struct region_ops copy;

		if (region[i] != d->controller || region[i - 1] == d->controller ||
		    !readable(region[i - 1], &copy, sizeof(copy)) || !copy.read || !copy.write)
			continue;
		d->ops = (const struct region_ops **)&region[i - 1];
		d->ops_were = *d->ops;
		d->ops_ours = copy;
		d->ops_ours.read = register_read;
		d->ops_ours.write = register_write;
		*d->ops = &d->ops_ours;
		return true;
	}
	return false;
}
