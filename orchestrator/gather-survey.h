/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of gather: the survey of a run. */
#ifndef NVMATCH_GATHER_SURVEY_H
#define NVMATCH_GATHER_SURVEY_H

#include "model.h"

/*
 * Reads run/survey.json, which need not be there, into result->survey. One of other drives than
 * result->drives is named in result->notes and left out. 0; -EBADMSG damaged (printed); -ENOMEM.
 */
int gather_survey(const char *run, struct result *result);

#endif
