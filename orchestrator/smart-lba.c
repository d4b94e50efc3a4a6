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

#define ALLOCATED 0x02		/* action type; newer than libnvme 1.3's enum */
#define COMPLETE 2		/* completion condition: all of the range was looked at */
#define DESCRIPTORS 8
#define STATUS_MASK 0x7ff	/* type and code, without More and Do Not Retry */
#define UNWRITTEN (NVME_SCT_MEDIA << NVME_SCT_SHIFT | NVME_SC_UNWRITTEN_BLOCK)

int lba_status_open(const struct drive *drive, char **reason)
{
	*reason = NULL;
	if (!known(drive->namespace_id))
		return smart_refuse(reason, -EOPNOTSUPP, "the namespace has no number in /sys");
	return smart_open(drive, reason);
}

int lba_status_ask(int fd, uint32_t nsid, uint64_t slba, uint16_t blocks, char **reason)
{
	struct {
		struct nvme_lba_status head;
		struct nvme_lba_status_desc more[DESCRIPTORS];
	} list = { 0 };
	uint32_t result = 0;
	struct nvme_get_lba_status_args args = {
		.args_size = sizeof(args), .fd = fd, .nsid = nsid, .slba = slba, .rl = blocks,
		.mndw = sizeof(list) / 4 - 1, .atype = (enum nvme_lba_status_atype)ALLOCATED,
		.lbas = &list.head, .result = &result,
	};
	int ret;

	errno = 0;
	ret = nvme_get_lba_status(&args);
	if (ret)
		return smart_refused(reason, "Get LBA Status (type 02h)", ret);
	/* any descriptor is an allocated range that meets the blocks asked for */
	if (le32toh(list.head.nlsd))
		return 0;
	if (list.head.cmpc != COMPLETE)
		return smart_refuse(reason, -EIO, "Get LBA Status did not finish the range (condition %u)",
				    (unsigned int)list.head.cmpc);
	return 1;
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
		ret = set_feature(d->fd, d->nsid, d->before | bit, reason);
		d->changed = !ret;
	}
	/* what was set is read back: a drive may take a command and not do it */
	if (!ret)
		ret = get_feature(d->fd, d->nsid, &now, reason);
	if (!ret && !(now & bit))
		ret = smart_refuse(reason, -EIO, "the drive took the setting of DULBE and did not keep it");
	if (ret) {
		_cleanup_free_ char *ignored = NULL;

		dulbe_end(d, &ignored);
	}
	return ret;
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
		ret = set_feature(d->fd, d->nsid, d->before, reason);
		if (!ret)
			ret = get_feature(d->fd, d->nsid, &now, reason);
		if (!ret && now != d->before)
			ret = smart_refuse(reason, -EIO, "the drive did not take its old setting of DULBE back");
	}
	close(d->fd);
	*d = (struct dulbe){ .fd = -1 };
	return ret;
}
