/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of commands: taken, refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "options.h"
#include "text.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_taken), cmocka_unit_test(options_refused),
		cmocka_unit_test(no_option_has_an_empty_name),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
