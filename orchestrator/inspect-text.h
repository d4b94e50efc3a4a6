/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of drives as text for people: one column, or two side by side. */
#ifndef NVMATCH_INSPECT_TEXT_H
#define NVMATCH_INSPECT_TEXT_H

#include "model.h"

struct inspected {
	struct drive drive;
	struct smart smart;
	struct endurance endurance;	/* not valid where the drive offers none */
	struct ocp_smart ocp;
};

/*
 * Appends the table of one or two drives (count 1 or 2), width columns wide, everything escaped
 * for a terminal. What is not known is n/a, and its reason follows below the table. 0 or -ENOMEM.
 */
int inspect_text(const struct inspected *drives, size_t count, int width, struct text *out);

/* SMART health in lines, for a page that was decoded. 0 or -ENOMEM. */
int inspect_smart_text(const struct smart *smart, struct text *out);

/* Lines on the log pages beside it; nothing where there is none. 0 or -ENOMEM. */
int inspect_pages_text(const struct inspected *x, struct text *out);
/* One line for each link of the way, without a line end behind the last. */
void inspect_links_text(const struct drive *drive, struct text *out);
/* IOMMU, interrupts, host memory and layers above the disk, likewise. */
void inspect_host_path_text(const struct drive *drive, struct text *out);

#endif
