/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What numbers are rated by: jobs/baselines/NAME.json, or a file of the user's in the same form. */
#ifndef NVMATCH_BASELINE_H
#define NVMATCH_BASELINE_H

#include "model.h"

/*
 * Loads a baseline by name, or by path when there is a '/' in it or it ends in .json.
 * Free with fields_free(baseline_fields, baseline). 0, or after printing: -ENOENT lists what there
 * is, -EINVAL names the row that is wrong.
 */
int baseline_load(const char *name_or_path, struct baseline *baseline);

#endif
