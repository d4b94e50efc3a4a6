/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text, escaping, numbers, options, and structs to JSON by tables. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "json-fields.h"
#include "model.h"
#include "options.h"
#include "text.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void growing(void **state)
{
	struct text t = { 0 };
	char *s;

	(void)state;
	for (int i = 0; i < 10000; i++)
		text_printf(&t, "%04d,", i);
	assert_int_equal(t.length, 50000);
	assert_memory_equal(t.data + 49995, "9999,", 6);
	s = text_steal(&t);
	assert_int_equal(strlen(s), 50000);
	free(s);
	assert_null(t.data);
	s = text_steal(&t);
	assert_string_equal(s, "");
	free(s);
	text_add_bytes(&t, "x", SIZE_MAX - 1);	/* must not be read: the size is checked first */
	assert_true(t.failed);
	text_add(&t, "more");
	assert_null(text_steal(&t));
	text_free(&t);
}

static void whole_numbers(void **state)
{
	static const struct { const char *text; int ret; int64_t value; } cases[] = {
		{ "0", 0, 0 }, { "-5", 0, -5 }, { "9223372036854775807", 0, INT64_MAX },
		{ "-9223372036854775808", 0, INT64_MIN }, { "9223372036854775808", -ERANGE, 0 },
		{ "0x10", 0, 16 }, { "010", 0, 10 }, { "-010", 0, -10 }, { "08", 0, 8 }, { "", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 }, { "1 ", -EINVAL, 0 }, { "1x", -EINVAL, 0 }, { "x", -EINVAL, 0 },
		{ "-", -EINVAL, 0 }, { "--1", -EINVAL, 0 }, { "0x", -EINVAL, 0 }, { "1.5", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int64_t v = 77;
		int ret = text_to_i64(cases[i].text, &v);

		if (ret != cases[i].ret || v != (ret ? 77 : cases[i].value))
			fail_msg("\"%s\": %d %lld", cases[i].text, ret, (long long)v);
	}
}

static void unsigned_numbers(void **state)
{
	static const struct { const char *text; int ret; uint64_t value; } cases[] = {
		{ "18446744073709551615", 0, UINT64_MAX }, { "18446744073709551616", -ERANGE, 0 },
		{ "-1", -EINVAL, 0 }, { "+1", -EINVAL, 0 }, { "", -EINVAL, 0 }, { "0xff", 0, 255 }, { "007", 0, 7 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t v = 77;
		int ret = text_to_u64(cases[i].text, &v);

		if (ret != cases[i].ret || v != (ret ? 77 : cases[i].value))
			fail_msg("\"%s\": %d %llu", cases[i].text, ret, (unsigned long long)v);
	}
}

static void sizes(void **state)
{
	static const struct { const char *text; int ret; uint64_t value; } cases[] = {
		{ "4k", 0, 4096 }, { "4K", 0, 4096 }, { "4KiB", 0, 4096 }, { "4kb", 0, 4000 }, { "1m", 0, 1 << 20 },
		{ "1.5g", 0, 1610612736 }, { "2GB", 0, 2000000000 }, { "1t", 0, 1ULL << 40 }, { "512", 0, 512 },
		{ "512b", 0, 512 }, { "010k", 0, 10240 }, { "0512", 0, 512 }, { ".5k", 0, 512 },
		{ "9223372036854775807", 0, INT64_MAX }, { "9007199254740993", 0, 9007199254740993 },
		{ "9223372036854775808", -ERANGE, 0 }, { "99999999999999999999", -ERANGE, 0 },
		{ "10000000t", -ERANGE, 0 }, { "1e400", -ERANGE, 0 }, { "", -EINVAL, 0 }, { "k", -EINVAL, 0 },
		{ ".", -EINVAL, 0 }, { "-4k", -EINVAL, 0 }, { "4 k", -EINVAL, 0 }, { "4kk", -EINVAL, 0 },
		{ "nan", -EINVAL, 0 }, { "inf", -EINVAL, 0 }, { "4x", -EINVAL, 0 }, { "1.5", -EINVAL, 0 },
		{ "0x1p3k", -EINVAL, 0 }, { "1.1k", 0, 1126 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t v = 77;
		int ret = text_to_bytes(cases[i].text, &v);

		if (ret != cases[i].ret || v != (ret ? 77 : cases[i].value))
			fail_msg("\"%s\": %d %llu", cases[i].text, ret, (unsigned long long)v);
	}
}

static void times(void **state)
{
	static const struct { const char *text; int ret; uint64_t ns; } cases[] = {
		{ "10", 0, 10000000000 }, { "10s", 0, 10000000000 }, { "500ms", 0, 500000000 }, { "2m", 0, 120000000000 },
		{ "1h", 0, 3600000000000 }, { "1.5", 0, 1500000000 }, { "3us", 0, 3000 }, { "0", 0, 0 },
		{ "10x", -EINVAL, 0 }, { "-1", -EINVAL, 0 }, { "1e20", -ERANGE, 0 }, { "", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t v = 77;
		int ret = text_to_ns(cases[i].text, &v);

		if (ret != cases[i].ret || v != (ret ? 77 : cases[i].ns))
			fail_msg("\"%s\": %d %llu", cases[i].text, ret, (unsigned long long)v);
	}
}

static void numbers_for_people(void **state)
{
	static const struct { double bytes; const char *text; } cases[] = {
		{ 0, "0 B" }, { 999, "999 B" }, { 1000, "1.00 kB" }, { 999.6, "1.00 kB" }, { 3660000000, "3.66 GB" },
		{ 999499, "999 kB" }, { 999500, "1.00 MB" }, { 9.994e6, "9.99 MB" }, { 9.996e6, "10.0 MB" },
		{ 99.94e6, "99.9 MB" }, { 99.96e6, "100 MB" }, { -2500, "-2.50 kB" }, { NAN, "n/a" }, { INFINITY, "n/a" },
		{ 1.8446744073709552e19, "18.4 EB" }, { 0.5, "0.50 B" },
	};
	char buffer[TEXT_NUMBER_SIZE];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(text_bytes(buffer, cases[i].bytes), cases[i].text);
	assert_string_equal(text_rate(buffer, 409600000), "410 MB/s");
	assert_string_equal(text_duration(buffer, 12345), "12.3 us");
	assert_string_equal(text_duration(buffer, 7200e9), "7200 s");
	text_bytes(buffer, 1e300);
	assert_true(strlen(buffer) < TEXT_NUMBER_SIZE);
}

static void terminal(void **state)
{
	static const struct { const char *in, *out; } cases[] = {
		{ "plain / text", "plain / text" }, { "\033[2J", "\\x1b[2J" }, { "a\nb\tc\rd", "a\\x0ab\\x09c\\x0dd" },
		{ "\x7f", "\\x7f" }, { "\xc2\x9b" "31m", "\\xc2\\x9b31m" }, { "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
		{ "\xff", "\\xff" }, { "\xc3", "\\xc3" }, { "\xc3(", "\\xc3(" }, { "\xe2\x82", "\\xe2\\x82" },
		{ "\xc0\xaf", "\\xc0\\xaf" }, { "\xe0\x80\xaf", "\\xe0\\x80\\xaf" }, { "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" }, { "\xf0\x9f\x92\xbe", "\xf0\x9f\x92\xbe" },
		{ "\xe2\x80\xae" "cod", "\\xe2\\x80\\xaecod" }, { "\xe2\x80\x8b", "\\xe2\\x80\\x8b" },
		{ "\xef\xbb\xbfx", "\\xef\\xbb\\xbfx" }, { "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		_cleanup_free_ char *out = text_escape_terminal(cases[i].in);

		assert_string_equal(out, cases[i].out);
	}
}

static void markdown(void **state)
{
	static const struct { const char *in, *out; } cases[] = {
		{ "a|b", "a&#124;b" }, { "<img src=x>", "&lt;img src=x&gt;" }, { "a & b", "a &amp; b" },
		{ "`x` *y* _z_", "&#96;x&#96; &#42;y&#42; &#95;z&#95;" }, { "[l](u)", "&#91;l&#93;(u)" },
		{ "\n| x", "&#92;x0a&#124; x" }, { "\\", "&#92;" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		_cleanup_free_ char *out = text_escape_markdown(cases[i].in);

		if (!strcmp(cases[i].in, "\n| x"))
			assert_null(strchr(out, '\n'));
		else
			assert_string_equal(out, cases[i].out);
	}
}

static void utf8_for_json(void **state)
{
	_cleanup_free_ char *kept = text_make_utf8("tab\there \xe2\x80\xae"), *made = text_make_utf8("a\xff\x80z");

	(void)state;
	assert_string_equal(kept, "tab\there \xe2\x80\xae");
	assert_string_equal(made, "a\\xff\\x80z");
}

static void files(void **state)
{
	char name[] = "/tmp/nvmatch-test-text.XXXXXX";
	int fd = mkstemp(name);
	char *data = NULL, *line = NULL;
	size_t n;

	(void)state;
	assert_int_equal(write(fd, "  a b \t\nsecond\n", 15), 15);
	close(fd);
	assert_int_equal(text_read_file(name, 15, &data, &n), 0);
	assert_int_equal(n, 15);
	assert_int_equal(data[15], 0);
	free(data);
	assert_int_equal(text_read_file(name, 14, &data, &n), -EFBIG);
	assert_int_equal(text_read_line(name, &line), 0);
	assert_string_equal(line, "a b");
	free(line);
	assert_int_equal(truncate(name, 0), 0);
	assert_int_equal(text_read_line(name, &line), 0);
	assert_string_equal(line, "");
	free(line);
	unlink(name);
	assert_int_equal(text_read_line(name, &line), -ENOENT);
	assert_int_equal(text_read_file("/", 10, &data, NULL), -EISDIR);
}

/* ---- options ---- */

struct given {
	bool flag, other;
	const char *text;
	int64_t number, bytes, ns;
	struct strings list;
};

static int parse(struct given *g, int *operands, int argc, char **argv)
{
	const struct option_row rows[] = {
		{ "json", 'j', OPTION_FLAG, &g->flag, NULL, "f", 0 },
		{ "json-lines", 0, OPTION_FLAG, &g->other, NULL, "f", 0 },
		{ "output", 'o', OPTION_STRING, &g->text, "FILE", "o", 0 },
		{ "rounds", 'r', OPTION_I64, &g->number, "N", "n", 1 },
		{ "size", 0, OPTION_BYTES, &g->bytes, "BYTES", "b", 0 },
		{ "time", 0, OPTION_NS, &g->ns, "TIME", "t", 0 },
		{ "set", 0, OPTION_STRINGS, &g->list, "X", "l", 0 },
		{ 0 },
	};

	*g = (struct given){ .number = -77 };
	return options_parse(rows, "test", argc, argv, operands);
}

static void options_taken(void **state)
{
	char *argv[] = { (char *)"test", (char *)"A", (char *)"-jo", (char *)"x", (char *)"--rounds=3", (char *)"B",
			 (char *)"--si", (char *)"4k", (char *)"--set", (char *)"1", (char *)"--set=2", (char *)"-r5",
			 (char *)"--time=500ms", (char *)"-", (char *)"--", (char *)"--json-lines", NULL };
	struct given g;
	int operands;

	(void)state;
	assert_int_equal(parse(&g, &operands, 16, argv), 0);
	assert_int_equal(operands, 4);
	assert_string_equal(argv[1], "A");
	assert_string_equal(argv[2], "B");
	assert_string_equal(argv[3], "-");
	assert_string_equal(argv[4], "--json-lines");
	assert_true(g.flag && !g.other);
	assert_string_equal(g.text, "x");
	assert_int_equal(g.number, 5);
	assert_int_equal(g.bytes, 4096);
	assert_int_equal(g.ns, 500000000);
	assert_int_equal(g.list.count, 2);
	strings_free(&g.list);
}

static void options_refused(void **state)
{
	static const struct { const char *a, *b; int ret; } cases[] = {
		{ "--nothing", NULL, -EINVAL }, { "-x", NULL, -EINVAL }, { "--jso", NULL, -EINVAL },	/* ambiguous */
		{ "--json", NULL, 0 },		/* a whole name is never ambiguous */
		{ "--json=1", NULL, -EINVAL }, { "--output", NULL, -EINVAL }, { "-o", NULL, -EINVAL },
		{ "--rounds", "0", -EINVAL }, { "--rounds", "x", -EINVAL }, { "--size", "4q", -EINVAL },
		{ "--time", "-1", -EINVAL }, { "--=x", NULL, -EINVAL }, { "--help", NULL, OPTIONS_HELP },
		{ "-h", NULL, OPTIONS_HELP }, { "-jh", NULL, OPTIONS_HELP }, { "--rounds", "--json", -EINVAL },
		{ "--output=", NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *argv[] = { (char *)"test", (char *)(uintptr_t)cases[i].a, (char *)(uintptr_t)cases[i].b, NULL };
		struct given g;
		int operands, ret = parse(&g, &operands, cases[i].b ? 3 : 2, argv);

		if (ret != cases[i].ret)
			fail_msg("%s: %d", cases[i].a, ret);
		if (ret == -EINVAL)
			assert_int_equal(g.number, -77);	/* nothing is set by what is refused */
	}
}

/* With one option only, an empty name must not be taken for its prefix. */
static void no_option_has_an_empty_name(void **state)
{
	bool flag = false;
	const struct option_row rows[] = { { "json", 0, OPTION_FLAG, &flag, NULL, "f", 0 }, { 0 } };
	char *argv[] = { (char *)"test", (char *)"--=", NULL };
	const char *text = NULL;
	const struct option_row one[] = { { "output", 0, OPTION_STRING, &text, "F", "f", 0 }, { 0 } };
	int operands;

	(void)state;
	assert_int_equal(options_parse(rows, "test", 2, argv, &operands), -EINVAL);
	assert_int_equal(options_parse(one, "test", 2, argv, &operands), -EINVAL);
	assert_null(text);
}

/* ---- structs by tables ---- */

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

static void words_for_a_shell(void **state)
{
	static const char *const cases[][2] = {
		{ "/dev/nvme0n1", "/dev/nvme0n1" }, { "", "''" }, { "a b", "'a b'" }, { "$(x)", "'$(x)'" },
		{ "it's", "'it'\\''s'" }, { ";", "';'" }, { "a\nb", "'a\nb'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_free_ char *s = text_shell_quote(cases[i][0]);

		assert_string_equal(s, cases[i][1]);
	}
}

static void underscores_in_markdown(void **state)
{
	_cleanup_free_ char *inside = text_escape_markdown("bw_bytes_per_s");
	_cleanup_free_ char *around = text_escape_markdown("_x_ __");

	(void)state;
	assert_string_equal(inside, "bw_bytes_per_s");
	assert_null(strchr(around, '_'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_for_a_shell),
		cmocka_unit_test(underscores_in_markdown),
		cmocka_unit_test(growing), cmocka_unit_test(whole_numbers), cmocka_unit_test(unsigned_numbers),
		cmocka_unit_test(sizes), cmocka_unit_test(times), cmocka_unit_test(numbers_for_people),
		cmocka_unit_test(terminal), cmocka_unit_test(markdown), cmocka_unit_test(utf8_for_json),
		cmocka_unit_test(files), cmocka_unit_test(options_taken), cmocka_unit_test(options_refused),
		cmocka_unit_test(no_option_has_an_empty_name), cmocka_unit_test(there_and_back),
		cmocka_unit_test(absent_is_unknown), cmocka_unit_test(wrong_types),
		cmocka_unit_test(odd_values_in_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
