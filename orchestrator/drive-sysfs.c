/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads attributes below /sys, of this machine or of a saved copy that may hold anything. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "drive-internal.h"
#include "fail.h"

#define ATTRIBUTE_BYTES 65536

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool looks_like_sys(const char *path)
{
	_cleanup_free_ char *block = text_format("%s/block", path);
	_cleanup_free_ char *class = text_format("%s/class", path);

	return block && class && (is_directory(block) || is_directory(class));
}

int drive_root_open(const char *sysroot, struct drive_root *root)
{
	_cleanup_free_ char *inner = NULL;

	*root = (struct drive_root){ .saved = sysroot && *sysroot };
	if (!root->saved) {
		root->sys = strdup("/sys");
		root->proc = strdup("/proc");
		return root->sys && root->proc ? 0 : -ENOMEM;
	}
	inner = text_format("%s/sys", sysroot);
	if (!inner)
		return -ENOMEM;
	root->sys = realpath(looks_like_sys(inner) ? inner : sysroot, NULL);
	if (!root->sys || !looks_like_sys(root->sys)) {
		drive_root_close(root);
		return fail(-ENOENT, "drive: %s is no saved /sys: it has neither block nor class", sysroot);
	}
	root->proc = text_format("%s/proc", sysroot);
	return root->proc ? 0 : -ENOMEM;
}

void drive_root_close(struct drive_root *root)
{
	free(root->sys);
	free(root->proc);
	*root = (struct drive_root){ 0 };
}

char *sysfs_real(const struct drive_root *root, const char *dir, const char *name)
{
	_cleanup_free_ char *path = text_format("%s/%s", dir, name);
	char *real = path ? realpath(path, NULL) : NULL;
	size_t n = strlen(root->sys);

	/* a link in a saved tree must not lead to this machine's files */
	if (real && (strncmp(real, root->sys, n) || (real[n] && real[n] != '/'))) {
		free(real);
		return NULL;
	}
	return real;
}

char *sysfs_text(const char *dir, const char *name, size_t *length)
{
	_cleanup_free_ char *path = text_format("%s/%s", dir, name);
	/* attributes are files: a saved tree may hold FIFOs, or links to this machine's files */
	_cleanup_fd_ int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) : -1;
	_cleanup_free_ char *data = NULL;
	struct stat st;
	size_t n = 0;
	char *result;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return NULL;
	data = malloc(ATTRIBUTE_BYTES + 1);
	while (data && n < ATTRIBUTE_BYTES) {
		ssize_t got = read(fd, data + n, ATTRIBUTE_BYTES - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return NULL;
		if (!got)
			break;
		n += (size_t)got;
	}
	if (!data)
		return NULL;
	data[n] = '\0';
	*length = n;
	result = data;
	data = NULL;
	return result;
}

char *sysfs_line(const char *dir, const char *name)
{
	size_t n;
	char *data = sysfs_text(dir, name, &n), *start = data, *end;

	if (!data)
		return NULL;
	data[strcspn(data, "\n")] = '\0';
	while (isspace((unsigned char)*start))
		start++;
	end = start + strlen(start);
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	if (start == end || end - start > 4096) {
		free(data);
		return NULL;
	}
	*end = '\0';
	memmove(data, start, (size_t)(end - start) + 1);
	return data;
}

int64_t sysfs_int(const char *dir, const char *name)
{
	_cleanup_free_ char *line = sysfs_line(dir, name);
	char *end;
	long long v;

	if (!line)
		return UNKNOWN_I64;
	errno = 0;
	v = strtoll(line, &end, 10);
	return errno || end == line || *end ? UNKNOWN_I64 : v;
}

bool sysfs_exists(const char *dir, const char *name)
{
	_cleanup_free_ char *path = text_format("%s/%s", dir, name);

	return path && !access(path, F_OK);
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

int sysfs_names(const char *dir, struct strings *names)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	int ret = 0;

	if (!d)
		return 0;
	while (!ret && (entry = readdir(d)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			ret = strings_add(names, entry->d_name);
	closedir(d);
	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items), by_version);
	return ret;
}

bool sysfs_dev(const char *dir, dev_t *dev)
{
	_cleanup_free_ char *line = sysfs_line(dir, "dev");
	unsigned int maj, min;
	int n = 0;

	if (!line || sscanf(line, "%u:%u%n", &maj, &min, &n) != 2 || line[n])
		return false;
	*dev = makedev(maj, min);
	return true;
}

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int drive_missing(struct drive *drive, const char *field, const char *format, ...)
{
	struct missing *list;
	va_list ap;
	struct text reason = { 0 };

	for (size_t i = 0; i < drive->missing_count; i++)
		if (!strcmp(drive->missing[i].field, field))
			return 0;
	list = reallocarray(drive->missing, drive->missing_count + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	drive->missing = list;
	va_start(ap, format);
	text_vprintf(&reason, format, ap);
	va_end(ap);
	list += drive->missing_count;
	list->field = strdup(field);
	list->reason = text_steal(&reason);
	if (!list->field || !list->reason) {
		free(list->field);
		free(list->reason);
		return -ENOMEM;
	}
	drive->missing_count++;
	return 0;
}
