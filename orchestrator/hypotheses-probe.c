/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What looking costs: rounds with and without the engine's records. */
#include "hypotheses.h"

#include <math.h>

#include "stats.h"

/* ln(speed without records / with them), all workloads and rounds. Returns how many. */
static size_t probe_logs(const struct judging *j, double *d, size_t room)
{
	size_t n = 0;

	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_result *r = &j->result->workloads[w];

		for (size_t i = 0; i < r->probes_count && n < room; i++)
			if (r->probes[i].plain_iops > 0 && r->probes[i].recorded_iops > 0)
				d[n++] = log(r->probes[i].plain_iops / r->probes[i].recorded_iops);
	}
	return n;
}

/* Rounds with fio's own engine against the recorded ones of the same drive beside them. */
void probe_overhead(struct judging *j, struct ledger_row *row, struct finding *f)
{
	const double most = j->limits->probe_overhead;
	double d[256], low, high;
	size_t n = probe_logs(j, d, sizeof(d) / sizeof(*d));
	struct stats_interval in;

	if (n < 6 || stats_t_interval(d, n, 0.95, &in)) {
		found(j, f, LEDGER_NOT_MEASURED, n ? "fewer than 6 slots without records can be used" :
		      j->result->calibration.run ? "no slot without records is part of this run; what the calibration "
		      "found is in its own report" : "no slot without records is part of this run");
		return;
	}
	low = 1 - exp(-in.low);
	high = 1 - exp(-in.high);
	judge_number(j, row, 1 - exp(-stats_mean(d, n)), "overhead_share");
	judge_number(j, row, low, "overhead_share_low");
	judge_number(j, row, high, "overhead_share_high");
	judge_evidence(j, row, "/slots", "plan.json");
	if (high < most)
		found(j, f, LEDGER_RULED_OUT, "recording cost less than %g %% of the speed (95 %% interval %.2f "
		      "to %.2f %%, %zu slots without it)", 100 * most, 100 * low, 100 * high, n);
	else if (low > most)
		found(j, f, LEDGER_POSSIBLE, "recording cost %.2f to %.2f %% of the speed (95 %% interval, %zu slots "
		      "without it), of both drives alike", 100 * low, 100 * high, n);
	else
		found(j, f, LEDGER_NOT_SUPPORTED, "recording cost between %.2f and %.2f %% of the speed (95 %% interval, "
		      "%zu slots without it), which does not bound it by %g %%", 100 * low, 100 * high, n,
		      100 * most);
}
