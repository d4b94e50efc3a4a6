/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the page that other formats do not have. Failures are marked in page->r.failed. */
#ifndef NVMATCH_REPORT_HTML_PARTS_H
#define NVMATCH_REPORT_HTML_PARTS_H

#include "plot.h"
#include "report-print.h"

struct page {
	struct report r;	/* first: what the printer's functions get */
	const struct plots *plots;
	const struct pictures *pictures;
	bool in_list, in_section;
};

/* before and after as they are, text escaped. */
void page_put(struct page *page, const char *before, const char *text, const char *after);
void page_end_list(struct page *page);

void page_verdict(struct page *page);		/* badge, two sentences, who is who */
void page_sentences(struct page *page);
void page_figures(struct page *page);
void page_ledger(struct page *page);		/* a row for each explanation, which opens to its evidence */
void page_missing(struct page *page);
void page_jobs(struct page *page);
void page_thresholds(struct page *page);

#endif
