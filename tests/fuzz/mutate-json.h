/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A mutator that knows JSON: most mutations of bytes only break the syntax, and then nothing behind
 * the parser is tried. Half of its mutations put an odd value at a random place of the document;
 * the others are libFuzzer's own. FUZZ_JSON_START: bytes of the input before the document.
 */
#ifndef NVMATCH_FUZZ_MUTATE_JSON_H
#define NVMATCH_FUZZ_MUTATE_JSON_H

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static json_t *odd_value(void)
{
	static const char *const texts[] = {
		"null",
		"true",
		"0",
		"-1",
		"1",
		"9223372036854775807",
		"-9223372036854775808",
		"1e308",
		"-1e308",
		"0.5",
		"1e-300",
		"\"\"",
		"\"x\"",
		"\"18446744073709551616\"",
		"\"NaN\"",
		"\"../../etc\"",
		"\"A\\u0000B\"",
		"\"\\u001b[2J\"",
		"[]",
		"{}",
		"[[[[]]]]",
		"[1,2,3]",
		"[null]",
		"{\"a\":1}",
		"4096",
		"1000000000",
		"\"2147483648\"",
		"\"complete\"",
		"\"zero\"",
	};

	return json_loads(texts[(size_t)rand() % (sizeof(texts) / sizeof(*texts))],
			  JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
}

static size_t children(const json_t *json)
{
	return json_is_object(json)  ? json_object_size(json)
	       : json_is_array(json) ? json_array_size(json)
				     : 0;
}

/* Puts an odd value, takes one away, or doubles one, somewhere below json. */
static void change_json(json_t *json)
{
	for (int depth = 0; depth < 32 && children(json); depth++) {
		size_t at = (size_t)rand() % children(json);
		bool here = !(rand() % 4);
		json_t *next;

		if (json_is_array(json)) {
			next = json_array_get(json, at);
			if (here || !children(next)) {
				switch (rand() % 4) {
				case 0:
					json_array_remove(json, at);
					return;
				case 1:
					json_array_append(json, next);
					return;
				default:
					json_array_set_new(json, at, odd_value());
					return;
				}
			}
		} else {
			void *i = json_object_iter(json);

			while (at--)
				i = json_object_iter_next(json, i);
			next = json_object_iter_value(i);
			if (here || !children(next)) {
				if (rand() % 4)
					json_object_iter_set_new(json, i, odd_value());
				else
					json_object_del(json, json_object_iter_key(i));
				return;
			}
		}
		json = next;
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	json_t *json;
	size_t length = 0;

	srand(seed);
	if (size > FUZZ_JSON_START && rand() % 2) {
		json = json_loadb((char *)data + FUZZ_JSON_START, size - FUZZ_JSON_START,
				  JSON_ALLOW_NUL, NULL);
		for (int n = rand() % 3; json && n >= 0; n--)
			change_json(json);
		if (json)
			length = json_dumpb(json, (char *)data + FUZZ_JSON_START,
					    max_size - FUZZ_JSON_START, JSON_COMPACT);
		json_decref(json);
		if (length && length <= max_size - FUZZ_JSON_START)
			return length + FUZZ_JSON_START;
	}
	return LLVMFuzzerMutate(data, size, max_size);
}

#endif
