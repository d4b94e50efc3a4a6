/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of the ledger share: a result made up (fx), its verdict (v), and its rows. */
#ifndef TESTS_LEDGER_ROWS_H
#define TESTS_LEDGER_ROWS_H

#include "wording.h"

#include "fixture.h"
#include "hypotheses.h"
#include "judge.h"
#include "verdict-json.h"

static struct fixture fx;
static struct verdict v;

static inline void run(void)
{
	verdict_free(&v);
	fixture_account(&fx);
	assert_int_equal(judge(&fx.result, &v), 0);
}

static inline const struct ledger_row *row(const char *id)
{
	for (size_t i = 0; i < v.ledger_count; i++) {
		if (!strcmp(v.ledger[i].id, id))
			return &v.ledger[i];
	}
	fail_msg("no row %s", id);
	return NULL;
}

#define is(id, expected) \
	do { \
		const struct ledger_row *r_ = row(id); \
		if (r_->state != (expected)) \
			fail_msg("%s, expected %s", r_->text, ledger_state_names[expected]); \
	} while (0)

static inline int start(void **state)
{
	(void)state;
	fixture_story_paired(&fx);
	return 0;
}

static inline int stop(void **state)
{
	(void)state;
	verdict_free(&v);
	return 0;
}

/* Does something to every measurement of one side, or of both (SIDES). */
#define EACH(m, which, ...) \
	for (size_t i_ = 0; i_ < fx.results[0].observations_count; i_++) { \
		for (int s_ = 0; s_ < SIDES; s_++) { \
			struct measurement *m = &fx.observations[0][i_].side[s_]; \
			if ((which) == SIDES || (which) == s_) { __VA_ARGS__; } \
		} \
	}

/* Ten single rounds; the side that is `slow` is slower by a tenth. */
static inline void single_rounds(int slow)
{
	size_t w;

	fixture_start(&fx);
	w = fixture_workload(&fx, "seq-read-1m", "read", 1 << 20);
	for (int i = 0; i < 10; i++)
		fixture_round(&fx, w, false, (slow == SIDE_A ? 900 : 1000) + i % 3,
			      (slow == SIDE_B ? 900 : 1000) + i % 4);
	fixture_smart(&fx, 40, 45);
	fixture_links(&fx);
	fixture_blocks(&fx);
}

static inline double number(const json_t *o, const char *key)
{
	json_t *value = json_object_get(o, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

#endif
