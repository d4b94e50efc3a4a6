/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Part of run: the links of a drive while fio runs, looked at once a second, as an idle link may sleep.
 * Leaves link-load.csv: a row for each time that a link stayed as it was, with the number of looks
 * (time_ns,link,address,speed_gt_per_s,width_lanes,looks; link 0 is the drive itself; empty: not known).
 */
#ifndef NVMATCH_RUN_LINKS_H
#define NVMATCH_RUN_LINKS_H

#include "model.h"

struct links_seen {
	struct text csv;
	struct pci_link *last;		/* drive.links_count of them; NULL: no look yet */
	int64_t *since_ns, *looks;
	int64_t next_ns;		/* CLOCK_REALTIME of the next look */
	bool failed;
};

/* Looks if it is time to. now_ns: CLOCK_REALTIME. */
void links_look(struct links_seen *seen, const struct drive *drive, int64_t now_ns);

/* Writes DIRECTORY/link-load.csv if anything was seen. 0 or -errno (printed). */
int links_write(struct links_seen *seen, const struct drive *drive, const char *directory);

void links_free(struct links_seen *seen, const struct drive *drive);

#endif
