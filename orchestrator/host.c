/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the machine, at fio, and at whether they fit the engine. */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "config.h"
#include "fail.h"
#include "model-json.h"
#include "process.h"

#define ANSWER_MS 60000	/* a busy machine can take long to load a program */

static char *line_of(const char *sysroot, const char *path)
{
	_cleanup_free_ char *full = text_format("%s%s", sysroot, path);
	char *line = NULL;

	return full && !text_read_line(full, &line) ? line : NULL;
}

/* The text behind "KEY <separator> " in a file of such lines, quotes taken off. */
static char *value_of(const char *sysroot, const char *path, const char *key, char separator)
{
	_cleanup_free_ char *full = text_format("%s%s", sysroot, path);
	_cleanup_free_ char *data = NULL;
	size_t n = strlen(key);

	if (!full || text_read_file(full, 4 << 20, &data, NULL))
		return NULL;
	for (char *p = data, *next; p && *p; p = next) {
		char *value = strchr(p, separator);

		next = strchr(p, '\n');
		if (next)
			*next++ = '\0';
		if (strncmp(p, key, n) || !value || (next && value >= next))
			continue;
		value += 1 + strspn(value + 1, " \t\"");
		value[strcspn(value, "\"")] = '\0';
		return strdup(value);
	}
	return NULL;
}

static int64_t number_of(const char *sysroot, const char *path)
{
	_cleanup_free_ char *line = line_of(sysroot, path);
	int64_t v;

	return line && !text_to_i64(line, &v) ? v : UNKNOWN_I64;
}

static int64_t memory_bytes(const char *sysroot)
{
	_cleanup_free_ char *text = value_of(sysroot, "/proc/meminfo", "MemTotal", ':');
	int64_t kib;

	if (!text)
		return UNKNOWN_I64;
	text[strcspn(text, " ")] = '\0';
	return text_to_i64(text, &kib) ? UNKNOWN_I64 : kib * 1024;
}

void host_read(const char *sysroot, struct host *host)
{
	struct utsname name;

	*host = (struct host){ 0 };
	fields_unknown(host_fields, host);
	if (!uname(&name)) {
		host->kernel = text_format("%s %s", name.sysname, name.release);
		host->architecture = strdup(name.machine);
	}
	host->cpu_model = value_of(sysroot, "/proc/cpuinfo", "model name", ':');
	if (!host->cpu_model)	/* arm64 has no model names; the board says what it is */
		host->cpu_model = line_of(sysroot, "/proc/device-tree/model");
	host->governor = line_of(sysroot, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	host->os_release = value_of(sysroot, "/etc/os-release", "PRETTY_NAME", '=');
	host->page_bytes = sysconf(_SC_PAGESIZE);
	host->cpus_online = sysconf(_SC_NPROCESSORS_ONLN);
	host->memory_bytes = memory_bytes(sysroot);
	host->aspm_policy = line_of(sysroot, "/sys/module/pcie_aspm/parameters/policy");
	host->nvme_default_ps_max_latency_us =
		number_of(sysroot, "/sys/module/nvme_core/parameters/default_ps_max_latency_us");
}

int host_ask(char *const argv[], int timeout_ms, char **output)
{
	int ret = process_capture(argv, NULL, timeout_ms, output);

	if (ret == -ETIMEDOUT)
		return fail(-EIO, "%s %s gave no answer within %g s: it hangs, or the machine is too busy to measure "
			    "anything", argv[0], argv[1], timeout_ms / 1e3);
	if (ret < 0)
		return fail(-EIO, "%s cannot be run: %s (install the Debian package fio, or give --fio PATH)", argv[0],
			    strerror(-ret));
	return ret;
}

int host_find_fio(const char *path, struct host *host)
{
	static char version[] = "--version";
	char *argv[] = { (char *)(path ? path : "fio"), version, NULL };
	_cleanup_free_ char *output = NULL;
	int ret = host_ask(argv, ANSWER_MS, &output);

	if (ret < 0)
		return ret;
	if (ret || strncmp(output, "fio-", 4))
		return fail(-EIO, "%s is not fio: --version gives exit status %d and \"%.60s\"", argv[0], ret, output);
	output[strcspn(output, "\r\n")] = '\0';
	free(host->fio_version);
	free(host->fio_path);
	host->fio_version = strdup(output);
	/* it is started in other directories: a relative path must not depend on ours */
	host->fio_path = strchr(argv[0], '/') ? realpath(argv[0], NULL) : strdup(argv[0]);
	return host->fio_version && host->fio_path ? 0 : -ENOMEM;
}

int host_check_engine(const char *engine, struct host *host)
{
	_cleanup_free_ char *help = text_format("--enghelp=%s", engine);
	char *argv[] = { host->fio_path, help, NULL };
	_cleanup_free_ char *output = NULL;
	int ret;

	if (access(engine, R_OK))
		return fail(-EIO, "the engine %s cannot be read: %s (./quickstart build makes it)", engine,
			    strerror(errno));
	ret = help ? host_ask(argv, ANSWER_MS, &output) : -ENOMEM;
	if (ret < 0)
		return ret;
	if (!strstr(output, "base_engine")) {
		output[strcspn(output, "\n")] = '\0';
		return fail(-EIO, "%s does not load the engine %s: %s", host->fio_version, engine, output);
	}
	free(host->engine_path);
	free(host->engine_fio_version);
	host->engine_path = realpath(engine, NULL);
	/* it loads, so it is built for exactly this fio */
	host->engine_fio_version = strdup(host->fio_version);
	return host->engine_path && host->engine_fio_version ? 0 : -ENOMEM;
}

void host_base_engine(const char **engine, char **reason)
{
	unsigned char params[120] = { 0 };	/* struct io_uring_params of linux/io_uring.h */
	long fd = syscall(SYS_io_uring_setup, 2, params);

	*engine = "io_uring";
	*reason = NULL;
	if (fd >= 0) {
		close((int)fd);
		return;
	}
	*engine = "libaio";
	*reason = text_format("io_uring cannot be used here (%s): libaio is used for both sides%s", strerror(errno),
			      errno == EPERM ? "; see the sysctl kernel.io_uring_disabled and seccomp filters" : "");
}
