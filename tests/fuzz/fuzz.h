/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers of the fuzz targets: files and small trees in memory that one input replaces. */
#ifndef NVMATCH_FUZZ_H
#define NVMATCH_FUZZ_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A memory file with that content; *path (64 bytes) names it while the descriptor is open. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[static 64])
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

static inline void fuzz_write(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

/*
 * A file of the tree that FUZZ_TREE names (fuzz.test makes one for each target): chosen by the
 * input's first byte, with the rest as its content, while check runs; then as it was. Names end with NULL.
 */
static inline void fuzz_replace(const char *const names[], const uint8_t *data, size_t size,
				void (*check)(const char *tree))
{
	static uint8_t kept[1 << 20];
	const char *tree = getenv("FUZZ_TREE");
	size_t count = 0, length;
	char path[256];
	FILE *file;

	if (!tree) {
		fprintf(stderr, "FUZZ_TREE is not set: see tests/fuzz/fuzz.test\n");
		exit(2);
	}
	if (!size)
		return;
	while (names[count])
		count++;
	snprintf(path, sizeof(path), "%s/%s", tree, names[data[0] % count]);
	file = fopen(path, "re");
	if (!file)
		abort();
	length = fread(kept, 1, sizeof(kept), file);
	if (length == sizeof(kept))
		abort();
	fclose(file);
	fuzz_write(path, data + 1, size - 1);
	check(tree);
	fuzz_write(path, kept, length);
}

#endif
