/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed over the seconds of a slot. */
#include "series.h"

#include <math.h>
#include <stdlib.h>

#include "stats.h"

#define WARM_UP_SECONDS 5	/* left out where the slot is long enough */
#define WINDOW_SECONDS 10
#define LEAST_WINDOW 4
#define LEAST_HOT 3

double series_drop(const double *bytes, size_t seconds)
{
	size_t warm = seconds >= WARM_UP_SECONDS + 2 * WINDOW_SECONDS ? WARM_UP_SECONDS : 0;
	size_t window = (seconds - warm) / 2;

	window = window > WINDOW_SECONDS ? WINDOW_SECONDS : window;
	if (window < LEAST_WINDOW)
		return NAN;
	return 1 - stats_median(bytes + seconds - window, window) / stats_median(bytes + warm, window);
}

double series_hot_ratio(const double *bytes, const bool *hot, size_t seconds)
{
	double *picked = calloc(seconds + 1, sizeof(*picked)), ratio = NAN;
	size_t cool = 0, n = 0;

	if (!picked)
		return NAN;
	while (cool < seconds && !hot[cool])
		cool++;
	for (size_t i = cool; i < seconds; i++) {
		if (hot[i])
			picked[n++] = bytes[i];
	}
	if (cool >= LEAST_HOT && n >= LEAST_HOT)
		ratio = stats_median(picked, n) / stats_median(bytes, cool);
	free(picked);
	return ratio;
}
