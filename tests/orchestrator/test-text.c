/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text, escaping, numbers. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

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
		cmocka_unit_test(growing), cmocka_unit_test(whole_numbers),
		cmocka_unit_test(unsigned_numbers), cmocka_unit_test(sizes), cmocka_unit_test(times),
		cmocka_unit_test(numbers_for_people), cmocka_unit_test(terminal),
		cmocka_unit_test(markdown), cmocka_unit_test(utf8_for_json), cmocka_unit_test(files),
		cmocka_unit_test(words_for_a_shell), cmocka_unit_test(underscores_in_markdown),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
