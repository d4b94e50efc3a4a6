/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of gather: how a run was started and how it ended. */
#ifndef NVMATCH_GATHER_STATE_H
#define NVMATCH_GATHER_STATE_H

#include "model.h"

/* end.json and run.json into state, notes, started_utc and command. 0 or -errno after printing. */
int gather_state(const char *run, struct result *result);

#endif
