/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What file systems do to I/O that is meant for a drive. Pure. */
#ifndef NVMATCH_FILE_SYSTEM_H
#define NVMATCH_FILE_SYSTEM_H

#include <stdbool.h>

/* Files lie in memory: there is no drive to measure. type: as in /proc/self/mountinfo, or NULL. */
bool file_system_in_memory(const char *type);

/* Why direct I/O may not reach the drive as it was asked for: half a sentence, or NULL: no doubt. */
const char *file_system_doubt(const char *type);

#endif
