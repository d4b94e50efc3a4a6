/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch run-suite: plan, run, gather, judge, report. */
#include "cmd-run-suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "derive.h"
#include "drive.h"
#include "fail.h"
#include "interrupt.h"
#include "jobs.h"
#include "model-json.h"
#include "options.h"
#include "report.h"
#include "store.h"
#include "survey.h"

#define LEAST_ROUNDS 6

static char *utc_now(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[32];

	gmtime_r(&now, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return strdup(text);
}

/* The same slots, for the fewest rounds that --until can give. */
static int64_t least_ns(const struct plan *plan)
{
	return plan->rounds > LEAST_ROUNDS ? plan->expected_ns / plan->rounds * LEAST_ROUNDS : plan->expected_ns;
}

static int dry_run(const struct prepared *p)
{
	const struct plan *plan = &p->plan;
	char bytes[TEXT_NUMBER_SIZE] = "not bounded", rest[TEXT_NUMBER_SIZE], most[TEXT_NUMBER_SIZE];

	if (known(plan->expected_bytes))
		text_bytes(bytes, (double)plan->expected_bytes);
	printf("suite %s, %lld rounds, %zu slots, seed %lld\nexpected time %lld min %lld s, at most %s\n\n",
	       plan->suite, (long long)plan->rounds, plan->slots_count, (long long)plan->seed,
	       (long long)(plan->expected_ns / 60000000000),
	       (long long)(plan->expected_ns / 1000000000 % 60), bytes);
	if (plan->until)
		printf("%s is settled after %lld rounds: at least %d rounds, %lld min %lld s; at most the above\n\n",
		       plan->until, (long long)plan->pilot_rounds, LEAST_ROUNDS,
		       (long long)(least_ns(plan) / 60000000000), (long long)(least_ns(plan) / 1000000000 % 60));
	if (plan->cooldown.enabled)
		printf("cool-down before a slot: %s, at most %s; not in the expected time\n\n",
		       plan->cooldown.rest_ns > 0 ? text_duration(rest, (double)plan->cooldown.rest_ns) :
		       "while a drive is warm", text_duration(most, (double)plan->cooldown.timeout_ns));
	for (size_t i = 0; i < plan->slots_count; i++)
		printf("%s  round %lld\n", plan->slots[i].name, (long long)plan->slots[i].round + 1);
	for (size_t i = 0; i < plan->slots_count && i < plan->workloads_count * 4; i++) {
		const struct slot *slot = &plan->slots[i];

		for (int s = 0; s < SIDES; s++) {
			struct jobs_request r = { plan, slot, (enum side)s, p->drives[s].path, p->host.engine_path };
			_cleanup_free_ char *text = NULL, *safe = NULL;
			int ret;

			if (slot->round || (slot->mode != MODE_AB && slot->mode != (s == SIDE_A ? MODE_A : MODE_B)))
				continue;
			ret = jobs_text(&r, &text);
			if (ret)
				return ret;
			printf("\n%s", text);
		}
	}
	return EXIT_DONE;
}

static json_t *argv_to_json(int argc, char **argv)
{
	json_t *array = json_array();

	for (int i = 0; i < argc; i++) {
		_cleanup_free_ char *s = text_make_utf8(argv[i]);

		json_array_append_new(array, json_string(s ? s : ""));
	}
	return array;
}

static json_t *drives_document(const struct run_options *o, const struct prepared *p)
{
	json_t *json = model_document();

	json_object_set_new(json, "A", fields_to_json(drive_fields, &p->drives[SIDE_A]));
	json_object_set_new(json, "B", p->two ? fields_to_json(drive_fields, &p->drives[SIDE_B]) : json_null());
	for (int s = 0; s < SIDES; s++) {
		_cleanup_free_ char *label = o->label[s] ? text_make_utf8(o->label[s]) : NULL;

		if (label)
			json_object_set_new(json, s == SIDE_A ? "label_a" : "label_b", json_string(label));
	}
	return json;
}

static json_t *with_header(json_t *fields)
{
	json_t *json = model_document();

	if (!json || !fields || json_object_update(json, fields)) {
		json_decref(json);
		json = NULL;
	}
	json_decref(fields);
	return json;
}

/* Saved before the first byte is read. */
static int write_intent(const struct run_options *o, const struct prepared *p, const char *run, int argc,
			char **argv)
{
	_cleanup_free_ char *now = utc_now();
	json_t *json = model_document();
	int ret;

	json_object_set_new(json, "argv", argv_to_json(argc, argv));
	json_object_set_new(json, "started_utc", json_string(now ? now : ""));
	ret = store_write_json(run, "run.json", json);
	if (!ret)
		ret = store_write_json(run, "plan.json", with_header(fields_to_json(plan_fields, &p->plan)));
	if (!ret)
		ret = store_write_json(run, "drives.json", drives_document(o, p));
	if (!ret && p->survey.drives_count)
		ret = store_write_json(run, "survey.json", survey_to_json(&p->survey));
	if (!ret)
		ret = other_runs_write(p, run);
	if (!ret)
		ret = store_write_json(run, "host.json", with_header(fields_to_json(host_fields, &p->host)));
	return ret ? ret : store_mkdir(run, "slots");
}

static int write_end(const char *run, const struct loop_end *end, int exit_status)
{
	_cleanup_free_ char *now = utc_now(), *reason = end->reason ? text_make_utf8(end->reason) : NULL;
	json_t *json = model_document();

	json_object_set_new(json, "state", json_string(end->state));
	json_object_set_new(json, "reason", reason ? json_string(reason) : json_null());
	json_object_set_new(json, "slots_done", json_integer(end->slots_done));
	json_object_set_new(json, "signal", interrupt_signal() ? json_integer(interrupt_signal()) : json_null());
	json_object_set_new(json, "run_exit_status", json_integer(exit_status));
	json_object_set_new(json, "ended_utc", json_string(now ? now : ""));
	return store_write_json(run, "end.json", json);
}

static int conclude(const struct run_options *o, const char *run, const struct loop_end *end)
{
	struct derived derived;
	bool color = !o->no_color && !getenv("NO_COLOR") && isatty(STDOUT_FILENO);
	int ret = derive(run, &derived), status;

	if (!ret)
		ret = derive_write(run, &derived);
	if (!ret && o->json)
		fputs(derived.documents[1].data, stdout);
	else if (!ret)
		ret = report_text(stdout, &derived.result, &derived.verdict, color);
	status = ret ? ret : derive_exit_status(&derived);
	derive_free(&derived);
	if (end->reason)
		fail(0, "%s; the evidence so far is in %s", end->reason, run);
	else if (!o->quiet)
		fprintf(stderr, "run directory: %s\n", run);
	return interrupt_signal() ? 128 + interrupt_signal() : status;
}

static int run_prepared(const struct run_options *o, struct prepared *p, int argc, char **argv)
{
	_cleanup_free_ char *run = NULL;
	struct loop_end end = { .state = "failed" };
	int ret = store_create(o->output, p->plan.suite, &run), sealed;

	if (ret)
		return ret;
	ret = write_intent(o, p, run, argc, argv);
	if (!ret)
		ret = loop_slots(o, p, run, &end);
	sealed = write_end(run, &end, interrupt_signal() ? 128 + interrupt_signal() :
			   ret || end.reason ? EXIT_INCOMPLETE : EXIT_DONE);
	if (!sealed)
		sealed = store_seal(run);
	if (!ret)
		ret = sealed;
	ret = ret ? ret : conclude(o, run, &end);
	free(end.reason);
	return ret;
}

/* Could this be meant as a drive? A bare word that is neither a file nor a device is not. */
static bool names_target(const char *word)
{
	_cleanup_free_ char *device = text_format("/dev/%s", word);
	_cleanup_free_ char *class = text_format("/sys/class/block/%s", word);

	return strchr(word, '/') || !access(word, F_OK) || (device && !access(device, F_OK)) ||
	       (class && !access(class, F_OK)) || !strncmp(word, "nvme", 4);
}

/* A suite that works on a test file can say where; drives must be named. */
static int no_target(const char *name)
{
	struct suite suite;
	_cleanup_free_ char *directory = NULL;
	int ret = suite_load(name, &suite);
	bool file = !ret && known(suite.file_bytes);

	if (!ret && file)
		ret = drive_propose_directory(known(suite.free_bytes) ? suite.free_bytes : suite.file_bytes, &directory);
	if (!ret)
		suite_free(&suite);
	if (directory)
		return fail(-EINVAL, "run-suite: give a directory on the drive to measure; the best one here is %s: "
			    "nvmatch run-suite %s %s", directory, name, directory);
	return fail(-EINVAL, "run-suite: give one or two drives (see nvmatch run-suite --help)");
}

/* The operands are [SUITE|JOBFILE] A [B]: the first one is a suite if there is one of that name. */
static int take_operands(int operands, char **argv, bool here, const char **suite, const char **a,
			 const char **b)
{
	bool named = operands == 3 || (operands >= 1 && suite_exists(argv[1])) ||
		     (operands == 2 && here && !names_target(argv[1]));

	*suite = named ? argv[1] : "regional";
	if (operands == named && here)
		return no_target(*suite);
	if (operands - named < 1 || operands - named > 2)
		return fail(-EINVAL, "run-suite: give one or two drives, and before them a suite or job file if you like "
			    "(see nvmatch run-suite --help)");
	*a = argv[1 + named];
	*b = operands - named == 2 ? argv[2 + named] : NULL;
	return 0;
}

static int run_suite_main(int argc, char **argv)
{
	struct run_options o = { .rounds = UNKNOWN_I64, .runtime_ns = UNKNOWN_I64, .budget_ns = UNKNOWN_I64,
				 .budget_bytes = UNKNOWN_I64, .seed = UNKNOWN_I64, .file_bytes = UNKNOWN_I64,
				 .cooldown_timeout_ns = UNKNOWN_I64,
				 .sysroot = "" };
	const struct option_row rows[] = {
		{ "output", 'o', OPTION_STRING, &o.output, "DIR",
		  "run directory to make; default results/TIME-SUITE", 0 },
		{ "rounds", 0, OPTION_I64, &o.rounds, "N", "rounds, instead of the suite's", 1 },
		{ "runtime", 0, OPTION_NS, &o.runtime_ns, "TIME",
		  "time of one range in one slot (1, 500ms), instead of the suite's", 10000000 },
		{ "budget", 0, OPTION_NS, &o.budget_ns, "TIME",
		  "bound of the whole run: slots become shorter, then rounds fewer", 1000000000 },
		{ "budget-bytes", 0, OPTION_BYTES, &o.budget_bytes, "BYTES",
		  "bound of the bytes read in the whole run", 1 },
		{ "matched", 0, OPTION_OPTIONAL, &o.matched, "FILE",
		  "only ranges where both drives hold one kind of data, from a survey made now or kept in FILE; "
		  "without such a range nothing is run (exit status 4)", 0 },
		{ "seed", 0, OPTION_I64, &o.seed, "N", "seed of the order and of the offsets", 0 },
		{ "cpus", 0, OPTION_STRING, &o.cpus, "LIST[:LIST]",
		  "CPUs of A and B; default: of the drives' NUMA nodes; none: not pinned", 0 },
		{ "file-size", 0, OPTION_BYTES, &o.file_bytes, "BYTES",
		  "size of the test file in a directory target, instead of the suite's (1g)", 1 << 20 },
		{ "fail-if", 0, OPTION_STRINGS, &o.gates, "EXPR",
		  "a gate: exit status 1 if EXPR is true or cannot be told (docs/gates.md); repeatable", 0 },
		{ "baseline", 0, OPTION_STRING, &o.baseline, "NAME|FILE",
		  "rate speeds by jobs/baselines/NAME.json or a file, instead of the suite's; or none", 0 },
		{ "allow-write", 0, OPTION_STRINGS, &o.allow_write, "SERIAL",
		  "the drive of this serial (of this path, if it has none) may be written; repeatable", 0 },
		{ "base-engine", 0, OPTION_STRING, &o.base_engine, "NAME",
		  "fio engine that does the I/O (io_uring, or libaio where that cannot be)", 0 },
		{ "classify", 0, OPTION_STRING, &o.classify, "MODE", "off, hash, state or full", 0 },
		{ "fingerprint", 0, OPTION_STRING, &o.fingerprint, "WHEN",
		  "when data is looked at: before the timed slots, during (default), both, off", 0 },
		{ "calibrate", 0, OPTION_FLAG, &o.calibrate, NULL,
		  "one drive as both A and B: its scatter is the noise floor", 0 },
		{ "calibration", 0, OPTION_STRING, &o.calibration, "RUN",
		  "a --calibrate run of A or B: its noise floor bounds what may be claimed", 0 },
		{ "session-of", 0, OPTION_STRING, &o.session_of, "RUN",
		  "a further session of that run: from three on, intervals are of session means", 0 },
		{ "until", 0, OPTION_STRING, &o.until, "GOAL",
		  "precision=1% or detect=2%: rounds by the scatter of 4 pilot rounds, 6 to --rounds (40)", 0 },
		{ "probe-overhead", 0, OPTION_FLAG, &o.probe_overhead, NULL,
		  "a slot without records in every round (part of --calibrate)", 0 },
		{ "no-drop-caches", 0, OPTION_FLAG, &o.no_drop_caches, NULL,
		  "do not drop the page cache before each slot", 0 },
		{ "no-cooldown", 0, OPTION_FLAG, &o.no_cooldown, NULL,
		  "do not wait until the drives have cooled down between slots", 0 },
		{ "cooldown-timeout", 0, OPTION_NS, &o.cooldown_timeout_ns, "TIME",
		  "wait at most so long before one slot, instead of the suite's", 0 },
		{ "label-a", 0, OPTION_STRING, &o.label[SIDE_A], "TEXT", "name of side A in reports", 0 },
		{ "label-b", 0, OPTION_STRING, &o.label[SIDE_B], "TEXT", "name of side B in reports", 0 },
		{ "fio", 0, OPTION_STRING, &o.fio, "PATH", "the fio program", 0 },
		{ "engine", 0, OPTION_STRING, &o.engine, "PATH", "the engine datastate.so", 0 },
		{ "sysroot", 0, OPTION_STRING, &o.sysroot, "DIR", "with --dry-run: another root of /sys and /proc", 0 },
		{ "dry-run", 0, OPTION_FLAG, &o.dry_run, NULL, "print slots, jobs, time and bytes; run nothing", 0 },
		{ "json", 0, OPTION_FLAG, &o.json, NULL, "verdict.json on standard output instead of text", 0 },
		{ "quiet", 'q', OPTION_FLAG, &o.quiet, NULL, "no progress", 0 },
		{ "no-color", 0, OPTION_FLAG, &o.no_color, NULL, "no colour (also: NO_COLOR)", 0 },
		{ 0 }
	};
	const char *suite = NULL, *a = NULL, *b = NULL;
	struct prepared prepared;
	/* as typed: taking options out moves the operands over them */
	_cleanup_free_ char **typed = calloc((size_t)argc + 1, sizeof(*typed));
	int operands, ret = typed ? 0 : -ENOMEM;

	for (int i = 0; !ret && i < argc; i++)
		typed[i] = argv[i];
	if (!ret)
		ret = command_options(&cmd_run_suite, rows, argc, argv, &operands);

	if (!ret)
		ret = take_operands(operands, argv, !*o.sysroot, &suite, &a, &b);
	if (!ret && *o.sysroot && !o.dry_run)
		ret = fail(-EINVAL, "run-suite: --sysroot shows another machine: it goes with --dry-run only");
	if (ret)
		return ret;
	interrupt_install();
	ret = prepare(&o, suite, a, b, &prepared);
	if (!ret)
		ret = o.dry_run ? dry_run(&prepared) : run_prepared(&o, &prepared, argc, typed);
	prepare_free(&prepared);
	strings_free(&o.allow_write);
	strings_free(&o.gates);
	return interrupt_signal() ? 128 + interrupt_signal() : ret;
}

const struct command cmd_run_suite = {
	.name = "run-suite",
	.synopsis = "[SUITE|JOBFILE] A [B] [options]",
	.summary = "run matched slots on two drives, judge and report",
	.least = 1,
	.most = 3,
	.operands = "one or two drives, and before them a suite or job file if you like",
	.run = run_suite_main,
};
