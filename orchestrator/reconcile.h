/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Byte accounting: what fio asked for, what the block device did, and what the drive says it did must
 * be one number. The block layer counts exactly, but only what went through this kernel's path. The
 * drive's SMART data units count everything that reached the controller, in steps of 1000 blocks of 512
 * bytes, rounded up (NVMe base specification 2.0, figure 207); some count in larger steps, which the
 * differences themselves show. More than fio asked for: foreign traffic. Less: bytes that never got
 * there (page cache, holes), or a counter that stands still. Pure.
 */
#ifndef NVMATCH_RECONCILE_H
#define NVMATCH_RECONCILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The step in which a counter moves, in data units: the greatest common divisor of its differences
 * over the slots of a run. 1 for fewer than four differences that are not 0: not enough to tell.
 */
int64_t reconcile_step_units(const int64_t *deltas, size_t count);

/* The bytes that a difference of data units stands for lie in [low, high]; low may be below zero. */
void reconcile_bounds(int64_t delta_units, int64_t step_units, int64_t *low_bytes, int64_t *high_bytes);

struct accounting;

/* Sums over the slots of one side. Start with zeros. */
struct reconciled {
	double block_asked, block_foreign;	/* bytes, of slots that have a block count */
	double smart_asked, smart_foreign_low, smart_foreign_high;	/* of slots that have a SMART count */
	double both_block, both_smart_high;	/* of slots that have both */
};
void reconcile_add(struct reconciled *sum, const struct accounting *account);

/* Foreign bytes as a share of fio's, by each count. NaN: no such count. */
struct foreign_share {
	double block, smart_low, smart_high;
	/*
	 * The drive's counter stands still, or counted less than the block device did by more than 2 %,
	 * over at least `least_bytes`: it is no meter, and smart_low and smart_high are NaN.
	 */
	bool smart_frozen;
};
struct foreign_share reconcile_share(const struct reconciled *sum, double least_bytes);

/*
 * What both counts together say. A lower bound from either proves traffic; that bytes never arrived
 * is shown by either, too. NaN: neither count is there.
 */
double reconcile_foreign_low(const struct foreign_share *share);
double reconcile_foreign_high(const struct foreign_share *share);

#endif
