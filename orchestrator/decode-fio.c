/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch decode fio FILE: how nvmatch reads a saved output of fio. */
#include "decode.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "fail.h"
#include "fio-json.h"
#include "json-text.h"
#include "model-json.h"
#include "options.h"

#define MAX_FILE_BYTES ((size_t)256 << 20)

static void print_text(const char *before, const char *s, const char *after)
{
	_cleanup_free_ char *safe = text_escape_terminal(s);

	printf("%s%s%s", before, safe ? safe : "?", after);
}

static void print_latency(const struct fio_latency *l)
{
	char a[TEXT_NUMBER_SIZE], b[TEXT_NUMBER_SIZE], c[TEXT_NUMBER_SIZE];

	if (!l->kind)
		printf(", latency n/a");
	else
		printf(", %s latency mean %s, p50 %s, p99 %s", strcmp(l->kind, "lat") ? "completion" : "total",
		       text_duration(a, l->mean_ns), text_duration(b, l->p50_ns), text_duration(c, l->p99_ns));
}

static void print_direction(const char *name, const struct fio_direction *d)
{
	char rate[TEXT_NUMBER_SIZE];

	if (!known(d->ios) || d->ios == 0)
		return;
	printf("  %-5s %lld I/Os", name, (long long)d->ios);
	if (known(d->bytes))
		printf(", %lld bytes", (long long)d->bytes);
	printf(", %s", text_rate(rate, d->bw_bytes_per_s));
	if (isnan(d->iops))
		printf(", IOPS n/a");
	else
		printf(", %.0f IOPS", d->iops);
	print_latency(&d->latency_ns);
	putchar('\n');
}

static void print_run(const struct fio_run *run)
{
	printf("state: %s", fio_state_names[run->state]);
	if (run->reason)
		print_text(": ", run->reason, "");
	putchar('\n');
	if (run->fio_version)
		print_text("fio: ", run->fio_version, "\n");
	for (size_t i = 0; i < run->warnings.count; i++)
		print_text("warning: ", run->warnings.items[i], "\n");
	for (size_t i = 0; i < run->jobs_count; i++) {
		const struct fio_job *job = &run->jobs[i];

		print_text("", job->name ? job->name : "(no name)", "");
		printf(": %s", fio_state_names[job->state]);
		if (job->reason)
			print_text(": ", job->reason, "");
		if (known(job->runtime_ms))
			printf(", %lld ms", (long long)job->runtime_ms);
		putchar('\n');
		print_direction("read", &job->read);
		print_direction("write", &job->write);
		print_direction("trim", &job->trim);
	}
}

static int print_json(const struct fio_run *run)
{
	json_auto_t *document = model_document();
	json_auto_t *fields = fields_to_json(fio_run_fields, run);

	if (!document || !fields || json_object_update(document, fields) ||
	    json_print(document, stdout, JSON_SHOWN | JSON_REAL_PRECISION(15)))
		return fail(-ENOMEM, "decode fio: no memory for the document");
	return 0;
}

static int decode(const char *path, const struct fio_expect *expect, bool json)
{
	_cleanup_free_ char *text = NULL;
	struct fio_run run;
	size_t length;
	int ret;

	ret = text_read_file(path, MAX_FILE_BYTES, &text, &length);
	if (ret)
		return fail(EXIT_USAGE, "decode fio: %s: %s", path, strerror(-ret));
	ret = fio_json_read(text, length, expect, &run);
	if (ret)
		return fail(ret, "decode fio: %s: %s", path, strerror(-ret));
	if (json)
		ret = print_json(&run);
	else
		print_run(&run);
	fields_free(fio_run_fields, &run);
	return ret;
}

static int decode_fio_main(int argc, char **argv)
{
	int64_t status = -1, runtime_ns = UNKNOWN_I64, planned = UNKNOWN_I64;
	bool json = false;
	const struct option_row rows[] = {
		{ "exit-status", 0, OPTION_I64, &status, "N", "exit status that fio had", -1 },
		{ "asked-runtime", 0, OPTION_NS, &runtime_ns, "TIME", "runtime of its time_based jobs", 1 },
		{ "planned-jobs", 0, OPTION_I64, &planned, "N", "entries expected, clones included", 0 },
		{ "json", 0, OPTION_FLAG, &json, NULL, "print JSON", 0 },
		{ 0 },
	};
	struct fio_expect expect = FIO_EXPECT_NOTHING;
	int operands, ret;

	ret = command_options(&decode_fio, rows, argc, argv, &operands);
	if (ret)
		return ret;
	expect.exit_status = status > 255 ? 255 : (int)status;
	expect.planned_jobs = planned;
	if (known(runtime_ns))
		expect.asked_runtime_ms = runtime_ns / 1000000;
	return decode(argv[1], &expect, json);
}

/* The exit status is 0 for every file that could be read, whatever the state. */
const struct command decode_fio = {
	.name = "decode fio",
	.synopsis = "FILE [--exit-status N] [--json]",
	.summary = "output of fio --output-format=json",
	.least = 1,
	.most = 1,
	.operands = "one file",
	.run = decode_fio_main,
};
