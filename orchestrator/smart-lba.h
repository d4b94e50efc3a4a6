/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is a block allocated? The two ways to ask an NVMe drive. Reasons come back as sentences (caller
 * frees); nothing is printed.
 */
#ifndef NVMATCH_SMART_LBA_H
#define NVMATCH_SMART_LBA_H

#include <libnvme.h>

#include "model.h"

/*
 * Get LBA Status: admin command 86h, OACS bit 9; NVM Command Set Specification 1.0, 4.2.1, Figures 107
 * to 112. Action type (CDW13 31:24) 02h gives the allocated ranges and is newer than 1.0, whose types
 * 10h and 11h speak of what may be unrecoverable and are of no use here. MNDW (CDW12) is 0's based; RL
 * (CDW13 15:0) is not, and its 0 means to the end of the namespace. Answer: NLSD, CMPC (0 not said, 1
 * stopped at MNDW, 2 all of the range was looked at), entries of DSLBA and NLB (0's based) in order, the
 * first at the lowest such block at or behind SLBA. Read-only; a drive that does not know the type
 * refuses it and logs an error.
 */
#define LBA_STATUS_OACS (1 << 9)
int lba_status_open(const struct drive *drive, char **reason);	/* a file descriptor, or -errno */
/* 1: none of the blocks is allocated, 0: some are; -errno with *reason. blocks: 1 to 65535. */
int lba_status_ask(int fd, uint32_t nsid, uint64_t slba, uint16_t blocks, char **reason);
/* What an answer says, as lba_status_ask; apart for its tests. */
struct lba_status_list {
	struct nvme_lba_status head;
	struct nvme_lba_status_desc first;
};
int lba_status_decide(const struct lba_status_list *list, uint64_t slba, uint16_t blocks, char **reason);

/*
 * Deallocated or Unwritten Logical Block Error (NSFEAT bit 2; Error Recovery, Set Features 05h, of the
 * namespace, CDW11 bit 16, beside TLER in 15:0; such a read fails with status 2/87h): while it is
 * on, reads of such blocks fail, also those of others. So only on request, and on a whole drive that
 * is not in use; restored by dulbe_end. The setting is not saved: a reset of the drive ends it, too.
 */
#define DULBE_NSFEAT (1 << 2)
struct dulbe {
	int fd;
	uint32_t nsid, before;		/* the feature as it was */
	bool changed;
};
/*
 * 0; -errno with *reason: nothing was changed or it was restored, but for -ENOTRECOVERABLE, where DULBE
 * may be on.
 */
int dulbe_begin(const struct drive *drive, struct dulbe *dulbe, char **reason);
/* One read into buffer: 1 deallocated or unwritten, 0 it holds data; -errno with *reason. */
int dulbe_ask(const struct dulbe *dulbe, uint64_t slba, uint16_t blocks, void *buffer, uint32_t bytes,
	      char **reason);
/* 0, or -errno with *reason: then the setting is still changed. Without a change it does nothing. */
int dulbe_end(struct dulbe *dulbe, char **reason);

#endif
