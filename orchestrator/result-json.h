/* SPDX-License-Identifier: GPL-3.0-or-later */
/* struct result -> result.json: every number that the verdict was made from. */
#ifndef NVMATCH_RESULT_JSON_H
#define NVMATCH_RESULT_JSON_H

#include <jansson.h>

#include "json-fields.h"
#include "model.h"

/* Of struct measurement and struct data_match: the members with a key of their own. */
extern const struct field measurement_fields[], match_fields[];

/* New reference; NULL when memory ran out. */
json_t *result_to_json(const struct result *result);

#endif
