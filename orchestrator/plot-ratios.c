/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A over B round by round, the mean with its interval, and the margin within which they count as equal. */
#include "plot.h"

#include <errno.h>
#include <string.h>

#include "report-words.h"
#include "thresholds.h"

struct ratios {
	const char *metric;
	double farthest, widest;	/* |ln|: of a ratio, of the end of an interval */
	size_t count[2][2];	/* mode, subset */
	int64_t rounds;
};

static void add_round(const struct observation *o, bool matched, struct ratios *r, struct plot *plot)
{
	const struct measurement *a = &o->side[SIDE_A], *b = &o->side[SIDE_B];
	double ratio = matched ? a->matched_bw_bytes_per_s / b->matched_bw_bytes_per_s :
				 plot_metric(a, r->metric) / plot_metric(b, r->metric);

	if (!isfinite(ratio) || ratio <= 0 || !a->usable || !b->usable)
		return;
	text_printf(&plot->data, "%d\t%d\t%lld\t%.6g\n", o->concurrent, matched, (long long)o->round + 1, ratio);
	r->farthest = fmax(r->farthest, fabs(log(ratio)));
	r->count[o->concurrent][matched]++;
	r->rounds = o->round + 1 > r->rounds ? o->round + 1 : r->rounds;
}

/* matched is drawn where it is not all: there it may say something else. */
static bool draws_matched(const struct plot_input *in)
{
	double m = in->result->workloads[in->workload].match.same_class_share;

	return m < thresholds_default.match_valid;
}

static void write_means(const struct plot_input *in, struct ratios *r, struct plot *plot)
{
	const char *workload = in->result->workloads[in->workload].name;

	plot_block(plot, "mode\tsubset\tratio\tinterval from\tto");
	for (size_t i = 0; i < in->verdict->comparisons_count; i++) {
		const struct comparison *c = &in->verdict->comparisons[i];
		bool matched = !strcmp(c->subset, "matched");
		const char *metric = matched ? "bw_bytes_per_s" : r->metric;

		if (strcmp(c->workload, workload) || strcmp(c->metric, metric) || !isfinite(c->ratio) ||
		    (!matched && strcmp(c->subset, "all")) || (matched && !draws_matched(in)))
			continue;
		text_printf(&plot->data, "%d\t%d\t%.6g\t%.6g\t%.6g\n", c->concurrent, matched, c->ratio,
			    isfinite(c->ci95_low) ? c->ci95_low : c->ratio,
			    isfinite(c->ci95_high) ? c->ci95_high : c->ratio);
		if (isfinite(c->ci95_low))
			r->widest = fmax(r->widest, fmax(fabs(log(c->ci95_low)), fabs(log(c->ci95_high))));
	}
}

/* Ticks that are round numbers on both sides of 1, few enough for the span. */
static void write_ticks(double farthest, struct plot *plot)
{
	static const double fine[] = { 0.9, 0.95, 1, 1.05, 1.1, 0 },
			    middle[] = { 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 0 },
			    coarse[] = { 0.33, 0.5, 0.7, 1, 1.4, 2, 3, 0 },
			    wide[] = { 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 0 },
			    finest[] = { 0.96, 0.98, 1, 1.02, 1.04, 0 };
	const double *ticks = farthest < 0.06 ? finest : farthest < 0.12 ? fine : farthest < 0.4 ? middle :
			      farthest < 1.2 ? coarse : wide;

	text_add(&plot->variables, "xticks = \"set xtics nomirror (");
	for (size_t i = 0; ticks[i] > 0; i++)
		text_printf(&plot->variables, "%s'%g' %g", i ? ", " : "", ticks[i], ticks[i]);
	text_add(&plot->variables, ")\"\n");
}

int plot_ratios(const struct plot_input *in, struct plot *plot)
{
	const struct workload_result *w = &in->result->workloads[in->workload];
	const struct comparison *head = plot_head(in);
	struct ratios r = { .metric = head && !strcmp(head->metric, "iops") ? "iops" : "bw_bytes_per_s" };
	bool matched = draws_matched(in);

	plot_block(plot, "mode (0 alone, 1 both at once)\tsubset (0 all, 1 the same kind of data)\tround\t"
		   "ratio A/B");
	for (size_t i = 0; i < w->observations_count; i++) {
		add_round(&w->observations[i], false, &r, plot);
		if (matched)
			add_round(&w->observations[i], true, &r, plot);
	}
	if (!r.count[0][0] && !r.count[1][0])
		return -ENODATA;
	write_means(in, &r, plot);
	/* an interval from few rounds can be so wide that nothing else could be read: it leaves the picture */
	r.farthest = fmax(r.farthest, fmin(r.widest, 1.5 * r.farthest + 0.05));
	r.farthest = fmin(fmax(r.farthest * 1.15, 0.045), 5);
	plot_string(plot, "metric", report_metric_words(r.metric), 30);
	plot_number(plot, "least", exp(-r.farthest));
	plot_number(plot, "most", exp(r.farthest));
	plot_number(plot, "margin", thresholds_default.margin_ratio);
	plot_number(plot, "rounds", (double)r.rounds);
	plot_number(plot, "has_alone", r.count[0][0] > 0);
	plot_number(plot, "has_both", r.count[1][0] > 0);
	plot_number(plot, "has_matched", r.count[0][1] + r.count[1][1] > 0);
	write_ticks(r.farthest, plot);
	plot->caption = text_format("Each dot is A over B in one round; below them the mean over the rounds with "
				    "its 95 %% interval. Within the grey band, %g %% either way, speeds count as equal.%s",
				    100 * (thresholds_default.margin_ratio - 1), r.count[0][1] + r.count[1][1] ?
				    " Filled squares are only the offsets where both hold the same kind of data." : "");
	return 0;
}
