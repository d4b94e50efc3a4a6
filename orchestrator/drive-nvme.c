/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who an NVMe namespace is: from the block device to its controller, through a subsystem if need be. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drive-internal.h"

bool drive_is_nvme_controller(const char *dir)
{
	return sysfs_exists(dir, "transport") || sysfs_exists(dir, "cntlid");
}

bool drive_is_nvme_subsystem(const char *dir)
{
	return sysfs_exists(dir, "subsysnqn") && !drive_is_nvme_controller(dir);
}

/* Hexadecimal digits without blanks and dashes; NULL when there are none or all are 0. */
static char *identifier(const char *dir, const char *name)
{
	char *line = sysfs_line(dir, name), *out = line;
	bool set = false;

	for (const char *p = line; p && *p; p++) {
		if (isspace((unsigned char)*p) || *p == '-')
			continue;
		set |= *p != '0';
		*out++ = (char)tolower((unsigned char)*p);
	}
	if (out)
		*out = '\0';
	if (set)
		return line;
	free(line);
	return NULL;
}

static int fill_identifiers(const char *whole, struct drive *drive)
{
	static const char *const why = "the namespace reports none, or the kernel hides it (all zero, or a"
		" duplicate of another drive's)";
	int ret = 0;

	drive->namespace_id = sysfs_int(whole, "nsid");
	drive->eui64 = identifier(whole, "eui");
	drive->nguid = identifier(whole, "nguid");
	drive->uuid = identifier(whole, "uuid");
	drive->wwid = sysfs_line(whole, "wwid");
	/* without a UUID the kernel shows the NGUID in its place */
	if (drive->uuid && drive->nguid && !strcmp(drive->uuid, drive->nguid)) {
		free(drive->uuid);
		drive->uuid = NULL;
	}
	if (!drive->eui64)
		ret = drive_missing(drive, "eui64", "%s", why);
	if (!ret && !drive->nguid)
		ret = drive_missing(drive, "nguid", "%s", why);
	if (!ret && !drive->uuid)
		ret = drive_missing(drive, "uuid", "%s", why);
	return ret;
}

/* Controllers of a subsystem: the links in its directory that lead to one. */
static int subsystem_controllers(const struct drive_root *root, const char *subsystem,
				 struct strings *controllers)
{
	struct strings names = { 0 };
	int ret = sysfs_names(subsystem, &names);

	for (size_t i = 0; !ret && i < names.count; i++) {
		_cleanup_free_ char *real = sysfs_real(root, subsystem, names.items[i]);

		if (real && drive_is_nvme_controller(real))
			ret = strings_add(controllers, real);
	}
	strings_free(&names);
	return ret;
}

/*
 * Path devices of a multipath namespace are children of the controllers. Kernel names are
 * nvmeScCnI for the path and nvmeSnI for the namespace; nsid and wwid must not contradict.
 */
static bool is_path_of(const char *dir, const char *name, const char *head)
{
	unsigned int s, c, n, head_s, head_n;
	int end = 0, head_end = 0;
	const char *head_name = path_name(head);
	_cleanup_free_ char *wwid = sysfs_line(dir, "wwid"), *head_wwid = sysfs_line(head, "wwid");
	int64_t nsid = sysfs_int(dir, "nsid"), head_nsid = sysfs_int(head, "nsid");

	if (sscanf(name, "nvme%uc%un%u%n", &s, &c, &n, &end) != 3 || name[end] ||
	    sscanf(head_name, "nvme%un%u%n", &head_s, &head_n, &head_end) != 2 || head_name[head_end])
		return false;
	return s == head_s && n == head_n && (!known(nsid) || !known(head_nsid) || nsid == head_nsid) &&
	       (!wwid || !head_wwid || !strcmp(wwid, head_wwid));
}

/* Adds the statistics files of the namespace's paths below one controller; *found: there is one. */
static int add_paths(const char *controller, const char *head, struct drive *drive, bool *found)
{
	struct strings names = { 0 };
	int ret = sysfs_names(controller, &names);

	*found = false;
	for (size_t i = 0; !ret && i < names.count; i++) {
		_cleanup_free_ char *dir = text_format("%s/%s", controller, names.items[i]);
		_cleanup_free_ char *stat = text_format("%s/%s/stat", controller, names.items[i]);

		if (!dir || !stat)
			ret = -ENOMEM;
		else if (is_path_of(dir, names.items[i], head)) {
			*found = true;
			if (sysfs_exists(dir, "stat"))
				ret = strings_add(&drive->stat_paths, stat);
		}
	}
	strings_free(&names);
	return ret;
}

static bool is_live(const char *controller)
{
	_cleanup_free_ char *state = sysfs_line(controller, "state");

	return !state || !strcmp(state, "live");
}

/* Of the controllers that lead to the namespace the first live one is described. */
static int choose_controller(const struct drive_root *root, const char *subsystem, const char *head,
			     struct drive *drive, char **controller)
{
	struct strings all = { 0 };
	size_t paths = 0;
	const char *chosen = NULL;
	int ret = subsystem_controllers(root, subsystem, &all);

	for (size_t i = 0; !ret && i < all.count; i++) {
		bool found = false;

		ret = add_paths(all.items[i], head, drive, &found);
		if (!found)
			continue;
		paths++;
		if (!chosen || (is_live(all.items[i]) && !is_live(chosen)))
			chosen = all.items[i];
	}
	/* no path device seen: with one controller there is still no doubt */
	if (!chosen && all.count == 1)
		chosen = all.items[0];
	if (!ret && chosen) {
		*controller = strdup(chosen);
		ret = *controller ? 0 : -ENOMEM;
	}
	if (!ret && paths > 1)
		ret = drive_missing(drive, "links.other_paths", "multipath: %zu controllers lead here, the"
				    " one described is %s", paths, path_name(chosen));
	if (!ret && !chosen)
		ret = drive_missing(drive, "controller", "the subsystem %s has %zu controllers and none"
				    " shows a path to %s", path_name(subsystem), all.count, path_name(head));
	strings_free(&all);
	return ret;
}

/* A string of the controller, or of its subsystem. */
static char *first_line(const char *controller, const char *subsystem, const char *name)
{
	char *line = controller ? sysfs_line(controller, name) : NULL;

	return line || !subsystem ? line : sysfs_line(subsystem, name);
}

static int fill_power(const char *controller, struct drive *drive)
{
	_cleanup_free_ char *line = sysfs_line(controller, "power/pm_qos_latency_tolerance_us");

	drive->pm_qos_latency_us = sysfs_int(controller, "power/pm_qos_latency_tolerance_us");
	if (known(drive->pm_qos_latency_us))
		return 0;
	if (line)
		return drive_missing(drive, "pm_qos_latency_us", "set to \"%s\": no bound in microseconds", line);
	return drive_missing(drive, "pm_qos_latency_us",
			     "no pm_qos_latency_tolerance_us: the drive has no autonomous power states");
}

int drive_fill_nvme(const struct drive_root *root, const char *whole, const char *device,
		    struct drive *drive, char **controller)
{
	const char *subsystem = drive_is_nvme_subsystem(device) ? device : NULL;
	_cleanup_free_ char *transport = NULL;
	int ret = 0;

	*controller = NULL;
	if (subsystem)
		ret = choose_controller(root, subsystem, whole, drive, controller);
	else if (!(*controller = strdup(device)))
		ret = -ENOMEM;
	if (!ret)
		ret = fill_identifiers(whole, drive);
	if (ret)
		return ret;
	drive->model = first_line(*controller, subsystem, "model");
	drive->serial = first_line(*controller, subsystem, "serial");
	drive->firmware = first_line(*controller, subsystem, "firmware_rev");
	drive->subsystem_nqn = first_line(*controller, subsystem, "subsysnqn");
	if (!*controller)
		return 0;
	drive->controller = strdup(path_name(*controller));
	drive->controller_id = sysfs_int(*controller, "cntlid");
	transport = sysfs_line(*controller, "transport");
	drive->transport = text_format("nvme-%s", transport ? transport : "unknown");
	return drive->controller && drive->transport ? fill_power(*controller, drive) : -ENOMEM;
}

int drive_list_nvme(const char *sysroot, struct strings *names)
{
	struct drive_root root;
	struct strings all = { 0 };
	_cleanup_free_ char *block = NULL;
	int ret = drive_root_open(sysroot, &root);

	if (ret)
		return ret;
	block = text_format("%s/block", root.sys);
	ret = block ? sysfs_names(block, &all) : -ENOMEM;
	for (size_t i = 0; !ret && i < all.count; i++) {
		_cleanup_free_ char *dir = sysfs_real(&root, block, all.items[i]);
		_cleanup_free_ char *device = dir ? sysfs_real(&root, dir, "device") : NULL;

		if (device && sysfs_int(dir, "hidden") != 1 &&
		    (drive_is_nvme_controller(device) || drive_is_nvme_subsystem(device)))
			ret = strings_add(names, all.items[i]);
	}
	strings_free(&all);
	drive_root_close(&root);
	return ret;
}
