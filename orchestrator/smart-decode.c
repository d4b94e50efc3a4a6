/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes of the SMART / Health page to numbers. Pure.
 * Offsets: NVM Express Base Specification 2.0c, figure 207. All little endian.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model-json.h"
#include "smart-internal.h"

#define UNIT_BYTES 512000	/* one data unit: 1000 blocks of 512 bytes, on every drive */

static const char empty_reason[] = "the SMART page is not valid: all its bytes are 0";
static const char gone_reason[] = "the SMART page is not valid: all bits are set, as of a drive that is gone";

uint64_t smart_le(const unsigned char *p, int bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | p[bytes];
	return v;
}

static int64_t number(const unsigned char *p, int bytes)
{
	return (int64_t)smart_le(p, bytes);
}

static struct smart_counter counter(const unsigned char *p)
{
	return (struct smart_counter){ .low = smart_le(p, 8), .high = smart_le(p + 8, 8) };
}

int64_t smart_kelvin(const unsigned char *p)
{
	int64_t k = number(p, 2);

	return k ? k : UNKNOWN_I64;
}

double smart_celsius(int64_t k)
{
	return known(k) ? (double)(k - 273) : NAN;
}

bool smart_all_bytes(const unsigned char *p, size_t length, unsigned char value)
{
	for (size_t i = 0; i < length; i++)
		if (p[i] != value)
			return false;
	return true;
}

const char *smart_not_valid(const unsigned char page[SMART_PAGE_BYTES])
{
	if (smart_all_bytes(page, SMART_PAGE_BYTES, 0))
		return empty_reason;
	return smart_all_bytes(page, SMART_PAGE_BYTES, 0xff) ? gone_reason : NULL;
}

void smart_unknown(struct smart *smart, const char *reason)
{
	*smart = (struct smart){ 0 };
	fields_unknown(smart_fields, smart);
	smart->reason = reason ? strdup(reason) : NULL;
}

void smart_free(struct smart *smart)
{
	fields_free(smart_fields, smart);
}

void smart_decode(const unsigned char page[SMART_PAGE_BYTES], struct smart *smart)
{
	smart_unknown(smart, smart_not_valid(page));
	if (smart_not_valid(page))
		return;
	smart->valid = true;
	smart->critical_warning = page[0];
	smart->temperature_k = smart_kelvin(page + 1);
	smart->avail_spare = page[3];
	/* percent; more than 100 is reserved and means nothing */
	smart->spare_thresh = page[4] <= 100 ? page[4] : UNKNOWN_I64;
	smart->percent_used = page[5];
	smart->endurance_grp_critical_warning_summary = page[6];
	smart->data_units_read = counter(page + 32);
	smart->data_units_written = counter(page + 48);
	smart->host_read_commands = counter(page + 64);
	smart->host_write_commands = counter(page + 80);
	smart->controller_busy_time = counter(page + 96);
	smart->power_cycles = counter(page + 112);
	smart->power_on_hours = counter(page + 128);
	smart->unsafe_shutdowns = counter(page + 144);
	smart->media_errors = counter(page + 160);
	smart->num_err_log_entries = counter(page + 176);
	smart->warning_temp_time = number(page + 192, 4);
	smart->critical_comp_time = number(page + 196, 4);
	for (int i = 0; i < 8; i++)
		smart->temperature_sensor_k[i] = smart_kelvin(page + 200 + 2 * i);
	smart->thm_temp1_trans_count = number(page + 216, 4);
	smart->thm_temp2_trans_count = number(page + 220, 4);
	smart->thm_temp1_total_time = number(page + 224, 4);
	smart->thm_temp2_total_time = number(page + 228, 4);
}

bool smart_counter_delta(struct smart_counter before, struct smart_counter after, int64_t *delta)
{
	unsigned __int128 b = (unsigned __int128)before.high << 64 | before.low;
	unsigned __int128 a = (unsigned __int128)after.high << 64 | after.low;

	if (a < b || a - b > INT64_MAX)
		return false;
	*delta = (int64_t)(a - b);
	return true;
}

bool smart_number_delta(int64_t before, int64_t after, int64_t *delta)
{
	return known(before) && known(after) && after >= before &&
	       !__builtin_sub_overflow(after, before, delta);
}

void smart_delta_bytes(int64_t delta_units, int64_t *low_bytes, int64_t *high_bytes)
{
	__int128 d = delta_units;
	__int128 low = ((d - 1) * 1000 + 1) * 512, high = ((d + 1) * 1000 - 1) * 512;

	*low_bytes = low > INT64_MAX ? INT64_MAX : (int64_t)low;
	*high_bytes = high > INT64_MAX ? INT64_MAX : (int64_t)high;
}

char *smart_counter_text(char buffer[static SMART_NUMBER_SIZE], struct smart_counter c)
{
	return counter_text(buffer, c.high, c.low);
}

char *smart_units_bytes_text(char buffer[static SMART_NUMBER_SIZE], struct smart_counter units)
{
	unsigned __int128 v = (unsigned __int128)units.high << 64 | units.low;

	if (v > ~(unsigned __int128)0 / UNIT_BYTES) {
		snprintf(buffer, SMART_NUMBER_SIZE, "too large");
		return buffer;
	}
	v *= UNIT_BYTES;
	return counter_text(buffer, (uint64_t)(v >> 64), (uint64_t)v);
}

const char *smart_warning_name(int bit)
{
	static const char *const names[] = {
		"spare below threshold", "temperature outside threshold", "reliability degraded",
		"read only", "volatile memory backup failed", "persistent memory region unreliable",
	};

	return bit >= 0 && bit < 6 ? names[bit] : NULL;
}
