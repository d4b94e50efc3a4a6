/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What smart-*.c share, and their tests. */
#ifndef NVMATCH_SMART_INTERNAL_H
#define NVMATCH_SMART_INTERNAL_H

#include "smart.h"

bool smart_is_empty(const unsigned char page[SMART_PAGE_BYTES]);	/* all bytes 0 */
extern const char smart_empty_reason[];

uint64_t smart_le(const unsigned char *p, int bytes);	/* little endian, at most 8 bytes */
int64_t smart_kelvin(const unsigned char *p);		/* two bytes; 0 is unknown */

/* As smart_read and identify_read, of an open controller or block device; for tests too. */
int smart_read_from(int fd, const char *serial, unsigned char page[SMART_PAGE_BYTES], char **reason);
int identify_read_from(int fd, const char *serial, uint32_t nsid,
		       unsigned char controller[IDENTIFY_PAGE_BYTES],
		       unsigned char name_space[IDENTIFY_PAGE_BYTES], char **reason);
/* All of identify_fill but the opening: identify is to be freed also on failure. */
int identify_fill_from(int fd, const char *serial, uint32_t nsid, struct identify *identify, char **reason);

#endif
