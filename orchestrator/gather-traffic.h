/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of gather: the byte accounts of all slots, when all have been read. */
#ifndef NVMATCH_GATHER_TRAFFIC_H
#define NVMATCH_GATHER_TRAFFIC_H

#include "model.h"

/*
 * Fills measurement.account (but asked_bytes, which the records tell) of all slots: the step of each
 * drive's counter is learned from all of them first. 0 or -ENOMEM.
 */
int gather_traffic(struct result *result);

#endif
