/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations of reads that need no flash: blocks that are deallocated, and parts of files that are
 * not there.
 */
#include "hypotheses.h"

#include <stdlib.h>
#include <string.h>

#include "judge-data.h"

/* What a survey says of the blocks that the run could read on one side. */
struct asked {
	bool answered;			/* what is there and what not was told apart, block by block */
	double samples, absent;
};

static bool meets(const struct judging *j, const struct survey_range *r)
{
	const struct plan *p = &j->result->plan;

	for (size_t i = 0; i < p->workloads_count; i++)
		for (size_t k = 0; k < p->workloads[i].ranges_count; k++) {
			const struct range *w = &p->workloads[i].ranges[k];

			if (w->offset_bytes < r->offset_bytes + r->length_bytes &&
			    r->offset_bytes < w->offset_bytes + w->length_bytes)
				return true;
		}
	return false;
}

static struct asked asked_of(const struct judging *j, int side)
{
	const struct survey *s = &j->result->survey;
	const struct survey_drive *d = (size_t)side < s->drives_count ? &s->drives[side] : NULL;
	const char *source = d && d->allocation.source ? d->allocation.source : "none";
	struct asked a = { 0 };

	/* DLFEAT speaks of what zeros cannot be, not of blocks */
	a.answered = d && d->allocation.separable && strcmp(source, "none") && strcmp(source, "dlfeat");
	for (size_t i = 0; a.answered && i < d->ranges_count; i++) {
		const struct survey_range *r = &d->ranges[i];

		if (!meets(j, r))
			continue;
		a.samples += (double)r->samples;
		a.absent += (double)r->counts.n[KIND_DEALLOCATED] + (double)r->counts.n[KIND_HOLE] +
			    (double)r->counts.n[KIND_UNWRITTEN];
	}
	a.answered &= a.samples > 0;
	return a;
}

static void add_namespace_facts(struct judging *j, struct ledger_row *row, int s)
{
	const struct identify *id = &j->result->drives[s].identify;
	char suffix = s ? 'b' : 'a';

	if (known(id->dlfeat)) {
		judge_number(j, row, (double)(id->dlfeat & 7), "dlfeat_%c", suffix);
		judge_evidence(j, row, s ? "/B/identify/dlfeat" : "/A/identify/dlfeat", "drives.json");
	}
	judge_number(j, row, namespace_used(id), "nuse_share_%c", suffix);
}

/* Shares of what was read that a drive may give without a look at the flash. */
struct zeros {
	double zero[SIDES], pattern[SIDES], classified;
	const struct workload_case *any;	/* NULL: nothing was recorded */
};

/* One drive alone has no pairs: what it read, and of how much of it the kind is known. */
static struct zeros zeros_alone(const struct judging *j)
{
	struct zeros z = { .classified = 1 };

	for (size_t i = 0; i < j->result->workloads_count; i++) {
		const struct workload_case *c = &j->cases[i];
		double share[DATA_STATES], sum = 0, all = 0, classified = 0;

		side_class_shares(c->result, SIDE_A, share);
		for (int k = 0; k < DATA_STATES; k++)
			sum += share[k];
		if (!(sum > 0))
			continue;
		z.any = c;
		z.zero[SIDE_A] = fmax(z.zero[SIDE_A], share[REC_ZERO]);
		z.pattern[SIDE_A] = fmax(z.pattern[SIDE_A], share[REC_PATTERN]);
		for (size_t k = 0; k < c->result->observations_count; k++) {
			const struct measurement *m = &c->result->observations[k].side[SIDE_A];

			if (!m->usable || !known(m->bytes) || isnan(m->classified_share))
				continue;
			all += (double)m->bytes;
			classified += m->classified_share * (double)m->bytes;
		}
		z.classified = fmin(z.classified, all > 0 ? classified / all : 0);
	}
	return z;
}

static struct zeros zeros_of(const struct judging *j)
{
	struct zeros z = { .classified = 1 };

	for (size_t i = 0; i < j->result->workloads_count; i++) {
		const struct workload_case *c = &j->cases[i];
		const struct data_match *m = &c->result->match;

		if (c->match == MATCH_UNKNOWN || c->match == MATCH_BY_SEED)
			continue;
		z.any = c;
		for (int s = 0; s < SIDES; s++) {
			z.zero[s] = fmax(z.zero[s], m->class_share[s][REC_ZERO]);
			z.pattern[s] = fmax(z.pattern[s], m->class_share[s][REC_PATTERN]);
			z.classified = fmin(z.classified, isnan(m->classified_share[s]) ? 0 : m->classified_share[s]);
		}
	}
	return z;
}

/* Does this drive read its kinds of data at different speeds? The largest ratio; NaN: not sure. */
static double effect_on(const struct judging *j, int side)
{
	double most = NAN;

	for (size_t i = 0; i < j->result->workloads_count; i++)
		most = fmax(most, j->cases[i].class_effect_sure[side]);
	return most;
}

/* Deallocated blocks read as FFh on this drive (DLFEAT 2). */
static bool reads_as_ff(const struct judging *j, int side)
{
	const struct identify *id = &j->result->drives[side].identify;

	return known(id->dlfeat) && (id->dlfeat & 7) == 2;
}

/* What this side read that may be deallocated. */
static double suspect(const struct judging *j, const struct zeros *z, int side)
{
	return reads_as_ff(j, side) ? fmax(z->zero[side], z->pattern[side]) : z->zero[side];
}

/* true: the answers of drives or file systems decide. */
static bool by_answers(struct judging *j, const struct zeros *z, const struct asked asked[SIDES],
		       struct finding *f)
{
	bool all = true;
	int worst = -1;

	for (int s = 0; s < SIDES; s++) {
		all &= suspect(j, z, s) <= SHARE_SEEN || asked[s].answered;
		/* where the kinds differ in speed it counts first */
		if (asked[s].answered && asked[s].absent > 0 && (worst < 0 || isnan(effect_on(j, worst))))
			worst = s;
	}
	if (worst >= 0 && !isnan(effect_on(j, worst)))
		found(j, f, LEDGER_SUPPORTED, "%.0f %% of the blocks asked for in the ranges read on %s are not "
		      "allocated, and there the kinds of data differ in speed by a factor of %.2f",
		      100 * asked[worst].absent / asked[worst].samples, side_name(worst), effect_on(j, worst));
	else if (worst >= 0)
		found(j, f, LEDGER_POSSIBLE, "%.0f %% of the blocks asked for in the ranges read on %s are not "
		      "allocated; that they are read at another speed was not seen there",
		      100 * asked[worst].absent / asked[worst].samples, side_name(worst));
	else if (all && judge_unrecorded(j))
		found(j, f, LEDGER_NOT_SUPPORTED, "all blocks asked for are allocated; what was read in %s is not "
		      "recorded", judge_unrecorded(j));
	else if (all)
		found(j, f, LEDGER_RULED_OUT, "zero-filled data was read, and all blocks asked for are allocated");
	return worst >= 0 || all;
}

/* Zeros are a sign, not a proof: without an answer of the drive the state ends at possible. */
void deallocated_or_zero_reads(struct judging *j, struct ledger_row *row, struct finding *f)
{
	struct zeros z = j->alone ? zeros_alone(j) : zeros_of(j);
	struct asked asked[SIDES];
	double pattern = fmax(z.pattern[SIDE_A], z.pattern[SIDE_B]);

	if (!z.any) {
		found(j, f, LEDGER_NOT_MEASURED, "there is no record of what was read");
		return;
	}
	for (int s = 0; s < SIDES; s++) {
		asked[s] = j->alone && s == SIDE_B ? (struct asked){ .answered = true } : asked_of(j, s);
		if (j->alone && s == SIDE_B)
			continue;
		judge_number(j, row, z.zero[s], "zero_share_%c", s ? 'b' : 'a');
		add_namespace_facts(j, row, s);
		if (!asked[s].answered)
			continue;
		judge_number(j, row, asked[s].absent / asked[s].samples, "unallocated_share_%c", s ? 'b' : 'a');
		judge_number(j, row, asked[s].samples, "blocks_asked_%c", s ? 'b' : 'a');
		judge_evidence(j, row, s ? "/drives/1/allocation" : "/drives/0/allocation", "survey.json");
	}
	point_at_records(j, row, z.any);
	if (suspect(j, &z, SIDE_A) <= SHARE_SEEN && suspect(j, &z, SIDE_B) <= SHARE_SEEN) {
		if (judge_unrecorded(j))
			found(j, f, LEDGER_NOT_MEASURED, "there is no record of what was read in %s",
			      judge_unrecorded(j));
		else if (pattern > SHARE_SEEN || z.classified < 0.999)
			found(j, f, LEDGER_NOT_SUPPORTED, "no zero-filled data was read in what was classified "
			      "(%s%.0f %% of the bytes)", z.classified < 0.01 ? "less than " : "",
			      z.classified < 0.01 ? 1 : floor(100 * z.classified + 1e-9));
		else
			found(j, f, LEDGER_RULED_OUT, "all bytes were classified and none of the data was "
			      "zero-filled or a pattern");
	} else if (!by_answers(j, &z, asked, f)) {
		bool written = (z.zero[SIDE_A] <= SHARE_SEEN || reads_as_ff(j, SIDE_A)) &&
			       (z.zero[SIDE_B] <= SHARE_SEEN || reads_as_ff(j, SIDE_B));

		_cleanup_free_ char *on_b = text_format(" and %.0f %% on B", 100 * z.zero[SIDE_B]);

		found(j, f, LEDGER_POSSIBLE, "%.0f %% of the bytes on A%s were zero; %s", 100 * z.zero[SIDE_A],
		      j->alone || !on_b ? "" : on_b, written ?
		      "they were written, as deallocated blocks read as FFh there (DLFEAT), which leaves a short way "
		      "for zeros" : "whether they are deallocated or written as zeros was not asked of the drive");
	}
}

static bool is_transport(const struct drive *d, const char *name)
{
	return d->transport && !strcmp(d->transport, name);
}

/* Share of the ranges read that is not there; of an older run, of the file. NaN: unknown. */
static double absent_share(struct judging *j, struct ledger_row *row, int s)
{
	const struct drive *d = &j->result->drives[s];
	double share = NAN;

	if (known(d->range_absent_bytes) && known(d->range_bytes) && d->range_bytes > 0) {
		share = (double)d->range_absent_bytes / (double)d->range_bytes;
		judge_evidence(j, row, s ? "/B/range_absent_bytes" : "/A/range_absent_bytes", "drives.json");
	} else if (known(d->extent_hole_bytes) && known(d->extent_unwritten_bytes) &&
		   known(d->extent_mapped_bytes)) {
		double bad = (double)d->extent_hole_bytes + (double)d->extent_unwritten_bytes;

		share = bad / fmax(1, bad + (double)d->extent_mapped_bytes);
		judge_evidence(j, row, s ? "/B/extent_unwritten_bytes" : "/A/extent_unwritten_bytes", "drives.json");
	}
	judge_number(j, row, share, "unwritten_share_%c", s ? 'b' : 'a');
	return share;
}

static bool all_direct(const struct judging *j)
{
	for (size_t i = 0; i < j->result->workloads_count; i++)
		if (!j->cases[i].plan || !j->cases[i].plan->direct)
			return false;
	return true;
}

/* One file: what the extent map and the byte counts say together. */
static void one_file(struct judging *j, struct ledger_row *row, int s, struct finding *f)
{
	double share = absent_share(j, row, s), extra = traffic_extra(j, s), least = j->limits->foreign_some;
	bool lost = extra < -least;

	judge_number(j, row, extra, "device_minus_fio_share_%c", s ? 'b' : 'a');
	if (share > least)
		found(j, f, LEDGER_SUPPORTED, "%.1f %% of what could be read of the file on %s are holes or unwritten; "
		      "reads of those never reach the drive", 100 * share, side_name(s));
	else if (lost && !(share <= least && !all_direct(j)))
		found(j, f, LEDGER_SUPPORTED, "%.1f %% of the bytes that fio counts on %s never reached the block device%s",
		      -100 * extra, side_name(s), isnan(share) ? "; the extents of the file are not known" : "");
	else if (lost)
		found(j, f, LEDGER_POSSIBLE, "%.1f %% of the bytes that fio counts on %s never reached the block device, "
		      "which the page cache can do as well: the extents of the file are written", -100 * extra,
		      side_name(s));
	else if (isnan(share))
		found(j, f, LEDGER_NOT_MEASURED, "the extents of the file on %s are not known", side_name(s));
	else if (isnan(extra) || extra > least)
		found(j, f, LEDGER_NOT_SUPPORTED, "every byte of the file on %s is mapped and written; the counts of the "
		      "block device %s", side_name(s), isnan(extra) ? "are not known" :
		      "are above fio's, which could hide bytes that never reached it");
	else
		found(j, f, LEDGER_RULED_OUT, "every byte of the files is mapped and written, and reached the block "
		      "device");
}

void sparse_or_unwritten_extents(struct judging *j, struct ledger_row *row, struct finding *f)
{
	/* what is worse for a side is what holds for the row */
	static const int order[] = { [LEDGER_RULED_OUT] = 0, [LEDGER_NOT_SUPPORTED] = 1, [LEDGER_NOT_MEASURED] = 2,
				     [LEDGER_POSSIBLE] = 3, [LEDGER_SUPPORTED] = 4 };

	found(j, f, LEDGER_RULED_OUT, "both targets are block devices");
	for (int s = 0; s < (j->alone ? 1 : SIDES); s++) {
		const struct drive *d = &j->result->drives[s];
		struct finding one = { .state = LEDGER_RULED_OUT, .explains = NAN };

		judge_evidence(j, row, s ? "/B/kind" : "/A/kind", "drives.json");
		if (d->kind != TARGET_BLOCK)
			one_file(j, row, s, &one);
		else if (is_transport(d, "loop"))
			found(j, &one, LEDGER_NOT_MEASURED, "%s is a loop device on a file whose extents were not listed",
			      side_name(s));
		if (one.what && (order[one.state] > order[f->state] ||
				 (one.state == LEDGER_RULED_OUT && f->state == LEDGER_RULED_OUT)))
			found(j, f, one.state, "%s", one.what);
		free(one.what);
	}
}
