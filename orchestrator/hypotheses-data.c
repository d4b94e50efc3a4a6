/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations that lie in the data: what was read, when it was written, whether it exists at all. */
#include "hypotheses.h"

#include <string.h>

#include "judge-data.h"

/* The case whose content agrees least; NULL when no content was recorded. */
static const struct workload_case *worst_case(const struct judging *j)
{
	const struct workload_case *worst = NULL;

	for (size_t i = 0; i < j->result->workloads_count; i++) {
		const struct workload_case *c = &j->cases[i];
		double share = c->result->match.same_class_share;

		if (c->match == MATCH_UNKNOWN || c->match == MATCH_BY_SEED)
			continue;
		if (!worst || share < worst->result->match.same_class_share)
			worst = c;
	}
	return worst;
}

static bool classified(const struct workload_case *c)
{
	double share[DATA_STATES], sum = 0;

	side_class_shares(c->result, SIDE_A, share);
	for (int k = 0; k < DATA_STATES; k++)
		sum += share[k];
	return sum > 0;
}

const char *judge_unrecorded(const struct judging *j)
{
	for (size_t i = 0; i < j->result->workloads_count; i++)
		if (j->alone ? !classified(&j->cases[i]) : j->cases[i].match == MATCH_UNKNOWN)
			return judge_name(&j->cases[i]);
	return NULL;
}

void point_at_records(struct judging *j, struct ledger_row *row, const struct workload_case *c)
{
	for (size_t i = 0; i < c->result->observations_count; i++) {
		const struct observation *o = &c->result->observations[i];

		if (!o->side[SIDE_A].slot || (!o->side[SIDE_B].slot && !j->alone))
			continue;
		for (int s = 0; s < (j->alone ? 1 : SIDES); s++)
			judge_evidence(j, row, NULL, "slots/%s/%s/records", o->side[s].slot, side_name(s));
		return;
	}
}

static bool equal_shares(const struct judging *j, const struct data_match *m)
{
	for (int k = 0; k < DATA_STATES; k++) {
		double gap = fabs(m->class_share[SIDE_A][k] - m->class_share[SIDE_B][k]);

		if (!(gap <= j->limits->state_share_slack))
			return false;
	}
	return true;
}

/*
 * Hardly a byte alike and a gap: then the mismatch itself is the direct sign, at every offset where
 * the gap is, though neither drive held two kinds that could be compared. Returns the gap, or NaN.
 */
static double gap_between_kinds(const struct judging *j, const struct workload_case *c)
{
	const struct comparison *h = c->head == NO_HEAD ? NULL : &j->verdict->comparisons[c->head];
	double least = j->limits->class_effect_ratio;

	if (!h || !(c->result->match.same_class_share < j->limits->match_narrower) ||
	    !(h->ci95_low > least || h->ci95_high < 1 / least))
		return NAN;
	return fmax(h->ratio, 1 / h->ratio);
}

/* Of enough alike: what of a sample is known at 95 % confidence must be enough, too, to rule it out. */
static void say_match(struct judging *j, const struct workload_case *c, struct finding *f)
{
	const struct data_match *m = &c->result->match;
	bool sure = !match_sampled(m) || match_lower_bound(m) >= j->limits->match_valid;
	double same = floor(1000 * m->same_class_share + 1e-9) / 10;

	if (sure && m->same_hash_share >= j->limits->hash_identical)
		found(j, f, LEDGER_RULED_OUT, "%.1f %% of the bytes have equal hashes at equal offsets",
		      floor(1000 * m->same_hash_share + 1e-9) / 10);
	else if (sure && equal_shares(j, m) && m->compress_distance <= j->limits->compress_slack)
		found(j, f, LEDGER_RULED_OUT, "%.1f %% of the bytes are of the same kind on both drives, in the same "
		      "shares, and as compressible (largest distance of the two distributions %.2f)", same,
		      m->compress_distance);
	else
		found(j, f, LEDGER_NOT_SUPPORTED, "%.1f %% of the bytes are of the same kind on both drives%s", same,
		      isnan(m->same_hash_share) ? " (no hashes)" : "");
}

/* Method: shares of bytes and of equal hashes; speeds of the classes within a drive. */
void data_state_mismatch(struct judging *j, struct ledger_row *row, struct finding *f)
{
	const struct workload_case *c = worst_case(j);
	const struct data_match *m;
	const char *unseen = judge_unrecorded(j);
	double effect;

	if (!c) {
		if (j->result->workloads_count && !unseen)
			found(j, f, LEDGER_RULED_OUT, "both sides were written with the same bytes by "
			      "construction (one seed, refilled buffers)");
		else
			found(j, f, LEDGER_NOT_MEASURED, "there is no record of what was read");
		return;
	}
	m = &c->result->match;
	effect = fmax(c->class_effect_sure[SIDE_A], c->class_effect_sure[SIDE_B]);
	judge_number(j, row, m->same_class_share, "same_class_share");
	judge_number(j, row, m->same_hash_share, "same_hash_share");
	judge_number(j, row, m->overlap, "class_overlap");
	judge_number(j, row, m->compress_distance, "compressibility_distance");
	for (int s = 0; s < SIDES; s++)
		judge_number(j, row, c->class_effect[s], "class_speed_ratio_%c", s ? 'b' : 'a');
	point_at_records(j, row, c);
	if (m->same_class_share < j->limits->match_valid && !isnan(effect))
		found(j, f, LEDGER_SUPPORTED, "In %s only %.0f %% of the bytes are of the same kind on both "
		      "drives, and within one drive the kinds differ in speed by a factor of %.3f (the table of speeds "
		      "by kind of data)",
		      judge_name(c), floor(100 * m->same_class_share + 1e-9), effect);
	else if (!isnan(gap_between_kinds(j, c)))
		found(j, f, LEDGER_SUPPORTED, "In %s only %.0f %% of the bytes are of the same kind on both "
		      "drives, and the drives differ in speed by a factor of %.3f; neither held two kinds, so "
		      "the effect within one drive was not seen", judge_name(c),
		      floor(100 * m->same_class_share + 1e-9), gap_between_kinds(j, c));
	else if (m->same_class_share < j->limits->match_valid)
		found(j, f, LEDGER_POSSIBLE, "In %s only %.0f %% of the bytes are of the same kind on both "
		      "drives; that the kinds differ in speed was not seen within one drive",
		      judge_name(c), floor(100 * m->same_class_share + 1e-9));
	else if (unseen)
		found(j, f, LEDGER_NOT_MEASURED, "there is no record of what was read in %s", unseen);
	else
		say_match(j, c, f);
}

static double drop_of(const struct measurement *m)
{
	return m->usable ? m->within_run_drop : NAN;
}

void gc_slc_state(struct judging *j, struct ledger_row *row, struct finding *f)
{
	double drop = fmax(judge_max(j, SIDE_A, drop_of), judge_max(j, SIDE_B, drop_of));
	bool writes = false, filled = false;

	for (size_t i = 0; i < j->result->workloads_count; i++)
		writes |= j->cases[i].plan && j->cases[i].plan->writes;
	for (int s = 0; s < SIDES; s++)
		filled |= j->result->drives[s].kind == TARGET_DIRECTORY;
	judge_number(j, row, drop, "largest_drop_within_slot");
	judge_evidence(j, row, "/workloads", "plan.json");
	if (writes)
		found(j, f, LEDGER_POSSIBLE, "this run wrote to the drives, which leaves caches and "
		      "clean-up behind that the host cannot see");
	else if (filled)
		found(j, f, LEDGER_POSSIBLE, "a test file was written shortly before it was read, which leaves "
		      "caches and clean-up behind that the host cannot see");
	else if (drop >= j->limits->speed_drop)
		found(j, f, LEDGER_POSSIBLE, "speed fell by %.0f %% within a slot", 100 * drop);
	else
		found(j, f, LEDGER_NOT_MEASURED, "when the drives were last written is unknown");
}

/* Test files that we fill ourselves have one job and one hour; other data has an unknown past. */
void data_age_or_layout(struct judging *j, struct ledger_row *row, struct finding *f)
{
	const struct drive *d = j->result->drives;

	judge_evidence(j, row, "/A/kind", "drives.json");
	judge_evidence(j, row, "/B/kind", "drives.json");
	if (j->same_drive)
		found(j, f, LEDGER_RULED_OUT, "both sides are the same data");
	else if (d[SIDE_A].kind == TARGET_DIRECTORY && d[SIDE_B].kind == TARGET_DIRECTORY)
		found(j, f, LEDGER_NOT_SUPPORTED, "both test files were written by the same job in this run");
	else if (!isnan(j->gap))
		found(j, f, LEDGER_POSSIBLE, "when and in which order the data was written is not recorded, "
		      "and data that is old or was written at random can read more slowly");
	else
		found(j, f, LEDGER_NOT_MEASURED, "when and in which order the data was written is not recorded");
}

/* NSFEAT bit 0 clear: no thin provisioning, and NUSE need be no more than the capacity again. */
double namespace_used(const struct identify *id)
{
	if (!known(id->nuse_blocks) || !known(id->nsze_blocks) || id->nsze_blocks <= 0 ||
	    ((!known(id->nsfeat) || !(id->nsfeat & 1)) && id->nuse_blocks == id->ncap_blocks))
		return NAN;
	return (double)id->nuse_blocks / (double)id->nsze_blocks;
}

void fill_level_overprovision(struct judging *j, struct ledger_row *row, struct finding *f)
{
	double used[SIDES];
	bool writes = false;

	for (size_t i = 0; i < j->result->workloads_count; i++)
		writes |= !j->cases[i].plan || j->cases[i].plan->writes;
	for (int s = 0; s < SIDES; s++) {
		const struct identify *id = &j->result->drives[s].identify;

		used[s] = 100 * namespace_used(id);
		judge_number(j, row, used[s], "namespace_used_percent_%c", s ? 'b' : 'a');
		judge_evidence(j, row, s ? "/B/identify/nuse_blocks" : "/A/identify/nuse_blocks", "drives.json");
	}
	if (isnan(used[SIDE_A]) || isnan(used[SIDE_B]))
		found(j, f, LEDGER_NOT_MEASURED, "the used share of a namespace is not known");
	else if (fabs(used[SIDE_A] - used[SIDE_B]) <= j->limits->fill_points)
		found(j, f, LEDGER_NOT_SUPPORTED, "%.0f %% of A and %.0f %% of B are in use", used[SIDE_A],
		      used[SIDE_B]);
	else if (writes)
		found(j, f, LEDGER_POSSIBLE, "%.0f %% of A and %.0f %% of B are in use, which matters for "
		      "writes", used[SIDE_A], used[SIDE_B]);
	else
		found(j, f, LEDGER_NOT_SUPPORTED, "%.0f %% of A and %.0f %% of B are in use, but nothing was "
		      "written", used[SIDE_A], used[SIDE_B]);
}
