/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No text that a verdict or a report can hold claims more than evidence carries, whether a test reaches
 * it or not: the string literals of the sources are looked through, adjacent ones joined.
 */
#include "wording.h"

#include <ctype.h>
#include <glob.h>

#include "text.h"

static const char *const sources[] = {
	"judge", "hypotheses", "report", "gather", "thresholds", "reconcile", "compare", "history", "plot",
	"survey", "cmd-", NULL };

/* Behind a comment that starts here, or s. */
static const char *behind_comment(const char *s)
{
	const char *end = s[0] == '/' && s[1] == '*' ? strstr(s + 2, "*/") : NULL;

	return end ? end + 2 : s;
}

/* Reads what lies between quotes, as written; returns what is behind. */
static const char *quoted(const char *s, struct text *to)
{
	char quote = *s++;

	for (; *s && *s != quote; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (to)
			text_printf(to, "%c", *s);
	}
	return *s ? s + 1 : s;
}

/* The next literal from *s on, those that follow at once joined to it; the caller's. NULL: no more. */
static char *next_literal(const char **s)
{
	struct text t = { 0 };
	bool any = false;

	while (**s) {
		const char *behind = behind_comment(*s);

		if (behind != *s) {
			*s = behind;
		} else if (**s == '\'') {
			*s = quoted(*s, NULL);
		} else if (**s == '"') {
			*s = quoted(*s, &t);
			any = true;
		} else if (any && !isspace((unsigned char)**s)) {
			break;
		} else {
			(*s)++;
		}
	}
	if (!any)
		return NULL;
	return t.data ? text_steal(&t) : strdup("");
}

/* The first of the words in text that is one there; NULL: none. */
static const char *claim(const char *text)
{
	for (const char *const *word = forbidden_words; *word; word++) {
		const char *at = strcasestr(text, *word);

		if (at && (at == text || !isalnum((unsigned char)at[-1])))
			return *word;
	}
	return NULL;
}

static size_t claims_in(const char *source, const char *name, size_t *literals)
{
	size_t n = 0;
	char *s;

	while ((s = next_literal(&source))) {
		const char *word = claim(s);

		(*literals)++;
		if (word && name)
			print_error("%s says '%s': %s\n", name, word, s);
		n += word != NULL;
		free(s);
	}
	return n;
}

static void no_source_claims_too_much(void **state)
{
	const char *tests = getenv("TESTS");
	size_t claims = 0, all = 0;

	(void)state;
	for (const char *const *name = sources; *name; name++) {
		char *pattern = text_format("%s/../orchestrator/%s*.[ch]", tests ? tests : "tests", *name);
		size_t literals = 0;
		glob_t files;

		assert_int_equal(glob(pattern, 0, NULL, &files), 0);
		for (size_t i = 0; i < files.gl_pathc; i++) {
			char *source;
			size_t length;

			assert_int_equal(text_read_file(files.gl_pathv[i], 1 << 20, &source, &length), 0);
			claims += claims_in(source, files.gl_pathv[i], &literals);
			free(source);
		}
		globfree(&files);
		free(pattern);
		assert_true(literals > 0);
		all += literals;
	}
	assert_true(all > 2000);
	assert_int_equal(claims, 0);
}

/* Cut over lines and comments a claim is found; in comments, names and other literals it is none. */
static void a_claim_is_found(void **state)
{
	static const char cut[] = "f(\"so no \" /* joined */\n\t\"difference \\\" is seen\", 1);";
	static const char none[] = "/* \"caused by\" */ x = \"/sys/*/a\"; y = '\"'; f(\"un\" \"throttled\", \"no\", "
				   "\"difference\"); /* \"always\" */";
	size_t literals = 0;

	(void)state;
	assert_int_equal(claims_in(cut, NULL, &literals), 1);
	assert_int_equal(literals, 1);
	assert_int_equal(claims_in(none, NULL, &literals), 0);
	assert_int_equal(literals, 5);
	for (const char *const *word = forbidden_words; *word; word++)
		assert_string_equal(claim(*word), *word);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_source_claims_too_much), cmocka_unit_test(a_claim_is_found),
	};

	return cmocka_run_group_tests_name("wording", tests, NULL, NULL);
}
