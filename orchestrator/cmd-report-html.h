/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NVMATCH_CMD_REPORT_HTML_H
#define NVMATCH_CMD_REPORT_HTML_H

#include <stdio.h>

#include "model.h"

/*
 * The page, and its pictures below the run's plots/ when the run can be written. A printer as those
 * in report.h: 0 or -errno; what is wrong with gnuplot is said in the page.
 */
int report_html_page(FILE *out, const struct result *result, const struct verdict *verdict);

/* Files for fio-plot below a new directory (report-fio-plot.h). 0, an exit status or -errno (printed). */
int report_fio_plot_files(const char *directory, const struct result *result, const struct verdict *verdict);

#endif
