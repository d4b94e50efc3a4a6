/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates speeds by a baseline. A rating is of one number; it compares nothing. */
#include "judge-rating.h"

#include <string.h>

#include "pcie-path.h"

double path_limit_bytes_per_s(const struct drive *drive, bool to_drive)
{
	struct pcie_hop hops[PCIE_HOPS_MAX];
	size_t n = drive->links_count ? pcie_hops(drive, NULL, 0, hops) : 0;
	double low, high, least = NAN;

	if (!n)
		return NAN;
	/* the largest payload that may be in use: the path carries no more */
	pcie_path_payload(drive, &low, &high);
	for (size_t i = 0; i < n; i++) {
		if (isnan(hops[i].raw_bytes_per_s))
			return NAN;
		least = fmin(least, hops[i].raw_bytes_per_s);
	}
	return least * (to_drive ? pcie_efficiency_to_drive(high) : pcie_efficiency_to_host(high));
}

static int rate(const struct baseline_row *row, double value)
{
	return value >= row->exceptional ? RATING_EXCEPTIONAL : value >= row->excellent ? RATING_EXCELLENT :
	       value >= row->good ? RATING_GOOD : RATING_BELOW_GOOD;
}

static const struct baseline_row *row_of(const struct baseline *baseline, const struct workload *w,
					 const char *metric)
{
	for (size_t i = 0; i < baseline->rows_count; i++) {
		const struct baseline_row *row = &baseline->rows[i];

		if (!strcmp(row->rw, w->rw) && row->block_bytes == w->block_bytes && !strcmp(row->metric, metric))
			return row;
	}
	return NULL;
}

static void add(struct judging *j, const struct comparison *c, const struct workload *w,
		const struct baseline_row *by, int side)
{
	double value = side == SIDE_A ? c->a : c->b, limit;
	bool iops = !strcmp(c->metric, "iops");
	struct rating_row *out;

	if (!isfinite(value))
		return;
	out = judge_add_rating(j);
	if (!out)
		return;
	limit = path_limit_bytes_per_s(&j->result->drives[side], w->writes);
	judge_string(j, &out->workload, "%s", c->workload);
	judge_string(j, &out->metric, "%s", c->metric);
	*out = (struct rating_row){ .workload = out->workload, .metric = out->metric, .side = side,
				    .value = value, .rating = rate(by, value), .good = by->good,
				    .excellent = by->excellent, .exceptional = by->exceptional,
				    .link_limit = iops ? limit / (double)w->block_bytes : limit };
	out->link_share = value / out->link_limit;
	out->suspect = out->link_share > 1;
}

void judge_ratings(struct judging *j)
{
	const struct plan *plan = &j->result->plan;

	for (size_t i = 0; i < j->verdict->comparisons_count; i++) {
		const struct comparison *c = &j->verdict->comparisons[i];

		if (c->concurrent || !c->subset || strcmp(c->subset, "all"))
			continue;
		for (size_t k = 0; k < plan->workloads_count; k++) {
			const struct workload *w = &plan->workloads[k];
			const struct baseline_row *by = strcmp(w->name, c->workload) ? NULL :
							row_of(&plan->baseline, w, c->metric);

			for (int s = 0; by && s < (j->alone ? 1 : SIDES); s++)
				add(j, c, w, by, s);
		}
	}
}
