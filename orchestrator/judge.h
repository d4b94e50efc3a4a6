/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From what was measured to what may be said: comparisons, headline and ledger.
 * Pure: the same result and thresholds give the same verdict; no file, no clock, no printing.
 * The rules are explained in docs/method.md, the numbers are in thresholds.h.
 */
#ifndef NVMATCH_JUDGE_H
#define NVMATCH_JUDGE_H

#include "model.h"
#include "thresholds.h"

/*
 * Fills *verdict, which must be zeroed, with the thresholds of the plan, or the default ones
 * where it has none. 0 or -ENOMEM.
 * Free it with verdict_free() (verdict-json.h), after a failure too.
 */
int judge(const struct result *result, struct verdict *verdict);

/* The same with other thresholds. */
int judge_with(const struct result *result, const struct thresholds *limits, struct verdict *verdict);

#endif
