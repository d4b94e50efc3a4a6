/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SplitMix64 (Steele, Lea, Flood 2014) and the orders drawn from it. */
#include "stats-random.h"

uint64_t stats_random_next(struct stats_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

uint64_t stats_random_index(struct stats_random *r, uint64_t n)
{
	return (uint64_t)((unsigned __int128)stats_random_next(r) * n >> 64);
}

double stats_random_unit(struct stats_random *r)
{
	return (double)(stats_random_next(r) >> 11) * 0x1p-53;
}

bool stats_random_quad(struct stats_random *r)
{
	return stats_random_next(r) & 1;
}

void stats_random_order(struct stats_random *r, bool *b_first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		b_first[i] = i >= n / 2;
	for (size_t i = n; i-- > 1;) {
		size_t j = stats_random_index(r, i + 1);
		bool kept = b_first[i];

		b_first[i] = b_first[j];
		b_first[j] = kept;
	}
}
