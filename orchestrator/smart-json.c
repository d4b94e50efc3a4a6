/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The SMART page as JSON: nvme-cli's keys, and beside them what nvme-cli leaves to the reader. */
#include <math.h>
#include <string.h>

#include "model-json.h"
#include "smart-internal.h"

static json_t *celsius(int64_t kelvin)
{
	return known(kelvin) ? json_integer(kelvin - 273) : json_null();
}

static json_t *warning_names(int64_t bits)
{
	json_t *list = json_array();

	for (int bit = 0; known(bits) && bit < 8; bit++) {
		const char *name = smart_warning_name(bit);

		if (bits >> bit & 1)
			json_array_append_new(list, name ? json_string(name) : json_sprintf("reserved bit %d", bit));
	}
	return list;
}

/* Bytes: an integer, or decimal text where 64 bits are too small. 0 units: the drive does not count. */
static json_t *units_bytes(struct smart_counter units)
{
	char text[SMART_NUMBER_SIZE];
	int64_t v;

	if (!units.high && !units.low)
		return json_null();
	smart_units_bytes_text(text, units);
	return text_to_i64(text, &v) ? json_string(text) : json_integer(v);
}

json_t *smart_to_json(const struct smart *smart)
{
	json_t *o = fields_to_json(smart_fields, smart);

	if (!o)
		return NULL;
	/* without a page the counters are not 0 but unknown */
	for (const struct field *f = smart_fields; f->key && !smart->valid; f++)
		if (f->type == FIELD_COUNTER)
			json_object_set_new(o, f->key, json_null());
	json_object_set_new(o, "temperature_c", celsius(smart->temperature_k));
	for (int i = 0; i < 8; i++) {
		char key[40];

		snprintf(key, sizeof(key), "temperature_sensor_%d_c", i + 1);
		json_object_set_new(o, key, celsius(smart->temperature_sensor_k[i]));
	}
	json_object_set_new(o, "critical_warning_names",
			    smart->valid ? warning_names(smart->critical_warning) : json_null());
	json_object_set_new(o, "percent_used_is_at_least",
			    smart->valid ? json_boolean(smart->percent_used == 255) : json_null());
	json_object_set_new(o, "data_read_bytes",
			    smart->valid ? units_bytes(smart->data_units_read) : json_null());
	json_object_set_new(o, "data_written_bytes",
			    smart->valid ? units_bytes(smart->data_units_written) : json_null());
	return o;
}

static void set_interval(json_t *o, const char *key, struct smart_counter before, struct smart_counter after)
{
	int64_t units, low, high;

	if ((!before.high && !before.low) || !smart_counter_delta(before, after, &units)) {
		json_object_set_new(o, key, json_null());
		return;
	}
	smart_delta_bytes(units, &low, &high);
	json_object_set_new(o, key, json_pack("[II]", (json_int_t)low, (json_int_t)high));
}

json_t *smart_delta_to_json(const struct smart *before, const struct smart *after)
{
	json_t *o = json_object();
	bool valid = before->valid && after->valid;

	for (const struct field *f = smart_fields; o && f->key; f++) {
		const char *b = (const char *)before + f->offset, *a = (const char *)after + f->offset;
		int64_t delta;
		bool ok = false;

		if (f->type == FIELD_COUNTER)
			ok = smart_counter_delta(*(const struct smart_counter *)b,
						 *(const struct smart_counter *)a, &delta);
		else if (f->type != FIELD_INT || !strcmp(f->key, "critical_warning"))
			continue;
		else if (strstr(f->key, "_time") || strstr(f->key, "_count"))
			ok = smart_number_delta(*(const int64_t *)b, *(const int64_t *)a, &delta);
		else if (known(*(const int64_t *)b) && known(*(const int64_t *)a))
			ok = !__builtin_sub_overflow(*(const int64_t *)a, *(const int64_t *)b, &delta);
		json_object_set_new(o, f->key, ok && valid ? json_integer(delta) : json_null());
	}
	if (!o || !valid)
		return o;
	set_interval(o, "read_bytes_between", before->data_units_read, after->data_units_read);
	set_interval(o, "written_bytes_between", before->data_units_written, after->data_units_written);
	return o;
}
