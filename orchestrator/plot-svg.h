/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot's SVG made fit to stand inside a page, beside others. */
#ifndef NVMATCH_PLOT_SVG_H
#define NVMATCH_PLOT_SVG_H

#include <stdio.h>

/*
 * Prints the svg element alone: ids get prefix, colours become the page's variables, so that a dark
 * page has dark pictures, and only drawing elements are let through. label: what a screen reader
 * says, unescaped. 0, -EBADMSG (not an SVG as gnuplot writes it) or -ENOMEM.
 */
int plot_svg_print(FILE *out, const char *svg, const char *prefix, const char *label);

#endif
