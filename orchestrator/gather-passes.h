/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of gather: slots that are no rounds, and what the run directory keeps of other runs. */
#ifndef NVMATCH_GATHER_PASSES_H
#define NVMATCH_GATHER_PASSES_H

#include "json-fields.h"
#include "model.h"

/*
 * The fingerprint pass and the plain slots of a workload whose rounds are gathered: which pass its
 * data match comes from, what changed in between, and its probes. 0 or -ENOMEM.
 */
int gather_passes(struct result *result, struct workload_result *workload);

/*
 * Takes the number of rounds that was fixed after the pilot (stop.json) into result.plan: slots
 * behind it were not planned. 0, or -EBADMSG after printing when it does not fit the plan.
 */
int gather_stop(struct result *result);

/* Calibration and earlier sessions that fit the drives; the others are named in the notes. */
int gather_other_runs(struct result *result);

/* Reads a document of the run by its table. 0, or -EBADMSG after printing. */
int gather_document(const char *run, const char *name, const struct field *fields, void *data);

#endif
