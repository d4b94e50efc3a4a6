/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/ledger.md has a paragraph for each row of the ledger, with the limits of its rule, and all limits. */
#include "examples.h"

#include "fixture.h"
#include "judge.h"
#include "text.h"
#include "thresholds.h"
#include "verdict-json.h"

static char *ledger_page(void)
{
	const char *tests = getenv("TESTS");
	char *path = text_format("%s/../docs/ledger.md", tests ? tests : "tests"), *page = NULL;
	size_t length;

	assert_int_equal(text_read_file(path, 1 << 20, &page, &length), 0);
	free(path);
	return page;
}

/* The text below "### `id`: ...", up to the next heading; the caller's. */
static char *paragraph(const char *page, const char *id, const char *name)
{
	char *heading = text_format("\n### `%s`: %s\n", id, name);
	const char *at = strstr(page, heading), *end;

	if (!at)
		fail_msg("docs/ledger.md has no heading '%s'", heading);
	assert_null(strstr(at + 1, heading));
	at += strlen(heading);
	end = strstr(at, "\n#");
	free(heading);
	return end ? strndup(at, (size_t)(end - at)) : strdup(at);
}

static bool has_name(const char *text, const char *name)
{
	char *quoted = text_format("`%s`", name);
	bool has = strstr(text, quoted) != NULL;

	free(quoted);
	return has;
}

static void each_row(void **state)
{
	char *page = ledger_page();
	static struct fixture fx;
	struct verdict v = { 0 };

	(void)state;
	fixture_story_paired(&fx);
	assert_int_equal(judge(&fx.result, &v), 0);
	assert_int_equal(v.ledger_count, 26);
	for (size_t i = 0; i < v.ledger_count; i++) {
		const struct ledger_row *r = &v.ledger[i];
		char *text = paragraph(page, r->id, r->name);

		assert_true(strlen(text) > 120);
		if (!strcasestr(text, "possible") && !strcasestr(text, "supported"))
			fail_msg("%s: no states", r->id);
		if (!strstr(text, "Next:"))
			fail_msg("%s: nothing on what to measure next", r->id);
		for (size_t k = 0; k < r->thresholds_count; k++)
			if (!has_name(text, r->thresholds[k].name))
				fail_msg("%s: nothing on the limit %s", r->id, r->thresholds[k].name);
		free(text);
	}
	verdict_free(&v);
	free(page);
}

static void each_limit(void **state)
{
	char *page = ledger_page(), *table = strstr(page, "\n## The limits\n");

	(void)state;
	assert_non_null(table);
	for (const struct threshold_info *t = thresholds_info; t->name; t++) {
		char *line = text_format("\n| `%s` | %g | %s |\n", t->name, threshold_value(&thresholds_default, t),
					 t->meaning);

		if (!strstr(table, line))
			fail_msg("the limits in docs/ledger.md lack: %s", line + 1);
		free(line);
	}
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_row), cmocka_unit_test(each_limit) };

	return cmocka_run_group_tests_name("docs", tests, NULL, NULL);
}
