/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run-suite --until: how many rounds are run follows from the scatter of a pilot, by a rule that is
 * fixed before. Looking at the ratio and stopping when it pleases would make differences of noise.
 */
#include "cmd-run-suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "derive.h"
#include "fail.h"
#include "gather.h"
#include "judge.h"
#include "model-json.h"
#include "other-runs.h"
#include "plan.h"
#include "stats-design.h"
#include "store.h"
#include "verdict-json.h"

#define LEAST_ROUNDS 6		/* fewer cannot pass the sign-flip test */

int until_parse(const char *text, char **until)
{
	const char *equals = strchr(text, '=');
	size_t name = equals ? (size_t)(equals - text) : 0;
	bool known_name = (name == 9 && !strncmp(text, "precision", name)) ||
			  (name == 6 && !strncmp(text, "detect", name));
	char *end = NULL;
	double value = known_name ? strtod(equals + 1, &end) : 0;

	if (end && !strcmp(end, "%"))
		value /= 100;
	else if (end && *end)
		value = 0;
	if (!(value >= 0.0001) || value > 0.5)
		return fail(-EINVAL, "--until %s: it is precision=1%% (half-width of the 95 %% interval) or detect=2%% (a "
			    "difference seen in four of five runs), from 0.01%% to 50%%", text);
	*until = text_format("%.*s=%g", (int)name, text, value);
	return *until ? 0 : -ENOMEM;
}

int64_t until_rounds(const char *until, double sd_log)
{
	double value = strtod(strchr(until, '=') + 1, NULL);
	size_t n = *until == 'p' ? stats_rounds_for_interval(sd_log, value) : stats_rounds_for_power(sd_log, value);

	return n < LEAST_ROUNDS ? LEAST_ROUNDS : n > 1000000 ? 1000000 : (int64_t)n;
}

/* Of the heading comparison only its scatter is used. Without one nothing is known: all rounds. */
static int add_pilot(const char *until, const char *workload, const struct verdict *v, struct stop *stop)
{
	struct stop_pilot *p = &stop->pilots[stop->pilots_count++];

	*p = (struct stop_pilot){ .workload = strdup(workload), .rounds = 0, .sd_log = NAN,
				  .rounds_needed = UNKNOWN_I64 };
	for (size_t i = 0; i < v->comparisons_count; i++) {
		const struct comparison *c = &v->comparisons[i];

		if (!c->heads || strcmp(c->workload, workload))
			continue;
		p->concurrent = c->concurrent;
		p->rounds = c->rounds;
		p->sd_log = c->rounds > 1 ? c->sd_log : NAN;
	}
	if (p->sd_log >= 0)
		p->rounds_needed = until_rounds(until, p->sd_log);
	return p->workload ? 0 : -ENOMEM;
}

int until_decide(const struct plan *plan, const struct verdict *v, struct stop *stop)
{
	int64_t most = 0;
	int ret = 0;

	*stop = (struct stop){ .until = strdup(plan->until), .most = plan->rounds };
	stop->pilots = calloc(plan->workloads_count, sizeof(*stop->pilots));
	if (!stop->until || !stop->pilots)
		return -ENOMEM;
	for (size_t i = 0; !ret && i < plan->workloads_count; i++) {
		ret = add_pilot(plan->until, plan->workloads[i].name, v, stop);
		if (!known(stop->pilots[i].rounds_needed))
			most = plan->rounds;
		else if (stop->pilots[i].rounds_needed > most)
			most = stop->pilots[i].rounds_needed;
	}
	stop->bounded = most > plan->rounds;
	stop->rounds = stop->bounded ? plan->rounds : most;
	return ret;
}

static int write_stop(const char *run, const struct stop *stop)
{
	json_t *json = model_document(), *body = fields_to_json(stop_fields, stop);
	int ret = !json || !body || json_object_update(json, body) ? -ENOMEM : 0;

	json_decref(body);
	if (ret) {
		json_decref(json);
		return ret;
	}
	return store_write_json(run, "stop.json", json);
}

int until_stop(struct prepared *p, const char *run)
{
	struct result result;
	struct verdict verdict = { 0 };
	struct stop stop = { 0 };
	int ret = gather(run, &result);

	if (ret)
		return ret;
	ret = judge(&result, &verdict);
	if (!ret)
		ret = until_decide(&p->plan, &verdict, &stop);
	if (!ret)
		ret = write_stop(run, &stop);
	if (!ret)
		plan_cut(&p->plan, stop.rounds);
	fields_free(stop_fields, &stop);
	verdict_free(&verdict);
	gather_free(&result);
	return ret;
}
