/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations found by comparing counts of bytes: what fio asked for, what the block device did, and
 * what the drive says that it did (reconcile.h). More: someone else's I/O. Less: the bytes never got there.
 */
#include "hypotheses.h"

#include <string.h>

#include "pcie-path.h"
#include "reconcile.h"

#define DATA_UNIT_BYTES 512000

struct traffic {
	struct foreign_share share;
	double low, high;		/* foreign bytes over fio's, by both counts; NaN: no accounting */
	const char *slot;		/* one of them, as evidence */
};

static bool one_device(const struct judging *j)
{
	const struct drive *a = &j->result->drives[SIDE_A], *b = &j->result->drives[SIDE_B];
	const char *name_a = a->backing_device ? a->backing_device : a->whole_device;
	const char *name_b = b->backing_device ? b->backing_device : b->whole_device;

	return j->same_drive || (name_a && name_b && !strcmp(name_a, name_b));
}

/* only: of this workload; NULL: of all */
static struct traffic traffic_of(const struct judging *j, int side, const struct workload_result *only)
{
	struct reconciled sum = { 0 };
	struct traffic t = { .slot = NULL };

	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_result *r = &j->result->workloads[w];

		for (size_t i = 0; i < r->observations_count && (!only || r == only); i++) {
			const struct observation *o = &r->observations[i];
			const struct measurement *m = &o->side[side];

			/* on one device the other side's bytes would count as foreign */
			if (!m->usable || (o->concurrent && one_device(j)))
				continue;
			reconcile_add(&sum, &m->account);
			if (known(m->account.block_foreign_bytes) || known(m->account.smart_foreign_low_bytes))
				t.slot = m->slot;
		}
	}
	t.share = reconcile_share(&sum, j->limits->smart_min_units * DATA_UNIT_BYTES);
	t.low = reconcile_foreign_low(&t.share);
	t.high = reconcile_foreign_high(&t.share);
	return t;
}

static void cite(struct judging *j, struct ledger_row *row, const struct traffic *t, int s)
{
	static const char sides[SIDES] = { 'a', 'b' };

	judge_number(j, row, t->share.block, "device_minus_fio_share_%c", sides[s]);
	judge_number(j, row, t->share.smart_low, "smart_minus_fio_share_low_%c", sides[s]);
	judge_number(j, row, t->share.smart_high, "smart_minus_fio_share_high_%c", sides[s]);
	if (isnan(t->low) || !t->slot)
		return;
	judge_evidence(j, row, "/jobs", "slots/%s/%s/fio.json", t->slot, side_name(s));
	if (!isnan(t->share.block))
		judge_evidence(j, row, NULL, "slots/%s/%s/blk-after", t->slot, side_name(s));
	if (!isnan(t->share.smart_low))
		judge_evidence(j, row, NULL, "slots/%s/%s/smart-after.bin", t->slot, side_name(s));
}

double traffic_extra(const struct judging *j, int side)
{
	return traffic_of(j, side, NULL).high;
}

static bool traffic(struct judging *j, struct ledger_row *row, struct traffic t[SIDES])
{
	bool all = true;

	for (int s = 0; s < SIDES; s++) {
		/* where there is no B, nothing of it can be lost or foreign */
		t[s] = (struct traffic){ 0 };
		if (j->alone && s == SIDE_B)
			continue;
		t[s] = traffic_of(j, s, NULL);
		cite(j, row, &t[s], s);
		all &= !isnan(t[s].low);
	}
	return all;
}

/* Why there is no account. */
static void no_account(struct judging *j, struct finding *f, const struct traffic t[SIDES])
{
	for (int s = 0; s < SIDES; s++) {
		if (isnan(t[s].low) && t[s].share.smart_frozen) {
			found(j, f, LEDGER_NOT_MEASURED, "there are no counters of the block device of %s, and its "
			      "SMART data units stand still", side_name(s));
			return;
		}
	}
	found(j, f, LEDGER_NOT_MEASURED, "there are no counters of the block device to compare with");
}

static double fastest(const struct judging *j, int side, const struct workload_result *only)
{
	double most = NAN;

	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_result *r = &j->result->workloads[w];

		for (size_t i = 0; i < r->observations_count && (!only || r == only); i++)
			if (r->observations[i].side[side].usable)
				most = fmax(most, r->observations[i].side[side].bw_bytes_per_s);
	}
	return most;
}

/* The most that the way can carry, at the best that both ends of each of its links can do. NaN: unknown. */
static double most_of_path(const struct drive *d)
{
	struct pcie_hop hops[PCIE_HOPS_MAX];
	size_t n = d->links_count ? pcie_hops(d, NULL, 0, hops) : 0;
	double most = d->links_count ? pcie_raw_bytes_per_s(d->links[0].max_speed_gt_per_s,
							    d->links[0].max_width_lanes) : NAN;

	for (size_t i = 0; i < n; i++)
		if (hops[i].assessed)
			most = fmin(most, pcie_raw_bytes_per_s(hops[i].state.negotiable_gt_per_s,
							       hops[i].state.negotiable_lanes));
	return most;
}

/* Faster than the wires: some of it never crossed them. only: of this workload; NULL: of all. */
static int above_link(const struct judging *j, const struct workload_result *only)
{
	for (int s = 0; s < SIDES; s++)
		if (fastest(j, s, only) > most_of_path(&j->result->drives[s]))
			return s;
	return -1;
}

static bool all_planned(const struct judging *j, bool direct)
{
	for (size_t i = 0; i < j->result->workloads_count; i++) {
		if (!j->cases[i].plan || (direct && !j->cases[i].plan->direct))
			return false;
	}
	return true;
}

/* The account is within this share, however coarse the counts are. */
static bool agrees(const struct traffic *t, double share)
{
	if (!isnan(t->share.block))
		return fabs(t->share.block) <= share && !(t->share.smart_low > share);
	return t->share.smart_low >= -share && t->share.smart_high <= share;
}

/* A count of so few bytes that it would be the same if none of them had come is no witness. */
static bool says_nothing(const struct traffic *t)
{
	return isnan(t->share.block) && t->share.smart_low <= -1;
}

/* Which count shows it, for a sentence. */
static const char *meter_low(const struct traffic *t)
{
	return t->share.block >= t->low ? "block device" : "drive (by its SMART data units)";
}

static const char *meter_high(const struct traffic *t)
{
	return t->share.block <= t->high ? "block device" : "drive (by its SMART data units)";
}

void page_cache_hits(struct judging *j, struct ledger_row *row, struct finding *f)
{
	bool direct = all_planned(j, true), buffered = all_planned(j, false) && !direct, accounted;
	double least = j->limits->foreign_some;
	struct traffic t[SIDES];
	int over = above_link(j, NULL);

	accounted = traffic(j, row, t);
	if (over >= 0) {
		found(j, f, LEDGER_SUPPORTED, "%s was read faster than its link can carry", side_name(over));
	} else if (t[SIDE_A].high < -least || t[SIDE_B].high < -least) {
		int s = t[SIDE_B].high < t[SIDE_A].high || isnan(t[SIDE_A].high) ? SIDE_B : SIDE_A;

		found(j, f, LEDGER_SUPPORTED, "%.1f %% of the bytes that fio counts on %s never reached the %s",
		      -100 * t[s].high, side_name(s), meter_high(&t[s]));
	} else if (!accounted && buffered) {
		found(j, f, LEDGER_POSSIBLE, "I/O went through the page cache and was not accounted on the device");
	} else if (!accounted) {
		no_account(j, f, t);
	} else if (t[SIDE_A].low > least || t[SIDE_B].low > least) {
		found(j, f, LEDGER_NOT_SUPPORTED, "the drives moved more than fio counts, which could hide that some "
		      "of it never reached them");
	} else if (says_nothing(&t[SIDE_A]) || says_nothing(&t[SIDE_B])) {
		found(j, f, LEDGER_NOT_MEASURED, "there are no counters of the block device to compare with, and the "
		      "SMART data units are too coarse to show that any of so few bytes reached the drive");
	} else if (!(agrees(&t[SIDE_A], least) && agrees(&t[SIDE_B], least))) {
		found(j, f, LEDGER_NOT_SUPPORTED, "the SMART data units are too coarse for so few bytes to show that "
		      "all of them reached the drive");
	} else if (direct) {
		found(j, f, LEDGER_RULED_OUT, "direct I/O, and every byte that fio counts reached the block "
		      "device");
	} else {
		found(j, f, LEDGER_NOT_SUPPORTED, "I/O went through the page cache, but every byte that fio "
		      "counts reached the block device");
	}
}

int never_reached(const struct judging *j, const struct workload_result *workload, double *share)
{
	int side = above_link(j, workload);

	*share = NAN;
	for (int s = 0, over = side; over < 0 && s < SIDES; s++) {
		double missing = -traffic_of(j, s, workload).high;

		if (missing > j->limits->foreign_some && !(missing <= *share)) {
			*share = missing;
			side = s;
		}
	}
	return side;
}

/* Fills sign and words of a slower (or busier) side s that has foreign traffic, or none. */
static void look_at_foreign(struct judging *j, struct finding *f, const struct traffic t[SIDES], int s)
{
	const struct thresholds *l = j->limits;
	double low = t[s].low, bound = isnan(t[s].share.block) ? t[s].share.smart_high : fmax(low, 0);
	double fits = fabs(t[SIDE_A].low - t[SIDE_B].low);

	f->explains = isnan(j->gap) ? NAN : fmax(0, log1p(fmax(0, bound))) / fabs(log(j->gap));
	if (!j->alone && low > l->foreign_some && fits <= l->foreign_some)
		found(j, f, LEDGER_NOT_SUPPORTED, "the drives moved %.1f %% more than fio asked for on A and %.1f %% "
		      "on B, so it favours neither", 100 * t[SIDE_A].low, 100 * t[SIDE_B].low);
	else if (low > l->foreign_some)
		found(j, f, explained_state(l, low > l->foreign_much ? SIGN_DIRECT : SIGN_INDIRECT, f->explains),
		      "the %s of %s moved %.1f %% more than fio asked for", meter_low(&t[s]), side_name(s), 100 * low);
	else if (t[s].share.block < -l->foreign_some)
		found(j, f, LEDGER_NOT_SUPPORTED, "the block device of %s moved %.1f %% less than fio asked for, which "
		      "could hide what others asked for", side_name(s), -100 * t[s].share.block);
	else if (isnan(t[s].share.block) && !agrees(&t[s], l->foreign_some))
		found(j, f, LEDGER_NOT_SUPPORTED, "the drive of %s moved between %+.2f and %+.2f %% of fio's bytes more "
		      "than fio asked for, by its SMART data units", side_name(s), 100 * t[s].share.smart_low,
		      100 * t[s].share.smart_high);
	else if (j->alone)
		found(j, f, explained_state(l, SIGN_NONE, f->explains), "the block device moved what fio asked for "
		      "(%+.2f %%)", 100 * t[SIDE_A].low);
	else
		found(j, f, explained_state(l, SIGN_NONE, f->explains), "the block devices moved what fio asked "
		      "for (%+.2f %% on A, %+.2f %% on B)", 100 * t[SIDE_A].low, 100 * t[SIDE_B].low);
}

void background_io(struct judging *j, struct ledger_row *row, struct finding *f)
{
	struct traffic t[SIDES];

	if (!traffic(j, row, t))
		no_account(j, f, t);
	else
		look_at_foreign(j, f, t, j->alone ? SIDE_A : j->slower >= 0 ? j->slower :
				t[SIDE_B].low > t[SIDE_A].low ? SIDE_B : SIDE_A);
}
