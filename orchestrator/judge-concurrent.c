/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What running both drives at once did to each, and to their ratio. */
#include "judge-compare.h"

#include <stdlib.h>

#include "stats.h"

static void logs(const double *x, size_t n, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = log(x[i]);
}

/* Loss of one side: 1 - speed together / speed alone, and the upper end of its 95 % interval. */
static void interference(const struct round_values *single, const double *single_bw,
			 const struct round_values *both, const double *both_bw, double *work,
			 double *loss, double *high)
{
	struct stats_two_groups g;

	logs(both_bw, both->n, work);
	logs(single_bw, single->n, work + both->n);
	*loss = *high = NAN;
	if (!stats_welch_t(work, both->n, work + both->n, single->n, &g)) {
		*loss = 1 - exp(g.difference);
		*high = 1 - exp(g.ci95.low);
	}
}

static void fill(struct judging *j, struct concurrency_row *row, const struct round_values *single,
		 const struct round_values *both)
{
	double *work = calloc(single->n + both->n, sizeof(*work));
	struct stats_two_groups g;

	if (!work) {
		j->failed = true;
		return;
	}
	interference(single, single->a, both, both->a, work, &row->interference[SIDE_A],
		     &row->interference_high[SIDE_A]);
	interference(single, single->b, both, both->b, work, &row->interference[SIDE_B],
		     &row->interference_high[SIDE_B]);
	row->total_bw_bytes_per_s = stats_geometric_mean(both->a, both->n) +
				    stats_geometric_mean(both->b, both->n);
	for (size_t i = 0; i < both->n; i++)
		work[i] = log(both->a[i] / both->b[i]);
	for (size_t i = 0; i < single->n; i++)
		work[both->n + i] = log(single->a[i] / single->b[i]);
	row->ratio_of_ratios = row->ci95_low = row->ci95_high = NAN;
	if (!stats_welch_t(work, both->n, work + both->n, single->n, &g)) {
		row->ratio_of_ratios = exp(g.difference);
		row->ci95_low = exp(g.ci95.low);
		row->ci95_high = exp(g.ci95.high);
	}
	free(work);
}

void judge_concurrency(struct judging *j, const struct workload_case *c)
{
	const size_t bw = offsetof(struct measurement, bw_bytes_per_s);
	struct round_values single = { 0 }, both = { 0 };

	if (round_values_get(c->result, false, bw, SUBSET_ALL, &single) ||
	    round_values_get(c->result, true, bw, SUBSET_ALL, &both)) {
		j->failed = true;
	} else if (single.n >= 2 && both.n >= 2) {
		struct concurrency_row *row = judge_add_concurrency(j);

		if (row) {
			judge_string(j, &row->workload, "%s", judge_name(c));
			fill(j, row, &single, &both);
		}
	}
	round_values_free(&single);
	round_values_free(&both);
}
