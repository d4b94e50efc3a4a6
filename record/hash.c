/* SPDX-License-Identifier: BSD-2-Clause */
/* Content hash: the library chooses AVX2 or AVX-512 at run time where it is built for that. */
#include "record/hash.h"

#include <xxhash.h>

/* Only libxxhash of x86 builds has it; elsewhere the reference stays NULL. */
extern XXH64_hash_t XXH3_64bits_dispatch(const void *data, size_t length) __attribute__((weak));

uint64_t rec_hash(const void *data, size_t length)
{
	if (XXH3_64bits_dispatch)
		return XXH3_64bits_dispatch(data, length);
	return XXH3_64bits(data, length);
}
