/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a saved output of fio to struct fio_run: which document counts, and what state the run is in. */
#include "fio-json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fio-json-job.h"
#include "fio-json-text.h"
#include "model-json.h"

#define ETA_UNKNOWN INT32_MAX	/* fio's eta when it was stopped (or the job was very short) */
#define EXIT_BY_SIGNAL 128	/* fio's own status after SIGINT or SIGTERM */

static const char signal_line[] = "fio: terminating on signal";

/* Sets state and reason unless an earlier rule has. Takes reason. */
static int set_state(struct fio_run *run, enum fio_state state, char *reason)
{
	if (!reason)
		return -ENOMEM;
	if (run->state != FIO_OK) {
		free(reason);
		return 0;
	}
	run->state = state;
	run->reason = reason;
	return 0;
}

static char *exit_text(int status)
{
	if (status < 0)
		return strdup("");
	if (status > 128 && status < 128 + 65)
		return text_format(" (exit status %d: killed by signal %d)", status, status - 128);
	return text_format(" (exit status %d)", status);
}

static int no_document(const struct fio_text *found, const struct fio_expect *expect, struct fio_run *run)
{
	_cleanup_free_ char *status = exit_text(expect->exit_status);

	if (!status)
		return -ENOMEM;
	if (found->lines.count)
		return set_state(run, FIO_NO_RESULT, strdup(found->lines.items[0]));
	return set_state(run, FIO_NO_RESULT,
			 text_format("%s%s", found->cut ? "fio's document is cut short" :
				     "fio wrote no document", status));
}

/*
 * group_reporting makes one entry of several jobs, with the name of the first and the options of
 * the last: between two drives neither's numbers.
 */
static bool merged(const struct fio_entry *e, const struct fio_job *job)
{
	const char *options_of = fio_option(e, "name");

	return fio_option(e, "group_reporting") && options_of && job->name && strcmp(options_of, job->name) != 0;
}

static int refuse_units(const json_t *jobs, struct fio_run *run)
{
	for (size_t i = 0; i < json_array_size(jobs); i++)
		if (fio_job_is_old(json_array_get(jobs, i)))
			return set_state(run, FIO_NO_RESULT,
					 text_format("%s counts in KiB and microseconds: fio 3.0 or newer is needed",
						     run->fio_version ? run->fio_version : "this fio"));
	return 0;
}

/* Numbers that belong to no single job must not look as if they did. */
static void forget_numbers(struct fio_run *run)
{
	for (size_t i = 0; i < run->jobs_count; i++) {
		struct fio_job *job = &run->jobs[i];
		char *name = job->name;

		job->name = NULL;
		fields_free(fio_job_fields, job);
		job->name = name;
		job->state = FIO_NO_RESULT;
	}
}

/* The time that was asked: by the caller, or by the document itself where fio says it was stopped. */
static int64_t asked_ms(const struct fio_entry *e, const struct fio_expect *expect)
{
	const char *runtime = fio_option(e, "runtime");
	uint64_t ns;

	if (known(expect->asked_runtime_ms))
		return expect->asked_runtime_ms;
	if (expect->exit_status == 0 || !fio_option(e, "time_based") || !runtime || text_to_ns(runtime, &ns) ||
	    json_integer_value(json_object_get(e->entry, "eta")) != ETA_UNKNOWN)
		return UNKNOWN_I64;
	return (int64_t)(ns / 1000000);
}

static int read_job(const struct fio_entry *e, const struct fio_expect *expect, struct fio_run *run)
{
	struct fio_job *job = &run->jobs[run->jobs_count++];
	const char *name;
	int64_t asked;
	int ret;

	fields_unknown(fio_job_fields, job);
	ret = fio_job_read(e, job, &run->warnings);
	if (ret)
		return ret;
	name = job->name ? job->name : "job";
	if (merged(e, job))
		ret = set_state(run, FIO_NO_RESULT,
				text_format("group_reporting merged %s and %s into one entry", name,
					    fio_option(e, "name")));
	asked = asked_ms(e, expect);
	if (!ret && job->state == FIO_OK && known(asked) && known(job->runtime_ms) &&
	    job->runtime_ms < asked - asked / 10) {
		job->state = FIO_INTERRUPTED;
		job->reason = text_format("ran %lld ms of %lld ms asked", (long long)job->runtime_ms,
					  (long long)asked);
		ret = job->reason ? 0 : -ENOMEM;
	}
	return ret;
}

static int read_jobs(const json_t *document, const json_t *jobs, const struct fio_expect *expect,
		     struct fio_run *run)
{
	size_t count = json_array_size(jobs);
	int ret = 0;

	run->jobs = calloc(count ? count : 1, sizeof(*run->jobs));
	if (!run->jobs)
		return -ENOMEM;
	for (size_t i = 0; !ret && i < count; i++) {
		struct fio_entry e = { json_array_get(jobs, i), json_object_get(document, "global options") };

		/* --client adds the sum of all as a last entry */
		if (count > 1 && json_is_string(json_object_get(e.entry, "jobname")) &&
		    !strcmp(json_string_value(json_object_get(e.entry, "jobname")), "All clients"))
			continue;
		ret = read_job(&e, expect, run);
	}
	if (!ret && !run->jobs_count)
		ret = set_state(run, FIO_NO_RESULT, strdup("fio's document holds no jobs"));
	if (!ret && known(expect->planned_jobs) && expect->planned_jobs != (int64_t)run->jobs_count)
		ret = set_state(run, FIO_NO_RESULT,
				text_format("refused: %lld jobs planned, %zu entries found",
					    (long long)expect->planned_jobs, run->jobs_count));
	if (run->state == FIO_NO_RESULT)
		forget_numbers(run);
	return ret;
}

/* Was the whole run stopped from outside? NULL: no; else why, a string of fio's lines or a constant. */
static const char *stopped(const struct fio_text *found, const struct fio_expect *expect)
{
	for (size_t i = 0; i < found->lines.count; i++)
		if (!strncmp(found->lines.items[i], signal_line, sizeof(signal_line) - 1))
			return found->lines.items[i];
	if (expect->exit_status == EXIT_BY_SIGNAL)
		return "fio ended by a signal (exit status 128)";
	if (found->cut)
		return "fio's last document is cut short; the numbers are of the one before";
	return NULL;
}

static int mark_stopped(struct fio_run *run, const char *why)
{
	for (size_t i = 0; i < run->jobs_count; i++) {
		struct fio_job *job = &run->jobs[i];

		if (job->state != FIO_OK)
			continue;
		job->state = FIO_INTERRUPTED;
		job->reason = strdup(why);
		if (!job->reason)
			return -ENOMEM;
	}
	return set_state(run, FIO_INTERRUPTED, strdup(why));
}

/* The state of the run from its jobs: the worst counts, in this order. */
static int state_from_jobs(struct fio_run *run)
{
	static const enum fio_state order[] = { FIO_INTERRUPTED, FIO_FAILED, FIO_NO_RESULT, FIO_SUSPECT,
						FIO_NOT_RUN };
	int ret = 0;

	for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++)
		for (size_t i = 0; !ret && i < run->jobs_count; i++)
			if (run->jobs[i].state == (int)order[k])
				ret = set_state(run, order[k],
						text_format("%s: %s", run->jobs[i].name ? run->jobs[i].name : "job",
							    run->jobs[i].reason));
	return ret;
}

static int read_document(const struct fio_text *found, const struct fio_expect *expect, struct fio_run *run)
{
	const json_t *jobs = json_object_get(found->document, "jobs");
	const char *version = json_string_value(json_object_get(found->document, "fio version"));
	const char *why = stopped(found, expect);
	int ret;

	if (version && !(run->fio_version = strdup(version)))
		return -ENOMEM;
	if (!jobs)
		jobs = json_object_get(found->document, "client_stats");
	if (!json_array_size(jobs))
		return set_state(run, FIO_NO_RESULT, strdup(found->lines.count ? found->lines.items[0] :
							    "fio's document holds no jobs"));
	ret = refuse_units(jobs, run);
	if (!ret)
		ret = read_jobs(found->document, jobs, expect, run);
	if (!ret && why && run->state == FIO_OK)
		ret = mark_stopped(run, why);
	if (!ret)
		ret = state_from_jobs(run);
	if (!ret && expect->exit_status > 0)
		ret = set_state(run, FIO_FAILED, text_format("fio ended with exit status %d", expect->exit_status));
	return ret;
}

int fio_json_read(const char *text, size_t length, const struct fio_expect *expect, struct fio_run *run)
{
	struct fio_text found;
	int ret;

	*run = (struct fio_run){ .state = FIO_OK };
	ret = fio_text_split(text, length, &found);
	if (ret)
		return ret;
	ret = found.document ? read_document(&found, expect, run) : no_document(&found, expect, run);
	for (size_t i = 0; !ret && i < found.lines.count; i++)
		ret = strings_add(&run->warnings, found.lines.items[i]);
	fio_text_free(&found);
	if (ret)
		fields_free(fio_run_fields, run);
	return ret;
}
