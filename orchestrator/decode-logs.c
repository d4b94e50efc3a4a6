/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch decode endurance, ocp and error-log: saved log pages beside the SMART page. */
#include "decode.h"

#include <errno.h>
#include <stdlib.h>

#include "command.h"
#include "fail.h"
#include "model-json.h"
#include "options.h"
#include "pages.h"

/* What was decoded, as one document or as lines; and exit status 5 for a page that is not one. */
static int print_page(const char *path, json_t *fields, bool json, const char *reason)
{
	json_t *document;
	int ret = 0;

	if (!fields)
		return fail(-ENOMEM, "decode: out of memory");
	if (!json && !reason) {
		json_object_del(fields, "valid");
		json_object_del(fields, "reason");
		decode_print_fields(fields);
	} else if (json) {
		document = model_document();
		json_object_update(document, fields);
		ret = decode_print_document(document);
	}
	json_decref(fields);
	return ret || !reason ? ret : fail(EXIT_INCOMPLETE, "decode: %s: %s", path, reason);
}

/* Options and the page: every length is read, so that the decoder says what is wrong with it. */
static int start(const struct command *command, int argc, char **argv, size_t bytes, bool *json,
		 unsigned char **page, size_t *length)
{
	const struct option_row rows[] = {
		{ "json", 0, OPTION_FLAG, json, NULL, "print one JSON document with libnvme's names", 0 },
		{ 0 },
	};
	int operands, ret = command_options(command, rows, argc, argv, &operands);

	return ret ? ret : decode_read_page(argv[1], bytes, bytes, page, length);
}

static int decode_endurance_main(int argc, char **argv)
{
	_cleanup_free_ unsigned char *page = NULL;
	struct endurance e;
	bool json = false;
	size_t length;
	int ret = start(&decode_endurance, argc, argv, ENDURANCE_PAGE_BYTES, &json, &page, &length);

	if (ret)
		return ret;
	endurance_decode(page, length, &e);
	ret = print_page(argv[1], endurance_to_json(&e), json, e.reason);
	endurance_free(&e);
	return ret;
}

static int decode_ocp_main(int argc, char **argv)
{
	_cleanup_free_ unsigned char *page = NULL;
	struct ocp_smart ocp;
	bool json = false;
	size_t length;
	int ret = start(&decode_ocp, argc, argv, OCP_PAGE_BYTES, &json, &page, &length);

	if (ret)
		return ret;
	ocp_decode(page, length, &ocp);
	ret = print_page(argv[1], ocp_to_json(&ocp), json, ocp.reason);
	ocp_free(&ocp);
	return ret;
}

static void print_entry(const struct error_entry *e)
{
	char count[COUNTER_TEXT_SIZE], status[ERROR_STATUS_TEXT_SIZE], lba[COUNTER_TEXT_SIZE];

	printf("%s: %s", counter_text(count, 0, e->error_count.low), error_status_text(status, e));
	if (known(e->sqid))
		printf(", queue %lld", (long long)e->sqid);
	if (known(e->cmdid))
		printf(", command %lld", (long long)e->cmdid);
	printf(", namespace %lld, LBA %s%s\n", (long long)e->nsid, counter_text(lba, 0, e->lba.low),
	       e->do_not_retry ? ", do not retry" : "");
}

static int decode_error_log_main(int argc, char **argv)
{
	bool json = false;
	const struct option_row rows[] = {
		{ "json", 0, OPTION_FLAG, &json, NULL, "print one JSON document", 0 },
		{ 0 },
	};
	_cleanup_free_ unsigned char *page = NULL;
	struct error_log log;
	size_t length;
	int operands, ret = command_options(&decode_error_log, rows, argc, argv, &operands);

	if (!ret)
		ret = decode_read_page(argv[1], ERROR_ENTRY_BYTES, 256 * ERROR_ENTRY_BYTES, &page, &length);
	if (ret)
		return ret;
	if (length % ERROR_ENTRY_BYTES)
		return fail(-EINVAL, "decode: %s has %zu bytes, which are not whole entries of %d", argv[1], length,
			    ERROR_ENTRY_BYTES);
	if (error_log_decode(page, length, &log))
		return fail(-ENOMEM, "decode: out of memory");
	if (json || log.reason)
		ret = print_page(argv[1], error_log_to_json(&log), json, log.reason);
	for (size_t i = 0; !json && i < log.entries_count; i++)
		print_entry(&log.entries[i]);
	if (!json && log.valid && !log.entries_count)
		printf("no entries\n");
	error_log_free(&log);
	return ret;
}

const struct command decode_endurance = {
	.name = "decode endurance",
	.synopsis = "FILE [--json]",
	.summary = "endurance group log, 512 bytes (log 09h)",
	.least = 1,
	.most = 1,
	.operands = "one file",
	.run = decode_endurance_main,
};

const struct command decode_ocp = {
	.name = "decode ocp",
	.synopsis = "FILE [--json]",
	.summary = "OCP extended SMART log, 512 bytes (log C0h)",
	.least = 1,
	.most = 1,
	.operands = "one file",
	.run = decode_ocp_main,
};

const struct command decode_error_log = {
	.name = "decode error-log",
	.synopsis = "FILE [--json]",
	.summary = "error log, entries of 64 bytes (log 01h)",
	.least = 1,
	.most = 1,
	.operands = "one file",
	.run = decode_error_log_main,
};
