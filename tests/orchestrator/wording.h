/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words that claim more than any evidence here can carry, and marks of numbers that were not known. */
#ifndef TESTS_WORDING_H
#define TESTS_WORDING_H

#include "examples.h"
#include "model.h"

static const char *const forbidden_words[] = {
	"because of", "caused by", "worn", "degraded", "failing", "faulty", "proves", "identical drives",
	"no difference", "always", "throttled", NULL };

static inline bool forbidden(const char *text)
{
	for (const char *const *word = forbidden_words; *word; word++) {
		if (strcasestr(text, *word)) {
			print_error("forbidden word '%s': %s\n", *word, text);
			return true;
		}
	}
	return false;
}

/* A number that was not known got into a sentence. */
static inline bool unknown_number(const char *text)
{
	static const char *const marks[] = { "nan", "inf ", "-inf", "(null)", "-9223372036854775808", NULL };

	for (const char *const *mark = marks; *mark; mark++) {
		const char *at = strstr(text, *mark);

		if (at && (at == text || strchr(" (,-", at[-1]))) {
			print_error("'%s' in: %s\n", *mark, text);
			return true;
		}
	}
	return false;
}

static inline void assert_sober(const char *text)
{
	assert_false(forbidden(text) || unknown_number(text));
}

/* All that the verdict says. */
static inline void assert_sober_verdict(const struct verdict *v)
{
	assert_sober(v->headline_text);
	for (size_t i = 0; i < v->sentences.count; i++)
		assert_sober(v->sentences.items[i]);
	for (size_t i = 0; i < v->conditions.count; i++)
		assert_sober(v->conditions.items[i]);
	for (size_t i = 0; i < v->comparisons_count; i++)
		if (v->comparisons[i].reason)
			assert_sober(v->comparisons[i].reason);
	for (size_t i = 0; i < v->ledger_count; i++) {
		const struct ledger_row *r = &v->ledger[i];

		assert_sober(r->text);
		assert_int_equal(r->state == LEDGER_NOT_MEASURED, r->to_measure != NULL);
		assert_non_null(r->name);
		assert_non_null(r->finding);
		for (size_t k = 0; k < r->numbers_count; k++)
			assert_true(isfinite(r->numbers[k].value));
	}
}

#endif
