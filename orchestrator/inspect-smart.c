/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SMART health in lines for people. */
#include <errno.h>

#include "inspect-text.h"
#include "smart.h"

static void counter_line(struct text *t, const char *name, struct smart_counter c, const char *unit)
{
	char number[SMART_NUMBER_SIZE];

	text_printf(t, "%-26s%s%s\n", name, smart_counter_text(number, c), unit);
}

static void units_line(struct text *t, const char *name, struct smart_counter c)
{
	char number[SMART_NUMBER_SIZE], size[TEXT_NUMBER_SIZE];
	double bytes = ((double)c.high * 0x1p64 + (double)c.low) * 512000.0;

	if (!c.high && !c.low) {
		text_printf(t, "%-26sn/a (the drive reports 0)\n", name);
		return;
	}
	smart_units_bytes_text(number, c);
	text_printf(t, "%-26s%s%s (%s)\n", name, number, number[0] == 't' ? "" : " bytes", text_bytes(size, bytes));
}

static void kelvin_line(struct text *t, const char *name, int64_t k)
{
	if (known(k))
		text_printf(t, "%-26s%.0f C\n", name, smart_celsius(k));
	else
		text_printf(t, "%-26sn/a\n", name);
}

static void warning_line(struct text *t, int64_t bits)
{
	text_printf(t, "%-26s0x%02llx", "critical warning", (long long)bits);
	for (int bit = 0, first = 1; bit < 8; bit++) {
		const char *name = smart_warning_name(bit);

		if (!(bits >> bit & 1))
			continue;
		text_printf(t, "%s%s", first ? ": " : ", ", name ? name : "a reserved bit");
		first = 0;
	}
	text_add(t, "\n");
}

int inspect_smart_text(const struct smart *s, struct text *t)
{
	int last = 8;

	if (!s->valid) {
		text_printf(t, "n/a: %s\n", s->reason ? s->reason : "not read");
		return t->failed ? -ENOMEM : 0;
	}
	warning_line(t, s->critical_warning);
	kelvin_line(t, "temperature", s->temperature_k);
	while (last > 0 && !known(s->temperature_sensor_k[last - 1]))
		last--;
	for (int i = 0; i < last; i++) {
		char name[32];

		snprintf(name, sizeof(name), "temperature sensor %d", i + 1);
		kelvin_line(t, name, s->temperature_sensor_k[i]);
	}
	text_printf(t, "%-26s%s%lld %%\n", "life used", s->percent_used == 255 ? ">= " : "",
		    (long long)s->percent_used);
	text_printf(t, "%-26s%lld %%\n", "spare", (long long)s->avail_spare);
	if (known(s->spare_thresh))
		text_printf(t, "%-26s%lld %%\n", "spare threshold", (long long)s->spare_thresh);
	else
		text_printf(t, "%-26sn/a (a reserved value)\n", "spare threshold");
	units_line(t, "data read", s->data_units_read);
	units_line(t, "data written", s->data_units_written);
	counter_line(t, "read commands", s->host_read_commands, "");
	counter_line(t, "write commands", s->host_write_commands, "");
	counter_line(t, "controller busy", s->controller_busy_time, " min");
	counter_line(t, "power cycles", s->power_cycles, "");
	counter_line(t, "power-on hours", s->power_on_hours, "");
	counter_line(t, "unsafe shutdowns", s->unsafe_shutdowns, "");
	counter_line(t, "media errors", s->media_errors, "");
	counter_line(t, "error log entries", s->num_err_log_entries, "");
	text_printf(t, "%-26s%lld min\n%-26s%lld min\n", "above warning", (long long)s->warning_temp_time,
		    "above critical", (long long)s->critical_comp_time);
	text_printf(t, "%-26s%lld times, %lld s\n%-26s%lld times, %lld s\n", "thermal throttle light",
		    (long long)s->thm_temp1_trans_count, (long long)s->thm_temp1_total_time,
		    "thermal throttle heavy", (long long)s->thm_temp2_trans_count,
		    (long long)s->thm_temp2_total_time);
	return t->failed ? -ENOMEM : 0;
}
