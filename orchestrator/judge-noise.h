/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The noise floor of a calibration run: caps what may be claimed, and says how far it carries. */
#ifndef NVMATCH_JUDGE_NOISE_H
#define NVMATCH_JUDGE_NOISE_H

#include "judge-build.h"

/* After the comparisons: verdict.noise_floor, and no difference where the drive differed from itself. */
void judge_noise(struct judging *j);

/* No A/A run stands behind the workload of this index. */
bool judge_noise_unknown(const struct judging *j, size_t workload);

/* Rounds that see a difference of the margin in four of five runs, never below the least for a claim. */
int64_t judge_rounds_needed(const struct judging *j, double sd_log);

/* "different", whether or not its size is resolved against the margin. */
bool judge_is_difference(int verdict);

void judge_say_noise(struct judging *j);

#endif
