/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads the files of a run directory. */
#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fail.h"
#include "json-text.h"

static int make_directory(const char *path)
{
	_cleanup_free_ char *copy = strdup(path);

	if (!copy)
		return -ENOMEM;
	for (char *p = strchr(copy + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return mkdir(copy, 0777) ? -errno : 0;
}

static int create_named(const char *suite, char **run)
{
	struct timespec now;
	struct tm tm;
	char stamp[32];

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H-%M-%SZ", &tm);
	for (int n = 1; n < 1000; n++) {
		_cleanup_free_ char *path = n == 1 ? text_format("results/%s-%s", stamp, suite) :
						     text_format("results/%s-%s-%d", stamp, suite, n);
		int ret = path ? make_directory(path) : -ENOMEM;

		if (ret == -EEXIST)
			continue;
		if (ret)
			return fail(ret, "cannot make the run directory %s: %s (choose another with --output)",
				    path ? path : "", strerror(-ret));
		*run = realpath(path, NULL);
		return *run ? 0 : -errno;
	}
	return fail(-EEXIST, "cannot find a free name for the run directory in results/");
}

int store_create(const char *path, const char *suite, char **run)
{
	int ret;

	if (!path)
		return create_named(suite, run);
	ret = make_directory(path);
	if (ret == -EEXIST)
		return fail(-EINVAL, "%s exists: a run directory is never written twice, give a new name", path);
	if (ret)
		return fail(ret, "cannot make the run directory %s: %s", path, strerror(-ret));
	*run = realpath(path, NULL);
	return *run ? 0 : -errno;
}

int store_mkdir(const char *run, const char *name)
{
	_cleanup_free_ char *path = text_format("%s/%s", run, name);
	int ret = path ? make_directory(path) : -ENOMEM;

	if (ret == -EEXIST)
		ret = 0;
	return ret ? fail(ret, "%s/%s: %s", run, name, strerror(-ret)) : 0;
}

static int write_all(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t n = write(fd, data, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		length -= (size_t)n;
	}
	return 0;
}

static int write_renamed(const char *path, const void *data, size_t length)
{
	_cleanup_free_ char *temporary = text_format("%s.new", path);
	_cleanup_fd_ int fd = -1;
	int ret;

	if (!temporary)
		return -ENOMEM;
	fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	ret = write_all(fd, data, length);
	if (!ret && rename(temporary, path))
		ret = -errno;
	if (ret)
		unlink(temporary);
	return ret;
}

int store_replace(const char *run, const char *name, const void *data, size_t length)
{
	_cleanup_free_ char *path = text_format("%s/%s", run, name);
	int ret = path ? write_renamed(path, data, length) : -ENOMEM;

	return ret ? fail(ret, "cannot write %s/%s: %s", run, name, strerror(-ret)) : 0;
}

static int write_in_place(const char *path, const void *data, size_t length)
{
	_cleanup_fd_ int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd < 0 ? -errno : write_all(fd, data, length);
}

int store_publish(const char *path, const void *data, size_t length)
{
	_cleanup_free_ char *target = realpath(path, NULL);	/* a link stays a link */
	struct stat st;
	bool there = !stat(path, &st);
	int ret;

	if (there && S_ISBLK(st.st_mode))
		return fail(-EPERM, "%s is a block device and is not written over: give a file", path);
	ret = there && !S_ISREG(st.st_mode) ? write_in_place(path, data, length) :
					    write_renamed(target ? target : path, data, length);

	return ret ? fail(ret, "cannot write %s: %s", path, strerror(-ret)) : 0;
}

int store_write(const char *run, const char *name, const void *data, size_t length)
{
	_cleanup_free_ char *path = text_format("%s/%s", run, name);

	if (path && !access(path, F_OK))
		return fail(-EEXIST, "%s is evidence and is not written twice", path);
	return store_replace(run, name, data, length);
}

static int dump(const char *run, const char *name, json_t *json,
		int (*writer)(const char *, const char *, const void *, size_t))
{
	_cleanup_free_ char *text = json ? json_text(json, JSON_SHOWN | JSON_REAL_PRECISION(12)) : NULL;
	_cleanup_free_ char *line = text ? text_format("%s\n", text) : NULL;

	json_decref(json);
	if (!line)
		return fail(-ENOMEM, "%s/%s: out of memory", run, name);
	return writer(run, name, line, strlen(line));
}

int store_write_json(const char *run, const char *name, json_t *json)
{
	return dump(run, name, json, store_write);
}

int store_replace_json(const char *run, const char *name, json_t *json)
{
	return dump(run, name, json, store_replace);
}

/* Copies open files; whole blocks of zeros are skipped, the length is set at the end. */
static int copy_sparse(int in, int out)
{
	static const char zeros[65536];
	char block[65536];
	off_t length = 0;
	ssize_t n;

	while ((n = read(in, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		for (ssize_t at = 0; at < n; at += 4096) {
			size_t piece = n - at < 4096 ? (size_t)(n - at) : 4096;

			if (!memcmp(block + at, zeros, piece))
				continue;
			if (pwrite(out, block + at, piece, length + at) != (ssize_t)piece)
				return errno ? -errno : -EIO;
		}
		length += n;
	}
	return ftruncate(out, length) ? -errno : 0;
}

int store_copy(const char *run, const char *name, const char *source)
{
	_cleanup_free_ char *path = text_format("%s/%s", run, name);
	_cleanup_free_ char *temporary = text_format("%s/%s.new", run, name);
	_cleanup_fd_ int in = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), out = -1;
	int ret = 0;

	if (!path || !temporary)
		return -ENOMEM;
	if (in < 0)
		return fail(-errno, "cannot read %s: %s", source, strerror(errno));
	out = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	ret = out < 0 ? -errno : copy_sparse(in, out);
	if (!ret && rename(temporary, path))
		ret = -errno;
	if (ret)
		unlink(temporary);
	return ret ? fail(ret, "cannot write %s: %s", path, strerror(-ret)) : 0;
}

int store_copy_tree(const char *run, const char *name, const char *source)
{
	DIR *dir = opendir(source);
	struct dirent *entry;
	int ret = store_mkdir(run, name);

	if (!dir)
		return fail(-errno, "cannot read %s: %s", source, strerror(errno));
	while (!ret && (entry = readdir(dir))) {
		_cleanup_free_ char *from = text_format("%s/%s", source, entry->d_name);
		_cleanup_free_ char *to = text_format("%s/%s", name, entry->d_name);
		struct stat st;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (!from || !to)
			ret = -ENOMEM;
		else if (lstat(from, &st))
			ret = fail(-errno, "cannot read %s: %s", from, strerror(errno));
		else if (S_ISDIR(st.st_mode))
			ret = store_copy_tree(run, to, from);
		else if (S_ISREG(st.st_mode))
			ret = store_copy(run, to, from);
	}
	closedir(dir);
	return ret;
}

int store_read_json(const char *run, const char *name, json_t **json)
{
	_cleanup_free_ char *path = text_format("%s/%s", run, name);
	_cleanup_free_ char *data = NULL;
	size_t length;
	json_error_t error;
	int ret = path ? text_read_file(path, 64 << 20, &data, &length) : -ENOMEM;

	if (ret == -ENOENT)
		return ret;
	if (ret)
		return fail(ret, "cannot read %s: %s", path ? path : name, strerror(-ret));
	*json = json_loadb(data, length, 0, &error);
	if (!*json)
		return fail(-EBADMSG, "%s is not good JSON: line %d: %s", path, error.line, error.text);
	return 0;
}

int store_check(const char *run)
{
	static const char *const wanted[] = { "run.json", "plan.json", "drives.json" };

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		_cleanup_free_ char *path = text_format("%s/%s", run, wanted[i]);

		if (!path || access(path, R_OK))
			return fail(-EINVAL, "%s is not a run directory: %s cannot be read (%s)", run, wanted[i],
				    strerror(errno));
	}
	return 0;
}
