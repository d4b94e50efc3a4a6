/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetches log pages beside the SMART page, and finds out which of them a drive offers. */
#include "pages.h"

#include <errno.h>
#include <libnvme.h>
#include <stdlib.h>
#include <string.h>

#include "smart-internal.h"

#define LID_OCP 0xc0
#define SUPPORTED_LOGS 256
#define CTRATT_ENDURANCE_GROUPS (1 << 4)
#define CTRATT_UUID_LIST (1 << 9)
#define LPA_SUPPORTED_LOGS (1 << 5)
#define NVME_PAGE_BYTES 4096	/* unit of the host memory buffer: Linux sets CC.MPS so */

/* C194D55B-E094-4794-A21D-29998F56BE6F: whose vendor-specific pages are OCP's */
static const unsigned char ocp_uuid[16] = {
	0xc1, 0x94, 0xd5, 0x5b, 0xe0, 0x94, 0x47, 0x94, 0xa2, 0x1d, 0x29, 0x99, 0x8f, 0x56, 0xbe, 0x6f
};

struct log_request {
	int lid;
	uint16_t specific;	/* the endurance group */
	uint8_t uuid_index;
	uint32_t nsid;
	uint32_t length;
};

/* libnvme's result: 0, an NVMe status, or -1 with errno. Pending events of the drive stay pending. */
static int get_log(int fd, const struct log_request *r, void *to)
{
	struct nvme_get_log_args args = {
		.args_size = sizeof(args), .fd = fd, .timeout = NVME_DEFAULT_IOCTL_TIMEOUT, .log = to,
		.lid = (enum nvme_cmd_get_log_lid)r->lid, .len = r->length, .nsid = r->nsid, .csi = NVME_CSI_NVM,
		.lsi = r->specific, .uuidx = r->uuid_index, .rae = true,
	};

	errno = 0;
	return nvme_get_log(&args);
}

static bool request_of(enum page_kind kind, const struct identify *id, struct log_request *r)
{
	switch (kind) {
	case PAGE_ENDURANCE:
		*r = (struct log_request){ NVME_LOG_LID_ENDURANCE_GROUP, (uint16_t)id->endurance_group, 0,
					   NVME_NSID_NONE, ENDURANCE_PAGE_BYTES };
		return id->endurance_log == 1 && known(id->endurance_group);
	case PAGE_OCP:
		*r = (struct log_request){ LID_OCP, 0, known(id->ocp_uuid_index) ? (uint8_t)id->ocp_uuid_index : 0,
					   NVME_NSID_ALL, OCP_PAGE_BYTES };
		return id->ocp_log == 1;
	default:
		*r = (struct log_request){ NVME_LOG_LID_ERROR, 0, 0, NVME_NSID_ALL, ERROR_LOG_MAX_BYTES };
		if (known(id->error_log_entries) && id->error_log_entries * ERROR_ENTRY_BYTES < ERROR_LOG_MAX_BYTES)
			r->length = (uint32_t)id->error_log_entries * ERROR_ENTRY_BYTES;
		return known(id->error_log_entries) && id->error_log_entries > 0;
	}
}

static int read_page(int fd, const struct log_request *r, struct page *page)
{
	_cleanup_free_ char *what = text_format("Get Log Page %02Xh", (unsigned int)r->lid);
	unsigned char *data = calloc(1, r->length);
	int ret = what && data ? get_log(fd, r, data) : -ENOMEM;

	if (!ret) {
		page->data = data;
		page->length = r->length;
		return 0;
	}
	free(data);
	if (!what || !data)
		return -ENOMEM;
	return smart_refused(&page->reason, what, ret) == -ENOMEM ? -ENOMEM : 0;
}

int pages_read_from(int fd, const struct identify *id, struct page pages[PAGE_KINDS])
{
	struct log_request r;
	int ret = 0;

	for (int kind = 0; !ret && kind < PAGE_KINDS; kind++)
		if (request_of((enum page_kind)kind, id, &r))
			ret = read_page(fd, &r, &pages[kind]);
	return ret;
}

int pages_read(const struct drive *drive, struct page pages[PAGE_KINDS])
{
	_cleanup_free_ char *reason = NULL;
	_cleanup_fd_ int fd = -1;
	struct log_request r;
	int ret = 0;

	memset(pages, 0, PAGE_KINDS * sizeof(*pages));
	fd = smart_open(drive, &reason);
	if (fd >= 0 && !smart_is_drive(fd, drive->serial, &reason))
		return pages_read_from(fd, &drive->identify, pages);
	if (!reason)
		return -ENOMEM;
	for (int kind = 0; !ret && kind < PAGE_KINDS; kind++) {
		if (!request_of((enum page_kind)kind, &drive->identify, &r))
			continue;
		pages[kind].reason = strdup(reason);
		ret = pages[kind].reason ? 0 : -ENOMEM;
	}
	return ret;
}

void pages_free(struct page pages[PAGE_KINDS])
{
	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		free(pages[kind].data);
		free(pages[kind].reason);
		pages[kind] = (struct page){ 0 };
	}
}

/* ---- what the drive offers ---- */

/* Asked once, and the drive's count of errors tells what the asking itself has added. */
static bool errors_logged(int fd, struct smart_counter *count)
{
	struct nvme_smart_log log = { 0 };
	struct smart smart;

	if (nvme_get_log_smart(fd, NVME_NSID_ALL, true, &log))
		return false;
	smart_decode((const unsigned char *)&log, &smart);
	*count = smart.num_err_log_entries;
	smart_free(&smart);
	return smart.valid;
}

/* One dword for each log page identifier; bit 0: supported (NVMe base spec 2.0, figure 203). */
static bool supported_logs(int fd, const struct identify *id, unsigned char logs[4 * SUPPORTED_LOGS])
{
	const struct log_request r = { NVME_LOG_LID_SUPPORTED_LOG_PAGES, 0, 0, NVME_NSID_ALL, 4 * SUPPORTED_LOGS };

	return id->lpa & LPA_SUPPORTED_LOGS && !get_log(fd, &r, logs);
}

/* Where several vendors' pages share their numbers, an index says whose are meant. */
static void find_uuid_index(int fd, struct identify *id)
{
	struct nvme_id_uuid_list *list = calloc(1, sizeof(*list));

	if (list && id->ctratt & CTRATT_UUID_LIST && !nvme_identify_uuid(fd, list))
		for (int i = 0; i < NVME_ID_UUID_LIST_MAX && !known(id->ocp_uuid_index); i++)
			if (!memcmp(list->entry[i].uuid, ocp_uuid, sizeof(ocp_uuid)))
				id->ocp_uuid_index = i + 1;
	free(list);
}

/* A refused log C0h is an answer, as is a page without OCP's identifier; a failure leaves it open. */
static void ask_ocp(int fd, struct identify *id)
{
	unsigned char page[OCP_PAGE_BYTES] = { 0 };
	struct ocp_smart ocp;
	struct log_request r;
	int ret;

	request_of(PAGE_OCP, id, &r);
	ret = get_log(fd, &r, page);
	if (ret < 0)
		return;
	ocp_decode(page, sizeof(page), &ocp);
	id->ocp_log = !ret && ocp.valid;
	ocp_free(&ocp);
}

static void read_host_memory(int fd, struct identify *id)
{
	struct nvme_host_mem_buf_attrs *attributes;
	uint32_t result = 0;

	if (!known(id->hmb_wanted_bytes))
		return;
	if (!id->hmb_wanted_bytes) {
		id->hmb_bytes = 0;
		return;
	}
	attributes = calloc(1, sizeof(*attributes));
	if (attributes && !nvme_get_features_data(fd, NVME_FEAT_FID_HOST_MEM_BUF, NVME_NSID_NONE,
						  sizeof(*attributes), attributes, &result))
		id->hmb_bytes = result & 1 ? (int64_t)smart_le((unsigned char *)&attributes->hsize, 4) *
				NVME_PAGE_BYTES : 0;
	free(attributes);
}

void pages_ask(int fd, struct identify *id)
{
	unsigned char *logs = calloc(SUPPORTED_LOGS, 4);
	struct smart_counter before, after;
	bool counted = errors_logged(fd, &before);
	bool listed = logs && supported_logs(fd, id, logs);

	if (id->ctratt & CTRATT_ENDURANCE_GROUPS && known(id->endurance_group))
		id->endurance_log = !listed || logs[4 * NVME_LOG_LID_ENDURANCE_GROUP] & 1;
	else
		id->endurance_log = 0;
	find_uuid_index(fd, id);
	if (listed && !(logs[4 * LID_OCP] & 1))
		id->ocp_log = 0;
	else
		ask_ocp(fd, id);
	read_host_memory(fd, id);
	if (!counted || !errors_logged(fd, &after) ||
	    !smart_counter_delta(before, after, &id->own_error_entries))
		id->own_error_entries = UNKNOWN_I64;
	free(logs);
}
