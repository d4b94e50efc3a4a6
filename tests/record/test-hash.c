/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hash is XXH3 as specified, by whichever code the CPU selects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "record/hash.h"

static void test_known(void **state)
{
	(void)state;
	/* of the empty string, from the specification */
	assert_int_equal(rec_hash("", 0), 0x2d06800538d394c2u);
}

static void test_same_as_portable_code(void **state)
{
	static uint8_t p[70000];

	(void)state;
	for (size_t i = 0; i < sizeof(p); i++)
		p[i] = (uint8_t)(i * 2654435761u >> 13);
	for (size_t n = 1; n < sizeof(p); n += 1 + n / 7) {
		assert_int_equal(rec_hash(p, n), XXH3_64bits(p, n));
		assert_int_equal(rec_hash(p + 1, n - 1), XXH3_64bits(p + 1, n - 1));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_same_as_portable_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
