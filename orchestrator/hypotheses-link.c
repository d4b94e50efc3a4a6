/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations that lie in the PCIe path: training, slots, shared uplinks, link errors. */
#include "hypotheses.h"

#include <string.h>

#include "pcie.h"

/* What is known of one side's link. */
struct link_view {
	const char *missing;		/* why nothing can be said; NULL: the rest is filled */
	double speed_gt_per_s;
	int64_t lanes;
	double limit_bytes_per_s, share_of_limit;	/* share NaN: no speed measured */
	struct pcie_link_state state;
};

static double bw_of(const struct measurement *m)
{
	return m->usable ? m->bw_bytes_per_s : NAN;
}

static double speed_of(const struct measurement *m)
{
	return m->link_speed_gt_per_s;
}

static double lanes_of(const struct measurement *m)
{
	return known(m->link_width_lanes) ? (double)m->link_width_lanes : NAN;
}

static bool not_pcie(const struct drive *d)
{
	return !d->links_count && d->transport && strcmp(d->transport, "nvme-pcie");
}

/* A link may rest at a lower speed, so what was seen after a slot counts before what was seen idle. */
static struct link_view view_of(const struct judging *j, int side)
{
	const struct drive *d = &j->result->drives[side];
	const struct pci_link *drive = d->links, *port = d->links_count > 1 ? &d->links[1] : NULL;
	struct link_view v = { 0 };
	double lanes = judge_min(j, side, lanes_of);

	if (!d->links_count) {
		v.missing = not_pcie(d) ? "it is not a PCIe drive" : "no PCIe link was found";
		return v;
	}
	v.speed_gt_per_s = judge_min(j, side, speed_of);
	if (isnan(v.speed_gt_per_s))
		v.speed_gt_per_s = drive->current_speed_gt_per_s;
	v.lanes = isnan(lanes) ? drive->current_width_lanes : (int64_t)lanes;
	/* a drive that runs at its own maximum is not held back, whatever the port could do */
	if (!pcie_assess(v.speed_gt_per_s, v.lanes, drive->max_speed_gt_per_s, drive->max_width_lanes,
			 port ? port->max_speed_gt_per_s : NAN, port ? port->max_width_lanes : UNKNOWN_I64,
			 &v.state) &&
	    (!pcie_assess(v.speed_gt_per_s, v.lanes, drive->max_speed_gt_per_s, drive->max_width_lanes,
			  drive->max_speed_gt_per_s, drive->max_width_lanes, &v.state) ||
	     v.state.downtrained))
		v.missing = "the speed or width of its link or port is not known";
	v.limit_bytes_per_s = pcie_limit_bytes_per_s(v.speed_gt_per_s, v.lanes, j->limits->link_payload_bytes);
	v.share_of_limit = judge_max(j, side, bw_of) / v.limit_bytes_per_s;
	return v;
}

static void add_view(struct judging *j, struct ledger_row *row, int side, const struct link_view *v)
{
	char suffix = side ? 'b' : 'a';

	judge_number(j, row, v->speed_gt_per_s, "link_speed_gt_per_s_%c", suffix);
	judge_number(j, row, (double)v->lanes, "link_width_lanes_%c", suffix);
	judge_number(j, row, v->share_of_limit, "share_of_link_limit_%c", suffix);
	judge_evidence(j, row, side ? "/B/links/0/current_speed_gt_per_s" : "/A/links/0/current_speed_gt_per_s",
		       "drives.json");
}

/* Both views, or the reason why the row is not measured. */
static bool views(struct judging *j, struct ledger_row *row, struct finding *f, struct link_view v[SIDES])
{
	for (int s = 0; s < SIDES; s++)
		v[s] = view_of(j, s);
	for (int s = 0; s < SIDES; s++) {
		if (v[s].missing) {
			if (not_pcie(&j->result->drives[s]))
				f->to_measure = "compare drives that sit on PCIe";
			found(j, f, LEDGER_NOT_MEASURED, "%s: %s", side_name(s), v[s].missing);
			return false;
		}
		add_view(j, row, s, &v[s]);
	}
	return true;
}

static bool same_link(const struct link_view v[SIDES])
{
	return v[SIDE_A].lanes == v[SIDE_B].lanes && v[SIDE_A].speed_gt_per_s == v[SIDE_B].speed_gt_per_s;
}

/* NaN (nothing measured) is not below. */
static bool below(const struct link_view v[SIDES], double share)
{
	return v[SIDE_A].share_of_limit < share && v[SIDE_B].share_of_limit < share;
}

void pcie_downtrained(struct judging *j, struct ledger_row *row, struct finding *f)
{
	struct link_view v[SIDES];
	int side = -1;

	if (!views(j, row, f, v))
		return;
	for (int s = 0; s < SIDES; s++) {
		if (v[s].state.downtrained && (side < 0 || j->slower == s))
			side = s;
	}
	if (side >= 0) {
		bool near = v[side].share_of_limit >= j->limits->link_near;

		found(j, f, near ? where_slow(j, side, LEDGER_SUPPORTED) : LEDGER_POSSIBLE,
		      "The link of %s runs at gen%d x%lld, both ends can do gen%d x%lld; %.0f %% of its limit "
		      "was used", side_name(side), pcie_generation(v[side].speed_gt_per_s),
		      (long long)v[side].lanes, pcie_generation(v[side].state.negotiable_gt_per_s),
		      (long long)v[side].state.negotiable_lanes, 100 * v[side].share_of_limit);
		return;
	}
	found(j, f, same_link(v) && below(v, j->limits->link_near) ? LEDGER_RULED_OUT : LEDGER_NOT_SUPPORTED,
	      "both links run at what both ends can do, gen%d x%lld on A and gen%d x%lld on B, and %.0f %% and "
	      "%.0f %% of their limits were used", pcie_generation(v[SIDE_A].speed_gt_per_s),
	      (long long)v[SIDE_A].lanes, pcie_generation(v[SIDE_B].speed_gt_per_s),
	      (long long)v[SIDE_B].lanes, 100 * v[SIDE_A].share_of_limit, 100 * v[SIDE_B].share_of_limit);
}

void pcie_link_differs(struct judging *j, struct ledger_row *row, struct finding *f)
{
	struct link_view v[SIDES];

	if (!views(j, row, f, v))
		return;
	if (same_link(v))
		found(j, f, LEDGER_RULED_OUT, "both links run at gen%d x%lld",
		      pcie_generation(v[SIDE_A].speed_gt_per_s), (long long)v[SIDE_A].lanes);
	else
		found(j, f, below(v, j->limits->link_near) ? LEDGER_NOT_SUPPORTED : LEDGER_SUPPORTED,
		      "The link of A is gen%d x%lld, that of B gen%d x%lld, and %.0f %% and %.0f %% of their "
		      "limits were used", pcie_generation(v[SIDE_A].speed_gt_per_s), (long long)v[SIDE_A].lanes,
		      pcie_generation(v[SIDE_B].speed_gt_per_s), (long long)v[SIDE_B].lanes,
		      100 * v[SIDE_A].share_of_limit, 100 * v[SIDE_B].share_of_limit);
}

int uplink_state(const struct thresholds *l, const struct uplink_input *in)
{
	bool both_lose = in->loss[SIDE_A] >= l->interference_some && in->loss[SIDE_B] >= l->interference_some;
	bool none_loses = in->loss_high[SIDE_A] < l->interference_none &&
			  in->loss_high[SIDE_B] < l->interference_none;

	if (in->shared && both_lose)
		return in->sum_over_limit >= l->uplink_bound ? LEDGER_SUPPORTED : LEDGER_POSSIBLE;
	/* without single rounds nothing is known of a loss, but nothing is shared either */
	if (!in->shared && (none_loses || (isnan(in->loss[SIDE_A]) && isnan(in->loss[SIDE_B]))))
		return LEDGER_RULED_OUT;
	return LEDGER_NOT_SUPPORTED;
}

/* The lowest limit of the links that are on the way of both drives; false: none is. */
static bool shared_limit(const struct judging *j, double *limit)
{
	const struct drive *a = &j->result->drives[SIDE_A], *b = &j->result->drives[SIDE_B];
	bool shared = false;

	*limit = NAN;
	for (size_t i = 1; i < a->links_count; i++) {
		const struct pci_link *l = &a->links[i];

		for (size_t k = 1; k < b->links_count; k++) {
			if (!l->address || !b->links[k].address || strcmp(l->address, b->links[k].address))
				continue;
			shared = true;
			*limit = fmin(*limit, pcie_limit_bytes_per_s(l->current_speed_gt_per_s,
								    l->current_width_lanes,
								    j->limits->link_payload_bytes));
		}
	}
	return shared;
}

static bool has_concurrent(const struct judging *j)
{
	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_result *r = &j->result->workloads[w];

		for (size_t i = 0; i < r->observations_count; i++) {
			if (r->observations[i].concurrent && r->observations[i].side[SIDE_A].usable)
				return true;
		}
	}
	return false;
}

/* The workload that lost most. */
static void worst_loss(const struct judging *j, double limit, struct uplink_input *in)
{
	in->sum_over_limit = NAN;
	for (int s = 0; s < SIDES; s++)
		in->loss[s] = in->loss_high[s] = NAN;
	for (size_t i = 0; i < j->verdict->concurrency_count; i++) {
		const struct concurrency_row *r = &j->verdict->concurrency[i];

		for (int s = 0; s < SIDES; s++) {
			in->loss[s] = fmax(in->loss[s], r->interference[s]);
			in->loss_high[s] = fmax(in->loss_high[s], r->interference_high[s]);
		}
		in->sum_over_limit = fmax(in->sum_over_limit, r->total_bw_bytes_per_s / limit);
	}
}

void shared_uplink(struct judging *j, struct ledger_row *row, struct finding *f)
{
	struct uplink_input in = { 0 };
	double limit;
	int state;

	for (int s = 0; s < SIDES; s++) {
		if (j->result->drives[s].links_count < 2) {
			found(j, f, LEDGER_NOT_MEASURED, "the PCIe path of %s is not known", side_name(s));
			return;
		}
	}
	in.shared = shared_limit(j, &limit);
	worst_loss(j, limit, &in);
	judge_number(j, row, in.loss[SIDE_A], "interference_a");
	judge_number(j, row, in.loss[SIDE_B], "interference_b");
	judge_number(j, row, in.sum_over_limit, "sum_over_shared_limit");
	judge_evidence(j, row, "/A/links", "drives.json");
	judge_evidence(j, row, "/B/links", "drives.json");
	state = uplink_state(j->limits, &in);
	if (!has_concurrent(j))
		found(j, f, LEDGER_RULED_OUT, "every measurement was of one drive alone");
	else if (in.shared && isnan(in.loss[SIDE_A]))
		found(j, f, LEDGER_POSSIBLE, "the two drives share a link, and there are no single rounds to "
		      "compare with");
	else if (in.shared)
		found(j, f, state, "the two drives share a link; run at once A lost %.0f %% and B %.0f %%, together "
		      "at %.0f %% of its limit", 100 * in.loss[SIDE_A], 100 * in.loss[SIDE_B],
		      100 * in.sum_over_limit);
	else if (isnan(in.loss[SIDE_A]))
		found(j, f, state, "the two drives have no PCIe link in common");
	else
		found(j, f, state, "the two drives have no PCIe link in common; run at once A lost %.1f %% and B "
		      "%.1f %%", 100 * in.loss[SIDE_A], 100 * in.loss[SIDE_B]);
}

static double errors_of(const struct measurement *m)
{
	return known(m->link_errors) ? (double)m->link_errors : NAN;
}

void link_errors(struct judging *j, struct ledger_row *row, struct finding *f)
{
	double errors[SIDES];

	for (int s = 0; s < SIDES; s++) {
		errors[s] = judge_sum(j, s, errors_of);
		judge_number(j, row, errors[s], "link_errors_in_run_%c", s ? 'b' : 'a');
	}
	if (isnan(errors[SIDE_A]) || isnan(errors[SIDE_B]))
		found(j, f, LEDGER_NOT_MEASURED, "the error counters of the links of %s were not read before and "
		      "after every slot", isnan(errors[SIDE_A]) ? "A" : "B");
	else
		found(j, f, errors[SIDE_A] > 0 || errors[SIDE_B] > 0 ? LEDGER_POSSIBLE : LEDGER_NOT_SUPPORTED,
		      "corrected link errors in the run: %.0f on A, %.0f on B", errors[SIDE_A], errors[SIDE_B]);
}
