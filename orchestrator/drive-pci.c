/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PCIe way from a drive up to the root: speed and width of every function on it. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drive-internal.h"
#include "model-json.h"
#include "pcie.h"

/* DDDD:BB:DD.F; domains behind a VMD controller have more than four digits */
bool pci_is_address(const char *name)
{
	size_t n = strspn(name, "0123456789abcdef");

	return n >= 4 && n <= 8 && name[n] == ':' && isxdigit((unsigned char)name[n + 1]) &&
	       isxdigit((unsigned char)name[n + 2]) && name[n + 3] == ':' &&
	       isxdigit((unsigned char)name[n + 4]) && isxdigit((unsigned char)name[n + 5]) &&
	       name[n + 6] == '.' && name[n + 7] >= '0' && name[n + 7] <= '7' && !name[n + 8];
}

/* "16.0 GT/s PCIe", "8 GT/s"; "Unknown" and all else is NaN */
static double speed(const char *dir, const char *name)
{
	_cleanup_free_ char *line = sysfs_line(dir, name);
	char *end;
	double v;

	if (!line)
		return NAN;
	v = strtod(line, &end);
	if (end == line || strncmp(end, " GT/s", 5) || !(v >= 2.5) || !(v <= 1024))
		return NAN;
	return v;
}

/* 0 and 255 stand for unknown */
static int64_t width(const char *dir, const char *name)
{
	int64_t v = sysfs_int(dir, name);

	return v >= 1 && v <= 32 ? v : UNKNOWN_I64;
}

/*
 * Sum of the counts with one of these names; the file is "NAME COUNT" lines (kernel:
 * Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats).
 */
static int64_t errors(const char *dir, const char *file, const char *const *names)
{
	size_t length;
	_cleanup_free_ char *data = sysfs_text(dir, file, &length);
	int64_t sum = 0;
	int found = 0;

	for (char *line = data; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
		char name[32];
		long long count;

		if (sscanf(line, "%31s %lld", name, &count) != 2 || count < 0)
			continue;
		for (size_t i = 0; names[i]; i++) {
			if (strcmp(name, names[i]))
				continue;
			found++;
			if (__builtin_add_overflow(sum, count, &sum))
				return UNKNOWN_I64;
		}
	}
	return found ? sum : UNKNOWN_I64;
}

static int64_t or_unknown(int64_t v)
{
	return v > 0 ? v : UNKNOWN_I64;
}

/* What the kernel does not say in words of its own, or not at all. */
static void read_config(struct pci_link *link)
{
	size_t length;
	_cleanup_free_ char *space = sysfs_text(link->path, "config", &length);
	struct pcie_config c;

	link->max_payload_bytes = link->max_payload_supported_bytes = link->max_read_request_bytes = UNKNOWN_I64;
	link->port_type = UNKNOWN_I64;
	if (!space || !pcie_config_decode((const unsigned char *)space, length, &c))
		return;
	link->port_type = c.port_type;
	link->max_payload_bytes = or_unknown(c.max_payload_bytes);
	link->max_payload_supported_bytes = or_unknown(c.max_payload_supported_bytes);
	link->max_read_request_bytes = or_unknown(c.max_read_request_bytes);
	if (isnan(link->current_speed_gt_per_s))
		link->current_speed_gt_per_s = c.current_speed_gt_per_s;
	if (isnan(link->max_speed_gt_per_s))
		link->max_speed_gt_per_s = c.max_speed_gt_per_s;
	if (!known(link->current_width_lanes))
		link->current_width_lanes = or_unknown(c.current_width_lanes);
	if (!known(link->max_width_lanes))
		link->max_width_lanes = or_unknown(c.max_width_lanes);
}

void pci_link_read(struct pci_link *link)
{
	/* those that tell of the link itself */
	static const char *const correctable[] = { "BadTLP", "BadDLLP", "Rollover", "Timeout", NULL };
	static const char *const nonfatal[] = { "TOTAL_ERR_NONFATAL", NULL };
	static const char *const fatal[] = { "TOTAL_ERR_FATAL", NULL };

	link->current_speed_gt_per_s = speed(link->path, "current_link_speed");
	link->max_speed_gt_per_s = speed(link->path, "max_link_speed");
	link->current_width_lanes = width(link->path, "current_link_width");
	link->max_width_lanes = width(link->path, "max_link_width");
	link->aer_correctable = errors(link->path, "aer_dev_correctable", correctable);
	link->aer_nonfatal = errors(link->path, "aer_dev_nonfatal", nonfatal);
	link->aer_fatal = errors(link->path, "aer_dev_fatal", fatal);
	read_config(link);
}

static int add_link(struct drive *drive, const char *path)
{
	struct pci_link *links = reallocarray(drive->links, drive->links_count + 1, sizeof(*links));
	struct pci_link link = { .address = strdup(path_name(path)), .path = strdup(path) };

	if (links)
		drive->links = links;
	if (!links || !link.address || !link.path) {
		free(link.address);
		free(link.path);
		return -ENOMEM;
	}
	pci_link_read(&link);
	links[drive->links_count++] = link;
	return 0;
}

static int fill_numa(const char *endpoint, struct drive *drive)
{
	int64_t node = sysfs_int(endpoint, "numa_node");

	drive->local_cpus = sysfs_line(endpoint, "local_cpulist");
	if (node >= 0)
		drive->numa_node = node;
	else if (known(node))
		return drive_missing(drive, "numa_node", "the firmware names no NUMA node for %s (-1)",
				     path_name(endpoint));
	return 0;
}

static int note_unknown_links(struct drive *drive)
{
	bool speed_known = true, aer_known = true;
	int ret = 0;

	for (size_t i = 0; i < drive->links_count; i++) {
		const struct pci_link *l = &drive->links[i];

		if (isnan(l->current_speed_gt_per_s) || !known(l->current_width_lanes))
			speed_known = false;
		if (!known(l->aer_correctable))
			aer_known = false;
	}
	if (!drive->links_count)
		ret = drive_missing(drive, "links", "no PCIe device lies above it in /sys");
	if (!ret && !speed_known)
		ret = drive_missing(drive, "links.current_speed_gt_per_s",
				    "the kernel does not know the link of at least one function on the way"
				    " (\"Unknown\" or no current_link_speed): emulated or integrated devices");
	if (!ret && drive->links_count && !aer_known)
		ret = drive_missing(drive, "links.aer_correctable",
				    "no aer_dev_correctable at one or more functions: AER is off, owned by"
				    " the firmware, or not offered");
	return ret;
}

static int by_number(const void *a, const void *b)
{
	long x = strtol(*(char *const *)a, NULL, 10), y = strtol(*(char *const *)b, NULL, 10);

	return (x > y) - (x < y);
}

/* Interrupts of the endpoint, and the CPUs that the kernel delivers each of them to. */
static int fill_interrupts(const struct drive_root *root, const char *endpoint, struct drive *drive)
{
	_cleanup_free_ char *dir = text_format("%s/msi_irqs", endpoint);
	_cleanup_text_ struct text cpus = { 0 };
	struct strings names = { 0 };
	int ret = dir ? sysfs_names(dir, &names) : -ENOMEM;

	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), by_number);
	for (size_t i = 0; !ret && i < names.count; i++) {
		_cleanup_free_ char *irq = text_format("%s/irq/%s", root->proc, names.items[i]);
		_cleanup_free_ char *list = irq ? sysfs_line(irq, "effective_affinity_list") : NULL;

		text_printf(&cpus, "%s%s", i ? ";" : "", list ? list : "?");
	}
	if (!ret && names.count) {
		drive->interrupt_vectors = (int64_t)names.count;
		drive->interrupt_cpus = text_steal(&cpus);
		ret = drive->interrupt_cpus ? 0 : -ENOMEM;
	}
	strings_free(&names);
	return ret;
}

static int fill_host_path(const struct drive_root *root, struct drive *drive)
{
	const char *endpoint = drive->links[0].path;

	_cleanup_free_ char *group = sysfs_real(root, endpoint, "iommu_group");
	_cleanup_free_ char *link = text_format("%s/iommu_group", endpoint);

	drive->iommu_type = group ? sysfs_line(group, "type") : NULL;
	if (!group && link && faccessat(AT_FDCWD, link, F_OK, AT_SYMLINK_NOFOLLOW))
		drive->iommu_type = strdup("none");
	if (!known(drive->links[0].max_payload_bytes) &&
	    drive_missing(drive, "links.max_payload_bytes", "the PCIe capability could not be read from"
			  " configuration space: beyond 64 bytes it needs root"))
		return -ENOMEM;
	return fill_interrupts(root, endpoint, drive);
}

int drive_fill_pci(const struct drive_root *root, const char *device, struct drive *drive)
{
	_cleanup_free_ char *path = strdup(device);
	size_t least = strlen(root->sys);
	int ret = 0;

	if (!path)
		return -ENOMEM;
	for (char *slash; !ret && strlen(path) > least && (slash = strrchr(path, '/')); *slash = '\0')
		if (pci_is_address(slash + 1))
			ret = add_link(drive, path);
	if (ret)
		return ret;
	if (drive->links_count) {
		drive->pci_address = strdup(drive->links[0].address);
		ret = drive->pci_address ? fill_numa(drive->links[0].path, drive) : -ENOMEM;
		if (!ret)
			ret = fill_host_path(root, drive);
	}
	return ret ? ret : note_unknown_links(drive);
}

int drive_link_now(const struct drive *drive, struct pci_link **links)
{
	struct pci_link *list;

	if (!drive->links_count)
		return -ENODATA;
	list = calloc(drive->links_count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < drive->links_count; i++) {
		list[i].address = strdup(drive->links[i].address);
		list[i].path = strdup(drive->links[i].path);
		if (!list[i].address || !list[i].path) {
			drive_links_free(list, i + 1);
			return -ENOMEM;
		}
		pci_link_read(&list[i]);
	}
	*links = list;
	return 0;
}

void drive_links_free(struct pci_link *links, size_t count)
{
	for (size_t i = 0; links && i < count; i++) {
		free(links[i].address);
		free(links[i].path);
	}
	free(links);
}
