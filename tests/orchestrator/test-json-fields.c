/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs to JSON and back by tables. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "json-fields.h"
#include "model.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const colours[] = { "red", "green", NULL };

struct inner {
	char *name;
	int64_t number;
};

struct outer {
	char *text;
	int64_t number;
	double real;
	bool truth;
	int colour;
	struct strings list;
	struct inner one;
	struct inner *many;
	size_t many_count;
};

static const struct field inner_fields[] = {
	F_STRING(struct inner, name), F_INT(struct inner, number), F_END
};

static const struct field outer_fields[] = {
	F_STRING(struct outer, text), F_INT(struct outer, number), F_DOUBLE(struct outer, real),
	F_BOOL(struct outer, truth), F_ENUM(struct outer, colour, colours), F_STRINGS(struct outer, list),
	F_STRUCT(struct outer, one, inner_fields), F_ARRAY(struct outer, many, inner_fields), F_END
};

static void there_and_back(void **state)
{
	const char *document = "{\"text\":\"a\",\"number\":9007199254740993,\"real\":0.1,\"truth\":true,"
		"\"colour\":\"green\",\"list\":[\"x\",\"\"],\"one\":{\"name\":null,\"number\":-1},"
		"\"many\":[{\"name\":\"m\",\"number\":null},{}]}";
	json_auto_t *in = json_loads(document, 0, NULL), *out = NULL;
	struct outer o = { 0 };
	const char *wrong;

	(void)state;
	assert_int_equal(fields_from_json(outer_fields, in, &o, &wrong), 0);
	assert_int_equal(o.number, 9007199254740993);
	assert_int_equal(o.colour, 1);
	assert_int_equal(o.list.count, 2);
	assert_null(o.one.name);
	assert_int_equal(o.many_count, 2);
	assert_false(known(o.many[0].number));
	assert_false(known(o.many[1].number));
	out = fields_to_json(outer_fields, &o);
	assert_true(json_is_null(json_object_get(json_array_get(json_object_get(out, "many"), 1), "number")));
	assert_true(json_equal(json_object_get(in, "list"), json_object_get(out, "list")));
	fields_free(outer_fields, &o);
	assert_null(o.many);
	assert_int_equal(o.many_count, 0);
	assert_false(known(o.number));
	assert_true(isnan(o.real));
	fields_free(outer_fields, &o);	/* twice does no harm */
}

static void absent_is_unknown(void **state)
{
	json_auto_t *in = json_object(), *out = NULL;
	struct outer o = { 0 };
	const char *wrong;

	(void)state;
	assert_int_equal(fields_from_json(outer_fields, in, &o, &wrong), 0);
	out = fields_to_json(outer_fields, &o);
	assert_true(json_is_null(json_object_get(out, "number")));
	assert_true(json_is_null(json_object_get(out, "real")));
	assert_true(json_is_null(json_object_get(out, "text")));
	fields_free(outer_fields, &o);
}

static void wrong_types(void **state)
{
	static const struct { const char *json, *wrong; } cases[] = {
		{ "[]", "(not an object)" }, { "{\"text\":5}", "text" }, { "{\"number\":1.5}", "number" },
		{ "{\"number\":\"1\"}", "number" }, { "{\"real\":\"1\"}", "real" }, { "{\"truth\":1}", "truth" },
		{ "{\"colour\":\"blue\"}", "colour" }, { "{\"colour\":1}", "colour" }, { "{\"list\":[1]}", "list" },
		{ "{\"list\":{}}", "list" }, { "{\"one\":[]}", "(not an object)" }, { "{\"many\":{}}", "many" },
		{ "{\"many\":[{\"name\":\"x\"},{\"name\":\"y\",\"number\":\"z\"}]}", "number" },
		{ "{\"text\":\"a\",\"list\":[\"b\"],\"many\":[{\"name\":\"c\"},7]}", "(not an object)" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		json_auto_t *in = json_loads(cases[i].json, 0, NULL);
		struct outer o = { 0 };
		const char *wrong = NULL;

		assert_int_equal(fields_from_json(outer_fields, in, &o, &wrong), -EINVAL);
		assert_string_equal(wrong, cases[i].wrong);
		assert_null(o.text);	/* freed */
		assert_null(o.many);
	}
}

static void odd_values_in_json(void **state)
{
	struct outer o = { .text = (char *)"\xff\033", .real = INFINITY, .number = UNKNOWN_I64 };
	json_auto_t *out = fields_to_json(outer_fields, &o);

	(void)state;
	assert_string_equal(json_string_value(json_object_get(out, "text")), "\\xff\033");
	assert_true(json_is_null(json_object_get(out, "real")));	/* no inf in JSON */
	assert_true(json_is_null(json_object_get(out, "number")));
	o.colour = 2;	/* beyond the table: an error, not a crash */
	assert_null(fields_to_json(outer_fields, &o));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back), cmocka_unit_test(absent_is_unknown),
		cmocka_unit_test(wrong_types), cmocka_unit_test(odd_values_in_json),
	};

	return cmocka_run_group_tests_name("json-fields", tests, NULL, NULL);
}
