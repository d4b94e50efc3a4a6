/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON as text, for files and terminals alike: pure printable ASCII. What a drive is called may hold
 * C1 controls or marks that reorder a line; they are escaped as \uNNNN and mean the same to a parser.
 */
#ifndef NVMATCH_JSON_TEXT_H
#define NVMATCH_JSON_TEXT_H

#include <jansson.h>
#include <stdio.h>

/* How documents are laid out; JSON_REAL_PRECISION may be added. */
#define JSON_SHOWN JSON_INDENT(2)

/* The text without a newline at its end, to be freed; NULL when memory ran out or json is NULL. */
char *json_text(const json_t *json, size_t layout);

/* Prints the text and a newline: 0, -ENOMEM or -EIO. */
int json_print(const json_t *json, FILE *out, size_t layout);

#endif
