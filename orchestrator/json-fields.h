/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One table describes the members of a struct; from it come writing it as JSON, reading it back,
 * and freeing it. What is unknown is null in JSON and never 0: see model.h for the marks.
 */
#ifndef NVMATCH_JSON_FIELDS_H
#define NVMATCH_JSON_FIELDS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

enum field_type {
	FIELD_STRING,	/* char *, owned by the struct; NULL is null */
	FIELD_INT,	/* int64_t; UNKNOWN_I64 is null */
	FIELD_DOUBLE,	/* double; NaN is null */
	FIELD_BOOL,	/* bool */
	FIELD_COUNTER,	/* struct smart_counter, 128 bits; a decimal string where int64_t is too small */
	FIELD_ENUM,	/* int; written as its name in the table `names` */
	FIELD_STRINGS,	/* struct strings */
	FIELD_STRUCT,	/* a struct with its own table */
	FIELD_ARRAY,	/* pointer to structs with their own table, and a size_t count */
};

struct field {
	const char *key;		/* JSON key, unit included; NULL ends the table */
	enum field_type type;
	size_t offset;
	const struct field *fields;	/* FIELD_STRUCT, FIELD_ARRAY */
	size_t size;			/* FIELD_ARRAY: size of one element */
	size_t count_offset;		/* FIELD_ARRAY: where the size_t count is */
	const char *const *names;	/* FIELD_ENUM: NULL-terminated, index = value */
};

#define F_STRING(s, m) { .key = #m, .type = FIELD_STRING, .offset = offsetof(s, m) }
#define F_INT(s, m) { .key = #m, .type = FIELD_INT, .offset = offsetof(s, m) }
#define F_DOUBLE(s, m) { .key = #m, .type = FIELD_DOUBLE, .offset = offsetof(s, m) }
#define F_BOOL(s, m) { .key = #m, .type = FIELD_BOOL, .offset = offsetof(s, m) }
#define F_COUNTER(s, m) { .key = #m, .type = FIELD_COUNTER, .offset = offsetof(s, m) }
#define F_ENUM(s, m, n) { .key = #m, .type = FIELD_ENUM, .offset = offsetof(s, m), .names = n }
#define F_STRINGS(s, m) { .key = #m, .type = FIELD_STRINGS, .offset = offsetof(s, m) }
#define F_STRUCT(s, m, f) { .key = #m, .type = FIELD_STRUCT, .offset = offsetof(s, m), .fields = f }
/* an array member `m` with its count in `m_count` */
#define F_ARRAY(s, m, f) { .key = #m, .type = FIELD_ARRAY, .offset = offsetof(s, m), .fields = f, \
	.size = sizeof(*((s *)0)->m), .count_offset = offsetof(s, m##_count) }
#define F_END { .key = NULL }

/* Exact decimal text of high * 2^64 + low into buffer (returned). */
#define COUNTER_TEXT_SIZE 40
char *counter_text(char buffer[static COUNTER_TEXT_SIZE], uint64_t high, uint64_t low);

/* A new reference, or NULL when memory ran out. */
json_t *fields_to_json(const struct field *fields, const void *data);

/*
 * Fills data (which must be zeroed). A missing key or null gives the mark for unknown.
 * -EINVAL when a value has the wrong type: the key is then in *wrong (a pointer into the table).
 * On failure data is freed.
 */
int fields_from_json(const struct field *fields, const json_t *json, void *data, const char **wrong);

/* Frees what the members own and sets all to unknown. */
void fields_free(const struct field *fields, void *data);

/* Sets all members to unknown; for a struct that is about to be filled. */
void fields_unknown(const struct field *fields, void *data);

#endif
