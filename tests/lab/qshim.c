/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded into an unmodified qemu-system-x86_64: gives its NVMe controllers what they have no
 * options for. Temperature and SMART counters that change, identify strings, a PCI id, a PCIe link,
 * a SMART log that is refused, a controller that hangs or falls off the bus.
 *
 * QSHIM=NAME=FILE,...  for -device nvme,id=NAME. The files are read again when they change; their
 * lines are KEY=VALUE, as in the tables below.
 *
 * How: it stands in front of the register file. A write to the doorbell of the admin queue means
 * new commands; it looks at them in guest memory. For a Get Log Page or Identify it remembers
 * where the page will go, and when QEMU copies the page there (memmove) it puts its bytes over it.
 */
#undef _FORTIFY_SOURCE	/* memmove must be a function here, not a macro */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define DRIVES 8
#define PAGES 16
#define HELD 256
#define TICK_US 20000

enum register_offset { REG_CC = 0x14, REG_AQA = 0x24, REG_ASQ = 0x28, REG_ADMIN_TAIL = 0x1000,
		      REG_IO = 0x1008 };
enum opcode { GET_LOG_PAGE = 0x02, IDENTIFY = 0x06 };
enum { LOG_SMART = 0x02, IDENTIFY_CONTROLLER = 0x01, LOG_UNKNOWN = 0xbf };
enum { WARNING_TEMPERATURE = 0x02, WCTEMP_OFFSET = 266, QEMU_WCTEMP = 343 };

struct overlay {
	uint8_t value[4096], mask[4096];
	bool used;
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
	struct overlay smart, identify;
	uint32_t admin_tail;
	bool refuse_smart, hanging, dead;
	struct { uint64_t address, value; unsigned int size; } held[HELD];
	int held_count;
};
static struct drive drives[DRIVES];
static int drives_count;

/* Where a page is about to be copied to. */
static struct page {
	uint8_t *start;
	size_t length, offset;		/* offset of start in the page */
	const struct overlay *overlay;
} pages[PAGES];
static int pages_next, pages_used;

/* Functions that QEMU exports. */
static struct {
	void *(*resolve)(const char *path, bool *ambiguous);
	bool (*phase)(int phase);
	void *(*context)(void);
	void (*schedule)(void *context, void (*function)(void *), void *argument, const char *name);
	void (*memory_rw)(uint64_t address, void *buffer, uint64_t length, bool write);
	void *(*memory_map)(uint64_t address, uint64_t *length, bool write);
	void (*memory_unmap)(void *buffer, uint64_t length, bool write, uint64_t accessed);
	void (*config_write)(void *device, uint32_t address, uint32_t value, int length);
	void *(*memmove)(void *to, const void *from, size_t length);
} qemu;

static void store(uint8_t *to, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t fetch(const uint8_t *from, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value |= (uint64_t)from[i] << 8 * i;
	return value;
}

static void put_over(struct overlay *o, int offset, uint64_t value, int bytes)
{
	store(o->value + offset, value, bytes);
	memset(o->mask + offset, 0xff, (size_t)bytes);
	o->used = true;
}

static void put_text_over(struct overlay *o, int offset, const char *text, size_t bytes)
{
	size_t n = strlen(text);

	memset(o->value + offset, ' ', bytes);
	memcpy(o->value + offset, text, n < bytes ? n : bytes);
	memset(o->mask + offset, 0xff, bytes);
	o->used = true;
}

/* ---- pages on their way to the guest ------------------------------------------------------- */

static void expect_piece(uint64_t address, size_t length, size_t offset, const struct overlay *overlay)
{
	uint64_t mapped = length;
	void *start = qemu.memory_map(address, &mapped, true);

	if (!start)
		return;
	qemu.memory_unmap(start, mapped, true, 0);
	pages[pages_next] = (struct page){ start, length, offset, overlay };
	pages_next = (pages_next + 1) % PAGES;
	__atomic_store_n(&pages_used, 1, __ATOMIC_RELEASE);
}

/* A page at PRP1 and, where it crosses a page of memory, PRP2. */
static void expect_page(const uint8_t *command, size_t length, const struct overlay *overlay)
{
	uint64_t prp1 = fetch(command + 24, 8), prp2 = fetch(command + 32, 8);
	size_t first = 4096 - prp1 % 4096;

	if (first > length)
		first = length;
	expect_piece(prp1, first, 0, overlay);
	if (first < length)
		expect_piece(prp2, length - first, first, overlay);
}

static void lay_over(uint8_t *to, size_t length)
{
	for (int i = 0; i < PAGES; i++) {
		struct page *p = &pages[i];

		if (!p->overlay || to < p->start || to >= p->start + p->length)
			continue;
		for (size_t k = 0, at = p->offset + (size_t)(to - p->start); k < length && at < 4096; k++, at++)
			to[k] = (uint8_t)((to[k] & ~p->overlay->mask[at]) | (p->overlay->value[at] & p->overlay->mask[at]));
		if (to + length >= p->start + p->length)
			p->overlay = NULL;
		return;
	}
}

static void *copy(void *to, const void *from, size_t length)
{
	if (!qemu.memmove) {	/* before the constructor ran; volatile: no call to memmove is made of this */
		volatile uint8_t *t = to;
		const volatile uint8_t *f = from;

		for (size_t i = 0; i < length; i++)
			t[t < f ? i : length - 1 - i] = f[t < f ? i : length - 1 - i];
		return to;
	}
	qemu.memmove(to, from, length);
	if (length <= 4096 && __atomic_load_n(&pages_used, __ATOMIC_ACQUIRE))
		lay_over(to, length);
	return to;
}

/* Not one by way of the other: the compiler would make a call to itself of that. */
__attribute__((visibility("default"))) void *memmove(void *to, const void *from, size_t length)
{
	return copy(to, from, length);
}

__attribute__((visibility("default"))) void *memcpy(void *restrict to, const void *restrict from,
						    size_t length)
{
	return copy(to, from, length);
}

/* ---- the register file ---------------------------------------------------------------------- */

static void look_at_command(struct drive *d, uint64_t address)
{
	uint8_t command[64];
	size_t length;
	uint8_t kind;

	qemu.memory_rw(address, command, sizeof(command), false);
	kind = command[40];
	if (command[0] == IDENTIFY && kind == IDENTIFY_CONTROLLER && d->identify.used)
		expect_page(command, 4096, &d->identify);
	if (command[0] != GET_LOG_PAGE || kind != LOG_SMART)
		return;
	length = (fetch(command + 42, 2) + 1) * 4;
	if (d->refuse_smart)	/* then QEMU itself refuses a log page that it does not know */
		qemu.memory_rw(address + 40, &(uint8_t){ LOG_UNKNOWN }, 1, true);
	else if (d->smart.used && length <= 512 && !fetch(command + 52, 4))
		expect_page(command, length, &d->smart);
}

static void look_at_commands(struct drive *d, uint32_t tail)
{
	uint32_t size = (uint32_t)(d->ops_were->read(d->controller, REG_AQA, 4) & 0xfff) + 1;
	uint64_t queue = d->ops_were->read(d->controller, REG_ASQ, 8) & ~0xfffull;

	for (uint32_t i = d->admin_tail; i != tail && tail < size; i = (i + 1) % size)
		look_at_command(d, queue + i * 64);
	d->admin_tail = tail;
}

static void end_hang(struct drive *d, bool deliver)
{
	d->hanging = false;
	for (int i = 0; deliver && i < d->held_count; i++)
		d->ops_were->write(d->controller, d->held[i].address, d->held[i].value, d->held[i].size);
	d->held_count = 0;
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

static struct drive *drive_of(const void *controller)
{
	for (int i = 0; i < drives_count; i++)
		if (drives[i].controller == controller)
			return &drives[i];
	abort();
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

/* ---- keys ------------------------------------------------------------------------------------ */

static const struct { const char *key; int offset, bytes; } smart_keys[] = {
	{ "critical_warning", 0, 1 }, { "temperature", 1, 2 }, { "avail_spare", 3, 1 }, { "spare_thresh", 4, 1 },
	{ "percent_used", 5, 1 }, { "data_units_read", 32, 8 }, { "data_units_written", 48, 8 },
	{ "host_read_commands", 64, 8 }, { "host_write_commands", 80, 8 }, { "controller_busy_time", 96, 8 },
	{ "power_cycles", 112, 8 }, { "power_on_hours", 128, 8 }, { "unsafe_shutdowns", 144, 8 },
	{ "media_errors", 160, 8 }, { "num_err_log_entries", 176, 8 }, { "warning_temp_time", 192, 4 },
	{ "critical_comp_time", 196, 4 }, { "temperature_sensor_1", 200, 2 }, { "temperature_sensor_2", 202, 2 },
	{ "thm_temp1_trans_count", 216, 4 }, { "thm_temp2_trans_count", 220, 4 },
	{ "thm_temp1_total_time", 224, 4 }, { "thm_temp2_total_time", 228, 4 },
}, identify_keys[] = {
	{ "oacs", 256, 2 }, { "wctemp", WCTEMP_OFFSET, 2 }, { "cctemp", 268, 2 }, { "tnvmcap", 280, 8 },
	{ "hctma", 322, 2 },
	{ "mntmt", 324, 2 }, { "mxtmt", 326, 2 },
};

/* GENERATIONxLANES: what the drive can (max_link) and what it runs at (link). */
static void set_link(struct drive *d, const char *value, bool maximum)
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

static void set_pci_id(struct drive *d, const char *value)
{
	unsigned int vendor, device;

	if (!d->config || sscanf(value, "%x:%x", &vendor, &device) != 2)
		return;
	store(d->config, vendor, 2);
	store(d->config + 2, device, 2);
	put_over(&d->identify, 0, vendor, 2);
}

/* Off the bus: all ones from everywhere and no DMA. Memory access stays on, so that reads come here. */
static void set_dead(struct drive *d, bool dead)
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

static void set(struct drive *d, const char *key, const char *value)
{
	uint64_t number = strtoull(value, NULL, 0);

	for (size_t i = 0; i < sizeof(smart_keys) / sizeof(smart_keys[0]); i++)
		if (!strcmp(key, smart_keys[i].key))
			put_over(&d->smart, smart_keys[i].offset, number, smart_keys[i].bytes);
	for (size_t i = 0; i < sizeof(identify_keys) / sizeof(identify_keys[0]); i++)
		if (!strcmp(key, identify_keys[i].key))
			put_over(&d->identify, identify_keys[i].offset, number, identify_keys[i].bytes);
	if (!strcmp(key, "model"))
		put_text_over(&d->identify, 24, value, 40);
	else if (!strcmp(key, "firmware"))
		put_text_over(&d->identify, 64, value, 8);
	else if (!strcmp(key, "pci_id"))
		set_pci_id(d, value);
	else if (!strcmp(key, "max_link") || !strcmp(key, "link"))
		set_link(d, value, *key == 'm');
	else if (!strcmp(key, "refuse_smart"))
		d->refuse_smart = number;
	else if (!strcmp(key, "dead"))
		set_dead(d, number);
	else if (!strcmp(key, "hang") && number != d->hanging) {
		if (number)
			d->hanging = true;
		else
			end_hang(d, true);
	} else if (!strcmp(key, "health"))	/* another file of lines, simssd's */
		snprintf(d->health, sizeof(d->health), "%s", value);
}

static void read_file(struct drive *d, const char *path, struct timespec *was)
{
	char line[600];
	struct stat st;
	FILE *f;

	if (!*path || stat(path, &st) || (st.st_mtim.tv_sec == was->tv_sec && st.st_mtim.tv_nsec == was->tv_nsec))
		return;
	*was = st.st_mtim;
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		char *value = strchr(line, '=');

		line[strcspn(line, "\n")] = '\0';
		if (value) {
			*value++ = '\0';
			set(d, line, value);
		}
	}
	if (f)
		fclose(f);
}

/* A drive at or above its warning temperature says so. */
static void warn_of_temperature(struct drive *d)
{
	uint64_t limit = d->identify.mask[WCTEMP_OFFSET] ? fetch(d->identify.value + WCTEMP_OFFSET, 2) : QEMU_WCTEMP;
	bool hot = d->smart.mask[1] && fetch(d->smart.value + 1, 2) >= limit;

	d->smart.mask[0] |= WARNING_TEMPERATURE;
	d->smart.value[0] = (uint8_t)((d->smart.value[0] & ~WARNING_TEMPERATURE) | (hot ? WARNING_TEMPERATURE : 0));
}

/* ---- finding the controller ------------------------------------------------------------------ */

static bool readable(const void *from, void *to, size_t bytes)
{
	struct iovec local = { to, bytes }, remote = { (void *)(uintptr_t)from, bytes };

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)bytes;
}

/* In QEMU's memory region for the registers: ... ops, opaque = the controller, ... */
static bool find_registers(struct drive *d)
{
	char path[96];
	void **region;

	snprintf(path, sizeof(path), "/machine/peripheral/%s/nvme[0]", d->name);
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

/* The object has a pointer to its configuration space, which begins with QEMU's own PCI id. */
static bool find_config(struct drive *d)
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

static void find(struct drive *d)
{
	bool registers = find_registers(d), config = find_config(d);

	fprintf(stderr, "qshim: %s: registers %s, configuration space %s\n", d->name,
		registers ? "found" : "NOT FOUND",
		config ? "found" : "NOT FOUND");
}

/* In QEMU's main loop, under its lock. */
static void tick(void *unused)
{
	(void)unused;
	for (int i = 0; i < drives_count; i++) {
		struct drive *d = &drives[i];
		char path[64];
		void *controller;

		snprintf(path, sizeof(path), "/machine/peripheral/%s", d->name);
		controller = qemu.resolve(path, NULL);
		if (controller && controller != d->controller) {
			d->controller = controller;
			d->file_time = d->health_time = (struct timespec){ 0 };
			find(d);
		}
		d->controller = controller;
		if (!controller)
			continue;
		read_file(d, d->file, &d->file_time);
		read_file(d, d->health, &d->health_time);
		if (d->smart.used)
			warn_of_temperature(d);
	}
}

static void *ticker(void *unused)
{
	enum { PHASE_MACHINE_READY = 4 };

	(void)unused;
	while (!qemu.phase(PHASE_MACHINE_READY))
		usleep(500);
	for (;;) {
		qemu.schedule(qemu.context(), tick, NULL, "qshim");
		usleep(TICK_US);
	}
	return NULL;
}

static bool find_functions(void)
{
	const struct { const char *name; void *to; } wanted[] = {
		{ "object_resolve_path", &qemu.resolve }, { "phase_check", &qemu.phase },
		{ "qemu_get_aio_context", &qemu.context }, { "aio_bh_schedule_oneshot_full", &qemu.schedule },
		{ "cpu_physical_memory_rw", &qemu.memory_rw }, { "cpu_physical_memory_map", &qemu.memory_map },
		{ "cpu_physical_memory_unmap", &qemu.memory_unmap },
		{ "pci_default_write_config", &qemu.config_write },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		*(void **)wanted[i].to = dlsym(RTLD_DEFAULT, wanted[i].name);
		if (*(void **)wanted[i].to)
			continue;
		fprintf(stderr, "qshim: this QEMU does not export %s\n", wanted[i].name);
		return false;
	}
	return true;
}

__attribute__((constructor)) static void start(void)
{
	char *list = getenv("QSHIM") ? strdup(getenv("QSHIM")) : NULL, *save = NULL;
	pthread_t thread;

	qemu.memmove = dlsym(RTLD_NEXT, "memmove");
	for (char *s = list ? strtok_r(list, ",", &save) : NULL; s && drives_count < DRIVES;
	     s = strtok_r(NULL, ",", &save)) {
		struct drive *d = &drives[drives_count];

		drives_count += sscanf(s, "%31[^=]=%511s", d->name, d->file) == 2;
	}
	/* env and timeout are preloaded too; only QEMU has these */
	if (drives_count && dlsym(RTLD_DEFAULT, "object_resolve_path") && find_functions())
		pthread_create(&thread, NULL, ticker, NULL);
	free(list);
}
