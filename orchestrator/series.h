/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes second by second within a slot: did speed fall, and was it lower when the drive was hot? Pure. */
#ifndef NVMATCH_SERIES_H
#define NVMATCH_SERIES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * 1 - median of the last seconds / median of the first ones after the warm-up: ten seconds each
 * where there are so many, fewer in a short slot. NaN for less than eight whole seconds.
 */
double series_drop(const double *bytes, size_t seconds);

/*
 * Median speed in hot seconds over that of the cool ones before the first hot one. NaN unless
 * there are three of each.
 */
double series_hot_ratio(const double *bytes, const bool *hot, size_t seconds);

#endif
