/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run directory of which one document is another: gather, judge, and every text of it. */
#include "derive.h"
#include "tests/fuzz/fuzz.h"

#define FUZZ_JSON_START 1
#include "tests/fuzz/mutate-json.h"

#define SLOT "slots/0001-seq-read-1m-A/"
static const char *const names[] = { "run.json",
				     "plan.json",
				     "drives.json",
				     "host.json",
				     "end.json",
				     SLOT "slot.json",
				     SLOT "A/fio.json",
				     SLOT "A/exit",
				     SLOT "A/job.fio",
				     SLOT "A/blk-before",
				     SLOT "A/blk-after",
				     SLOT "A/link.json",
				     NULL };

static void judge(const char *tree)
{
	struct derived derived;

	derive(tree, &derived);
	derive_free(&derived);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_replace(names, data, size, judge);
	return 0;
}
