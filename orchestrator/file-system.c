/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File systems by name. */
#include "file-system.h"

#include <stddef.h>
#include <string.h>

bool file_system_in_memory(const char *type)
{
	return type && (!strcmp(type, "tmpfs") || !strcmp(type, "ramfs") || !strcmp(type, "devtmpfs"));
}

const char *file_system_doubt(const char *type)
{
	static const struct {
		const char *type, *doubt;
	} known[] = {
		/* btrfs(5); since Linux 6.15 direct writes of files with checksums are buffered */
		{ "btrfs", "direct I/O goes through the page cache where data is compressed, and writes do where it "
			   "has checksums" },
		/* zfs-module-parameters(4), zfs_dio_enabled: direct I/O exists since OpenZFS 2.3 */
		{ "zfs", "direct I/O goes through its own cache (the ARC) before OpenZFS 2.3, and reads may be answered "
			 "from it" },
		{ "bcachefs", "data may be compressed, cached or kept on other drives" },
		{ "overlay", "it hands I/O on to the file system below, which is another one for changed files" },
		{ "ecryptfs", "it encrypts in memory, and has no direct I/O" },
		{ "nfs", "I/O goes over the network, and the server has a cache" },
		{ "nfs4", "I/O goes over the network, and the server has a cache" },
		{ "cifs", "I/O goes over the network, and the server has a cache" },
		{ "smb3", "I/O goes over the network, and the server has a cache" },
		{ "ceph", "I/O goes over the network, to several drives" },
		{ "9p", "I/O goes to another machine, whose cache may answer it" },
		{ "virtiofs", "I/O goes to the host of this machine, whose cache may answer it" },
		{ "fuseblk", "a program serves the I/O, and may cache it" },
	};

	if (!type)
		return NULL;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].type, type))
			return known[i].doubt;
	return strncmp(type, "fuse", 4) ? NULL : "a program serves the I/O, and may cache it";
}
