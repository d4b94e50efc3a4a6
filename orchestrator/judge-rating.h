/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speeds rated by a baseline, with the limit of the drive's link beside them. */
#ifndef NVMATCH_JUDGE_RATING_H
#define NVMATCH_JUDGE_RATING_H

#include "judge-build.h"

/* Adds a row for each side and workload that the baseline of the plan has a row for. */
void judge_ratings(struct judging *j);

/* What the path of a drive carries now, after packet headers: bytes/s; NaN: not known. */
double path_limit_bytes_per_s(const struct drive *drive, bool to_drive);

#endif
