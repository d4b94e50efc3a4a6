/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs to JSON and back by tables of their members. */
#include "json-fields.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "text.h"

static json_t *string_to_json(const char *s)
{
	_cleanup_free_ char *utf8 = NULL;

	if (!s)
		return json_null();
	utf8 = text_make_utf8(s);
	return utf8 ? json_string(utf8) : NULL;
}

static json_t *strings_to_json(const struct strings *list)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < list->count; i++) {
		if (json_array_append_new(array, string_to_json(list->items[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *array_to_json(const struct field *f, const char *base, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < count; i++) {
		if (json_array_append_new(array, fields_to_json(f->fields, base + i * f->size))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

char *counter_text(char buffer[static COUNTER_TEXT_SIZE], uint64_t high, uint64_t low)
{
	unsigned __int128 v = (unsigned __int128)high << 64 | low;
	char *p = buffer + COUNTER_TEXT_SIZE - 1;

	*p = '\0';
	do {
		*--p = (char)('0' + (int)(v % 10));
		v /= 10;
	} while (v);
	return memmove(buffer, p, strlen(p) + 1);
}

static json_t *counter_to_json(const struct smart_counter *counter)
{
	char buffer[COUNTER_TEXT_SIZE];

	if (!counter->high && counter->low <= INT64_MAX)
		return json_integer((json_int_t)counter->low);
	return json_string(counter_text(buffer, counter->high, counter->low));
}

static json_t *member_to_json(const struct field *f, const char *data)
{
	const void *p = data + f->offset;

	switch (f->type) {
	case FIELD_STRING:
		return string_to_json(*(char *const *)p);
	case FIELD_INT:
		return *(const int64_t *)p == UNKNOWN_I64 ? json_null() : json_integer(*(const int64_t *)p);
	case FIELD_DOUBLE:
		return isfinite(*(const double *)p) ? json_real(*(const double *)p) : json_null();
	case FIELD_BOOL:
		return json_boolean(*(const bool *)p);
	case FIELD_COUNTER:
		return counter_to_json(p);
	case FIELD_ENUM:
		return json_string(f->names[*(const int *)p]);
	case FIELD_STRINGS:
		return strings_to_json(p);
	case FIELD_STRUCT:
		return fields_to_json(f->fields, p);
	case FIELD_ARRAY:
		return array_to_json(f, *(char *const *)p, *(const size_t *)(data + f->count_offset));
	}
	return NULL;
}

json_t *fields_to_json(const struct field *fields, const void *data)
{
	json_t *object = json_object();

	for (const struct field *f = fields; object && f->key; f++) {
		if (json_object_set_new(object, f->key, member_to_json(f, data))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

void fields_unknown(const struct field *fields, void *data)
{
	for (const struct field *f = fields; f->key; f++) {
		void *p = (char *)data + f->offset;

		if (f->type == FIELD_INT)
			*(int64_t *)p = UNKNOWN_I64;
		else if (f->type == FIELD_DOUBLE)
			*(double *)p = NAN;
		else if (f->type == FIELD_STRUCT)
			fields_unknown(f->fields, p);
	}
}

void fields_free(const struct field *fields, void *data)
{
	for (const struct field *f = fields; f->key; f++) {
		void *p = (char *)data + f->offset;
		size_t *count = (size_t *)((char *)data + f->count_offset);

		if (f->type == FIELD_STRING) {
			free(*(char **)p);
			*(char **)p = NULL;
		} else if (f->type == FIELD_STRINGS) {
			strings_free(p);
		} else if (f->type == FIELD_STRUCT) {
			fields_free(f->fields, p);
		} else if (f->type == FIELD_ARRAY) {
			for (size_t i = 0; i < *count; i++)
				fields_free(f->fields, *(char **)p + i * f->size);
			free(*(char **)p);
			*(char **)p = NULL;
			*count = 0;
		}
	}
	fields_unknown(fields, data);
}

static int strings_from_json(const json_t *value, struct strings *list)
{
	if (!json_is_array(value))
		return -EINVAL;
	for (size_t i = 0; i < json_array_size(value); i++) {
		const char *s = json_string_value(json_array_get(value, i));
		int ret = s ? strings_add(list, s) : -EINVAL;

		if (ret)
			return ret;
	}
	return 0;
}

static int array_from_json(const struct field *f, const json_t *value, char *data, const char **wrong)
{
	size_t n = json_array_size(value);
	char *base;

	if (!json_is_array(value))
		return -EINVAL;
	base = calloc(n ? n : 1, f->size);
	if (!base)
		return -ENOMEM;
	*(char **)(data + f->offset) = base;
	for (size_t i = 0; i < n; i++) {
		int ret = fields_from_json(f->fields, json_array_get(value, i), base + i * f->size, wrong);

		if (ret)
			return ret;
		*(size_t *)(data + f->count_offset) = i + 1;
	}
	return 0;
}

static int enum_from_json(const struct field *f, const json_t *value, int *out)
{
	const char *s = json_string_value(value);

	for (int i = 0; s && f->names[i]; i++) {
		if (!strcmp(s, f->names[i])) {
			*out = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int counter_from_json(const json_t *value, struct smart_counter *counter)
{
	const char *s = json_string_value(value);
	unsigned __int128 v = 0;

	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*counter = (struct smart_counter){ .low = (uint64_t)json_integer_value(value) };
		return 0;
	}
	if (!s || !*s)
		return -EINVAL;
	for (; *s; s++) {
		unsigned int digit = (unsigned int)(*s - '0');

		if (*s < '0' || *s > '9' || v > (~(unsigned __int128)0 - digit) / 10)
			return -EINVAL;
		v = v * 10 + digit;
	}
	*counter = (struct smart_counter){ .low = (uint64_t)v, .high = (uint64_t)(v >> 64) };
	return 0;
}

static int member_from_json(const struct field *f, const json_t *value, char *data, const char **wrong)
{
	void *p = data + f->offset;

	switch (f->type) {
	case FIELD_STRING:
		if (!json_is_string(value))
			return -EINVAL;
		*(char **)p = strdup(json_string_value(value));
		return *(char **)p ? 0 : -ENOMEM;
	case FIELD_INT:
		if (!json_is_integer(value))
			return -EINVAL;
		*(int64_t *)p = json_integer_value(value);
		return 0;
	case FIELD_DOUBLE:
		if (!json_is_number(value))
			return -EINVAL;
		*(double *)p = json_number_value(value);
		return 0;
	case FIELD_BOOL:
		if (!json_is_boolean(value))
			return -EINVAL;
		*(bool *)p = json_is_true(value);
		return 0;
	case FIELD_COUNTER:
		return counter_from_json(value, p);
	case FIELD_ENUM:
		return enum_from_json(f, value, p);
	case FIELD_STRINGS:
		return strings_from_json(value, p);
	case FIELD_STRUCT:
		return fields_from_json(f->fields, value, p, wrong);
	case FIELD_ARRAY:
		return array_from_json(f, value, data, wrong);
	}
	return -EINVAL;
}

int fields_from_json(const struct field *fields, const json_t *json, void *data, const char **wrong)
{
	fields_unknown(fields, data);
	if (!json_is_object(json)) {
		*wrong = "(not an object)";
		return -EINVAL;
	}
	for (const struct field *f = fields; f->key; f++) {
		json_t *value = json_object_get(json, f->key);
		int ret;

		if (!value || json_is_null(value))
			continue;
		*wrong = f->key;
		ret = member_from_json(f, value, data, wrong);
		if (ret) {
			fields_free(fields, data);
			return ret;
		}
	}
	return 0;
}
