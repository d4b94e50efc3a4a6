/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages fetched from a drive that exists only here: this program's ioctl() answers libnvme. */
#include <errno.h>
#include <linux/nvme_ioctl.h>
#include <sys/ioctl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "model-json.h"
#include "smart-internal.h"

static struct {
	unsigned char smart[SMART_PAGE_BYTES], controller[IDENTIFY_PAGE_BYTES], name_space[IDENTIFY_PAGE_BYTES];
	unsigned char descriptors[IDENTIFY_PAGE_BYTES];
	uint32_t throttle_points;
	int smart_result;	/* what ioctl gives for the SMART log: 0, an NVMe status, -errno */
	int identify_result;
	uint32_t smart_nsid, identify_nsid;
	/* log pages beside it: NULL is refused, and the refusal counted in the SMART page */
	const unsigned char *logs[256];
	unsigned char uuid_list[IDENTIFY_PAGE_BYTES];
	uint32_t host_memory_units, host_memory_on;
	uint32_t endurance_group_asked, uuid_index_asked;
	int refusals;
} drive_here;

static int answer_log(const struct nvme_admin_cmd *c, void *to)
{
	unsigned int lid = c->cdw10 & 0xff;

	if (lid == 9)
		drive_here.endurance_group_asked = c->cdw11 >> 16;
	if (lid == 0xc0)
		drive_here.uuid_index_asked = c->cdw14 & 0x7f;
	if (!drive_here.logs[lid]) {
		drive_here.smart[176]++;
		drive_here.refusals++;
		return 0x4109;	/* Invalid Log Page, do not retry */
	}
	memcpy(to, drive_here.logs[lid], c->data_len);
	return 0;
}

static int answer_feature(struct nvme_admin_cmd *c, unsigned char *to)
{
	if ((c->cdw10 & 0xff) == 0x0d) {
		memcpy(to, &drive_here.host_memory_units, 4);
		c->result = drive_here.host_memory_on;
		return 0;
	}
	assert_int_equal(c->cdw10 & 0x7ff, 0x10);
	c->result = drive_here.throttle_points;
	return 0;
}

static int answer(struct nvme_admin_cmd *c)
{
	void *to = (void *)(uintptr_t)c->addr;

	if (c->opcode == 0x06) {
		if (drive_here.identify_result)
			return drive_here.identify_result;
		memcpy(to, (c->cdw10 & 0xff) == 1 ? drive_here.controller :
			   (c->cdw10 & 0xff) == 3 ? drive_here.descriptors :
			   (c->cdw10 & 0xff) == 0x17 ? drive_here.uuid_list : drive_here.name_space, c->data_len);
		if ((c->cdw10 & 0xff) == 0)
			drive_here.identify_nsid = c->nsid;
		return 0;
	}
	if (c->opcode == 0x0a)
		return answer_feature(c, to);
	assert_int_equal(c->opcode, 0x02);
	if ((c->cdw10 & 0xff) != 0x02)
		return answer_log(c, to);
	drive_here.smart_nsid = c->nsid;
	if (!drive_here.smart_result)
		memcpy(to, drive_here.smart, c->data_len);
	return drive_here.smart_result;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *argument;
	int ret;

	(void)fd;
	va_start(ap, request);
	argument = va_arg(ap, void *);
	va_end(ap);
	if (request != NVME_IOCTL_ADMIN_CMD) {
		errno = ENOTTY;
		return -1;
	}
	ret = answer(argument);
	if (ret >= 0)
		return ret;
	errno = -ret;
	return -1;
}

static void new_drive(const char *serial)
{
	memset(&drive_here, 0, sizeof(drive_here));
	memset(drive_here.controller + 4, ' ', 20);
	memcpy(drive_here.controller + 4, serial, strlen(serial));
	drive_here.smart[1] = 0x2d;
	drive_here.smart[2] = 0x01;
}

static void fetched_from_the_right_drive(void **state)
{
	unsigned char page[SMART_PAGE_BYTES];
	char *reason = NULL;

	(void)state;
	new_drive("SERIAL1");
	assert_int_equal(smart_read_from(7, "SERIAL1", page, &reason), 0);
	assert_memory_equal(page, drive_here.smart, sizeof(page));
	assert_true(drive_here.smart_nsid == 0xffffffff);
	assert_int_equal(smart_read_from(7, "SERIAL", page, &reason), -ESTALE);
	assert_non_null(strstr(reason, "SERIAL1"));
	free(reason);
	reason = NULL;
	assert_int_equal(smart_read_from(7, NULL, page, &reason), -ESTALE);
	free(reason);
}

static void refusals_in_words(void **state)
{
	static const struct { int smart, identify, ret; const char *word; } cases[] = {
		{ -EACCES, 0, -EACCES, "CAP_SYS_ADMIN" }, { 0, -EPERM, -EACCES, "CAP_SYS_ADMIN" },
		{ 0, -ENOTTY, -EOPNOTSUPP, "no NVMe commands" }, { 0x109, 0, -EIO, "0x109" },
		{ 0x400b, 0, -EIO, "refused" }, { -EIO, 0, -EIO, "failed" }, { 0, -ENODEV, -ENODEV, "failed" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned char page[SMART_PAGE_BYTES];
		char *reason = NULL;

		new_drive("S");
		drive_here.smart_result = cases[i].smart;
		drive_here.identify_result = cases[i].identify;
		assert_int_equal(smart_read_from(7, "S", page, &reason), cases[i].ret);
		assert_non_null(strstr(reason, cases[i].word));
		free(reason);
	}
}

static void empty_page_although_it_succeeded(void **state)
{
	unsigned char page[SMART_PAGE_BYTES];
	char *reason = NULL;

	(void)state;
	new_drive("S");
	memset(drive_here.smart, 0, sizeof(drive_here.smart));
	assert_int_equal(smart_read_from(7, "S", page, &reason), -ENODATA);
	assert_non_null(strstr(reason, "not valid"));
	free(reason);
}

static void identify_fetched(void **state)
{
	static unsigned char controller[IDENTIFY_PAGE_BYTES], name_space[IDENTIFY_PAGE_BYTES];
	char *reason = NULL;

	(void)state;
	new_drive("S");
	drive_here.name_space[0] = 42;
	assert_int_equal(identify_read_from(7, "S", 3, controller, name_space, &reason), 0);
	assert_int_equal(name_space[0], 42);
	assert_int_equal(drive_here.identify_nsid, 3);
	assert_int_equal(controller[4], 'S');
}

static void filled_from_all_pages(void **state)
{
	static const unsigned char list[] = { 1, 8, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8,
		3, 16, 0, 0, 0xaa, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xff };
	struct identify id;
	char *reason = NULL;

	(void)state;
	new_drive("S");
	drive_here.controller[322] = 1;		/* HCTMA */
	drive_here.throttle_points = 350u << 16;	/* TMT2 0: not set */
	drive_here.name_space[120] = 0xab;
	memcpy(drive_here.descriptors, list, sizeof(list));
	assert_int_equal(identify_fill_from(7, "S", 3, &id, &reason), 0);
	assert_int_equal(id.tmt1_k, 350);
	assert_false(known(id.tmt2_k));
	assert_string_equal(id.eui64, "ab00000000000000");
	assert_null(id.nguid);
	assert_string_equal(id.uuid, "aa0102030405060708090a0b0c0d0eff");
	identify_free(&id);
	/* a list of which the last descriptor leads out of the page */
	memset(drive_here.descriptors, 0xff, sizeof(drive_here.descriptors));
	assert_int_equal(identify_fill_from(7, "S", 3, &id, &reason), 0);
	assert_null(id.uuid);
	identify_free(&id);
}

/* A list of log pages is asked where there is one; else what cannot be known otherwise is tried once. */
static void offered_pages(void **state)
{
	static unsigned char list[1024], ocp[OCP_PAGE_BYTES], endurance[ENDURANCE_PAGE_BYTES] = { [3] = 100 },
		errors[ERROR_LOG_MAX_BYTES];
	static const unsigned char guid[] = { 0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4, 0x9c, 0x4f, 0x6f, 0x7c,
		0xc9, 0x14, 0xd5, 0xaf };
	static const unsigned char uuid[] = { 0xc1, 0x94, 0xd5, 0x5b, 0xe0, 0x94, 0x47, 0x94, 0xa2, 0x1d, 0x29, 0x99,
		0x8f, 0x56, 0xbe, 0x6f };
	struct page pages[PAGE_KINDS] = { 0 };
	struct identify id;
	char *reason = NULL;

	(void)state;
	memcpy(ocp + 496, guid, sizeof(guid));
	ocp[494] = 2;
	/* nothing is offered, and one log had to be tried */
	new_drive("S");
	assert_int_equal(identify_fill_from(7, "S", 1, &id, &reason), 0);
	assert_true(id.endurance_log == 0 && id.ocp_log == 0 && !known(id.endurance_group));
	assert_int_equal(id.own_error_entries, 1);
	assert_int_equal(drive_here.refusals, 1);
	identify_free(&id);
	/* a list says so without an error */
	drive_here.controller[261] = 1 << 5;
	drive_here.logs[0] = list;
	drive_here.refusals = 0;
	assert_int_equal(identify_fill_from(7, "S", 1, &id, &reason), 0);
	assert_true(id.ocp_log == 0 && id.own_error_entries == 0 && !drive_here.refusals);
	identify_free(&id);
	/* all of them */
	list[4 * 9] = list[4 * 0xc0] = 1;
	drive_here.controller[96] = 1 << 4, drive_here.controller[97] = 1 << 1;	/* groups, UUID list */
	drive_here.controller[262] = 63;
	drive_here.controller[272] = 16;	/* HMPRE */
	drive_here.host_memory_units = 8, drive_here.host_memory_on = 1;
	drive_here.name_space[102] = 5;
	memcpy(drive_here.uuid_list + 32 + 32 + 16, uuid, sizeof(uuid));	/* the second */
	drive_here.logs[1] = errors, drive_here.logs[9] = endurance, drive_here.logs[0xc0] = ocp;
	assert_int_equal(identify_fill_from(7, "S", 1, &id, &reason), 0);
	assert_true(id.endurance_log == 1 && id.ocp_log == 1 && id.endurance_group == 5);
	assert_true(id.ocp_uuid_index == 2 && drive_here.uuid_index_asked == 2);
	assert_true(id.hmb_wanted_bytes == 65536 && id.hmb_bytes == 32768);
	assert_int_equal(pages_read_from(7, &id, pages), 0);
	assert_int_equal(drive_here.endurance_group_asked, 5);
	assert_int_equal(pages[PAGE_ENDURANCE].data[3], 100);
	assert_int_equal(pages[PAGE_ERROR_LOG].length, 4096);
	pages_free(pages);
	/* one that was there is refused now */
	drive_here.logs[9] = NULL;
	assert_int_equal(pages_read_from(7, &id, pages), 0);
	assert_null(pages[PAGE_ENDURANCE].data);
	assert_non_null(strstr(pages[PAGE_ENDURANCE].reason, "Get Log Page 09h was refused with status 0x4109"));
	assert_non_null(pages[PAGE_OCP].data);
	pages_free(pages);
	identify_free(&id);
	/* another vendor's page has that number, and the memory is off */
	ocp[500] ^= 1;
	drive_here.host_memory_on = 0;
	assert_int_equal(identify_fill_from(7, "S", 1, &id, &reason), 0);
	assert_true(id.ocp_log == 0 && id.hmb_bytes == 0);
	identify_free(&id);
}

static void not_an_nvme_drive(void **state)
{
	struct drive d = { .transport = strdup("usb") };
	unsigned char page[SMART_PAGE_BYTES];
	char *reason;

	(void)state;
	assert_int_equal(smart_read(&d, page, &reason), -EOPNOTSUPP);
	assert_non_null(strstr(reason, "USB bridge"));
	free(reason);
	assert_int_equal(identify_fill(&d), 0);
	assert_int_equal(d.missing_count, 1);
	fields_free(drive_fields, &d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fetched_from_the_right_drive), cmocka_unit_test(refusals_in_words),
		cmocka_unit_test(empty_page_although_it_succeeded), cmocka_unit_test(identify_fetched),
		cmocka_unit_test(filled_from_all_pages), cmocka_unit_test(offered_pages),
		cmocka_unit_test(not_an_nvme_drive),
	};

	return cmocka_run_group_tests_name("smart", tests, NULL, NULL);
}
