/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything derived from a run: gather, judge, and the documents made of them. With the
 * commands, the only place that knows this order.
 */
#ifndef NVMATCH_DERIVE_H
#define NVMATCH_DERIVE_H

#include "model.h"

struct document {
	const char *name;	/* result.json, verdict.json, report.txt, report.md */
	char *data;
	size_t length;
};
#define DERIVED_DOCUMENTS 4

struct derived {
	struct result result;
	struct verdict verdict;
	struct document documents[DERIVED_DOCUMENTS];
};

/* Builds all in memory. 0 or -errno (printed). Free with derive_free, after a failure too. */
int derive(const char *run, struct derived *derived);
/*
 * More gates than those of the plan: for this output only, the documents stay what the evidence
 * gives. 0; -EINVAL after printing what is wrong with an expression.
 */
int derive_gates(struct derived *derived, const struct strings *gates);
/* Writes the documents into the run directory. */
int derive_write(const char *run, const struct derived *derived);
void derive_free(struct derived *derived);

/* The exit status that a run's state and verdict mean; 128+n is the caller's matter. */
int derive_exit_status(const struct derived *derived);

#endif
