/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For each drive a strip of data state by offset, one above the other, with throughput drawn over
 * it: is like compared with like?
 */
#include "plot.h"

#include <errno.h>
#include <stdlib.h>

#define GAP 0.6		/* between ranges that do not touch, in pieces */
#define LEAST_LABEL 0.09	/* of the width: a shorter stretch gets no words */
#define MOST_TICKS 6

/* Where the pieces stand in the picture: side by side, whatever lies between their ranges. */
struct place {
	double at, end;
	bool first;	/* of a stretch of offsets without a gap */
};

struct strip {
	const struct workload_result *w;
	double width;
	double divisor;
	struct place places[];
};

static struct strip *place_bins(const struct workload_result *w)
{
	struct strip *strip = calloc(1, sizeof(*strip) + w->bins_count * sizeof(*strip->places));
	double at = 0, unit = 0;

	for (size_t i = 0; i < w->bins_count; i++)
		unit = fmax(unit, (double)w->bins[i].length_bytes);
	for (size_t i = 0; strip && i < w->bins_count; i++) {
		const struct bin *b = &w->bins[i], *before = i ? b - 1 : NULL;
		bool first = !before || before->offset_bytes + before->length_bytes != b->offset_bytes;

		at += first && before ? GAP : 0;
		strip->places[i] = (struct place){ at, at + (double)b->length_bytes / unit, first };
		at = strip->places[i].end;
	}
	if (strip) {
		strip->w = w;
		strip->width = at;
	}
	return strip;
}

/* The state that most of what was classified has; REC_UNCLASSIFIED: nothing was. */
static int main_state(const struct bin *b, int side, double *share)
{
	int64_t all = 0;
	int most = REC_UNCLASSIFIED;

	for (int c = REC_UNCLASSIFIED + 1; c < DATA_STATES; c++) {
		all += b->class_bytes[side][c];
		if (b->class_bytes[side][c] > (most ? b->class_bytes[side][most] : 0))
			most = c;
	}
	*share = most ? (double)b->class_bytes[side][most] / (double)all : NAN;
	return most;
}

/* Neighbours of one and the same state are one field: the last piece of that which begins at i. */
static size_t last_alike(const struct strip *s, int side, size_t i)
{
	double share, next_share;
	int state = main_state(&s->w->bins[i], side, &share);

	while (i + 1 < s->w->bins_count && !s->places[i + 1].first && !(share < 1) &&
	       main_state(&s->w->bins[i + 1], side, &next_share) == state && !(next_share < 1))
		i++;
	return i;
}

static void write_states(const struct strip *s, int side, struct plot *plot)
{
	plot_block(plot, side ? "B: from\tto\tshare from\tshare to\tstate\toffset_bytes\tlength_bytes" :
			 "A: from\tto\tshare from\tshare to\tstate\toffset_bytes\tlength_bytes");
	for (size_t i = 0, end; i < s->w->bins_count; i = end + 1) {
		const struct bin *b = &s->w->bins[i];
		double all = 0, from = 0;

		end = last_alike(s, side, i);
		for (int c = REC_UNCLASSIFIED + 1; c < DATA_STATES; c++)
			all += (double)b->class_bytes[side][c];
		for (int c = 0; c < DATA_STATES; c++) {
			double share = all > 0 ? c ? (double)b->class_bytes[side][c] / all : 0 : !c;

			if (share <= 0)
				continue;
			text_printf(&plot->data, "%.6g\t%.6g\t%.4g\t%.4g\t%d\t%lld\t%lld\n", s->places[i].at,
				    s->places[end].end, from, from + share, c, (long long)b->offset_bytes,
				    (long long)(s->w->bins[end].offset_bytes + s->w->bins[end].length_bytes -
						b->offset_bytes));
			from += share;
		}
	}
}

static void write_speed(const struct strip *s, int side, struct plot *plot)
{
	plot_block(plot, side ? "B: place\tthroughput" : "A: place\tthroughput");
	for (size_t i = 0; i < s->w->bins_count; i++) {
		double v = s->w->bins[i].bw_bytes_per_s[side] / s->divisor;

		if (s->places[i].first && i)
			text_add(&plot->data, "\n");
		if (isfinite(v))
			text_printf(&plot->data, "%.6g\t%.6g\n%.6g\t%.6g\n", s->places[i].at, v, s->places[i].end, v);
		else
			text_add(&plot->data, "NaN\tNaN\n");	/* two empty lines would begin a block */
	}
}

/* Where both are known: 1 the same kind of data, 0 not, -1 unknown. */
static int alike(const struct bin *b)
{
	double a_share, b_share;
	int a = main_state(b, SIDE_A, &a_share), c = main_state(b, SIDE_B, &b_share);

	return !a || !c ? -1 : a == c;
}

static void write_alike(const struct strip *s, struct plot *plot)
{
	plot_block(plot, "from\tto\tthe same kind of data on both (-1: not known)");
	for (size_t i = 0, end; i < s->w->bins_count; i = end + 1) {
		int here = alike(&s->w->bins[i]);

		for (end = i; end + 1 < s->w->bins_count && !s->places[end + 1].first; end++) {
			if (alike(&s->w->bins[end + 1]) != here)
				break;
		}
		text_printf(&plot->data, "%.6g\t%.6g\t%d\n", s->places[i].at, s->places[end].end, here);
	}
}

static const char *state_words(int state)
{
	static const char *const words[] = { "not classified", "zeros", "pattern", "highly compressible",
					     "compressible", "incompressible" };

	return words[state];
}

/* One stretch of pieces of one state: its name and its speed, a harmonic mean. */
static void write_label(const struct strip *s, int side, size_t first, size_t end, int state,
			struct plot *plot)
{
	double from = s->places[first].at, to = s->places[end - 1].end, time = 0, bytes = 0;

	for (size_t i = first; i < end; i++) {
		double v = s->w->bins[i].bw_bytes_per_s[side];

		if (!isfinite(v) || v <= 0)
			continue;
		bytes += (double)s->w->bins[i].length_bytes;
		time += (double)s->w->bins[i].length_bytes / v;
	}
	if (to - from < LEAST_LABEL * s->width)
		return;
	text_printf(&plot->data, "%.6g\t%.6g\t\"%s\"\t%.6g\n", (from + to) / 2, (to - from) / s->width,
		    state_words(state), time > 0 ? bytes / time / s->divisor : NAN);
}

/* Pieces of which nothing was classified do not end a stretch. */
static void write_labels(const struct strip *s, int side, struct plot *plot)
{
	size_t first = 0;
	int state = REC_UNCLASSIFIED;

	plot_block(plot, side ? "B: middle\twidth\tdata\tthroughput" : "A: middle\twidth\tdata\tthroughput");
	for (size_t i = 0; i < s->w->bins_count; i++) {
		double share;
		int here = main_state(&s->w->bins[i], side, &share);

		if (here && state && here != state) {
			write_label(s, side, first, i, state, plot);
			first = i;
		}
		state = here ? here : state;
	}
	if (s->w->bins_count)
		write_label(s, side, first, s->w->bins_count, state, plot);
}

/* Offsets where stretches begin, and where the last one ends; few enough to be read. */
static void write_ticks(const struct strip *s, struct plot *plot)
{
	size_t stretches = 0, n = 0, every, count = s->w->bins_count;
	char buffer[TEXT_NUMBER_SIZE];
	size_t gaps = 0;

	for (size_t i = 0; i < count; i++)
		stretches += s->places[i].first;
	gaps = stretches;
	/* one stretch: ticks at quarters of it */
	every = stretches > 1 ? (stretches + MOST_TICKS - 1) / MOST_TICKS : (count + 3) / 4;
	text_add(&plot->variables, "xticks = \"set xtics nomirror (");
	for (size_t i = 0; i < count; i++) {
		if (stretches > 1 && !s->places[i].first)
			continue;
		if (n++ % every == 0)
			text_printf(&plot->variables, "%s'%s' %.6g", n > 1 ? ", " : "",
				    text_bytes(buffer, (double)s->w->bins[i].offset_bytes), s->places[i].at);
	}
	if (stretches == 1)
		text_printf(&plot->variables, ", '%s' %.6g",
			    text_bytes(buffer, (double)(s->w->bins[count - 1].offset_bytes +
							s->w->bins[count - 1].length_bytes)), s->width);
	text_printf(&plot->variables, ")\"\ngaps = %zu\n", gaps - 1);
}

static void write_used_states(const struct strip *s, bool alone, struct plot *plot)
{
	bool used[DATA_STATES] = { false };

	for (size_t i = 0; i < s->w->bins_count; i++) {
		for (int side = 0; side < (alone ? 1 : SIDES); side++) {
			int64_t known_bytes = 0;

			for (int c = 1; c < DATA_STATES; c++) {
				used[c] |= s->w->bins[i].class_bytes[side][c] > 0;
				known_bytes += s->w->bins[i].class_bytes[side][c];
			}
			used[0] |= !known_bytes;
		}
	}
	text_add(&plot->variables, "used = '");
	for (int c = 0; c < DATA_STATES; c++)
		text_printf(&plot->variables, "%s%d", c ? " " : "", used[c]);
	text_add(&plot->variables, "'\n");
}

static char *caption(const struct plot_input *in, bool alone)
{
	const struct workload_result *w = &in->result->workloads[in->workload];
	const char *rounds = "over all rounds in which both ran at once";

	static const char what[] = "The fill shows what kind of data lies at each offset, the line the throughput "
				   "there";
	double m = w->match.same_class_share;

	for (size_t i = 0; i < w->observations_count; i++) {
		if (!w->observations[i].concurrent)
			rounds = "over all rounds in which each drive ran on its own";
	}
	if (alone)
		return text_format("%s, over all rounds.", what);
	if (isnan(m))
		return text_format("%s, %s.", what, rounds);
	if (m == 1)
		return text_format("%s, %s. Wherever it is known, both hold the same kind of data: like is compared with "
				   "like.", what, rounds);
	return text_format("%s, %s. On %.0f %% of the bytes both hold the same kind of data: only there is like "
			   "compared with like.", what, rounds, 100 * m);
}

int plot_offsets(const struct plot_input *in, struct plot *plot)
{
	const struct workload_result *w = &in->result->workloads[in->workload];
	bool alone = in->result->plan.one_side;
	_cleanup_free_ struct strip *s = w->bins_count ? place_bins(w) : NULL;
	double most = 0;

	if (!w->bins_count)
		return -ENODATA;
	if (!s)
		return -ENOMEM;
	for (size_t i = 0; i < w->bins_count * SIDES; i++)
		most = fmax(most, w->bins[i / SIDES].bw_bytes_per_s[i % SIDES]);
	if (!(most > 0))
		return -ENODATA;
	plot_side_label(in, plot);
	plot_string(plot, "unit", plot_unit("bw_bytes_per_s", most, &s->divisor), 20);
	plot_number(plot, "most", most / s->divisor);
	plot_number(plot, "extent", s->width);
	plot_number(plot, "sides", alone ? 1 : 2);
	write_ticks(s, plot);
	write_used_states(s, alone, plot);
	for (int side = 0; side < SIDES; side++)
		write_states(s, side, plot);
	for (int side = 0; side < SIDES; side++)
		write_speed(s, side, plot);
	for (int side = 0; side < SIDES; side++)
		write_labels(s, side, plot);
	write_alike(s, plot);
	plot->caption = caption(in, alone);
	return 0;
}
