/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput and temperature over the whole run, with the slots and the drives' own thresholds. */
#include "plot.h"

#include <errno.h>
#include <stdlib.h>

struct span {
	double most_bw, end_s;
	double least_c, most_c;
	double divisor, seconds_per_tick_unit;
};

static struct span measure(const struct pictures *p)
{
	struct span s = { .least_c = NAN, .most_c = NAN };

	for (size_t i = 0; i < p->traces_count; i++) {
		const struct trace *t = &p->traces[i];

		s.end_s = fmax(s.end_s, t->end_s);
		for (size_t k = 0; k < t->steps; k++)
			s.most_bw = fmax(s.most_bw, t->bw_bytes_per_s[k]);
		for (size_t k = 0; k < t->temperatures_count; k++) {
			s.least_c = fmin(s.least_c, t->temperatures[k].temperature_c);
			s.most_c = fmax(s.most_c, t->temperatures[k].temperature_c);
		}
	}
	return s;
}

static void write_speed(const struct pictures *p, int side, const struct span *s, struct plot *plot)
{
	plot_block(plot, side ? "B: time\tthroughput" : "A: time\tthroughput");
	for (size_t i = 0; i < p->traces_count; i++) {
		const struct trace *t = &p->traces[i];

		if (t->side != side)
			continue;
		text_printf(&plot->data, "%.6g\t0\n", t->start_s / s->seconds_per_tick_unit);
		for (size_t k = 0; k < t->steps; k++) {
			double from = t->start_s + (double)k * p->step_s, to = fmin(from + p->step_s, t->end_s);
			/* the last step is cut: its bytes fell into less time */
			double v = t->bw_bytes_per_s[k] * (to > from ? p->step_s / (to - from) : 1);

			if (to - from < 0.2 * p->step_s)
				continue;
			text_printf(&plot->data, "%.6g\t%.5g\n%.6g\t%.5g\n", from / s->seconds_per_tick_unit,
				    fmin(v, s->most_bw) / s->divisor, to / s->seconds_per_tick_unit,
				    fmin(v, s->most_bw) / s->divisor);
		}
		text_printf(&plot->data, "%.6g\t0\n\n", t->end_s / s->seconds_per_tick_unit);
	}
}

static void write_heat(const struct pictures *p, int side, const struct span *s, struct plot *plot)
{
	plot_block(plot, side ? "B: time\ttemperature_c" : "A: time\ttemperature_c");
	for (size_t i = 0; i < p->traces_count; i++) {
		const struct trace *t = &p->traces[i];

		if (t->side != side)
			continue;
		for (size_t k = 0; k < t->temperatures_count; k++)
			text_printf(&plot->data, "%.6g\t%.4g\n", t->temperatures[k].time_s / s->seconds_per_tick_unit,
				    t->temperatures[k].temperature_c);
		text_add(&plot->data, "\n");
	}
}

/* 0 on A alone, 1 on B alone, 2 on both */
static void write_slots(const struct plot_input *in, const struct span *s, struct plot *plot)
{
	const struct pictures *p = in->pictures;

	plot_block(plot, "slot from\tto\tmode (0 A, 1 B, 2 both)\tname");
	for (size_t i = 0; i < p->traces_count; i++) {
		const struct trace *t = &p->traces[i];
		const struct slot *slot = &in->result->plan.slots[t->slot];
		double from = t->start_s, to = t->end_s;

		if (t->side == SIDE_B && slot->mode == MODE_AB)
			continue;
		for (size_t k = i + 1; k < p->traces_count && p->traces[k].slot == t->slot; k++) {
			from = fmin(from, p->traces[k].start_s);
			to = fmax(to, p->traces[k].end_s);
		}
		text_printf(&plot->data, "%.6g\t%.6g\t%d\t%.6g\n", from / s->seconds_per_tick_unit,
			    to / s->seconds_per_tick_unit, slot->mode, (to - from) / s->end_s);
	}
}

static double celsius(int64_t kelvin)
{
	return known(kelvin) && kelvin > 0 ? (double)kelvin - 273 : NAN;
}

static void four_thresholds(const struct identify *id, double c[static 4])
{
	c[0] = celsius(id->tmt1_k);
	c[1] = celsius(id->tmt2_k);
	c[2] = id->warning_temperature_c;
	c[3] = id->critical_temperature_c;
}

/*
 * The drives' own thresholds, once where they are the same; those far above what was seen would only
 * make the curves flat.
 */
static void write_thresholds(const struct plot_input *in, struct span *s, struct plot *plot)
{
	static const char *const names[] = { "slows down a little (TMT1)", "slows down (TMT2)", "warning (WCTEMP)",
					     "critical (CCTEMP)" };

	plot_block(plot, "threshold: side (2: both)\ttemperature_c\tname");
	for (int side = 0; side < SIDES; side++) {
		double c[4], other[4];

		four_thresholds(&in->result->drives[side].identify, c);
		four_thresholds(&in->result->drives[!side].identify, other);
		for (size_t i = 0; i < 4; i++) {
			bool both = c[i] == other[i];

			if (!isfinite(c[i]) || c[i] > s->most_c + 40 || (both && side == SIDE_B))
				continue;
			text_printf(&plot->data, "%d\t%.4g\t\"%s: %s %.0f °C\"\n", both ? 2 : side,
				    c[i], both ? "A and B" : side ? "B" : "A", names[i], c[i]);
		}
	}
}

static void find_heat_range(const struct plot_input *in, struct span *s)
{
	double least = s->least_c, most = s->most_c;

	for (int side = 0; side < SIDES; side++) {
		const struct identify *id = &in->result->drives[side].identify;
		double c[] = { celsius(id->tmt1_k), id->warning_temperature_c };

		for (size_t i = 0; i < 2; i++) {
			if (isfinite(c[i]) && c[i] <= s->most_c + 40)
				most = fmax(most, c[i]);
		}
	}
	s->least_c = 5 * floor((least - 2) / 5);
	s->most_c = 5 * ceil((most + 2) / 5);
}

int plot_time(const struct plot_input *in, struct plot *plot)
{
	const struct pictures *p = in->pictures;
	struct span s = measure(p);
	bool heat = isfinite(s.most_c);

	if (!(s.most_bw > 0) || !(s.end_s > 0))
		return -ENODATA;
	s.seconds_per_tick_unit = s.end_s > 7200 ? 3600 : s.end_s > 240 ? 60 : 1;
	plot_side_label(in, plot);
	plot_string(plot, "unit", plot_unit("bw_bytes_per_s", s.most_bw, &s.divisor), 20);
	plot_string(plot, "time_unit", s.seconds_per_tick_unit > 60 ? "hours" :
		    s.seconds_per_tick_unit > 1 ? "minutes" : "seconds", 20);
	plot_number(plot, "most", s.most_bw / s.divisor);
	plot_number(plot, "end", s.end_s / s.seconds_per_tick_unit);
	plot_number(plot, "sides", in->result->plan.one_side ? 1 : 2);
	write_speed(p, SIDE_A, &s, plot);
	write_speed(p, SIDE_B, &s, plot);
	write_slots(in, &s, plot);
	write_heat(p, SIDE_A, &s, plot);
	write_heat(p, SIDE_B, &s, plot);
	write_thresholds(in, &s, plot);
	if (heat)
		find_heat_range(in, &s);
	plot_number(plot, "has_heat", heat);
	plot_number(plot, "least_c", s.least_c);
	plot_number(plot, "most_c", s.most_c);
	plot->caption = text_format("Throughput%s over the run, in steps of %.2g s. The bars at the top are the "
				    "slots: A alone, B alone, both at once.%s", heat ? " and temperature" : "", p->step_s,
				    heat ? "" : " The temperature of neither drive was measured.");
	return 0;
}
