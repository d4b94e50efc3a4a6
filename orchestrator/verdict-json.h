/* SPDX-License-Identifier: GPL-3.0-or-later */
/* struct verdict as verdict.json, and freeing it. */
#ifndef NVMATCH_VERDICT_JSON_H
#define NVMATCH_VERDICT_JSON_H

#include <jansson.h>

#include "model.h"

/* A new reference, or NULL when memory ran out. Unknown numbers are null. */
json_t *verdict_to_json(const struct verdict *verdict);

/* Frees all that the verdict owns and zeroes it; fine on a zeroed or half-built one. */
void verdict_free(struct verdict *verdict);

#endif
