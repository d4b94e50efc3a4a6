/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evidence -> what pictures need beside the result: speed and heat over time, histograms, job files. */
#ifndef NVMATCH_GATHER_PICTURES_H
#define NVMATCH_GATHER_PICTURES_H

#include "model-picture.h"

/*
 * Fills pictures from the run that result was gathered from; slots that cannot be read are left
 * out. 0 or -ENOMEM (printed). Free with gather_pictures_free, after a failure too.
 */
int gather_pictures(const struct result *result, struct pictures *pictures);
void gather_pictures_free(struct pictures *pictures);

#endif
