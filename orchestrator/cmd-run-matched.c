/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run-suite --matched: the ranges where both drives hold one kind of data, from a survey. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd-run-suite.h"
#include "fail.h"
#include "survey.h"

#define DOCUMENT_MAX_BYTES (256 << 20)
/* Of the bound of bytes of a run, the survey takes at most this share. */
#define SURVEY_SHARE 10

static int load(const char *path, struct survey *survey)
{
	_cleanup_free_ char *text = NULL;
	json_auto_t *json = NULL;
	json_error_t error;
	size_t length;
	int ret = text_read_file(path, DOCUMENT_MAX_BYTES, &text, &length);

	if (ret)
		return fail(ret, "--matched: %s cannot be read: %s", path, strerror(-ret));
	json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
	if (!json)
		return fail(EXIT_USAGE, "--matched: %s is not JSON: %s; give a file that `nvmatch survey A B -o FILE` "
			    "wrote", path, error.text);
	ret = survey_from_json(json, path, survey);
	return ret == -EBADMSG ? EXIT_USAGE : ret;	/* said */
}

static int look(const struct run_options *o, const struct prepared *p, struct survey *survey)
{
	struct survey_request r = {
		.drives = { &p->drives[SIDE_A], &p->drives[SIDE_B] }, .ranges = SURVEY_RANGES,
		.range_bytes = UNKNOWN_I64, .samples = SURVEY_SAMPLES, .seed = o->seed, .cells = 74,
		.page_bytes = p->host.page_bytes, .quiet = o->quiet, .budget_ns = UNKNOWN_I64,
		.budget_bytes = known(o->budget_bytes) ? o->budget_bytes / SURVEY_SHARE : UNKNOWN_I64,
	};
	int ret = survey_run(&r, survey);

	if (ret || survey->complete)
		return ret;
	ret = fail(-EINTR, "--matched: the survey was not complete: %s", survey->reason ? survey->reason : "?");
	survey_free(survey);
	return ret;
}

static int check(const struct run_options *o, const struct prepared *p)
{
	if (!p->two)
		return fail(-EINVAL, "--matched: it takes two drives to match");
	if (*o->sysroot)
		return fail(-EINVAL, "--matched: a drive of a saved /sys cannot be read");
	for (size_t i = 0; i < p->suite.workloads_count; i++)
		if (p->suite.workloads[i].writes)
			return fail(-EINVAL, "--matched: workload %s writes: both sides get the same bytes then, there is "
				    "nothing to match", p->suite.workloads[i].name);
	for (int s = 0; s < SIDES; s++)
		if (p->drives[s].kind == TARGET_DIRECTORY)
			return fail(-EINVAL, "--matched: %s is a directory: the test files made in directories are equal",
				    p->drives[s].target);
	return 0;
}

int matched_prepare(const struct run_options *o, struct prepared *p)
{
	const char *name = o->matched && *o->matched ? o->matched : "the survey";
	int ret = check(o, p);

	if (!ret)
		ret = *o->matched ? load(o->matched, &p->survey) : look(o, p, &p->survey);
	if (!ret)
		ret = survey_check_drives(&p->survey, name, &p->drives[SIDE_A], &p->drives[SIDE_B]);
	if (!ret && !p->survey.proposals_count)
		ret = fail(-EPERM, "--matched: %s: %s; nothing was run", name, p->survey.proposal_text ?
			   p->survey.proposal_text : "it proposes no range");
	if (!ret && p->survey.proposals[0].kind == REC_ZERO)
		warning("--matched: %s", p->survey.proposal_text ? p->survey.proposal_text : "only zeros match");
	return ret;
}

int64_t matched_bytes(const struct prepared *p)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < p->survey.drives_count; i++)
		bytes += known(p->survey.drives[i].read_bytes) ? p->survey.drives[i].read_bytes : 0;
	return bytes;
}
