/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge's sentences: headline, what can be said beside it, conditions and limits. */
#ifndef NVMATCH_JUDGE_WORDS_H
#define NVMATCH_JUDGE_WORDS_H

#include "judge-build.h"

/* Each workload's own headline, and the headline over all. */
void judge_headline(struct judging *j);

/*
 * Why nothing is claimed, where that is one reason for all workloads of several that are inconclusive:
 * then the headline has it. NULL: the reasons differ. Belongs to the verdict.
 */
const char *judge_shared_reason(const struct judging *j);

/* After the ledger: what can be said beside the headline. */
void judge_sentences(struct judging *j);

/* Under which conditions all of it holds, and what was not looked at. */
void judge_conditions(struct judging *j);

/* "zero, incompressible": a data state's name as words. */
const char *judge_state_words(int data_state);

#endif
