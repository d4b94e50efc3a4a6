/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch survey: which kind of data lies where on one drive or two, and where they match. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "command.h"
#include "drive.h"
#include "fail.h"
#include "interrupt.h"
#include "json-text.h"
#include "options.h"
#include "smart.h"
#include "survey.h"

struct survey_options {
	struct survey_request request;
	const char *output;
	bool json, no_color;
};

static int read_target(const char *target, struct drive *d)
{
	int ret = drive_read(target, "", d);

	if (ret)
		return ret;
	if (d->kind == TARGET_DIRECTORY)
		return fail(-EINVAL, "%s is a directory: survey looks at what a drive or a file holds, give one of these",
			    target);
	return identify_fill(d);
}

static int check_pair(const struct drive *a, const struct drive *b)
{
	_cleanup_free_ char *why = NULL;
	int relation = drive_same(a, b, &why);

	if (relation < 0)
		return relation;
	if (relation == DRIVE_SAME)
		return fail(-ENOTUNIQ, "A and B are the same: %s", why ? why : "");
	if (relation == DRIVE_SHARED)
		warning("%s", why ? why : "");
	return 0;
}

/* Room for the strip and its frame. */
static int cells(void)
{
	struct winsize w;
	int columns = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col >= 40 ? w.ws_col : 80;

	return (columns < 400 ? columns : 400) - 6;
}

/* Never over something that is there: it could be a drive, or a target. */
static int write_document(const char *path, json_t *document)
{
	_cleanup_free_ char *text = json_text(document, JSON_SHOWN);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), ret = 0;

	if (fd < 0)
		return fail(errno == EEXIST ? -EINVAL : -errno, "cannot write %s: %s", path, strerror(errno));
	if (!text || dprintf(fd, "%s\n", text) < 0)
		ret = -EIO;
	if (close(fd) || ret)
		return fail(-EIO, "writing %s failed", path);
	return 0;
}

static int show(const struct survey_options *o, const struct survey *s)
{
	bool color = !o->no_color && !getenv("NO_COLOR") && isatty(STDOUT_FILENO);
	json_auto_t *document = survey_to_json(s);
	int ret = document ? 0 : fail(-ENOMEM, "survey: out of memory");

	if (!ret && o->output)
		ret = write_document(o->output, document);
	if (ret)
		return ret;
	if (!o->json)
		ret = survey_text(s, stdout, color);
	else
		ret = json_print(document, stdout, JSON_SHOWN);
	return ret ? fail(ret, "survey: writing it failed") : 0;
}

static int exit_status(const struct survey *s)
{
	if (interrupt_signal())
		return 128 + interrupt_signal();
	if (!s->complete)
		return EXIT_INCOMPLETE;
	return s->drives_count > 1 && !s->proposals_count ? EXIT_NOT_VALID : EXIT_DONE;
}

static int survey_targets(struct survey_options *o, int count, char **targets)
{
	struct drive drives[SIDES] = { 0 };
	struct survey survey;
	int ret = 0;

	for (int i = 0; !ret && i < count; i++) {
		ret = read_target(targets[i], &drives[i]);
		o->request.drives[i] = &drives[i];
	}
	if (!ret && count == SIDES)
		ret = check_pair(&drives[SIDE_A], &drives[SIDE_B]);
	if (!ret)
		ret = survey_run(&o->request, &survey);
	if (!ret) {
		ret = show(o, &survey);
		if (!ret)
			ret = exit_status(&survey);
		survey_free(&survey);
	}
	drive_free(&drives[SIDE_A]);
	drive_free(&drives[SIDE_B]);
	return ret;
}

static int64_t random_seed(void)
{
	uint32_t seed = 1;

	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		seed = (uint32_t)getpid();
	return seed & 0x7fffffff;
}

static int survey_main(int argc, char **argv)
{
	struct survey_options o = { .request = { .ranges = SURVEY_RANGES, .range_bytes = UNKNOWN_I64,
		.samples = SURVEY_SAMPLES, .seed = random_seed(), .page_bytes = sysconf(_SC_PAGESIZE),
		.budget_bytes = UNKNOWN_I64, .budget_ns = UNKNOWN_I64, .cells = cells() } };
	struct survey_request *r = &o.request;
	const struct option_row rows[] = {
		{ "ranges", 0, OPTION_I64, &r->ranges, "N", "ranges (32), pieces of what the targets have in common", 1 },
		{ "range-bytes", 0, OPTION_BYTES, &r->range_bytes, "BYTES",
		  "length of a range at most: then parts between them are not looked at", 1 },
		{ "samples", 0, OPTION_I64, &r->samples, "N", "random blocks of each range (300)", 1 },
		{ "budget", 0, OPTION_NS, &r->budget_ns, "TIME", "end after this time with what was read", 1000000 },
		{ "budget-bytes", 0, OPTION_BYTES, &r->budget_bytes, "BYTES",
		  "bound of the bytes read: fewer samples", 1 },
		{ "seed", 0, OPTION_I64, &r->seed, "N", "seed of the blocks drawn; default: another each time", 0 },
		{ "dulbe", 0, OPTION_FLAG, &r->dulbe, NULL, "let reads of deallocated blocks fail for a moment, to tell "
		  "them from written zeros: changes a setting of the drive and puts it back; only on a whole NVMe "
		  "namespace that nobody uses; the drive may log the failed reads; after a SIGKILL it stays on until "
		  "the drive is reset (nvme reset)", 0 },
		{ "output", 'o', OPTION_STRING, &o.output, "FILE",
		  "write the JSON document to a new file, for run-suite --matched=FILE", 0 },
		{ "json", 0, OPTION_FLAG, &o.json, NULL, "print the JSON document", 0 },
		{ "quiet", 'q', OPTION_FLAG, &r->quiet, NULL, "no progress", 0 },
		{ "no-color", 0, OPTION_FLAG, &o.no_color, NULL, "no colour (also: NO_COLOR)", 0 },
		{ 0 }
	};
	int operands, ret = command_options(&cmd_survey, rows, argc, argv, &operands);

	if (!ret && (r->ranges > 100000 || r->samples > 10000000 || r->ranges * r->samples > 50000000))
		ret = fail(-EINVAL, "survey: %lld ranges of %lld samples are too many: 50000000 blocks at most",
			   (long long)r->ranges, (long long)r->samples);
	if (!ret && o.output && !access(o.output, F_OK))
		ret = fail(-EINVAL, "survey: %s exists and is not written over: give another name", o.output);
	if (ret)
		return ret;
	interrupt_install();
	return survey_targets(&o, operands, argv + 1);
}

const struct command cmd_survey = {
	.name = "survey",
	.synopsis = "TARGET [TARGET] [options]",
	.summary = "map of the kinds of data on a drive; where two drives match",
	.least = 1,
	.most = 2,
	.operands = "one or two targets",
	.run = survey_main,
};
