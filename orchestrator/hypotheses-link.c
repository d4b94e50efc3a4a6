/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations that lie in the speed of PCIe links: training, slots, shared uplinks. */
#include "hypotheses.h"

#include <string.h>

#include "pcie-path.h"

/* What is known of the links of one side, over all its slots. */
struct link_view {
	const char *missing;		/* why nothing can be said; NULL: the rest is filled */
	double speed_gt_per_s;		/* of the drive's own link in the slot where it was slowest */
	int64_t lanes;
	bool varied;			/* it changed while in use */
	struct pcie_hop down;		/* a link below what both its ends can do; address NULL: none */
	double path_raw_bytes_per_s;	/* of the tightest link on the way */
	double payload_low, payload_high;
	double share_low, share_high;	/* of the path's limit, at most used; NaN: no speed measured */
};

static bool not_pcie(const struct drive *d)
{
	return !d->links_count && d->transport && strcmp(d->transport, "nvme-pcie");
}

/* Links as this slot saw them, else only the drive's own as older runs have it. */
static size_t hops_of(const struct drive *d, const struct measurement *m, struct pcie_hop hops[PCIE_HOPS_MAX])
{
	struct link_load own = { .speed_min_gt_per_s = NAN, .speed_max_gt_per_s = NAN,
				 .width_min_lanes = UNKNOWN_I64, .width_max_lanes = UNKNOWN_I64 };

	if (!m)
		return pcie_hops(d, NULL, 0, hops);
	if (m->links_count)
		return pcie_hops(d, m->links, m->links_count, hops);
	own.speed_min_gt_per_s = own.speed_max_gt_per_s = m->link_speed_gt_per_s;
	own.width_min_lanes = own.width_max_lanes = m->link_width_lanes;
	return pcie_hops(d, &own, 1, hops);
}

static bool slower_hop(const struct pcie_hop *h, const struct link_view *v)
{
	return isnan(v->speed_gt_per_s) || h->raw_bytes_per_s < pcie_raw_bytes_per_s(v->speed_gt_per_s, v->lanes);
}

static void take_hops(struct link_view *v, const struct pcie_hop *hops, size_t n, double *raw)
{
	*raw = NAN;
	for (size_t i = 0; i < n; i++) {
		*raw = fmin(*raw, hops[i].raw_bytes_per_s);
		if (hops[i].assessed && hops[i].state.downtrained &&
		    (!v->down.address || hops[i].raw_bytes_per_s < v->down.raw_bytes_per_s))
			v->down = hops[i];
	}
	v->path_raw_bytes_per_s = fmin(v->path_raw_bytes_per_s, *raw);
	v->varied |= hops[0].varied;
	if (slower_hop(&hops[0], v)) {
		v->speed_gt_per_s = hops[0].speed_gt_per_s;
		v->lanes = hops[0].lanes;
	}
	if (!hops[0].assessed)
		v->missing = "the speed or width of its link or port is not known";
}

/*
 * Share of the limit that one slot used: the drive's data go up as memory writes of at most the
 * payload size, and come down as completions of 64 bytes and more. A workload that moves both ways
 * does not tell which.
 */
static void take_share(struct link_view *v, const struct workload *w, const struct measurement *m, double raw)
{
	double low = pcie_efficiency_to_host(v->payload_low), high = pcie_efficiency_to_host(v->payload_high);

	if (!m->usable || isnan(m->bw_bytes_per_s) || (w && w->writes && w->rw && strstr(w->rw, "rw")))
		return;
	if (w && w->writes) {
		low = pcie_efficiency_to_drive(64);
		high = pcie_efficiency_to_drive(v->payload_high);
	}
	v->share_low = fmax(v->share_low, m->bw_bytes_per_s / (raw * high));
	v->share_high = fmax(v->share_high, m->bw_bytes_per_s / (raw * low));
}

static struct link_view view_of(const struct judging *j, int side)
{
	const struct drive *d = &j->result->drives[side];
	struct link_view v = { .speed_gt_per_s = NAN, .lanes = UNKNOWN_I64, .path_raw_bytes_per_s = NAN,
			       .share_low = NAN, .share_high = NAN };
	struct pcie_hop hops[PCIE_HOPS_MAX];
	bool any = false;
	double raw;

	if (!d->links_count) {
		v.missing = not_pcie(d) ? "it is not a PCIe drive" : "no PCIe link was found";
		return v;
	}
	pcie_path_payload(d, &v.payload_low, &v.payload_high);
	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_result *r = &j->result->workloads[w];

		for (size_t i = 0; i < r->observations_count; i++) {
			const struct measurement *m = &r->observations[i].side[side];

			if (!m->usable)
				continue;
			any = true;
			take_hops(&v, hops, hops_of(d, m, hops), &raw);
			take_share(&v, j->cases[w].plan, m, raw);
		}
	}
	if (!any)
		take_hops(&v, hops, hops_of(d, NULL, hops), &raw);
	return v;
}

static void add_view(struct judging *j, struct ledger_row *row, int side, const struct link_view *v)
{
	char suffix = side ? 'b' : 'a';

	judge_number(j, row, v->speed_gt_per_s, "link_speed_gt_per_s_%c", suffix);
	judge_number(j, row, (double)v->lanes, "link_width_lanes_%c", suffix);
	judge_number(j, row, v->path_raw_bytes_per_s * pcie_efficiency_to_host(v->payload_low),
		     "path_limit_low_bytes_per_s_%c", suffix);
	judge_number(j, row, v->path_raw_bytes_per_s * pcie_efficiency_to_host(v->payload_high),
		     "path_limit_high_bytes_per_s_%c", suffix);
	judge_number(j, row, v->share_low, "share_of_link_limit_low_%c", suffix);
	judge_number(j, row, v->share_high, "share_of_link_limit_high_%c", suffix);
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
	return v[SIDE_A].lanes == v[SIDE_B].lanes && v[SIDE_A].speed_gt_per_s == v[SIDE_B].speed_gt_per_s &&
	       !(v[SIDE_A].path_raw_bytes_per_s < v[SIDE_B].path_raw_bytes_per_s) &&
	       !(v[SIDE_A].path_raw_bytes_per_s > v[SIDE_B].path_raw_bytes_per_s);
}

/* NaN (nothing measured) is not below. */
static bool below(const struct link_view v[SIDES], double share)
{
	return v[SIDE_A].share_high < share && v[SIDE_B].share_high < share;
}

/* "gen4 x4" */
#define LINK_TEXT_SIZE 32
static char *link_text(char buffer[static LINK_TEXT_SIZE], double speed_gt_per_s, int64_t lanes)
{
	snprintf(buffer, LINK_TEXT_SIZE, "gen%d x%lld", pcie_generation(speed_gt_per_s), (long long)lanes);
	return buffer;
}

/* "61 %", or "58 to 68 %" where the payload size is not known. */
static char *share_text(char buffer[static LINK_TEXT_SIZE], const struct link_view *v)
{
	if (isnan(v->share_low))
		snprintf(buffer, LINK_TEXT_SIZE, "an unknown share");
	else if (v->share_high - v->share_low < 0.005)
		snprintf(buffer, LINK_TEXT_SIZE, "%.0f %%", 100 * v->share_low);
	else
		snprintf(buffer, LINK_TEXT_SIZE, "%.0f to %.0f %%", 100 * v->share_low, 100 * v->share_high);
	return buffer;
}

void pcie_downtrained(struct judging *j, struct ledger_row *row, struct finding *f)
{
	char now[LINK_TEXT_SIZE], can[LINK_TEXT_SIZE], used[SIDES][LINK_TEXT_SIZE];
	struct link_view v[SIDES];
	int side = -1, varied = -1;

	if (!views(j, row, f, v))
		return;
	for (int s = 0; s < SIDES; s++) {
		share_text(used[s], &v[s]);
		if (v[s].down.address && (side < 0 || j->slower == s))
			side = s;
		if (v[s].varied && (varied < 0 || j->slower == s))
			varied = s;
	}
	if (side >= 0) {
		const struct pcie_hop *h = &v[side].down;
		bool near = v[side].share_low >= j->limits->link_near;

		found(j, f, near ? where_slow(j, side, LEDGER_SUPPORTED) : LEDGER_POSSIBLE,
		      "A link of %s (%s) runs at %s, both ends can do %s; %s of the limit of its path was used",
		      side_name(side), h->address, link_text(now, h->speed_gt_per_s, h->lanes),
		      link_text(can, h->state.negotiable_gt_per_s, h->state.negotiable_lanes), used[side]);
		return;
	}
	if (varied >= 0) {
		found(j, f, LEDGER_POSSIBLE, "the link of %s changed its speed or width while it was used; at best "
		      "it ran at %s", side_name(varied), link_text(now, v[varied].speed_gt_per_s, v[varied].lanes));
		return;
	}
	found(j, f, same_link(v) && below(v, j->limits->link_near) ? LEDGER_RULED_OUT : LEDGER_NOT_SUPPORTED,
	      "every link runs at what both ends can do, %s at A and %s at B, and %s and %s of the limits of their "
	      "paths were used", link_text(now, v[SIDE_A].speed_gt_per_s, v[SIDE_A].lanes),
	      link_text(can, v[SIDE_B].speed_gt_per_s, v[SIDE_B].lanes), used[SIDE_A], used[SIDE_B]);
}

void pcie_link_differs(struct judging *j, struct ledger_row *row, struct finding *f)
{
	char a[LINK_TEXT_SIZE], b[LINK_TEXT_SIZE], used_a[LINK_TEXT_SIZE], used_b[LINK_TEXT_SIZE];
	double near = j->limits->link_near, bound = j->limits->link_bound;
	struct link_view v[SIDES];
	int state;

	if (!views(j, row, f, v))
		return;
	link_text(a, v[SIDE_A].speed_gt_per_s, v[SIDE_A].lanes);
	link_text(b, v[SIDE_B].speed_gt_per_s, v[SIDE_B].lanes);
	share_text(used_a, &v[SIDE_A]);
	share_text(used_b, &v[SIDE_B]);
	if (same_link(v)) {
		found(j, f, LEDGER_RULED_OUT, "both links run at %s; %s and %s of the limits of their paths were used%s",
		      a, used_a, used_b, v[SIDE_A].share_low >= bound || v[SIDE_B].share_low >= bound ?
		      ", so a link is the limit there and may hide more of a difference" : "");
		return;
	}
	state = below(v, near) ? LEDGER_NOT_SUPPORTED :
		v[SIDE_A].share_low >= near || v[SIDE_B].share_low >= near ? LEDGER_SUPPORTED : LEDGER_POSSIBLE;
	found(j, f, state, "The link of A is %s, that of B %s%s, and %s and %s of the limits of their paths were "
	      "used", a, b, !strcmp(a, b) ? " and the links above them differ" : "", used_a, used_b);
}

int uplink_state(const struct thresholds *l, const struct uplink_input *in)
{
	bool loses[SIDES], none_loses = in->loss_high[SIDE_A] < l->interference_none &&
					in->loss_high[SIDE_B] < l->interference_none;

	for (int s = 0; s < SIDES; s++)
		loses[s] = in->loss[s] >= l->interference_some;
	if (in->shared && loses[SIDE_A] && loses[SIDE_B] && in->sum_over_limit >= l->uplink_bound)
		return LEDGER_SUPPORTED;
	if (in->shared && (loses[SIDE_A] || loses[SIDE_B]))
		return LEDGER_POSSIBLE;
	/* a chipset's uplink is no link of PCIe: what both lose at once they may lose there */
	if (loses[SIDE_A] && loses[SIDE_B])
		return LEDGER_POSSIBLE;
	/* without single rounds nothing is known of a loss, but nothing is shared either */
	if (!in->shared && (none_loses || (isnan(in->loss[SIDE_A]) && isnan(in->loss[SIDE_B]))))
		return LEDGER_RULED_OUT;
	return LEDGER_NOT_SUPPORTED;
}

/* The lowest function that is on the way of both, and the raw speed of the tightest link from there. */
static const struct pci_link *shared_link(const struct judging *j, double *raw)
{
	const struct drive *a = &j->result->drives[SIDE_A], *b = &j->result->drives[SIDE_B];
	const struct pci_link *lowest = NULL;

	*raw = NAN;
	for (size_t i = 1; i < a->links_count; i++) {
		const struct pci_link *l = &a->links[i];

		if (!pcie_is_shared(b, l->address))
			continue;
		lowest = lowest ? lowest : l;
		if (known(l->current_width_lanes))
			*raw = fmin(*raw, pcie_raw_bytes_per_s(l->current_speed_gt_per_s, l->current_width_lanes));
	}
	return lowest;
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

static int strength(int state)
{
	return state == LEDGER_SUPPORTED ? 3 : state == LEDGER_POSSIBLE ? 2 : state == LEDGER_NOT_SUPPORTED;
}

/* The workload that tells most: its state, its losses, and what both moved of the shared limit. */
static int worst_workload(const struct judging *j, double limit, bool shared, struct uplink_input *worst)
{
	int state = -1;

	*worst = (struct uplink_input){ .shared = shared, .loss = { NAN, NAN }, .loss_high = { NAN, NAN },
					.sum_over_limit = NAN };
	for (size_t i = 0; i < j->verdict->concurrency_count; i++) {
		const struct concurrency_row *r = &j->verdict->concurrency[i];
		struct uplink_input in = { .shared = shared, .sum_over_limit = r->total_bw_bytes_per_s / limit };
		int s;

		for (int k = 0; k < SIDES; k++) {
			in.loss[k] = r->interference[k];
			in.loss_high[k] = r->interference_high[k];
		}
		s = uplink_state(j->limits, &in);
		if (state < 0 || strength(s) > strength(state) ||
		    (s == state && in.loss[SIDE_A] + in.loss[SIDE_B] > worst->loss[SIDE_A] + worst->loss[SIDE_B])) {
			state = s;
			*worst = in;
		}
	}
	return state < 0 ? uplink_state(j->limits, worst) : state;
}

/* Per cent with one decimal; next to nothing has no sign. */
static double tenths(double share)
{
	return round(1000 * share) / 10 + 0.0;
}

static void say_uplink(struct judging *j, struct finding *f, int state, const struct pci_link *shared,
		       const struct uplink_input *in)
{
	if (!shared && isnan(in->loss[SIDE_A]))
		found(j, f, state, "the two drives have no PCIe link in common");
	else if (!shared)
		found(j, f, state, "the two drives have no PCIe link in common%s; run at once A lost %.1f %% and B "
		      "%.1f %%", state == LEDGER_POSSIBLE ? " that can be seen, but may share a chipset's uplink or "
		      "another limit of the host" : "", tenths(in->loss[SIDE_A]), tenths(in->loss[SIDE_B]));
	else if (isnan(in->loss[SIDE_A]))
		found(j, f, LEDGER_POSSIBLE, "the two drives share the link of %s, and there are no single rounds "
		      "to compare with", shared->address);
	else if (isnan(in->sum_over_limit))
		found(j, f, state, "the two drives share the link of %s, whose limit is not known; run at once A "
		      "lost %.0f %% and B %.0f %%", shared->address, 100 * in->loss[SIDE_A], 100 * in->loss[SIDE_B]);
	else
		found(j, f, state, "the two drives share the link of %s; run at once A lost %.0f %% and B %.0f %%, "
		      "together at %.0f %% of its limit", shared->address, 100 * in->loss[SIDE_A],
		      100 * in->loss[SIDE_B], 100 * in->sum_over_limit);
}

void shared_uplink(struct judging *j, struct ledger_row *row, struct finding *f)
{
	double raw, low, high[SIDES], limit;
	const struct pci_link *shared;
	struct uplink_input in;
	int state;

	for (int s = 0; s < SIDES; s++) {
		if (j->result->drives[s].links_count < 2) {
			found(j, f, LEDGER_NOT_MEASURED, "the PCIe path of %s is not known", side_name(s));
			return;
		}
		pcie_path_payload(&j->result->drives[s], &low, &high[s]);
	}
	shared = shared_link(j, &raw);
	limit = raw * pcie_efficiency_to_host(fmax(high[SIDE_A], high[SIDE_B]));
	state = worst_workload(j, limit, shared != NULL, &in);
	judge_number(j, row, in.loss[SIDE_A], "interference_a");
	judge_number(j, row, in.loss[SIDE_B], "interference_b");
	judge_number(j, row, limit, "shared_limit_bytes_per_s");
	judge_number(j, row, in.sum_over_limit, "sum_over_shared_limit");
	judge_evidence(j, row, "/A/links", "drives.json");
	judge_evidence(j, row, "/B/links", "drives.json");
	if (!has_concurrent(j))
		found(j, f, LEDGER_RULED_OUT, "every measurement was of one drive alone");
	else
		say_uplink(j, f, state, shared, &in);
}
