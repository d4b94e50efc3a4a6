/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded into an unmodified qemu-system-x86_64: gives its NVMe controllers what they have no
 * options for. Temperature and SMART counters that change, log pages that QEMU does not have,
 * identify strings, a PCI id, a PCIe link, a SMART log that is refused, a controller that hangs or
 * falls off the bus.
 *
 * QSHIM=NAME=FILE,...  for -device nvme,id=NAME. The files are read again when they change; their
 * lines are KEY=VALUE, as in the tables of keys.c.
 *
 * How: it stands in front of the register file. A write to the doorbell of the admin queue means
 * new commands; it looks at them in guest memory. For a Get Log Page or Identify it remembers
 * where the page will go, and when QEMU copies the page there (memmove) it puts its bytes over it.
 */
#include "qshim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define TICK_US 20000

struct qemu qemu;
static struct drive drives[DRIVES];
static int drives_count;

struct drive *drive_of(const void *controller)
{
	for (int i = 0; i < drives_count; i++)
		if (drives[i].controller == controller)
			return &drives[i];
	abort();
}

bool readable(const void *from, void *to, size_t bytes)
{
	struct iovec local = { to, bytes }, remote = { (void *)(uintptr_t)from, bytes };

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)bytes;
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

		snprintf(path, sizeof(path), "/machine/peripheral/%.31s", d->name);
		controller = qemu.resolve(path, NULL);
		if (controller && controller != d->controller) {
			d->controller = controller;
			d->file_time = d->health_time = (struct timespec){ 0 };
			find(d);
		}
		d->controller = controller;
		if (!controller)
			continue;
		read_keys(d);
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
	for (char *s = list ? strtok_r(list, ",", &save) : NULL; s; s = strtok_r(NULL, ",", &save)) {
		struct drive *d = &drives[drives_count];

		if (drives_count == DRIVES) {
			fprintf(stderr, "qshim: more than %d drives\n", DRIVES);
			_exit(1);
		}
		drives_count += sscanf(s, "%31[^=]=%511s", d->name, d->file) == 2;
	}
	/* env and timeout are preloaded too; only QEMU has these */
	if (drives_count && dlsym(RTLD_DEFAULT, "object_resolve_path") && find_functions())
		pthread_create(&thread, NULL, ticker, NULL);
	free(list);
}
