/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run-suite: what a run takes over from other runs (calibration, earlier sessions), and its pilot. */
#include "cmd-run-suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "derive.h"
#include "fail.h"
#include "model-json.h"
#include "other-runs.h"
#include "stats.h"
#include "stats-design.h"
#include "store.h"

#define LEAST_ROUNDS 6

/* ---- other runs: whole, unchanged, and of use here ------------------------------------------------- */

/* Reads and judges a run that is complete and unchanged. 0 or -errno (printed); free with derive_free. */
static int load(const char *run, const char *option, struct derived *d, char **sum)
{
	struct strings problems = { 0 };
	int ret = store_check(run);

	if (ret)
		return ret;
	ret = store_verify(run, &problems);
	if (!ret && problems.count)
		ret = fail(-EPERM, "%s %s: its evidence is not as it was written: %s", option, run, problems.items[0]);
	strings_free(&problems);
	if (!ret)
		ret = store_sum(run, "SHA256SUMS", sum);
	if (!ret)
		ret = derive(run, d);
	if (!ret && strcmp(d->result.state, "complete"))
		ret = fail(-EPERM, "%s %s: that run is not complete (%s)", option, run, d->result.state);
	return ret;
}

static char *copy(const char *s, int *failed)
{
	char *new = s ? strdup(s) : NULL;

	*failed |= s && !new;
	return new;
}

/* why is looked at after fits was found. */
static int refuse(const char *option, const char *run, int fits, char *const *why)
{
	return fits > 0 ? fail(-EPERM, "%s %s does not fit this run: %s", option, run, *why) : fits;
}

/* ---- calibration ---------------------------------------------------------------------------------- */

static void set_overhead(const struct workload_result *w, struct noise_floor *f)
{
	_cleanup_free_ double *d = calloc(w->probes_count + 1, sizeof(*d));
	struct stats_interval in;
	size_t n = 0;

	f->overhead = f->overhead_low = f->overhead_high = NAN;
	f->overhead_rounds = 0;
	for (size_t i = 0; d && i < w->probes_count; i++)
		if (w->probes[i].plain_iops > 0 && w->probes[i].recorded_iops > 0)
			d[n++] = log(w->probes[i].plain_iops / w->probes[i].recorded_iops);
	if (stats_t_interval(d, n, 0.95, &in))
		return;
	f->overhead = 1 - exp(-stats_mean(d, n));
	f->overhead_low = 1 - exp(-in.low);
	f->overhead_high = 1 - exp(-in.high);
	f->overhead_rounds = (int64_t)n;
}

static const struct comparison *head_of(const struct verdict *v, const char *workload)
{
	for (size_t i = 0; i < v->comparisons_count; i++)
		if (v->comparisons[i].heads && !strcmp(v->comparisons[i].workload, workload))
			return &v->comparisons[i];
	return NULL;
}

/* A workload without a usable number has no floor. */
static int add_floors(const struct derived *d, struct calibration *c)
{
	int failed = 0;

	c->floors = calloc(d->result.workloads_count + 1, sizeof(*c->floors));
	if (!c->floors)
		return -ENOMEM;
	for (size_t i = 0; i < d->result.workloads_count; i++) {
		const struct workload_result *w = &d->result.workloads[i];
		const struct comparison *h = head_of(&d->verdict, w->name);
		struct noise_floor *f = &c->floors[c->floors_count];

		if (!h || h->verdict == VERDICT_NOT_COMPARED || h->rounds < LEAST_ROUNDS || !(h->sd_log >= 0))
			continue;
		*f = (struct noise_floor){ .workload = copy(w->name, &failed), .verdict = h->verdict,
					   .rounds = h->rounds, .ratio = h->ratio, .ci95_low = h->ci95_low,
					   .ci95_high = h->ci95_high, .sd_log = h->sd_log };
		set_overhead(w, f);
		c->floors_count++;
	}
	return failed ? -ENOMEM : 0;
}

/* Takes the workloads out of the result: they are the same, and not needed there any more. */
static int fill_calibration(const char *run, struct derived *d, struct calibration *c)
{
	struct result *r = &d->result;
	int failed = 0, ret;

	c->run = text_make_utf8(run);
	c->started_utc = copy(r->started_utc, &failed);
	c->suite = copy(r->plan.suite, &failed);
	c->kernel = copy(r->host.kernel, &failed);
	c->fio_version = copy(r->host.fio_version, &failed);
	c->engine_fio_version = copy(r->host.engine_fio_version, &failed);
	c->base_engine = copy(r->plan.base_engine, &failed);
	c->classify = copy(r->plan.classify, &failed);
	ret = failed || !c->run ? -ENOMEM : drive_name_set(&c->drive, &r->drives[SIDE_A]);
	if (!ret)
		ret = add_floors(d, c);
	c->workloads = r->plan.workloads;
	c->workloads_count = r->plan.workloads_count;
	r->plan.workloads = NULL;
	r->plan.workloads_count = 0;
	return ret;
}

/* Said before hours are spent: with this scatter so many rounds cannot resolve the margin. */
static void warn_of_floor(const struct prepared *p)
{
	const struct thresholds *limits = &p->suite.thresholds;

	for (size_t i = 0; i < p->plan.workloads_count; i++) {
		const struct workload *w = &p->plan.workloads[i];
		const struct noise_floor *f = calibration_floor(&p->calibration, w);
		size_t need = f && f->sd_log > 0 ? stats_rounds_for_power(f->sd_log, limits->margin_ratio - 1) : 0;

		if (!f)
			warning("workload %s is not part of the calibration: its noise floor stays unknown", w->name);
		else if (f->verdict == VERDICT_DIFFERENT || f->verdict == VERDICT_DIFFERENT_SIZE_UNRESOLVED)
			warning("in the calibration the drive differed from itself in %s: nothing will be claimed there",
				w->name);
		else if ((int64_t)need > p->plan.rounds)
			warning("%s scattered by %.2f %% in the calibration: to see a difference of %.0f %% in four of five "
				"runs takes %zu rounds, and %lld are planned", w->name, 100 * f->sd_log,
				100 * (limits->margin_ratio - 1), need, (long long)p->plan.rounds);
	}
}

static int take_calibration(const char *run, struct prepared *p)
{
	struct derived d = { 0 };
	_cleanup_free_ char *why = NULL;
	int ret = load(run, "--calibration", &d, &p->calibration.sums_sha256);

	if (!ret && !d.result.plan.calibration)
		ret = fail(-EPERM, "--calibration %s: that run is no calibration (run-suite --calibrate makes one)", run);
	if (!ret)
		ret = fill_calibration(run, &d, &p->calibration);
	if (!ret)
		ret = refuse("--calibration", run, calibration_fits(&p->calibration, &p->plan, p->drives, &p->host,
								    &why), &why);
	derive_free(&d);
	if (!ret)
		warn_of_floor(p);
	return ret;
}

/* ---- sessions --------------------------------------------------------------------------------------- */

/* What can be compared of a run's own rounds; means over sessions would count earlier ones twice. */
static int add_values(const struct verdict *v, struct session *s)
{
	int failed = 0;

	s->values = calloc(v->comparisons_count + 1, sizeof(*s->values));
	if (!s->values)
		return -ENOMEM;
	for (size_t i = 0; i < v->comparisons_count; i++) {
		const struct comparison *c = &v->comparisons[i];

		if (c->verdict == VERDICT_NOT_COMPARED || c->rounds < 2 || !(c->sd_log >= 0))
			continue;
		s->values[s->values_count++] = (struct session_value){
			.workload = copy(c->workload, &failed), .metric = copy(c->metric, &failed),
			.subset = copy(c->subset, &failed), .concurrent = c->concurrent, .rounds = c->rounds,
			.ratio = c->a / c->b, .sd_log = c->sd_log };
	}
	return failed ? -ENOMEM : 0;
}

/* Takes the workloads out of the result, as fill_calibration() does. */
static int fill_session(const char *run, struct derived *d, struct session *s)
{
	struct plan *plan = &d->result.plan;
	int failed = 0, ret;

	s->run = text_make_utf8(run);
	s->started_utc = copy(d->result.started_utc, &failed);
	s->suite = copy(plan->suite, &failed);
	s->base_engine = copy(plan->base_engine, &failed);
	s->classify = copy(plan->classify, &failed);
	s->seed = plan->seed;
	s->workloads = plan->workloads;
	s->workloads_count = plan->workloads_count;
	plan->workloads = NULL;
	plan->workloads_count = 0;
	ret = failed || !s->run ? -ENOMEM : drive_name_set(&s->a, &d->result.drives[SIDE_A]);
	if (!ret)
		ret = drive_name_set(&s->b, &d->result.drives[SIDE_B]);
	return ret ? ret : add_values(&d->verdict, s);
}

/* Its earlier sessions, oldest first, and the run itself. */
static int list_sessions(const char *run, struct derived *d, char *sum, struct prepared *p)
{
	size_t n = d->result.sessions_count;
	struct session *all = reallocarray(d->result.sessions, n + 1, sizeof(*all));

	if (!all) {
		free(sum);
		return -ENOMEM;
	}
	p->sessions = all;
	p->sessions_count = n + 1;
	d->result.sessions = NULL;
	d->result.sessions_count = 0;
	all[n] = (struct session){ .sums_sha256 = sum };
	for (size_t i = 0; i < n; i++)
		if (all[i].sums_sha256 && !strcmp(all[i].sums_sha256, sum))
			return fail(-EPERM, "--session-of %s: it is a session of itself", run);
	return fill_session(run, d, &all[n]);
}

/* A session that does not fit there would be left out in silence here. */
static int check_notes(const char *run, const struct result *r)
{
	for (size_t i = 0; i < r->notes.count; i++)
		if (!strncmp(r->notes.items[i], "sessions/", 9))
			return fail(-EPERM, "--session-of %s: %s", run, r->notes.items[i]);
	return 0;
}

static int take_sessions(const char *run, struct prepared *p)
{
	struct derived d = { 0 };
	_cleanup_free_ char *why = NULL;
	char *sum = NULL;
	int ret = load(run, "--session-of", &d, &sum);

	if (!ret)
		ret = check_notes(run, &d.result);
	if (!ret)
		ret = refuse("--session-of", run, session_plans_fit(&d.result.plan, &p->plan, &why), &why);
	if (ret) {
		free(sum);
	} else {
		ret = list_sessions(run, &d, sum, p);
		if (!ret && !p->sessions[p->sessions_count - 1].values_count)
			ret = fail(-EPERM, "--session-of %s: nothing in that run could be compared", run);
	}
	for (size_t i = 0; !ret && i < p->sessions_count; i++)
		ret = refuse("--session-of", run, session_fits(&p->sessions[i], &p->plan, p->drives, &why), &why);
	derive_free(&d);
	return ret;
}

int other_runs_take(const struct run_options *o, struct prepared *p)
{
	int ret = o->calibration ? take_calibration(o->calibration, p) : 0;

	return !ret && o->session_of ? take_sessions(o->session_of, p) : ret;
}

static json_t *document(const struct field *fields, const void *data)
{
	json_t *json = model_document(), *body = fields_to_json(fields, data);

	if (!json || !body || json_object_update(json, body)) {
		json_decref(json);
		json = NULL;
	}
	json_decref(body);
	return json;
}

int other_runs_write(const struct prepared *p, const char *run)
{
	int ret = p->calibration.run ? store_write_json(run, "calibration.json",
							document(calibration_fields, &p->calibration)) : 0;

	for (size_t i = 0; !ret && i < p->sessions_count; i++) {
		_cleanup_free_ char *dir = text_format("sessions/%zu", i + 1);
		_cleanup_free_ char *name = text_format("sessions/%zu/session.json", i + 1);

		ret = dir && name ? store_mkdir(run, dir) : -ENOMEM;
		if (!ret)
			ret = store_write_json(run, name, document(session_fields, &p->sessions[i]));
	}
	return ret;
}

void other_runs_free(struct prepared *p)
{
	fields_free(calibration_fields, &p->calibration);
	for (size_t i = 0; i < p->sessions_count; i++)
		fields_free(session_fields, &p->sessions[i]);
	free(p->sessions);
}
