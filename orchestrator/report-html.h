/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NVMATCH_REPORT_HTML_H
#define NVMATCH_REPORT_HTML_H

#include <stdio.h>

#include "model-picture.h"
#include "plot.h"

/*
 * The report as one page: no script, nothing loaded from anywhere, light and dark, for a screen, a
 * phone and paper. 0, -ENOMEM or -EIO. The pictures' SVG is put into it (plot-svg.h).
 */
int report_html(FILE *out, const struct result *result, const struct verdict *verdict,
		const struct plots *plots, const struct pictures *pictures);

#endif
