/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What earlier sessions of the same comparison add. */
#ifndef NVMATCH_JUDGE_SESSIONS_H
#define NVMATCH_JUDGE_SESSIONS_H

#include "judge-build.h"

/* After the comparisons: verdict.sessions, and from three sessions on intervals of session means. */
void judge_sessions(struct judging *j);

void judge_say_sessions(struct judging *j);

#endif
