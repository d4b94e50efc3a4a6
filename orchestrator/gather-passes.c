/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The passes beside the timed rounds: fingerprints of the data, and slots without records. */
#include "gather-passes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gather-slot.h"
#include "model-json.h"

/* From this share of changed bytes on the fingerprint is not of what the timed pass read. */
#define CHANGED_SHARE 0.01

static const struct slot *slot_of(const struct plan *plan, int64_t workload, enum slot_purpose purpose,
				  int mode)
{
	for (size_t i = 0; i < plan->slots_count; i++) {
		const struct slot *s = &plan->slots[i];

		if (s->workload == workload && s->purpose == (int)purpose && s->mode == mode)
			return s;
	}
	return NULL;
}

static int note(struct result *result, const struct measurement *m, enum side side)
{
	_cleanup_free_ char *text = text_format("slot %s, side %c: %s", m->slot, "AB"[side],
						m->reason ? m->reason : "not usable");

	return text ? strings_add(&result->notes, text) : -ENOMEM;
}

/* How much of the ranges the pass reads, by its rule for long ones. */
static double covered_share(const struct workload *w)
{
	double read = 0, all = 0;

	for (size_t i = 0; i < w->ranges_count; i++) {
		read += (double)(w->ranges[i].length_bytes < FINGERPRINT_RANGE_BYTES ? w->ranges[i].length_bytes :
				 FINGERPRINT_RANGE_BYTES);
		all += (double)w->ranges[i].length_bytes;
	}
	return all > 0 ? read / all : NAN;
}

struct passes {
	struct workload plan;		/* as the fingerprint pass runs it; borrows from the plan */
	struct observation pass;
	struct record_files files[SIDES];
	struct match_sums sums;
};

static int read_fingerprints(struct result *result, const struct workload_result *out, struct passes *p)
{
	int ret = 0;

	for (int s = 0; !ret && s < SIDES; s++) {
		const struct slot *slot = slot_of(&result->plan, out->workload, SLOT_FINGERPRINT,
						  s == SIDE_A ? MODE_A : MODE_B);

		measurement_unknown(&p->pass.side[s]);
		if (!slot)
			continue;
		ret = gather_side(result->run, slot->name, (enum side)s, &p->plan, &p->pass.side[s], &p->files[s]);
		if (!ret)
			ret = gather_integrity(result, &p->plan, (enum side)s, &p->pass.side[s], &p->files[s]);
		if (!ret && !p->pass.side[s].usable)
			ret = note(result, &p->pass.side[s], (enum side)s);
	}
	if (!ret && p->pass.side[SIDE_A].usable && p->pass.side[SIDE_B].usable)
		ret = gather_pair(&p->plan, p->files, &p->pass, &p->sums);
	return ret;
}

/* Bytes of one side that the pass and a timed slot hashed alike and otherwise. */
static int add_changes(struct result *result, const struct workload_result *out, int side,
		       const struct passes *p, double *hashed, double *changed)
{
	const struct workload *w = &result->plan.workloads[out->workload];

	for (size_t i = 0; i < out->observations_count; i++) {
		const struct measurement *m = &out->observations[i].side[side];
		struct record_files files = { 0 };
		struct measurement again;
		int ret;

		if (!m->usable || !m->slot)
			continue;
		ret = gather_side(result->run, m->slot, (enum side)side, w, &again, &files);
		if (!ret)
			ret = gather_changed(&p->files[side], &files, hashed, changed);
		record_files_free(&files);
		measurement_free(&again);
		if (ret)
			return ret;
	}
	return 0;
}

static int find_changes(struct result *result, const struct workload_result *out, const struct passes *p,
			double share[SIDES])
{
	for (int s = 0; s < SIDES; s++) {
		double hashed = 0, changed = 0;
		_cleanup_free_ char *text = NULL;
		int ret = add_changes(result, out, s, p, &hashed, &changed);

		if (ret)
			return ret;
		share[s] = hashed > 0 ? changed / hashed : NAN;
		if (!(share[s] > 0))
			continue;
		text = text_format("%s: %.2g %% of what %c held was changed between the fingerprint pass and the timed "
				   "rounds: something wrote to it", out->name, 100 * share[s], "AB"[s]);
		ret = text ? strings_add(&result->notes, text) : -ENOMEM;
		if (ret)
			return ret;
	}
	return 0;
}

static int take_fingerprint(struct result *result, struct workload_result *out, struct passes *p)
{
	bool both = !strcmp(result->plan.fingerprint, "both");
	struct data_match match;
	double changed[SIDES] = { NAN, NAN };
	int ret = read_fingerprints(result, out, p);

	if (!ret && both)
		ret = find_changes(result, out, p, changed);
	if (ret)
		return ret;
	match_finish(&p->sums, &match);
	for (int s = 0; s < SIDES; s++)
		match.classified_share[s] *= covered_share(&p->plan);
	if (both) {
		/* speeds by kind of data are of the timed rounds */
		match.matched_bins = out->match.matched_bins;
		match.bins = out->match.bins;
	}
	if (!(changed[SIDE_A] > CHANGED_SHARE) && !(changed[SIDE_B] > CHANGED_SHARE))
		out->match = match;
	memcpy(out->match.changed_share, changed, sizeof(changed));
	return 0;
}

static int gather_fingerprint(struct result *result, struct workload_result *out)
{
	const struct workload *w = &result->plan.workloads[out->workload];
	size_t pieces = w->ranges_count * BINS_PER_RANGE;
	struct passes p = { .plan = *w, .sums = { .pieces_count = pieces } };
	int ret;

	p.plan.numjobs = 1;
	p.plan.timed = false;
	p.sums.pieces = calloc(pieces, sizeof(*p.sums.pieces));
	if (!p.sums.pieces)
		return -ENOMEM;
	for (size_t i = 0; i < pieces; i++)
		p.sums.pieces[i].length_bytes = (double)w->ranges[i / BINS_PER_RANGE].length_bytes;
	ret = take_fingerprint(result, out, &p);
	for (int s = 0; s < SIDES; s++) {
		measurement_free(&p.pass.side[s]);
		record_files_free(&p.files[s]);
	}
	free(p.sums.pieces);
	return ret;
}

static const struct measurement *recorded(const struct workload_result *out, const struct slot *plain)
{
	for (size_t i = 0; i < out->observations_count; i++) {
		const struct observation *o = &out->observations[i];

		if (o->round == plain->round && !o->concurrent)
			return &o->side[plain->mode == MODE_B ? SIDE_B : SIDE_A];
	}
	return NULL;
}

static int gather_probe(struct result *result, struct workload_result *out, const struct slot *slot)
{
	int side = slot->mode == MODE_B ? SIDE_B : SIDE_A;
	const struct measurement *with = recorded(out, slot);
	struct record_files files;
	struct measurement m;
	int ret = gather_side(result->run, slot->name, (enum side)side,
			      &result->plan.workloads[out->workload], &m, &files);

	if (!ret)
		ret = gather_integrity(result, &result->plan.workloads[out->workload], (enum side)side, &m, &files);
	if (!ret && !m.usable)
		ret = note(result, &m, (enum side)side);
	if (!ret && m.usable && with && with->usable)
		out->probes[out->probes_count++] = (struct probe){ slot->round, side, m.iops, with->iops };
	measurement_free(&m);
	record_files_free(&files);
	return ret;
}

int gather_passes(struct result *result, struct workload_result *out)
{
	const struct plan *plan = &result->plan;
	int ret = 0;

	if (plan->fingerprint && slot_of(plan, out->workload, SLOT_FINGERPRINT, MODE_A))
		ret = gather_fingerprint(result, out);
	out->probes = calloc(plan->slots_count + 1, sizeof(*out->probes));
	if (!out->probes)
		return -ENOMEM;
	for (size_t i = 0; !ret && i < plan->slots_count; i++)
		if (plan->slots[i].workload == out->workload && plan->slots[i].purpose == SLOT_PLAIN)
			ret = gather_probe(result, out, &plan->slots[i]);
	return ret;
}
