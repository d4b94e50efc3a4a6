/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the explanations that read SMART pages share: the pages of a run, and whether they are alive. */
#ifndef NVMATCH_HYPOTHESES_SMART_H
#define NVMATCH_HYPOTHESES_SMART_H

#include "hypotheses.h"

/* The first page before and the last page after, over all slots of a side. */
struct smart_span {
	const struct measurement *first, *last;	/* NULL: none */
	double units_moved;		/* data units read and written between the two */
	double bytes_asked;		/* by fio in the same time */
};

/*
 * Both sides' pages. False: the row is not measured, as f says (no page, a frozen one, too little moved);
 * span is filled as far as there are pages.
 */
bool smart_pages(struct judging *j, struct ledger_row *row, struct finding *f, struct smart_span span[SIDES]);

/* after - before */
double smart_rise(struct smart_counter before, struct smart_counter after);

#endif
