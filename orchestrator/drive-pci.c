/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PCIe way from a drive up to the root: speed and width of every function on it. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drive-internal.h"
#include "model-json.h"

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

/* Errors that tell of the link itself; the file is "NAME COUNT" lines. */
static int64_t correctable(const char *dir)
{
	static const char *const names[] = { "BadTLP", "BadDLLP", "Rollover", "Timeout" };
	size_t length;
	_cleanup_free_ char *data = sysfs_text(dir, "aer_dev_correctable", &length);
	int64_t sum = 0;
	int found = 0;

	for (char *line = data; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
		char name[32];
		long long count;

		if (sscanf(line, "%31s %lld", name, &count) != 2 || count < 0)
			continue;
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			if (strcmp(name, names[i]))
				continue;
			found++;
			if (__builtin_add_overflow(sum, count, &sum))
				return UNKNOWN_I64;
		}
	}
	return found ? sum : UNKNOWN_I64;
}

void pci_link_read(struct pci_link *link)
{
	link->current_speed_gt_per_s = speed(link->path, "current_link_speed");
	link->max_speed_gt_per_s = speed(link->path, "max_link_speed");
	link->current_width_lanes = width(link->path, "current_link_width");
	link->max_width_lanes = width(link->path, "max_link_width");
	link->aer_correctable = correctable(link->path);
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
