/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each drive alone against both at once: every round, and what the other one costs. */
#include "plot.h"

#include <errno.h>
#include <string.h>

/* The rounds of one row: side and mode. */
static void write_row(const struct workload_result *w, const char *metric, int side, bool concurrent,
		      double divisor, struct plot *plot)
{
	for (size_t i = 0; i < w->observations_count; i++) {
		const struct observation *o = &w->observations[i];
		double v = plot_metric(&o->side[side], metric);

		if (o->concurrent == concurrent && isfinite(v))
			text_printf(&plot->data, "%d\t%d\t%.6g\n", side, concurrent, v / divisor);
	}
}

/* The geometric mean, as everywhere in the report. NaN: no round. */
static double mean(const struct workload_result *w, const char *metric, int side, bool concurrent)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < w->observations_count; i++) {
		const struct observation *o = &w->observations[i];
		double v = plot_metric(&o->side[side], metric);

		if (o->concurrent != concurrent || !isfinite(v))
			continue;
		sum += log(v);
		n++;
	}
	return n ? exp(sum / (double)n) : NAN;
}

static const struct concurrency_row *loss_of(const struct plot_input *in)
{
	for (size_t i = 0; i < in->verdict->concurrency_count; i++) {
		if (!strcmp(in->verdict->concurrency[i].workload, in->result->workloads[in->workload].name))
			return &in->verdict->concurrency[i];
	}
	return NULL;
}

int plot_modes(const struct plot_input *in, struct plot *plot)
{
	const struct workload_result *w = &in->result->workloads[in->workload];
	const struct comparison *head = plot_head(in);
	const struct concurrency_row *loss = loss_of(in);
	const char *unit, *metric = head && !strcmp(head->metric, "iops") ? "iops" : "bw_bytes_per_s";
	bool alone = in->result->plan.one_side, seen[2] = { false };
	double most = 0, divisor;

	for (size_t i = 0; i < w->observations_count * SIDES; i++) {
		const struct observation *o = &w->observations[i / SIDES];

		double v = plot_metric(&o->side[i % SIDES], metric);

		seen[o->concurrent] |= isfinite(v);
		most = fmax(most, v);
	}
	if (!(most > 0))
		return -ENODATA;
	plot_side_label(in, plot);
	unit = plot_unit(metric, most, &divisor);
	plot_string(plot, "unit", unit, 20);
	/* beside each row: as the tables have it */
	if (strstr(unit, "IOPS"))
		unit = divisor >= 1e6 ? "M" : divisor >= 1e3 ? "k" : "";
	plot_string(plot, "short_unit", unit, 20);
	plot_number(plot, "most", most / divisor);
	plot_number(plot, "sides", alone ? 1 : 2);
	plot_number(plot, "modes", seen[0] + seen[1]);
	plot_number(plot, "first_mode", !seen[0]);
	plot_block(plot, "side (0 A, 1 B)\tmode (0 alone, 1 both at once)\tone round");
	for (int row = 0; row < 2 * SIDES; row++)
		write_row(w, metric, row / 2, row % 2, divisor, plot);
	plot_block(plot, "side\tmode\tmean over the rounds\tlost when both run, percent (-999: not known)");
	for (int row = 0; row < 2 * SIDES; row++) {
		double m = mean(w, metric, row / 2, row % 2);

		if (isfinite(m))
			text_printf(&plot->data, "%d\t%d\t%.6g\t%.4g\n", row / 2, row % 2, m / divisor,
				    loss && row % 2 ? 100 * loss->interference[row / 2] : -999.0);
	}
	plot_block(plot, "side\tmode\tmean with the other one\tmean alone");
	for (int side = 0; side < SIDES && seen[0] && seen[1]; side++) {
		double together = mean(w, metric, side, true), single = mean(w, metric, side, false);

		if (isfinite(together) && isfinite(single))
			text_printf(&plot->data, "%d\t1\t%.6g\t%.6g\n", side, together / divisor, single / divisor);
	}
	plot->caption = text_format("Each dot is one round, the bar the mean over the rounds%s.",
				    !seen[1] ? "" : !seen[0] ? "; both drives ran at once" :
				    "; the arrow goes from a drive on its own to the same drive beside the other one");
	return 0;
}
