/* SPDX-License-Identifier: BSD-2-Clause */
/* Content hash: XXH3 with 64 bits and seed 0, the same on every machine. */
#ifndef NVMATCH_RECORD_HASH_H
#define NVMATCH_RECORD_HASH_H

#include <stddef.h>
#include <stdint.h>

/* XXH3 of the bytes, by the widest vector unit the CPU has. */
uint64_t rec_hash(const void *data, size_t length);

#endif
