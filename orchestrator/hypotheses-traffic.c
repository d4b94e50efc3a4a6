/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations found by comparing two counts of bytes: what fio asked for, and what the block device
 * did in the same time. More on the device: someone else's I/O. Less: the bytes never got there.
 */
#include "hypotheses.h"

#include <string.h>

#include "pcie.h"

struct traffic {
	double asked, device;		/* bytes */
	double extra;			/* (device - asked) / asked; NaN: no accounting */
	const char *slot;		/* one of them, as evidence */
};

static bool one_device(const struct judging *j)
{
	const struct drive *a = &j->result->drives[SIDE_A], *b = &j->result->drives[SIDE_B];
	const char *name_a = a->backing_device ? a->backing_device : a->whole_device;
	const char *name_b = b->backing_device ? b->backing_device : b->whole_device;

	return j->same_drive || (name_a && name_b && !strcmp(name_a, name_b));
}

static struct traffic traffic_of(const struct judging *j, int side)
{
	struct traffic t = { .extra = NAN };

	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_result *r = &j->result->workloads[w];

		for (size_t i = 0; i < r->observations_count; i++) {
			const struct observation *o = &r->observations[i];
			const struct measurement *m = &o->side[side];
			int64_t asked;

			/* on one device the other side's bytes would count as foreign */
			asked = known(m->moved_bytes) ? m->moved_bytes : m->bytes;
			if (!m->usable || !known(asked) || !known(m->block.read_bytes) ||
			    !known(m->block.written_bytes) || (o->concurrent && one_device(j)))
				continue;
			t.asked += (double)asked;
			t.device += (double)m->block.read_bytes + (double)m->block.written_bytes;
			t.slot = m->slot;
		}
	}
	if (t.asked > 0)
		t.extra = (t.device - t.asked) / t.asked;
	return t;
}

static bool traffic(struct judging *j, struct ledger_row *row, struct traffic t[SIDES])
{
	bool all = true;

	for (int s = 0; s < SIDES; s++) {
		t[s] = traffic_of(j, s);
		judge_number(j, row, t[s].extra, "device_minus_fio_share_%c", s ? 'b' : 'a');
		all &= !isnan(t[s].extra);
		if (isnan(t[s].extra) || !t[s].slot)
			continue;
		judge_evidence(j, row, "/jobs", "slots/%s/%s/fio.json", t[s].slot, side_name(s));
		judge_evidence(j, row, NULL, "slots/%s/%s/blk-after", t[s].slot, side_name(s));
	}
	return all;
}

static double bw_of(const struct measurement *m)
{
	return m->usable ? m->bw_bytes_per_s : NAN;
}

/* Faster than the wires: some of it never crossed them. */
static int above_link(const struct judging *j)
{
	for (int s = 0; s < SIDES; s++) {
		const struct drive *d = &j->result->drives[s];

		if (d->links_count && judge_max(j, s, bw_of) >
		    pcie_raw_bytes_per_s(d->links[0].max_speed_gt_per_s, d->links[0].max_width_lanes))
			return s;
	}
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

void page_cache_hits(struct judging *j, struct ledger_row *row, struct finding *f)
{
	bool direct = all_planned(j, true), buffered = all_planned(j, false) && !direct, accounted;
	double least = j->limits->foreign_some;
	struct traffic t[SIDES];
	int over = above_link(j);

	accounted = traffic(j, row, t);
	if (over >= 0) {
		found(j, f, LEDGER_SUPPORTED, "%s was read faster than its link can carry", side_name(over));
	} else if (t[SIDE_A].extra < -least || t[SIDE_B].extra < -least) {
		int s = t[SIDE_B].extra < t[SIDE_A].extra || isnan(t[SIDE_A].extra) ? SIDE_B : SIDE_A;

		found(j, f, LEDGER_SUPPORTED, "%.1f %% of the bytes that fio counts on %s never reached the "
		      "block device", -100 * t[s].extra, side_name(s));
	} else if (!accounted) {
		found(j, f, buffered ? LEDGER_POSSIBLE : LEDGER_NOT_MEASURED, "%s", buffered ?
		      "I/O went through the page cache and was not accounted on the device" :
		      "there are no counters of the block device to compare with");
	} else if (t[SIDE_A].extra > least || t[SIDE_B].extra > least) {
		found(j, f, LEDGER_NOT_SUPPORTED, "the block devices moved more than fio counts, which could hide "
		      "that some of it never reached them");
	} else if (direct) {
		found(j, f, LEDGER_RULED_OUT, "direct I/O, and every byte that fio counts reached the block "
		      "device");
	} else {
		found(j, f, LEDGER_NOT_SUPPORTED, "I/O went through the page cache, but every byte that fio "
		      "counts reached the block device");
	}
}

void background_io(struct judging *j, struct ledger_row *row, struct finding *f)
{
	const struct thresholds *l = j->limits;
	struct traffic t[SIDES];
	double most;
	int s;

	if (!traffic(j, row, t)) {
		found(j, f, LEDGER_NOT_MEASURED, "there are no counters of the block device to compare with");
		return;
	}
	s = j->slower >= 0 ? j->slower : t[SIDE_B].extra > t[SIDE_A].extra ? SIDE_B : SIDE_A;
	most = t[s].extra;
	f->explains = isnan(j->gap) ? NAN : fmax(0, log1p(fmax(0, most))) / fabs(log(j->gap));
	if (most > l->foreign_some && fabs(t[SIDE_A].extra - t[SIDE_B].extra) <= l->foreign_some)
		found(j, f, LEDGER_NOT_SUPPORTED, "the block devices moved %.1f %% more than fio asked for on A "
		      "and %.1f %% on B, so it favours neither", 100 * t[SIDE_A].extra, 100 * t[SIDE_B].extra);
	else if (most > l->foreign_some)
		found(j, f, explained_state(l, most > l->foreign_much ? SIGN_DIRECT : SIGN_INDIRECT, f->explains),
		      "the block device of %s moved %.1f %% more than fio asked for", side_name(s), 100 * most);
	else
		found(j, f, explained_state(l, SIGN_NONE, f->explains), "the block devices moved what fio asked "
		      "for (%+.2f %% on A, %+.2f %% on B)", 100 * t[SIDE_A].extra, 100 * t[SIDE_B].extra);
}
