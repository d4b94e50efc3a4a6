/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the log pages beside the SMART page mean: differences, ratios, words, JSON. Pure. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model-json.h"
#include "pages.h"
#include "smart.h"

static double as_double(struct smart_counter c)
{
	return (double)c.high * 0x1p64 + (double)c.low;
}

/* Both in units of 10^9 bytes, rounded up: below ten of them the ratio is mostly rounding. */
double endurance_write_amplification(const struct endurance *e)
{
	double host = as_double(e->data_units_written), media = as_double(e->media_units_written);

	return e->valid && host >= 10 && media > 0 ? media / host : NAN;
}

double ocp_write_amplification(const struct ocp_smart *ocp, const struct smart *smart)
{
	double host = as_double(smart->data_units_written) * 512000;
	double media = as_double(ocp->physical_media_units_written);

	return ocp->valid && smart->valid && host >= 1e10 && media > 0 ? media / host : NAN;
}

int64_t ocp_throttle_events(const struct ocp_smart *before, const struct ocp_smart *after)
{
	int64_t events;

	if (!before->valid || !after->valid || before->thermal_throttling_event_count == 255 ||
	    !smart_number_delta(before->thermal_throttling_event_count, after->thermal_throttling_event_count,
				&events))
		return UNKNOWN_I64;
	return events;
}

int64_t ocp_read_recoveries(const struct ocp_smart *before, const struct ocp_smart *after)
{
	int64_t soft, rebuilt, lost, sum;

	if (!before->valid || !after->valid ||
	    !smart_counter_delta(before->soft_ecc_err_count, after->soft_ecc_err_count, &soft) ||
	    !smart_counter_delta(before->xor_recovery_count, after->xor_recovery_count, &rebuilt) ||
	    !smart_counter_delta(before->uncorrectable_read_err_count, after->uncorrectable_read_err_count, &lost) ||
	    __builtin_add_overflow(soft, rebuilt, &sum) || __builtin_add_overflow(sum, lost, &sum))
		return UNKNOWN_I64;
	return sum;
}

const char *ocp_throttle_name(int64_t status)
{
	static const char *const names[] = { "unthrottled", "first level", "second level", "third level" };

	return status >= 0 && status < 4 ? names[status] : NULL;
}

/* Status codes of type 2h: NVMe base spec 2.0, figure 97. */
static const char *media_name(int64_t code)
{
	static const char *const names[] = {
		"write fault", "unrecovered read error", "guard check error", "application tag check error",
		"reference tag check error", "compare failure", "access denied",
		"deallocated or unwritten block", "storage tag check error",
	};

	return code >= 0x80 && code <= 0x88 ? names[code - 0x80] : NULL;
}

char *error_status_text(char buffer[static ERROR_STATUS_TEXT_SIZE], const struct error_entry *e)
{
	const char *name = e->status_code_type == 2 ? media_name(e->status_code) : NULL;

	if (name)
		snprintf(buffer, ERROR_STATUS_TEXT_SIZE, "media: %s", name);
	else
		snprintf(buffer, ERROR_STATUS_TEXT_SIZE, "%stype %llxh, status %02llXh",
			 e->status_code_type == 2 ? "media: " : "", (long long)e->status_code_type,
			 (unsigned long long)e->status_code);
	return buffer;
}

/* A table as JSON; without a page its counters are not 0 but unknown. */
static json_t *page_json(const struct field *fields, const void *page, bool valid)
{
	json_t *o = fields_to_json(fields, page);

	for (const struct field *f = fields; o && f->key && !valid; f++)
		if (f->type == FIELD_COUNTER)
			json_object_set_new(o, f->key, json_null());
	return o;
}

static json_t *real(double v)
{
	return isnan(v) ? json_null() : json_real(v);
}

/* Units of 10^9 bytes as bytes: an integer, or decimal text where 64 bits are too small. */
static json_t *billions(struct smart_counter units)
{
	unsigned __int128 v = (unsigned __int128)units.high << 64 | units.low;
	char text[COUNTER_TEXT_SIZE];

	if (v > ~(unsigned __int128)0 / 1000000000)
		return json_string("too large");
	v *= 1000000000;
	if (v <= INT64_MAX)
		return json_integer((json_int_t)v);
	return json_string(counter_text(text, (uint64_t)(v >> 64), (uint64_t)v));
}

json_t *endurance_to_json(const struct endurance *e)
{
	json_t *o = page_json(endurance_fields, e, e->valid);

	if (!o || !e->valid)
		return o;
	json_object_set_new(o, "percent_used_is_at_least", json_boolean(e->percent_used == 255));
	json_object_set_new(o, "data_read_bytes", billions(e->data_units_read));
	json_object_set_new(o, "data_written_bytes", billions(e->data_units_written));
	json_object_set_new(o, "media_written_bytes", billions(e->media_units_written));
	json_object_set_new(o, "write_amplification", real(endurance_write_amplification(e)));
	return o;
}

json_t *ocp_to_json(const struct ocp_smart *ocp)
{
	json_t *o = page_json(ocp_smart_fields, ocp, ocp->valid);
	const char *name = ocp->valid ? ocp_throttle_name(ocp->thermal_throttling_current_status) : NULL;

	if (!o)
		return NULL;
	/* counters that this version of the page does not have */
	if (ocp->log_page_version < 2) {
		json_object_set_new(o, "pcie_link_retraining_count", json_null());
		json_object_set_new(o, "power_state_change_count", json_null());
	}
	if (ocp->log_page_version < 5)
		json_object_set_new(o, "nand_avg_erase_count", json_null());
	json_object_set_new(o, "thermal_throttling_name", name ? json_string(name) : json_null());
	return o;
}

json_t *error_log_to_json(const struct error_log *log)
{
	json_t *o = fields_to_json(error_log_fields, log);

	for (size_t i = 0; o && i < log->entries_count; i++) {
		char text[ERROR_STATUS_TEXT_SIZE];

		json_object_set_new(json_array_get(json_object_get(o, "entries"), i), "status",
				    json_string(error_status_text(text, &log->entries[i])));
	}
	return o;
}
