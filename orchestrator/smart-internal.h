/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What smart-*.c share, and their tests. */
#ifndef NVMATCH_SMART_INTERNAL_H
#define NVMATCH_SMART_INTERNAL_H

#include "pages.h"
#include "smart.h"

const char *smart_not_valid(const unsigned char page[SMART_PAGE_BYTES]);	/* why, or NULL */
bool smart_all_bytes(const unsigned char *p, size_t length, unsigned char value);

uint64_t smart_le(const unsigned char *p, int bytes);	/* little endian, at most 8 bytes */
int64_t smart_kelvin(const unsigned char *p);		/* two bytes; 0 is unknown */

/* As smart_read and identify_read, of an open controller or block device; for tests too. */
int smart_read_from(int fd, const char *serial, unsigned char page[SMART_PAGE_BYTES], char **reason);
int identify_read_from(int fd, const char *serial, uint32_t nsid,
		       unsigned char controller[IDENTIFY_PAGE_BYTES],
		       unsigned char name_space[IDENTIFY_PAGE_BYTES], char **reason);
/* All of identify_fill but the opening: identify is to be freed also on failure. */
int identify_fill_from(int fd, const char *serial, uint32_t nsid, struct identify *identify, char **reason);

/* An open controller of the drive (or its block device), or -errno with the reason. */
int smart_open(const struct drive *drive, char **reason);
int smart_is_drive(int fd, const char *serial, char **reason);	/* 0: the drive has this serial */
/* Sets *reason and returns error. */
int smart_refuse(char **reason, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Why a command gave no page: ret is libnvme's, -1 with errno or an NVMe status. -errno. */
int smart_refused(char **reason, const char *what, int ret);

/* smart-pages.c: which log pages are offered, and the host memory; after both identify pages were decoded. */
void pages_ask(int fd, struct identify *identify);
int pages_read_from(int fd, const struct identify *identify, struct page pages[PAGE_KINDS]);

#endif
