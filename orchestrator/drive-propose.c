/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which directory here is best for a test file. */
#include <errno.h>
#include <libmount.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "drive.h"
#include "fail.h"
#include "file-system.h"

struct best {
	char *directory;
	bool nvme;
	int64_t free_bytes;
};

/* A drive that is NVMe is before one that is not, and then more room before less. */
static bool better(const struct best *best, bool nvme, int64_t free_bytes)
{
	if (!best->directory || nvme != best->nvme)
		return !best->directory || nvme;
	return free_bytes > best->free_bytes;
}

static void look(const char *directory, const char *source, int64_t least_bytes, struct best *best)
{
	bool nvme = source && strstr(source, "/nvme");
	struct statvfs v;
	int64_t free_bytes;

	if (access(directory, W_OK | X_OK) || statvfs(directory, &v) || (v.f_flag & ST_RDONLY))
		return;
	free_bytes = v.f_bavail > INT64_MAX / (v.f_frsize ? v.f_frsize : 1) ? INT64_MAX :
		     (int64_t)(v.f_bavail * v.f_frsize);
	if (free_bytes < least_bytes || (v.f_files && !v.f_favail) || !better(best, nvme, free_bytes))
		return;
	free(best->directory);
	*best = (struct best){ strdup(directory), nvme, free_bytes };
}

/* The directory itself, or one below the same mount that this user may write. */
static void look_at_mount(struct libmnt_table *table, struct libmnt_fs *fs, int64_t least_bytes,
			  struct best *best)
{
	const char *type = mnt_fs_get_fstype(fs), *target = mnt_fs_get_target(fs);
	const char *source = mnt_fs_get_srcpath(fs);
	const char *candidates[3] = { target, getenv("HOME"), "/var/tmp" };

	if (!target || !source || source[0] != '/' || file_system_in_memory(type) || file_system_doubt(type))
		return;
	for (size_t i = 0; i < 3; i++) {
		/* a system's own small mounts are not for test files */
		bool of_host = !i && (!strcmp(target, "/") || !strncmp(target, "/boot", 5) || !strncmp(target, "/etc", 4) ||
				     !strncmp(target, "/efi", 4));

		if (candidates[i] && !of_host && candidates[i][0] == '/' &&
		    mnt_table_find_mountpoint(table, candidates[i], MNT_ITER_BACKWARD) == fs)
			look(candidates[i], source, least_bytes, best);
	}
}

int drive_propose_directory(int64_t least_bytes, char **directory)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	struct best best = { 0 };
	int ret = table && iter ? 0 : -ENOMEM;

	if (!ret && mnt_table_parse_file(table, "/proc/self/mountinfo"))
		ret = -ENOENT;
	while (!ret && !mnt_table_next_fs(table, iter, &fs))
		look_at_mount(table, fs, least_bytes, &best);
	mnt_free_iter(iter);
	mnt_unref_table(table);
	*directory = best.directory;
	return ret ? ret : best.directory ? 0 : -ENOENT;
}
