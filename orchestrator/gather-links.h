/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of gather: what the links did while a slot ran. */
#ifndef NVMATCH_GATHER_LINKS_H
#define NVMATCH_GATHER_LINKS_H

#include "model.h"

/*
 * Reads DIR/link-load.csv into m->links and, of the endpoint, m->link_speed_min_gt_per_s and so on.
 * A file that is damaged gives nothing. 0 or -ENOMEM.
 */
int gather_links(const char *dir, struct measurement *m);

#endif
