// SPDX-License-Identifier: GPL-3.0-or-later
/* Get LBA Status answers, and that DULBE is put back whatever fails: ioctl() is a drive made up here. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "smart-lba.h"
#include "text.h"

#define DULBE (1u << 16)
#define GET 0x0a
#define SET 0x09
#define LBA_STATUS 0x86
#define READ 0x02
#define UNWRITTEN 0x287

/* The drive: a feature, the commands it saw, and what fails. */
static struct {
	uint32_t feature, nsid;
	char log[32];			/* g and s for Get and Set Features, r for a read */
	int fail_at, status;		/* command number (from 1) that fails; -1: errno EIO, else a status */
	int fail_from;			/* all from this one on fail */
	bool done_all_the_same;		/* a set that fails was done */
	bool ignores_sets;
	int status_of_reads;
	struct lba_status_list answer;
	struct nvme_passthru_cmd last;
} d;

static int run_command(struct nvme_passthru_cmd *c)
{
	size_t n = strlen(d.log);
	bool fails = (d.fail_at && (int)n + 1 == d.fail_at) || (d.fail_from && (int)n + 1 >= d.fail_from);

	assert_true(n + 1 < sizeof(d.log));
	d.last = *c;
	d.nsid = c->nsid;
	d.log[n] = c->opcode == GET ? 'g' : c->opcode == SET ? 's' : c->opcode == READ ? 'r' : 'l';
	if (c->opcode == SET && !d.ignores_sets && (!fails || d.done_all_the_same)) {
		assert_int_equal(c->cdw10, 5);		/* Error Recovery, not saved */
		d.feature = c->cdw11;
	}
	if (fails && d.status < 0) {
		errno = EIO;
		return -1;
	}
	if (fails)
		return d.status;
	if (c->opcode == READ)
		return d.status_of_reads;
	if (c->opcode == GET)
		c->result = d.feature;
	if (c->opcode == LBA_STATUS)
		memcpy((void *)(uintptr_t)c->addr, &d.answer, c->data_len);
	return 0;
}

/* What libnvme calls, instead of the C library's. */
int ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	void *argument;

	(void)fd;
	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (request == NVME_IOCTL_ADMIN_CMD || request == NVME_IOCTL_IO_CMD)
		return run_command(argument);
	fail_msg("ioctl %lx", request);
	return -1;
}

static void answers(void **state)
{
	static const struct {
		uint32_t nlsd;
		uint8_t cmpc;
		uint64_t dslba;
		uint32_t nlb;
		uint64_t slba;
		int expect;
	} cases[] = {
		{ 0, 2, 0, 0, 800, 1 },				/* nothing is allocated there */
		{ 0, 0, 0, 0, 800, -EIO }, { 0, 1, 0, 0, 800, -EIO }, { 0, 3, 0, 0, 800, -EIO },
		{ 1, 2, 800, 7, 800, 0 },			/* all of it */
		{ 1, 2, 807, 0, 800, 0 },			/* the last block; NLB is 0's based */
		{ 1, 2, 808, 0, 800, 1 },			/* the next allocated one lies behind it */
		{ 1, 2, 800, 0, 800, 0 },
		{ 1, 2, 799, 0, 800, -EBADMSG }, { 1, 2, 0, UINT32_MAX, 800, -EBADMSG },
		{ 5, 1, 803, 2, 800, 0 },			/* cut at MNDW: the first is enough */
		{ UINT32_MAX, 1, 801, UINT32_MAX, 800, 0 },	/* more than can be, and longer */
		{ UINT32_MAX, 2, 900, 0, 800, 1 },
		{ 1, 2, UINT64_MAX, UINT32_MAX, 800, 1 },
		{ 1, 2, UINT64_MAX, 0, UINT64_MAX - 7, 0 },
		{ 1, 2, 0, 0, 800, -EBADMSG },			/* a count without its entry */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lba_status_list list = { { htole32(cases[i].nlsd), cases[i].cmpc, { 0 } },
						{ htole64(cases[i].dslba), htole32(cases[i].nlb), 0, 0, { 0 } } };
		_cleanup_free_ char *reason = NULL;
		int ret = lba_status_decide(&list, cases[i].slba, 8, &reason);

		if (ret != cases[i].expect || (ret < 0) != !!reason)
			fail_msg("case %zu: %d, wanted %d: %s", i, ret, cases[i].expect, reason ? reason : "");
	}
}

static void question(void **state)
{
	_cleanup_free_ char *reason = NULL;

	(void)state;
	memset(&d, 0, sizeof(d));
	d.answer.head.cmpc = 2;
	if (lba_status_ask(3, 7, UINT64_C(0x123456789a), 8, &reason) != 1)
		fail_msg("%s (%u bytes)", reason, d.last.data_len);
	assert_int_equal(d.last.opcode, LBA_STATUS);
	assert_int_equal(d.last.nsid, 7);
	assert_int_equal(d.last.cdw10, 0x3456789a);
	assert_int_equal(d.last.cdw11, 0x12);
	assert_int_equal((d.last.cdw12 + 1) * 4, sizeof(d.answer));
	assert_int_equal(d.last.data_len, sizeof(d.answer));
	assert_int_equal(d.last.cdw13, 0x02000008);
	d.log[0] = '\0';
	d.fail_at = 1;
	d.status = 0x4002;	/* Invalid Field, Do Not Retry: the type is not known */
	assert_int_equal(lba_status_ask(3, 7, 0, 8, &reason), -EIO);
	assert_non_null(strstr(reason, "refused"));
	free(reason);
	reason = NULL;
	d.log[0] = '\0';
	assert_int_equal(lba_status_ask(3, 7, 0, 0, &reason), -EINVAL);
	assert_string_equal(d.log, "");
}

/* begin, one read, end; with what fails, the commands in their order, and what is left at the end. */
static void dulbe_is_put_back(void **state)
{
	static const struct {
		uint32_t before;
		int fail_at, status;
		bool done_all_the_same, ignores_sets;
		int begin, end;
		const char *log;
		uint32_t after;
	} cases[] = {
		{ 0x0014, 0, 0, false, false, 0, 0, "gsgrgsg", 0x0014 },
		{ 0x0014 | DULBE, 0, 0, false, false, 0, 0, "ggr", 0x0014 | DULBE },	/* was on: stays on */
		{ 0x0014, 1, 0x4002, false, false, -EIO, 0, "g", 0x0014 },
		{ 0x0014, 2, 0x4002, false, false, -EIO, 0, "gsg", 0x0014 },		/* refused */
		{ 0x0014, 2, -1, true, false, -EIO, 0, "gsgsg", 0x0014 },		/* failed, but done */
		{ 0x0014, 3, -1, false, false, -EIO, 0, "gsggsg", 0x0014 },
		{ 0x0014, 0, 0, false, true, -EIO, 0, "gsgg", 0x0014 },		/* taken, but not kept */
		{ 0x0014, 4, 0x4281, false, false, 0, 0, "gsgrgsg", 0x0014 },		/* the read */
		{ 0x0014, 5, -1, false, false, 0, 0, "gsgrgsg", 0x0014 },
		{ 0x0014, 6, 0x4002, false, false, 0, -EIO, "gsgrgs", 0x0014 | DULBE },	/* said to the caller */
		{ 0x0014, 7, -1, false, false, 0, -EIO, "gsgrgsg", 0x0014 },
	};
	struct drive drive = { .kind = TARGET_BLOCK, .path = "/dev/null", .controller = "nvme0", .namespace_id = 7,
			       .identify.nsfeat = DULBE_NSFEAT };
	char buffer[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		_cleanup_free_ char *reason = NULL, *of_read = NULL, *of_end = NULL;
		struct dulbe dulbe;
		int begin, end = 0;

		memset(&d, 0, sizeof(d));
		d.feature = cases[i].before;
		d.fail_at = cases[i].fail_at;
		d.status = cases[i].status;
		d.done_all_the_same = cases[i].done_all_the_same;
		d.ignores_sets = cases[i].ignores_sets;
		d.status_of_reads = 0x4000 | UNWRITTEN;
		begin = dulbe_begin(&drive, &dulbe, &reason);
		if (!begin) {
			int read = dulbe_ask(&dulbe, 0, 8, buffer, sizeof(buffer), &of_read);

			assert_int_equal(read, cases[i].fail_at == 4 ? -EIO : 1);
			end = dulbe_end(&dulbe, &of_end);
		}
		if (begin != cases[i].begin || end != cases[i].end || strcmp(d.log, cases[i].log) ||
		    d.feature != cases[i].after || (begin < 0) != !!reason || (end < 0) != !!of_end)
			fail_msg("case %zu: %d, %d, %s, %#x: %s%s", i, begin, end, d.log, d.feature, reason ? reason : "",
				 of_end ? of_end : "");
		assert_int_equal(dulbe.fd, -1);
	}
}

/* From the set on the drive is gone, so what it has done cannot be known: that is no plain failure. */
static void dulbe_stays_on(void **state)
{
	struct drive drive = { .kind = TARGET_BLOCK, .path = "/dev/null", .controller = "nvme0", .namespace_id = 7,
			       .identify.nsfeat = DULBE_NSFEAT };
	_cleanup_free_ char *reason = NULL;
	struct dulbe dulbe;

	(void)state;
	memset(&d, 0, sizeof(d));
	d.fail_from = 2;
	d.status = -1;
	d.done_all_the_same = false;
	assert_int_equal(dulbe_begin(&drive, &dulbe, &reason), -ENOTRECOVERABLE);
	assert_string_equal(d.log, "gsgs");
	assert_non_null(strstr(reason, "DULBE may be on"));
	assert_int_equal(dulbe.fd, -1);
	/* a partition: others' blocks would fail, too */
	drive.partition_start_bytes = 1048576;
	free(reason);
	reason = NULL;
	d.log[0] = '\0';
	assert_int_equal(dulbe_begin(&drive, &dulbe, &reason), -EOPNOTSUPP);
	assert_string_equal(d.log, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers), cmocka_unit_test(question), cmocka_unit_test(dulbe_is_put_back),
		cmocka_unit_test(dulbe_stays_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
