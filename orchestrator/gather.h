/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run directory -> struct result. The only readers of evidence.
 * The same evidence gives the same result, on any machine: nothing here looks at this host's
 * clock, drives or environment.
 */
#ifndef NVMATCH_GATHER_H
#define NVMATCH_GATHER_H

#include "model.h"

/*
 * Fills result (free with gather_free). Slots that are missing, cut or failed are marked as not
 * usable with a reason, and named in result.notes: they are not an error.
 * 0; -EINVAL not a run directory, -EBADMSG its documents are damaged (printed); -ENOMEM.
 */
int gather(const char *run, struct result *result);
void gather_free(struct result *result);

#endif
