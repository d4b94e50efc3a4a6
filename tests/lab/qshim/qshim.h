/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rooms of the shim share. qshim.c finds QEMU's functions and ticks; pci.c knows the
 * controller's configuration space, registers.c its registers and admin commands, pages.c lays
 * bytes over pages on their way to the guest, keys.c reads what the tests ask for.
 */
#ifndef LAB_QSHIM_H
#define LAB_QSHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define DRIVES 16
#define SERVED 8
#define HELD 256
#define PAGE_BYTES 4096

enum log_page { LOG_ERROR = 0x01, LOG_SMART = 0x02, LOG_EFFECTS = 0x05, LOG_ENDURANCE = 0x09,
		LOG_UNKNOWN = 0xbf, LOG_OCP_SMART = 0xc0 };

struct overlay {
	uint8_t value[PAGE_BYTES], mask[PAGE_BYTES];
	bool used;
};

/* A log page that QEMU does not have, or has only empty. */
struct served {
	uint8_t page;
	struct overlay overlay;
};

/* The first two members of QEMU's MemoryRegionOps, and room for the rest of it. */
struct region_ops {
	uint64_t (*read)(void *controller, uint64_t address, unsigned int size);
	void (*write)(void *controller, uint64_t address, uint64_t value, unsigned int size);
	void *rest[14];
};

struct drive {
	char name[32], file[512], health[512];
	struct timespec file_time, health_time;
	void *controller;			/* QEMU's object; NULL while there is none */
	const struct region_ops **ops, *ops_were;	/* the place in its memory region */
	struct region_ops ops_ours;
	uint8_t *config, *express;		/* PCI configuration space and PCIe capability */
	uint8_t config_was[256];
	struct overlay smart, identify, identify_namespace;
	struct served served[SERVED];
	int served_count;
	uint32_t admin_tail;
	bool refuse_smart, no_warning, hanging, dead;
	struct { uint64_t address, value; unsigned int size; } held[HELD];
	int held_count;
};

/* Functions that QEMU exports (qshim.c). */
struct qemu {
	void *(*resolve)(const char *path, bool *ambiguous);
	bool (*phase)(int phase);
	void *(*context)(void);
	void (*schedule)(void *context, void (*function)(void *), void *argument, const char *name);
	void (*memory_rw)(uint64_t address, void *buffer, uint64_t length, bool write);
	void *(*memory_map)(uint64_t address, uint64_t *length, bool write);
	void (*memory_unmap)(void *buffer, uint64_t length, bool write, uint64_t accessed);
	void (*config_write)(void *device, uint32_t address, uint32_t value, int length);
	void *(*memmove)(void *to, const void *from, size_t length);
};
extern struct qemu qemu;

/* The drive of that controller. */
struct drive *drive_of(const void *controller);
/* Copies bytes out of this process; false where there is no memory. */
bool readable(const void *from, void *to, size_t bytes);

/* Little endian, as pages and registers are. */
static inline void store(uint8_t *to, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		to[i] = i < 8 ? (uint8_t)(value >> 8 * i) : 0;
}

static inline uint64_t fetch(const uint8_t *from, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value |= (uint64_t)from[i] << 8 * i;
	return value;
}

/* pages.c: what is to be laid over, and the page of that admin command (64 bytes), length bytes
 * from offset on, that will be. */
void put_over(struct overlay *o, int offset, uint64_t value, int bytes);
void put_text_over(struct overlay *o, int offset, const char *text, size_t bytes);
void expect_page(const uint8_t *command, size_t length, size_t offset, const struct overlay *overlay);
/* The page that the drive serves, made when it is not there; NULL: too many, or beyond 8 bits. */
struct overlay *serve_page(struct drive *d, unsigned int page);
const struct overlay *served_page(const struct drive *d, uint8_t page);

/* registers.c */
bool find_registers(struct drive *d);
void set_hang(struct drive *d, bool hang);

/* pci.c */
bool find_config(struct drive *d);
void set_link(struct drive *d, const char *value, bool maximum);
void set_pci_id(struct drive *d, const char *value);
void set_dead(struct drive *d, bool dead);

/* keys.c: reads the drive's files again when they have changed. */
void read_keys(struct drive *d);

#endif
