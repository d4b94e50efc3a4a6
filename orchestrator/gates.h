/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gates: expressions of --fail-if over what was measured and judged. docs/gates.md has the grammar
 * and the names. A gate fails when its expression is true, and when it cannot be told because a
 * value is not known. Pure: nothing here reads a file.
 */
#ifndef NVMATCH_GATES_H
#define NVMATCH_GATES_H

#include "model.h"

/*
 * Is the expression good? The names of workloads are checked against the plan when one is given.
 * 0; -EINVAL after printing what is wrong and where (a caret below the place).
 */
int gates_check(const char *expression, const struct plan *plan);

/*
 * Judges the gates and adds them to verdict->gates. One that cannot be read counts as failed, with
 * the reason as its text: a saved run is judged again whatever its plan says. 0 or -ENOMEM.
 */
int gates_judge(const struct strings *gates, const struct result *result, struct verdict *verdict);

/* Did one fail? */
bool gates_failed(const struct verdict *verdict);

#endif
