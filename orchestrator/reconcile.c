/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of the bytes that fio did not ask for, or that never arrived. */
#include "reconcile.h"

#include "model.h"

#define UNIT_BLOCKS 1000
#define BLOCK_BYTES 512
#define LAG_SHARE 0.02		/* a living counter follows within this (method: liveness) */

int64_t reconcile_step_units(const int64_t *deltas, size_t count)
{
	int64_t step = 0;
	size_t moved = 0;

	for (size_t i = 0; i < count; i++) {
		int64_t a = step, b = deltas[i];

		if (b <= 0)
			continue;
		moved++;
		while (b) {
			int64_t rest = a % b;

			a = b;
			b = rest;
		}
		step = a;
	}
	return moved >= 4 ? step : 1;
}

static int64_t clamp(__int128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < -INT64_MAX ? -INT64_MAX : (int64_t)v;
}

void reconcile_bounds(int64_t delta_units, int64_t step_units, int64_t *low_bytes, int64_t *high_bytes)
{
	__int128 d = delta_units;

	*low_bytes = clamp(((d - step_units) * UNIT_BLOCKS + 1) * BLOCK_BYTES);
	*high_bytes = clamp(((d + step_units) * UNIT_BLOCKS - 1) * BLOCK_BYTES);
}

void reconcile_add(struct reconciled *sum, const struct accounting *account)
{
	bool asked = known(account->asked_bytes), block = asked && known(account->block_foreign_bytes);
	bool smart = asked && known(account->smart_foreign_low_bytes) && known(account->smart_foreign_high_bytes);

	if (block) {
		sum->block_asked += (double)account->asked_bytes;
		sum->block_foreign += (double)account->block_foreign_bytes;
	}
	if (smart) {
		sum->smart_asked += (double)account->asked_bytes;
		sum->smart_foreign_low += (double)account->smart_foreign_low_bytes;
		sum->smart_foreign_high += (double)account->smart_foreign_high_bytes;
	}
	if (block && smart && known(account->block_bytes) && known(account->smart_high_bytes)) {
		sum->both_block += (double)account->block_bytes;
		sum->both_smart_high += (double)account->smart_high_bytes;
	}
}

struct foreign_share reconcile_share(const struct reconciled *sum, double least_bytes)
{
	struct foreign_share s = { NAN, NAN, NAN, false };

	if (sum->block_asked > 0)
		s.block = sum->block_foreign / sum->block_asked;
	if (sum->smart_asked > 0) {
		s.smart_low = sum->smart_foreign_low / sum->smart_asked;
		s.smart_high = sum->smart_foreign_high / sum->smart_asked;
	}
	if (sum->both_block >= least_bytes && sum->both_smart_high < (1 - LAG_SHARE) * sum->both_block)
		s.smart_frozen = true;
	/* alone it cannot tell standing still from bytes that never came; but some would have come */
	if (isnan(s.block) && sum->smart_asked >= least_bytes && s.smart_high < LAG_SHARE - 1)
		s.smart_frozen = true;
	if (s.smart_frozen)
		s.smart_low = s.smart_high = NAN;
	return s;
}

double reconcile_foreign_low(const struct foreign_share *share)
{
	return fmax(share->block, share->smart_low);
}

double reconcile_foreign_high(const struct foreign_share *share)
{
	return fmin(share->block, share->smart_high);
}
