/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetches SMART and Identify pages of a drive; one of the two files that know libnvme (smart-pages.c). */
#include "smart.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libnvme.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "smart-internal.h"

int smart_refuse(char **reason, int error, const char *format, ...)
{
	struct text t = { 0 };
	va_list ap;

	va_start(ap, format);
	text_vprintf(&t, format, ap);
	va_end(ap);
	*reason = text_steal(&t);
	return *reason ? error : -ENOMEM;
}

int smart_refused(char **reason, const char *what, int ret)
{
	int error = errno;

	if (ret > 0)
		return smart_refuse(reason, -EIO, "%s was refused with status %#x: %s", what, (unsigned int)ret,
			      nvme_status_to_string(ret, false));
	if (error == EACCES || error == EPERM)
		return smart_refuse(reason, -EACCES, "%s: permission denied, it needs CAP_SYS_ADMIN (run as root; a"
			      " container needs that capability)", what);
	if (error == ENOTTY || error == EINVAL)
		return smart_refuse(reason, -EOPNOTSUPP, "%s: the device takes no NVMe commands", what);
	return smart_refuse(reason, error ? -error : -EIO, "%s failed: %s", what, strerror(error));
}

/* Device number in /sys/class/nvme/NAME/dev */
static bool number_of(const char *controller, dev_t *dev)
{
	_cleanup_free_ char *path = text_format("/sys/class/nvme/%s/dev", controller);
	_cleanup_free_ char *line = NULL;
	unsigned int maj, min;

	if (!path || text_read_line(path, &line) || sscanf(line, "%u:%u", &maj, &min) != 2)
		return false;
	*dev = makedev(maj, min);
	return true;
}

/* An open controller, or else block device, or -errno. The node must be the one that /sys speaks of. */
static int open_node(const char *name, bool block, dev_t dev)
{
	_cleanup_free_ char *node = text_format("/dev/%s", name);
	int fd = node ? open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat st;

	if (fd < 0)
		return node ? -errno : -ENOMEM;
	if (fstat(fd, &st) || (block ? !S_ISBLK(st.st_mode) : !S_ISCHR(st.st_mode)) || st.st_rdev != dev) {
		close(fd);
		return -ENODEV;
	}
	return fd;
}

int smart_open(const struct drive *drive, char **reason)
{
	dev_t dev;
	int fd = -ENOENT;

	if (drive->sysroot)
		return smart_refuse(reason, -EOPNOTSUPP, "the drive is known from a saved /sys only");
	if (!drive->controller)
		return smart_refuse(reason, -EOPNOTSUPP, "not an NVMe drive%s%s%s",
			      drive->transport ? " (" : "", drive->transport ? drive->transport : "",
			      drive->transport ? !strcmp(drive->transport, "usb") ?
			      ": a USB bridge hides it)" : ")" : "");
	if (number_of(drive->controller, &dev))
		fd = open_node(drive->controller, false, dev);
	if (fd < 0 && fd != -EACCES && drive->kind == TARGET_BLOCK && known(drive->device_major)) {
		dev = makedev((unsigned int)drive->device_major, (unsigned int)drive->device_minor);
		fd = open_node(drive->kernel_name, true, dev);
	}
	if (fd >= 0)
		return fd;
	if (fd == -EACCES || fd == -EPERM)
		return smart_refuse(reason, -EACCES, "/dev/%s: permission denied, it needs root or CAP_SYS_ADMIN",
			      drive->controller);
	return smart_refuse(reason, fd, "/dev/%s cannot be opened: %s", drive->controller, strerror(-fd));
}

/* Is the controller behind fd the one with this serial? Blanks around do not count. */
static int check_serial(const char *serial, const struct nvme_id_ctrl *id, char **reason)
{
	char found[sizeof(id->sn) + 1];
	size_t n = sizeof(id->sn), start = 0;

	memcpy(found, id->sn, n);
	while (n && (found[n - 1] == ' ' || !found[n - 1]))
		n--;
	found[n] = '\0';
	while (isspace((unsigned char)found[start]))
		start++;
	if (!serial || strcmp(found + start, serial))
		return smart_refuse(reason, -ESTALE, "another drive answers now: its serial is %s, not %s",
			      found + start, serial ? serial : "known");
	return 0;
}

static int identify_controller(int fd, const char *serial, struct nvme_id_ctrl *id, char **reason)
{
	int ret;

	errno = 0;
	ret = nvme_identify_ctrl(fd, id);
	return ret ? smart_refused(reason, "Identify Controller", ret) : check_serial(serial, id, reason);
}

int smart_is_drive(int fd, const char *serial, char **reason)
{
	_cleanup_free_ struct nvme_id_ctrl *id = calloc(1, sizeof(*id));

	return id ? identify_controller(fd, serial, id, reason) : -ENOMEM;
}

int smart_read_from(int fd, const char *serial, unsigned char page[SMART_PAGE_BYTES], char **reason)
{
	struct nvme_smart_log log = { 0 };
	int ret = smart_is_drive(fd, serial, reason);

	_Static_assert(sizeof(log) == SMART_PAGE_BYTES, "the page of the specification");
	if (ret)
		return ret;
	errno = 0;
	ret = nvme_get_log_smart(fd, NVME_NSID_ALL, false, &log);
	if (ret)
		return smart_refused(reason, "Get Log Page 02h", ret);
	memcpy(page, &log, sizeof(log));
	if (smart_not_valid(page))
		return smart_refuse(reason, -ENODATA, "%s", smart_not_valid(page));
	return 0;
}

int smart_read(const struct drive *drive, unsigned char page[SMART_PAGE_BYTES], char **reason)
{
	_cleanup_fd_ int fd = -1;

	*reason = NULL;
	fd = smart_open(drive, reason);
	return fd < 0 ? fd : smart_read_from(fd, drive->serial, page, reason);
}

int identify_read_from(int fd, const char *serial, uint32_t nsid,
		       unsigned char controller[IDENTIFY_PAGE_BYTES],
		       unsigned char name_space[IDENTIFY_PAGE_BYTES], char **reason)
{
	_cleanup_free_ struct nvme_id_ctrl *id = calloc(1, sizeof(*id));
	_cleanup_free_ struct nvme_id_ns *ns = calloc(1, sizeof(*ns));
	int ret;

	_Static_assert(sizeof(*id) == IDENTIFY_PAGE_BYTES && sizeof(*ns) == IDENTIFY_PAGE_BYTES, "whole pages");
	if (!id || !ns)
		return -ENOMEM;
	ret = identify_controller(fd, serial, id, reason);
	if (ret)
		return ret;
	errno = 0;
	ret = nvme_identify_ns(fd, nsid, ns);
	if (ret)
		return smart_refused(reason, "Identify Namespace", ret);
	memcpy(controller, id, sizeof(*id));
	memcpy(name_space, ns, sizeof(*ns));
	return 0;
}

int identify_read(const struct drive *drive, unsigned char controller[IDENTIFY_PAGE_BYTES],
		  unsigned char name_space[IDENTIFY_PAGE_BYTES], char **reason)
{
	_cleanup_fd_ int fd = -1;

	*reason = NULL;
	fd = smart_open(drive, reason);
	if (fd >= 0 && !known(drive->namespace_id))
		return smart_refuse(reason, -EOPNOTSUPP, "the namespace has no number in /sys");
	return fd < 0 ? fd : identify_read_from(fd, drive->serial, (uint32_t)drive->namespace_id, controller,
						name_space, reason);
}

/* The throttle points that the host has set, where the drive has that at all (HCTMA). */
static void read_throttle_points(int fd, struct identify *id)
{
	uint32_t value = 0;

	if (!(id->hctma & 1) || nvme_get_features_hctm(fd, NVME_GET_FEATURES_SEL_CURRENT, &value))
		return;
	if (value >> 16)
		id->tmt1_k = value >> 16;
	if (value & 0xffff)
		id->tmt2_k = value & 0xffff;
}

int identify_fill_from(int fd, const char *serial, uint32_t nsid, struct identify *identify, char **reason)
{
	_cleanup_free_ unsigned char *pages = calloc(3, IDENTIFY_PAGE_BYTES);
	unsigned char *list = pages + 2 * IDENTIFY_PAGE_BYTES;
	int ret = pages ? 0 : -ENOMEM;

	identify_unknown(identify);
	if (!ret)
		ret = identify_read_from(fd, serial, nsid, pages, pages + IDENTIFY_PAGE_BYTES, reason);
	if (ret)
		return ret;
	identify_decode_controller(pages, identify);
	identify_decode_namespace(pages + IDENTIFY_PAGE_BYTES, identify);
	read_throttle_points(fd, identify);
	/* drives before NVMe 1.3 have no such list, and so no UUID */
	if (!nvme_identify_ns_descs(fd, nsid, (struct nvme_ns_id_desc *)list))
		identify_decode_descriptors(list, identify);
	pages_ask(fd, identify);
	return 0;
}

static int note_missing(struct drive *drive, const char *reason)
{
	struct missing *list = reallocarray(drive->missing, drive->missing_count + 1, sizeof(*list));

	if (!list)
		return -ENOMEM;
	drive->missing = list;
	list[drive->missing_count++] = (struct missing){ .field = strdup("identify"), .reason = strdup(reason) };
	return 0;
}

int identify_fill(struct drive *drive)
{
	_cleanup_free_ char *reason = NULL;
	_cleanup_fd_ int fd = smart_open(drive, &reason);
	int ret = fd < 0 ? fd : 0;

	identify_free(&drive->identify);
	if (!ret && !known(drive->namespace_id))
		ret = smart_refuse(&reason, -EOPNOTSUPP, "the namespace has no number in /sys");
	else if (!ret)
		ret = identify_fill_from(fd, drive->serial, (uint32_t)drive->namespace_id, &drive->identify,
					 &reason);
	if (!ret)
		return 0;
	return reason ? note_missing(drive, reason) : -ENOMEM;
}
