/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of nvmatch decode, commands of their own: cmd-decode.c finds them. */
#ifndef NVMATCH_DECODE_H
#define NVMATCH_DECODE_H

#include <jansson.h>
#include <stddef.h>

struct command;

extern const struct command decode_fio, decode_smart, decode_identify;
extern const struct command decode_endurance, decode_ocp, decode_error_log;

/* A saved page of `least` to `most` bytes, which the caller frees. 0 or -errno (printed). */
int decode_read_page(const char *path, size_t least, size_t most, unsigned char **page, size_t *length);
/* Takes a document over and prints it. 0 or -errno (printed). */
int decode_print_document(json_t *document);
/* One line for each key, n/a where it is null. */
void decode_print_fields(const json_t *object);

#endif
