/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run directory keeps of other runs: how many rounds the pilot asked for, calibration, sessions. */
#include "gather-passes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "model-json.h"
#include "other-runs.h"
#include "store.h"

#define LEAST_ROUNDS 6
#define MOST_SESSIONS 1000

/* -ENOENT without a word when it is not there. */
static int load_optional(const char *run, const char *name, const struct field *fields, void *data)
{
	json_t *json = NULL;
	int ret = store_read_json(run, name, &json);

	json_decref(json);
	return ret ? ret : gather_document(run, name, fields, data);
}

int gather_stop(struct result *result)
{
	struct plan *plan = &result->plan;
	int ret = load_optional(result->run, "stop.json", stop_fields, &result->stop);
	int64_t rounds = result->stop.rounds;

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	if (!plan->until || !result->stop.until || strcmp(plan->until, result->stop.until) ||
	    result->stop.most != plan->rounds || !known(rounds) || rounds < LEAST_ROUNDS || rounds > plan->rounds)
		return fail(-EBADMSG, "%s/stop.json is damaged: its rounds do not fit the plan", result->run);
	plan_cut(plan, rounds);
	return 0;
}

static int add_note(struct result *result, const char *what, const char *why)
{
	_cleanup_free_ char *note = text_format("%s is not used: %s", what, why);

	return note ? strings_add(&result->notes, note) : -ENOMEM;
}

static int gather_calibration(struct result *result)
{
	struct calibration *c = &result->calibration;
	_cleanup_free_ char *why = NULL;
	int ret = load_optional(result->run, "calibration.json", calibration_fields, c);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	ret = calibration_fits(c, &result->plan, result->drives, &result->host, &why);
	if (ret <= 0)
		return ret;
	fields_free(calibration_fields, c);
	return add_note(result, "calibration.json", why);
}

static int gather_session(struct result *result, int n)
{
	_cleanup_free_ char *name = text_format("sessions/%d/session.json", n), *why = NULL;
	struct session *s = &result->sessions[result->sessions_count];
	int ret = name ? load_optional(result->run, name, session_fields, s) : -ENOMEM;

	if (ret)
		return ret;
	result->sessions_count++;
	ret = session_fits(s, &result->plan, result->drives, &why);
	for (size_t i = 0; !ret && i + 1 < result->sessions_count; i++)
		if (!strcmp(result->sessions[i].sums_sha256, s->sums_sha256)) {
			why = strdup("it is there twice");
			ret = 1;
		}
	if (ret <= 0)
		return ret;
	result->sessions_count--;
	fields_free(session_fields, s);
	return add_note(result, name, why ? why : "out of memory");
}

int gather_other_runs(struct result *result)
{
	int ret = gather_calibration(result);

	for (int n = 1; !ret && n <= MOST_SESSIONS; n++) {
		struct session *grown = reallocarray(result->sessions, (size_t)n, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		result->sessions = grown;
		memset(&grown[result->sessions_count], 0, sizeof(*grown));
		ret = gather_session(result, n);
	}
	return ret == -ENOENT ? 0 : ret;
}
