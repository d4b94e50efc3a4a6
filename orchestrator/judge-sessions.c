/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions: rounds of one day, slot and start of the host share its luck, so from three sessions on
 * the ratio and its interval are those of the session means, each of which counts as one.
 */
#include "judge-sessions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "judge-compare.h"
#include "stats.h"

#define LEAST_SESSIONS 3
#define LEAST_SPAN_HOURS 8
#define LEAST_ROUNDS 2		/* of a session, for its scatter */

static const struct session_value *value_of(const struct session *s, const struct comparison *c)
{
	for (size_t i = 0; i < s->values_count; i++) {
		const struct session_value *v = &s->values[i];

		if (v->workload && v->metric && v->subset && !strcmp(v->workload, c->workload) &&
		    !strcmp(v->metric, c->metric) && !strcmp(v->subset, c->subset) &&
		    v->concurrent == c->concurrent && v->rounds >= LEAST_ROUNDS && v->ratio > 0 &&
		    isfinite(v->ratio) && v->sd_log >= 0 && isfinite(v->sd_log))
			return v;
	}
	return NULL;
}

/* The earlier ones and, last, this run's. */
static size_t list(const struct judging *j, const struct comparison *c, struct stats_session *out)
{
	size_t n = 0;

	for (size_t i = 0; i < j->result->sessions_count; i++) {
		const struct session_value *v = value_of(&j->result->sessions[i], c);

		if (v)
			out[n++] = (struct stats_session){ (size_t)v->rounds, log(v->ratio), v->sd_log };
	}
	out[n++] = (struct stats_session){ (size_t)c->rounds, log(c->ratio), c->sd_log };
	return n;
}

static void add_ratio(struct judging *j, struct session_row *row, const char *run, const char *started,
		      int64_t rounds, double ratio)
{
	struct session_ratio *r = &row->sessions[row->sessions_count++];

	*r = (struct session_ratio){ .rounds = rounds, .ratio = ratio };
	judge_string(j, &r->run, "%s", run ? run : "not known");
	if (started)
		judge_string(j, &r->started_utc, "%s", started);
}

static void add_row(struct judging *j, const struct comparison *c, const struct stats_sessions *s)
{
	struct verdict *v = j->verdict;
	const struct result *r = j->result;
	struct session_row *more = reallocarray(v->sessions, v->sessions_count + 1, sizeof(*more)), *row;

	if (!more) {
		j->failed = true;
		return;
	}
	v->sessions = more;
	row = &more[v->sessions_count++];
	*row = (struct session_row){ .concurrent = c->concurrent, .ratio = exp(s->mean), .icc = s->icc,
				     .ci95_low = exp(s->ci95.low), .ci95_high = exp(s->ci95.high),
				     .pooled_ci95_low = exp(s->pooled_ci95.low),
				     .pooled_ci95_high = exp(s->pooled_ci95.high) };
	judge_string(j, &row->workload, "%s", c->workload);
	judge_string(j, &row->metric, "%s", c->metric);
	judge_string(j, &row->subset, "%s", c->subset);
	row->sessions = calloc(r->sessions_count + 1, sizeof(*row->sessions));
	j->failed |= !row->sessions;
	for (size_t i = 0; i < r->sessions_count && !j->failed; i++) {
		const struct session_value *value = value_of(&r->sessions[i], c);

		if (value)
			add_ratio(j, row, r->sessions[i].run, r->sessions[i].started_utc, value->rounds, value->ratio);
	}
	if (!j->failed)
		add_ratio(j, row, "this run", r->started_utc, c->rounds, c->ratio);
}

static void take_means(struct judging *j, struct comparison *c, const struct stats_sessions *s, size_t count)
{
	struct stats_paired p = { .ci95 = { exp(s->ci95.low), exp(s->ci95.high) },
				  .ci90 = { exp(s->ci90.low), exp(s->ci90.high) } };

	c->sessions = (int64_t)count;
	c->ratio = exp(s->mean);
	c->ci95_low = p.ci95.low;
	c->ci95_high = p.ci95.high;
	c->ci90_low = p.ci90.low;
	c->ci90_high = p.ci90.high;
	c->p_t = s->p_t;
	c->verdict = judge_margin_verdict(j, c, &p);
	free(c->reason);
	c->reason = NULL;
	if (c->verdict == VERDICT_INCONCLUSIVE)
		judge_string(j, &c->reason, "the interval %.3f to %.3f of %zu session means spans both 'equal' and "
			     "'different'", c->ci95_low, c->ci95_high, count);
}

static void judge_one(struct judging *j, struct comparison *c, struct stats_session *room)
{
	size_t n;
	struct stats_sessions s;
	int ret;

	if (c->verdict == VERDICT_NOT_COMPARED || c->rounds < LEAST_ROUNDS || !(c->sd_log >= 0))
		return;
	n = list(j, c, room);
	ret = n > 1 ? stats_session_means(room, n, &s) : -EINVAL;
	if (ret == -ENOMEM)
		j->failed = true;
	if (ret)
		return;
	if (c->heads)
		add_row(j, c, &s);
	if (n >= LEAST_SESSIONS)
		take_means(j, c, &s, n);
}

void judge_sessions(struct judging *j)
{
	struct stats_session *room;

	if (!j->result->sessions_count || j->failed)
		return;
	room = calloc(j->result->sessions_count + 1, sizeof(*room));
	j->failed |= !room;
	for (size_t i = 0; i < j->verdict->comparisons_count && !j->failed; i++)
		judge_one(j, &j->verdict->comparisons[i], room);
	free(room);
}

/* From the first start to the last one, in seconds; NaN when one is not known. */
static double span_s(const struct session_row *row)
{
	double first = INFINITY, last = -INFINITY;

	for (size_t i = 0; i < row->sessions_count; i++) {
		const char *started = row->sessions[i].started_utc;
		struct tm tm = { 0 };

		if (!started || !strptime(started, "%Y-%m-%dT%H:%M:%SZ", &tm))
			return NAN;
		first = fmin(first, (double)timegm(&tm));
		last = fmax(last, (double)timegm(&tm));
	}
	return last - first;
}

/* Sessions are meant to differ in day, slot or start of the host: else they are rounds by another name. */
static void say_span(struct judging *j, const struct session_row *row)
{
	double span = span_s(row), hours = 3600;

	if (isnan(span))
		judge_sentence(j, "%s: when its sessions began is not known, so whether another day was tested is not "
			       "either.", row->workload);
	else if (span < LEAST_SPAN_HOURS * hours)
		judge_sentence(j, "%s: all its sessions began within %.0f min of each other, so their means show little "
			       "of what another day, slot or start of the host would.", row->workload,
			       ceil(span / 60));
}

void judge_say_sessions(struct judging *j)
{
	const struct verdict *v = j->verdict;
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < v->sessions_count; i++) {
		const struct session_row *r = &v->sessions[i];

		least = r->sessions_count < least ? r->sessions_count : least;
		if (r->sessions_count >= LEAST_SESSIONS)
			judge_sentence(j, "%s: the interval is that of %zu session means, %.3f to %.3f; %.0f %% of the "
				       "variance lies between sessions (rounds of all sessions in one heap would give "
				       "%.3f to %.3f, which is too narrow).", r->workload, r->sessions_count,
				       r->ci95_low, r->ci95_high, 100 * (isnan(r->icc) ? 0 : r->icc),
				       r->pooled_ci95_low, r->pooled_ci95_high);
		if (r->sessions_count >= LEAST_SESSIONS)
			say_span(j, r);
	}
	if (!v->sessions_count)
		judge_sentence(j, "All rounds are of one session; another day, slot or host was not tested.");
	else if (least < LEAST_SESSIONS)
		judge_sentence(j, "There are %zu sessions so far, and the intervals are of this run alone: what is said "
			       "holds for today and this setup; from %d sessions on it is of the session means.",
			       least, LEAST_SESSIONS);
}
