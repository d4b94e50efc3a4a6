/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch doctor: what this host can measure, what is missing, and how to get it. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "command.h"
#include "drive.h"
#include "fail.h"
#include "host.h"
#include "json-text.h"
#include "model-json.h"
#include "options.h"
#include "smart.h"
#include "suite.h"

enum finding_state { FINDING_OK, FINDING_WARNING, FINDING_MISSING };
static const char *const finding_names[] = { "ok", "warning", "missing" };

struct findings {
	json_t *list;
	enum finding_state worst;
	bool json;
};

/* way: how to mend it, or NULL. */
static void found(struct findings *f, const char *what, enum finding_state state, const char *text,
		  const char *way)
{
	_cleanup_free_ char *safe = text_escape_terminal(text ? text : "unknown");

	if (state > f->worst)
		f->worst = state;
	json_array_append_new(f->list, json_pack("{s:s, s:s, s:s, s:s?}", "what", what, "state",
						 finding_names[state], "text", safe ? safe : "", "way",
						 state == FINDING_OK ? NULL : way));
	if (f->json)
		return;
	printf("%-8s %-14s %s\n", finding_names[state], what, safe ? safe : "");
	if (state != FINDING_OK && way)
		printf("%-23s -> %s\n", "", way);
}

static void check_fio(struct findings *f, const char *fio, const char *engine, struct host *host)
{
	_cleanup_free_ char *path = engine ? strdup(engine) : suite_find_engine();

	if (host_find_fio(fio, host)) {
		found(f, "fio", FINDING_MISSING, "it cannot be run", "apt-get install fio");
		return;
	}
	found(f, "fio", FINDING_OK, host->fio_version, NULL);
	if (!path)
		found(f, "engine", FINDING_MISSING, "datastate.so was not found", "./quickstart build");
	else if (host_check_engine(path, host))
		found(f, "engine", FINDING_MISSING, "fio does not load it (see above)",
		      "./quickstart build, with the source of this fio");
	else
		found(f, "engine", FINDING_OK, host->engine_path, NULL);
}

static void check_base_engine(struct findings *f)
{
	_cleanup_free_ char *reason = NULL;
	const char *engine;

	host_base_engine(&engine, &reason);
	found(f, "base engine", reason ? FINDING_WARNING : FINDING_OK, reason ? reason : engine,
	      "allow io_uring: sysctl kernel.io_uring_disabled=0, and the container's seccomp filter");
}

static void check_caches(struct findings *f)
{
	bool ok = !access("/proc/sys/vm/drop_caches", W_OK);

	found(f, "page cache", ok ? FINDING_OK : FINDING_WARNING, ok ? "can be dropped" : strerror(errno),
	      "run as root; direct reads stay valid without it");
}

static void check_memory(struct findings *f)
{
	char text[64], number[TEXT_NUMBER_SIZE];
	struct statvfs v;
	double free_bytes;

	if (statvfs("/dev/shm", &v)) {
		found(f, "/dev/shm", FINDING_MISSING, strerror(errno), "mount a tmpfs there: records are kept in it");
		return;
	}
	free_bytes = (double)v.f_bavail * (double)v.f_frsize;
	snprintf(text, sizeof(text), "%s free", text_bytes(number, free_bytes));
	found(f, "/dev/shm", free_bytes > 256e6 ? FINDING_OK : FINDING_WARNING, text,
	      "256 MB and more are good: records of a slot are kept there");
}

static void check_host(struct findings *f, const struct host *host)
{
	char text[32];

	found(f, "kernel", FINDING_OK, host->kernel, NULL);
	if (!host->governor)
		found(f, "CPU governor", FINDING_OK, "the kernel shows none (a virtual machine, or fixed)", NULL);
	else
		found(f, "CPU governor", strcmp(host->governor, "performance") ? FINDING_WARNING : FINDING_OK,
		      host->governor, "cpupower frequency-set -g performance, for steadier numbers");
	snprintf(text, sizeof(text), "%lld", (long long)host->cpus_online);
	found(f, "CPUs", host->cpus_online > 1 ? FINDING_OK : FINDING_WARNING, text,
	      "with one CPU both sides of a simultaneous slot share it");
	if (host->aspm_policy)
		found(f, "PCIe ASPM", strstr(host->aspm_policy, "[powersave") || strstr(host->aspm_policy, "[powersuper") ?
		      FINDING_WARNING : FINDING_OK, host->aspm_policy,
		      "echo performance > /sys/module/pcie_aspm/parameters/policy");
}

static void check_drive(struct findings *f, const char *sysroot, const char *name)
{
	_cleanup_free_ char *reason = NULL, *shown = NULL;
	unsigned char page[SMART_PAGE_BYTES];
	struct drive drive;
	double celsius;
	int ret;

	if (drive_read(name, sysroot, &drive))
		return;
	shown = text_format("%s, serial %s", drive.model ? drive.model : "model unknown",
			    drive.serial ? drive.serial : "unknown");
	found(f, name, FINDING_OK, shown, NULL);
	ret = smart_read(&drive, page, &reason);
	found(f, "  SMART", ret ? FINDING_WARNING : FINDING_OK, ret ? reason : "readable",
	      "run as root (SMART needs CAP_SYS_ADMIN)");
	ret = drive_temperature_now(&drive, &celsius);
	found(f, "  temperature", ret ? FINDING_WARNING : FINDING_OK, ret ? "no hwmon sensor" : "readable",
	      "a kernel with CONFIG_NVME_HWMON shows it");
	drive_free(&drive);
}

static void check_drives(struct findings *f, const char *sysroot)
{
	struct strings names = { 0 };

	if (drive_list_nvme(sysroot, &names) || !names.count)
		found(f, "NVMe drives", FINDING_WARNING, "none on this host",
		      "nvmatch demo shows a whole comparison without one");
	for (size_t i = 0; i < names.count; i++)
		check_drive(f, sysroot, names.items[i]);
	strings_free(&names);
}

static int doctor_main(int argc, char **argv)
{
	const char *fio = NULL, *engine = NULL, *sysroot = "";
	bool json = false;
	const struct option_row rows[] = {
		{ "json", 0, OPTION_FLAG, &json, NULL, "findings as JSON", 0 },
		{ "fio", 0, OPTION_STRING, &fio, "PATH", "the fio program", 0 },
		{ "engine", 0, OPTION_STRING, &engine, "PATH", "the engine datastate.so", 0 },
		{ "sysroot", 0, OPTION_STRING, &sysroot, "DIR", "another root of /sys and /proc", 0 },
		{ 0 }
	};
	struct findings f = { .list = json_array() };
	struct host host;
	json_t *document;
	int operands, ret = command_options(&cmd_doctor, rows, argc, argv, &operands);

	f.json = json;
	if (ret) {
		json_decref(f.list);
		return ret;
	}
	host_read(sysroot, &host);
	check_fio(&f, fio, engine, &host);
	check_base_engine(&f);
	check_caches(&f);
	check_memory(&f);
	check_host(&f, &host);
	check_drives(&f, sysroot);
	fields_free(host_fields, &host);
	document = model_document();
	json_object_set_new(document, "findings", f.list);
	if (json)
		json_print(document, stdout, JSON_SHOWN);
	json_decref(document);
	return f.worst == FINDING_MISSING ? EXIT_INCOMPLETE : EXIT_DONE;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.synopsis = "[--json]",
	.summary = "what this host can measure, what is missing, how to get it",
	.least = 0,
	.most = 0,
	.operands = "no operands",
	.run = doctor_main,
};
