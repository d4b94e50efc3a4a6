/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks an NVMe drive which blocks are allocated. */
#include "smart-lba.h"

#include <errno.h>
#include <fcntl.h>
#include <libnvme.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "smart-internal.h"

#define ALLOCATED 0x02		/* action type */
#define COMPLETE 2		/* completion condition: all of the range was looked at */
#define STATUS_MASK 0x7ff	/* type and code, without More and Do Not Retry */
#define UNWRITTEN (NVME_SCT_MEDIA << NVME_SCT_SHIFT | NVME_SC_UNWRITTEN_BLOCK)

int lba_status_open(const struct drive *drive, char **reason)
{
	*reason = NULL;
	if (!known(drive->namespace_id))
		return smart_refuse(reason, -EOPNOTSUPP, "the namespace has no number in /sys");
	return smart_open(drive, reason);
}

/*
 * The entries are in order, and the first begins at the lowest allocated block at or behind slba. So it
 * alone decides, whatever the number of them, and how long it is does not matter.
 */
int lba_status_decide(const struct lba_status_list *list, uint64_t slba, uint16_t blocks, char **reason)
{
	uint64_t first = le64toh(list->first.dslba);

	if (!le32toh(list->head.nlsd)) {
		if (list->head.cmpc != COMPLETE)
			return smart_refuse(reason, -EIO, "Get LBA Status did not finish the range (condition %u)",
					    (unsigned int)list->head.cmpc);
		return 1;
	}
	if (first < slba)
		return smart_refuse(reason, -EBADMSG, "Get LBA Status answered for block %llu, and was asked from block "
				    "%llu on", (unsigned long long)first, (unsigned long long)slba);
	return first - slba >= blocks;
}

int lba_status_ask(int fd, uint32_t nsid, uint64_t slba, uint16_t blocks, char **reason)
{
	struct lba_status_list list = { 0 };
	/* not nvme_get_lba_status(): that of libnvme 1.3 gives the kernel no length of the buffer */
	struct nvme_passthru_cmd command = {
		.opcode = nvme_admin_get_lba_status, .nsid = nsid, .addr = (uint64_t)(uintptr_t)&list,
		.data_len = sizeof(list), .cdw10 = (uint32_t)slba, .cdw11 = (uint32_t)(slba >> 32),
		.cdw12 = sizeof(list) / 4 - 1, .cdw13 = blocks | (uint32_t)ALLOCATED << 24,
	};
	int ret;

	if (!blocks)	/* would ask for all to the end of the namespace */
		return smart_refuse(reason, -EINVAL, "no block was asked for");
	errno = 0;
	ret = nvme_submit_admin_passthru(fd, &command, NULL);
	return ret ? smart_refused(reason, "Get LBA Status (type 02h)", ret) :
		     lba_status_decide(&list, slba, blocks, reason);
}

static int get_feature(int fd, uint32_t nsid, uint32_t *value, char **reason)
{
	struct nvme_get_features_args args = {
		.args_size = sizeof(args), .fd = fd, .nsid = nsid, .fid = NVME_FEAT_FID_ERR_RECOVERY,
		.sel = NVME_GET_FEATURES_SEL_CURRENT, .uuidx = NVME_UUID_NONE, .result = value,
	};
	int ret;

	errno = 0;
	ret = nvme_get_features(&args);
	return ret ? smart_refused(reason, "Get Features 05h", ret) : 0;
}

static int set_feature(int fd, uint32_t nsid, uint32_t value, char **reason)
{
	uint32_t result = 0;
	struct nvme_set_features_args args = {
		.args_size = sizeof(args), .fd = fd, .nsid = nsid, .fid = NVME_FEAT_FID_ERR_RECOVERY,
		.cdw11 = value, .save = false, .uuidx = NVME_UUID_NONE, .result = &result,
	};
	int ret;

	errno = 0;
	ret = nvme_set_features(&args);
	return ret ? smart_refused(reason, "Set Features 05h", ret) : 0;
}

/* A begin that failed with ret and *reason; when the old setting is not there either, that is said. */
static int undo(struct dulbe *d, int ret, char **reason)
{
	_cleanup_free_ char *first = *reason, *second = NULL;

	*reason = NULL;
	if (!dulbe_end(d, &second)) {
		*reason = first;
		first = NULL;
		return ret;
	}
	return smart_refuse(reason, -ENOTRECOVERABLE, "%s; and DULBE may be on: %s", first ? first : "?",
			    second ? second : "?");
}

int dulbe_begin(const struct drive *drive, struct dulbe *d, char **reason)
{
	const uint32_t bit = 1u << NVME_FEAT_ERROR_RECOVERY_DULBE_SHIFT;
	uint32_t now = 0;
	int ret;

	*reason = NULL;
	*d = (struct dulbe){ .fd = -1 };
	if (drive->kind != TARGET_BLOCK || !drive->controller || !known(drive->namespace_id) ||
	    drive->partition_start_bytes)
		return smart_refuse(reason, -EOPNOTSUPP, "it is not a whole NVMe namespace");
	if (!known(drive->identify.nsfeat) || !(drive->identify.nsfeat & DULBE_NSFEAT))
		return smart_refuse(reason, -EOPNOTSUPP, "the namespace does not offer DULBE (NSFEAT bit 2)");
	/* reads go through the namespace: a controller takes them only when it has a single one */
	d->fd = open(drive->path, O_RDONLY | O_EXCL | O_CLOEXEC);
	if (d->fd < 0)
		return smart_refuse(reason, -errno, "it cannot be had exclusively (%s): it or a partition of it is "
				    "mounted or in use", strerror(errno));
	d->nsid = (uint32_t)drive->namespace_id;
	ret = get_feature(d->fd, d->nsid, &d->before, reason);
	if (!ret && !(d->before & bit)) {
		/* a command that failed (time-out, reset) may have been done all the same */
		d->changed = true;
		ret = set_feature(d->fd, d->nsid, d->before | bit, reason);
	}
	/* what was set is read back: a drive may take a command and not do it */
	if (!ret)
		ret = get_feature(d->fd, d->nsid, &now, reason);
	if (!ret && !(now & bit))
		ret = smart_refuse(reason, -EIO, "the drive took the setting of DULBE and did not keep it");
	return ret ? undo(d, ret, reason) : 0;
}

int dulbe_ask(const struct dulbe *d, uint64_t slba, uint16_t blocks, void *buffer, uint32_t bytes,
	      char **reason)
{
	uint32_t result = 0;
	struct nvme_io_args args = {
		.args_size = sizeof(args), .fd = d->fd, .nsid = d->nsid, .slba = slba,
		.nlb = (uint16_t)(blocks - 1), .data = buffer, .data_len = bytes, .result = &result,
	};
	int ret;

	errno = 0;
	ret = nvme_read(&args);
	if (ret > 0 && (ret & STATUS_MASK) == UNWRITTEN)
		return 1;
	return ret ? smart_refused(reason, "a read with DULBE on", ret) : 0;
}

int dulbe_end(struct dulbe *d, char **reason)
{
	uint32_t now = 0;
	int ret = 0;

	*reason = NULL;
	if (d->fd < 0)
		return 0;
	if (d->changed) {
		/* asked first: a set that was refused needs no second one, which would be refused too */
		ret = get_feature(d->fd, d->nsid, &now, reason);
		if (ret || now != d->before) {
			free(*reason);
			*reason = NULL;
			ret = set_feature(d->fd, d->nsid, d->before, reason);
			if (!ret)
				ret = get_feature(d->fd, d->nsid, &now, reason);
		}
		if (!ret && now != d->before)
			ret = smart_refuse(reason, -EIO, "the drive did not take its old setting of DULBE back");
	}
	close(d->fd);
	*d = (struct dulbe){ .fd = -1 };
	return ret;
}
