/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latency distributions: which share of the I/Os was done within which time. */
#include "plot.h"

#include <errno.h>

static int64_t total_of(const struct latency_histogram *h)
{
	int64_t total = 0;

	for (size_t i = 0; i < h->bins_count; i++)
		total += h->bins[i].count > 0 ? h->bins[i].count : 0;
	return total;
}

static const struct latency_histogram *find(const struct plot_input *in, int side, bool concurrent)
{
	for (size_t i = 0; i < in->pictures->latencies_count; i++) {
		const struct latency_histogram *h = &in->pictures->latencies[i];

		if (h->workload == in->result->workloads[in->workload].workload && h->side == side &&
		    h->concurrent == concurrent && total_of(h) > 0)
			return h;
	}
	return NULL;
}

/* Height in the picture: 1 is 90 %, 2 is 99 %, ...; the last I/O of n is at log10(n). */
static double height(int64_t done, int64_t total)
{
	return done < total ? -log10((double)(total - done) / (double)total) : log10((double)total);
}

static void write_curve(const struct latency_histogram *h, struct plot *plot, double *least_us,
			double *most_us, double *highest)
{
	int64_t total = h ? total_of(h) : 0, done = 0;

	for (size_t i = 0; h && i < h->bins_count; i++) {
		double us = (double)h->bins[i].ns / 1e3;

		if (h->bins[i].count <= 0 || us <= 0)
			continue;
		done += h->bins[i].count;
		text_printf(&plot->data, "%.6g\t%.5g\t%.8g\n", us, height(done, total),
			    100 * (double)done / (double)total);
		/* a single fast I/O in thousands shall not make the picture wide */
		if ((double)done >= 0.002 * (double)total)
			*least_us = fmin(*least_us, us);
		*most_us = fmax(*most_us, us);
	}
	if (total > 1)
		*highest = fmax(*highest, log10((double)total));
}

/* The upper end of the bin in which share of the I/Os is reached. */
static double percentile_us(const struct latency_histogram *h, double share)
{
	int64_t total = total_of(h), done = 0;

	for (size_t i = 0; i < h->bins_count; i++) {
		done += h->bins[i].count;
		if ((double)done >= share * (double)total)
			return (double)h->bins[i].ns / 1e3;
	}
	return NAN;
}

/* The words of a mark to the right of it need room: the picture becomes wide enough. */
#define WORDS_SHARE 0.24	/* of the width of a picture */
static void write_marks(const struct plot_input *in, struct plot *plot, double least_us, double *most_us)
{
	static const double shares[] = { 0.5, 0.99 };
	char buffer[TEXT_NUMBER_SIZE];

	plot_block(plot, "mode\tside\tlatency_us\theight\twords\twords to the right (1) or left (-1)");
	for (int k = 0; k < 2 * SIDES; k++) {
		const struct latency_histogram *h = find(in, k % 2, k / 2);

		for (size_t i = 0; h && i < 2; i++) {
			const struct latency_histogram *other = find(in, !(k % 2), k / 2);
			double us = percentile_us(h, shares[i]);
			bool left = other && us < percentile_us(other, shares[i]);

			if (!left)
				*most_us = fmax(*most_us, least_us * pow(us / least_us, 1 / (1 - WORDS_SHARE)));
			text_printf(&plot->data, "%d\t%d\t%.6g\t%.5g\t\"%s\"\t%d\n", k / 2, k % 2, us,
				    -log10(1 - shares[i]), text_duration(buffer, us * 1e3), left ? -1 : 1);
		}
	}
}

static void write_ticks(double least_us, double most_us, struct plot *plot)
{
	char buffer[TEXT_NUMBER_SIZE];
	bool first = true;

	text_add(&plot->variables, "xticks = \"set xtics nomirror (");
	for (double decade = 1e-3; decade < 1e9; decade *= 10) {
		for (int k = 1; k <= 5; k += k == 1 ? 1 : 3) {	/* 1, 2, 5 */
			double us = decade * k;

			if (us < least_us || us > most_us || (k > 1 && most_us > 300 * least_us))
				continue;
			text_printf(&plot->variables, "%s'%s' %g", first ? "" : ", ",
				    us >= 1e6 ? text_duration(buffer, us * 1e3) : us >= 1e3 ?
				    (snprintf(buffer, sizeof(buffer), "%g ms", us / 1e3), buffer) :
				    (snprintf(buffer, sizeof(buffer), "%g us", us), buffer), us);
			first = false;
		}
	}
	text_add(&plot->variables, ")\"\n");
}

int plot_latency(const struct plot_input *in, struct plot *plot)
{
	double least_us = NAN, most_us = NAN, highest = 0;
	bool has[2] = { find(in, SIDE_A, false) || find(in, SIDE_B, false),
			find(in, SIDE_A, true) || find(in, SIDE_B, true) };

	if (!has[0] && !has[1])
		return -ENODATA;
	for (int k = 0; k < 2 * SIDES; k++) {
		_cleanup_free_ char *comment = text_format("%c %s: latency_us\theight\tpercent of the I/Os within it",
							   "AB"[k % 2], k / 2 ? "both at once" : "alone");

		plot->data.failed |= !comment;
		plot_block(plot, comment ? comment : "");
		write_curve(find(in, k % 2, k / 2), plot, &least_us, &most_us, &highest);
	}
	if (!(most_us > 0) || highest <= 0)
		return -ENODATA;
	least_us /= 1.15;
	most_us *= 1.15;
	write_marks(in, plot, least_us, &most_us);
	plot_side_label(in, plot);
	plot_number(plot, "least", least_us);
	plot_number(plot, "most", most_us);
	plot_number(plot, "highest", fmax(highest, 2.2));
	plot_number(plot, "has_alone", has[0]);
	plot_number(plot, "has_both", has[1]);
	plot_number(plot, "sides", in->result->plan.one_side ? 1 : 2);
	write_ticks(least_us, most_us, plot);
	plot->caption = text_format("Which share of the I/Os was done within which time, all rounds together, "
				    "from fio's own histograms; the marks are p50 and p99. Further left is better.");
	return 0;
}
