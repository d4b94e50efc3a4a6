/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch suites: what can be run. */
#include <stdio.h>

#include "command.h"
#include "fail.h"
#include "options.h"
#include "plan.h"
#include "suite.h"

/* On two drives that are large enough for all ranges. */
static double minutes(const struct suite *suite)
{
	double ns = 0;

	for (size_t i = 0; i < suite->workloads_count; i++) {
		struct workload w = suite->workloads[i];

		w.ranges_count = suite->own_ranges ? 1 : (size_t)suite->ranges;
		if (!suite->own_ranges)
			w.runtime_ns = suite->range_runtime_ns + suite->range_ramp_ns;
		ns += (double)plan_slot_ns(&w) * (double)suite->rounds *
		      ((suite->single ? 2 : 0) + (suite->concurrent ? 1 : 0));
	}
	return ns / 60e9;
}

static int show(const char *name, bool whole)
{
	struct suite suite;
	int ret = suite_load(name, &suite);

	if (ret)
		return ret;
	printf("%-10s %s\n           %lld rounds, about %.1f minutes%s\n", suite.name, suite.summary,
	       (long long)suite.rounds, minutes(&suite),
	       !suite.cooldown.enabled ? "" : suite.cooldown.rest_ns > 0 ?
	       ", and rests between slots on drives with a temperature sensor" :
	       ", and cool-down when a drive gets warm");
	for (size_t i = 0; whole && i < suite.workloads_count; i++) {
		const struct workload *w = &suite.workloads[i];

		printf("\n[%s]  from %s\n", w->name, w->job_file);
		for (size_t k = 0; k < w->options.count; k++)
			printf("%s\n", w->options.items[k]);
	}
	suite_free(&suite);
	return 0;
}

static int suites_main(int argc, char **argv)
{
	const struct option_row rows[] = { { 0 } };
	struct strings names = { 0 };
	int operands, ret = command_options(&cmd_suites, rows, argc, argv, &operands);

	if (ret)
		return ret;
	if (operands == 1)
		return show(argv[1], true);
	ret = suite_names(&names);
	for (size_t i = 0; !ret && i < names.count; i++)
		ret = show(names.items[i], false);
	strings_free(&names);
	return ret;
}

const struct command cmd_suites = {
	.name = "suites",
	.synopsis = "[NAME|JOBFILE]",
	.summary = "what can be run, and how long it takes",
	.least = 0,
	.most = 1,
	.operands = "at most one suite or job file",
	.run = suites_main,
};
