/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worked examples (tests/data/method-examples.json) for unit tests. */
#ifndef TESTS_EXAMPLES_H
#define TESTS_EXAMPLES_H

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The part of the examples named `name`; the caller's. */
static inline json_t *examples(const char *name)
{
	const char *tests = getenv("TESTS");
	char path[4096];
	json_error_t error;
	json_t *all, *part;

	snprintf(path, sizeof(path), "%s/data/method-examples.json", tests ? tests : "tests");
	all = json_load_file(path, 0, &error);
	assert_non_null(all);
	part = json_incref(json_object_get(all, name));
	assert_non_null(part);
	json_decref(all);
	return part;
}

static inline json_t *get(const json_t *o, const char *key)
{
	json_t *value = json_object_get(o, key);

	if (!value)
		fail_msg("the examples have no %s", key);
	return value;
}

static inline double num(const json_t *o, const char *key)
{
	return json_number_value(get(o, key));
}

static inline double at(const json_t *array, size_t i)
{
	return json_number_value(json_array_get(array, i));
}

static inline size_t doubles(const json_t *array, double *out, size_t room)
{
	size_t n = json_array_size(array);

	assert_true(n <= room);
	for (size_t i = 0; i < n; i++)
		out[i] = at(array, i);
	return n;
}

#define assert_near(value, expected, tolerance) \
	near(value, expected, tolerance, #value, __FILE__, __LINE__)

static inline void near(double value, double expected, double tolerance, const char *what,
			const char *file, int line)
{
	if (isnan(value) || !(fabs(value - expected) <= tolerance)) {
		print_error("%s = %.12g, expected %.12g +- %g\n", what, value, expected, tolerance);
		_fail(file, line);
	}
}

#endif
