/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge: the order in which results are looked at. */
#include "judge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hypotheses.h"
#include "judge-build.h"
#include "judge-compare.h"
#include "judge-data.h"
#include "judge-noise.h"
#include "judge-rating.h"
#include "judge-sessions.h"
#include "judge-words.h"

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* An A/A run: one target on both sides, by path or by identity (never by kernel name). */
static bool same_drive(const struct result *r)
{
	const struct drive *a = &r->drives[SIDE_A], *b = &r->drives[SIDE_B];

	if (same_text(a->path, b->path))
		return true;
	return a->kind == TARGET_BLOCK && b->kind == TARGET_BLOCK && same_text(a->serial, b->serial) &&
	       same_text(a->model, b->model) && a->namespace_id == b->namespace_id &&
	       a->partition_start_bytes == b->partition_start_bytes && a->capacity_bytes == b->capacity_bytes;
}

static bool no_b(const struct result *r)
{
	return !r->drives[SIDE_B].path && !r->drives[SIDE_B].target;
}

static void open_case(struct judging *j, size_t i)
{
	const struct workload_result *w = &j->result->workloads[i];
	bool planned = w->workload >= 0 && (uint64_t)w->workload < j->result->plan.workloads_count;

	j->cases[i] = (struct workload_case){
		.result = w,
		.plan = planned ? &j->result->plan.workloads[w->workload] : NULL,
		.head = NO_HEAD,
		.class_effect = { NAN, NAN },
		.class_effect_sure = { NAN, NAN },
	};
	judge_match(j, &j->cases[i]);
}

static const char *why_not_all(enum match_state match)
{
	switch (match) {
	case MATCH_UNKNOWN:
		return "data state unknown: there is no record of what was read";
	case MATCH_NARROWER:
		return "data state mismatch: only the matched part is compared";
	case MATCH_NONE:
		return "data state mismatch: the two sides hold different kinds of data";
	default:
		return NULL;
	}
}

/* Numbers over unlike data stay as numbers, but say nothing about the drives. */
static void withdraw(struct judging *j, const struct workload_case *c, size_t first)
{
	const char *reason = j->alone ? NULL : why_not_all(c->match);

	for (size_t i = first; reason && i < j->verdict->comparisons_count; i++) {
		struct comparison *x = &j->verdict->comparisons[i];

		if (j->failed || strcmp(x->subset, "all") || x->verdict == VERDICT_NOT_COMPARED)
			continue;
		free(x->reason);
		judge_string(j, &x->reason, "%s", reason);
		x->verdict = VERDICT_NOT_COMPARED;
	}
}

/* The largest gap between the drives that a headline may speak of: what the ledger explains. */
static void find_gap(struct judging *j)
{
	double largest = 0;

	j->gap = NAN;
	j->slower = -1;
	for (size_t i = 0; i < j->result->workloads_count; i++) {
		const struct workload_case *c = &j->cases[i];
		int state = j->verdict->workloads[i].state;
		const struct comparison *h;

		if (c->head == NO_HEAD || (state != HEADLINE_VALID && state != HEADLINE_NARROWER))
			continue;
		h = &j->verdict->comparisons[c->head];
		if (h->verdict == VERDICT_EQUIVALENT || !(fabs(log(h->ratio)) > largest) ||
		    fabs(log(h->ratio)) < log(j->limits->margin_ratio))
			continue;
		largest = fabs(log(h->ratio));
		j->gap = h->ratio;
		j->slower = h->ratio < 1 ? SIDE_A : SIDE_B;
	}
}

int judge_with(const struct result *result, const struct thresholds *limits, struct verdict *verdict)
{
	struct judging j = { .result = result, .limits = limits, .verdict = verdict, .gap = NAN,
			     .slower = -1, .same_drive = same_drive(result), .alone = no_b(result) };
	size_t n = result->workloads_count;

	j.cases = calloc(n ? n : 1, sizeof(*j.cases));
	if (!j.cases)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		size_t first = verdict->comparisons_count;

		open_case(&j, i);
		judge_compare(&j, &j.cases[i]);
		withdraw(&j, &j.cases[i], first);
		judge_concurrency(&j, &j.cases[i]);
		judge_classes(&j, &j.cases[i]);
	}
	judge_ratings(&j);
	judge_sessions(&j);
	judge_noise(&j);
	judge_adjust(&j);
	if (!j.failed)
		judge_headline(&j);
	if (!j.failed) {
		find_gap(&j);
		hypotheses_judge(&j);
		judge_sentences(&j);
		judge_conditions(&j);
	}
	for (const struct threshold_info *i = thresholds_info; i->name; i++)
		judge_threshold(&j, &verdict->thresholds, &verdict->thresholds_count, i);
	free(j.cases);
	return j.failed ? -ENOMEM : 0;
}

int judge(const struct result *result, struct verdict *verdict)
{
	struct thresholds limits;

	thresholds_planned(&result->plan, &limits);
	return judge_with(result, &limits, verdict);
}
