/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and verdicts in words, the same in every format. Strings that are returned are the caller's. */
#ifndef NVMATCH_REPORT_WORDS_H
#define NVMATCH_REPORT_WORDS_H

#include "model.h"

/* "A is faster by 5.0 %", "B has lower latency by 3.1 %", "equivalent", "not compared"; NULL: no memory. */
char *report_verdict_words(const struct comparison *c);

/* "5.44 GB/s", "412 k IOPS", "85.1 us" by the metric's name; "n/a" when unknown. NULL: no memory. */
char *report_metric_value(const char *metric, double value);

/* "bandwidth", "IOPS", "latency p99": static, or the name itself. */
const char *report_metric_words(const char *metric);

/* "not supported" for a ledger state, "not valid" for a headline state: static. */
const char *report_ledger_words(int state);
const char *report_headline_words(int state);

#endif
