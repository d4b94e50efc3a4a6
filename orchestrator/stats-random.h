/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A seeded random stream (SplitMix64), and the orders of A and B that are drawn from it. */
#ifndef NVMATCH_STATS_RANDOM_H
#define NVMATCH_STATS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start with the seed: struct stats_random r = { seed }. The same seed gives the same stream. */
struct stats_random {
	uint64_t state;
};

uint64_t stats_random_next(struct stats_random *r);
/* 0 <= index < n: the high 64 bits of next * n; n must not be 0. */
uint64_t stats_random_index(struct stats_random *r, uint64_t n);
/* 0 <= u < 1, 53 bits. */
double stats_random_unit(struct stats_random *r);

/*
 * Order of two rounds: ABBA (false) or BAAB (true), by coin. A drift that is linear over the four
 * slots cancels exactly in either.
 */
bool stats_random_quad(struct stats_random *r);

/* b_first[i]: round i starts with B. n/2 rounds of each kind (the odd one starts with B), shuffled. */
void stats_random_order(struct stats_random *r, bool *b_first, size_t n);

#endif
