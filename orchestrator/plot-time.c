/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput and temperature over the whole run, with the slots and the drives' own thresholds. */
#include "plot.h"

#include <errno.h>
#include <stdlib.h>

#define PLACES 50
#define WORDS_WIDE 0.22		/* width of a threshold's name, of the picture */
#define WORDS_NARROW 0.5
#define BURST 1.5	/* times what nine of ten steps do not reach */

struct span {
	double most_bw, end_s;
	bool cut;	/* most_bw is less than what some steps have */
	double least_c, most_c;
	double divisor, seconds_per_tick_unit;
};

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * fio takes the last I/Os of a deep queue from it all at once, which is a burst in one step. The picture
 * shall not become flat by such steps: they leave it at the top.
 */
static int cut_bursts(const struct pictures *p, struct span *s)
{
	_cleanup_free_ double *steps = NULL;
	size_t n = 0;

	for (size_t i = 0; i < p->traces_count; i++)
		n += p->traces[i].steps;
	steps = calloc(n + 1, sizeof(*steps));
	if (!steps)
		return -ENOMEM;
	n = 0;
	for (size_t i = 0; i < p->traces_count; i++) {
		for (size_t k = 0; k < p->traces[i].steps; k++) {
			if (p->traces[i].bw_bytes_per_s[k] > 0)
				steps[n++] = p->traces[i].bw_bytes_per_s[k];
		}
	}
	qsort(steps, n, sizeof(*steps), by_size);
	if (n && s->most_bw > BURST * steps[n * 9 / 10]) {
		s->most_bw = BURST * steps[n * 9 / 10];
		s->cut = true;
	}
	return 0;
}

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

/* Where words of that width over a line at c meet the fewest samples. Those of B are tried from the right. */
static double free_place(const struct pictures *p, const struct span *s, double c, double width, int side)
{
	double best = side == SIDE_B ? 1 - width : 0, low = c - 0.02 * (s->most_c - s->least_c);
	double high = c + 0.12 * (s->most_c - s->least_c);
	size_t fewest = SIZE_MAX;

	for (int k = 0; k <= PLACES; k++) {
		double x = (1 - width) * (side == SIDE_B ? PLACES - k : k) / PLACES;
		size_t n = 0;

		for (size_t i = 0; i < p->traces_count; i++) {
			for (size_t j = 0; j < p->traces[i].temperatures_count; j++) {
				const struct temperature_point *t = &p->traces[i].temperatures[j];

				n += t->time_s >= x * s->end_s && t->time_s <= (x + width) * s->end_s &&
				     t->temperature_c >= low && t->temperature_c <= high;
			}
		}
		if (n < fewest) {
			fewest = n;
			best = x;
		}
	}
	return best;
}

/*
 * The drives' own thresholds, once where they are the same; those far above what was seen (see
 * find_heat_range) would only make the curves flat.
 */
static void write_thresholds(const struct plot_input *in, const struct span *s, struct plot *plot)
{
	static const char *const names[] = { "slows down a little (TMT1)", "slows down (TMT2)", "warning (WCTEMP)",
					     "critical (CCTEMP)" };

	plot_block(plot, "threshold: side (2: both)\ttemperature_c\tplace of the name, narrow\tname");
	for (int side = 0; side < SIDES; side++) {
		double c[4], other[4];

		four_thresholds(&in->result->drives[side].identify, c);
		four_thresholds(&in->result->drives[!side].identify, other);
		for (size_t i = 0; i < 4; i++) {
			bool both = c[i] == other[i];
			double wide, narrow;

			if (!(c[i] + 0.1 * (s->most_c - s->least_c) <= s->most_c) || (both && side == SIDE_B))
				continue;
			wide = free_place(in->pictures, s, c[i], WORDS_WIDE, side);
			narrow = free_place(in->pictures, s, c[i], WORDS_NARROW, side);
			text_printf(&plot->data, "%d\t%.4g\t%.3g\t%.3g\t\"%s: %s %.0f °C\"\n", both ? 2 : side, c[i],
				    wide, narrow, both ? "A and B" : side ? "B" : "A", names[i], c[i]);
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
	/* room for the words over the highest threshold */
	s->most_c = 5 * ceil((most + fmax(2, 0.12 * (most - s->least_c))) / 5);
}

int plot_time(const struct plot_input *in, struct plot *plot)
{
	const struct pictures *p = in->pictures;
	struct span s = measure(p);
	bool heat = isfinite(s.most_c);

	if (!(s.most_bw > 0) || !(s.end_s > 0))
		return -ENODATA;
	if (cut_bursts(p, &s))
		return -ENOMEM;
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
	if (heat)
		find_heat_range(in, &s);
	write_thresholds(in, &s, plot);
	plot_number(plot, "has_heat", heat);
	plot_number(plot, "least_c", s.least_c);
	plot_number(plot, "most_c", s.most_c);
	plot->caption = text_format("Throughput%s over the run, in steps of %.2g s. The bars at the top are the "
				    "slots: A alone, B alone, both at once.%s%s", heat ? " and temperature" : "", p->step_s,
				    s.cut ? " Steps with bursts go beyond the top." : "",
				    heat ? "" : " The temperature of neither drive was measured.");
	return 0;
}
