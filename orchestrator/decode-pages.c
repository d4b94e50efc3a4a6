/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch decode smart and decode identify: saved pages of an NVMe drive. */
#include "decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fail.h"
#include "inspect-text.h"
#include "json-text.h"
#include "model-json.h"
#include "options.h"
#include "smart-internal.h"

int decode_read_page(const char *path, size_t least, size_t most, unsigned char **page, size_t *length)
{
	char *data;
	int ret = text_read_file(path, most, &data, length);

	if (ret == -EFBIG)
		return fail(-EINVAL, "decode: %s is larger than the page of %zu bytes", path, most);
	if (ret)
		return fail(ret, "decode: %s: %s", path, strerror(-ret));
	if (*length < least) {
		free(data);
		return fail(-EINVAL, "decode: %s has %zu bytes, the page has %zu", path, *length, least);
	}
	*page = (unsigned char *)data;
	return 0;
}

static int read_page(const char *path, size_t size, unsigned char **page)
{
	size_t length;

	return decode_read_page(path, size, size, page, &length);
}

int decode_print_document(json_t *document)
{
	int ret = json_print(document, stdout, JSON_SHOWN);

	json_decref(document);
	if (ret)
		return fail(-EIO, "decode: writing JSON failed");
	return 0;
}

static int print_smart_delta(const struct smart *before, const struct smart *after)
{
	json_auto_t *delta = smart_delta_to_json(before, after);
	const char *key;
	json_t *value;

	printf("\nSince the page before\n");
	json_object_foreach(delta, key, value) {
		_cleanup_free_ char *s = json_text(value, JSON_ENCODE_ANY);

		if (!json_is_null(value))
			printf("%-40s %s\n", key, s ? s : "?");
	}
	return 0;
}

static int print_smart(const struct smart *smart, const struct smart *before, bool json)
{
	_cleanup_text_ struct text out = { 0 };
	json_t *document;

	if (!json) {
		if (inspect_smart_text(smart, &out))
			return fail(-ENOMEM, "decode: out of memory");
		fputs(out.data, stdout);
		return before ? print_smart_delta(before, smart) : 0;
	}
	document = model_document();
	json_object_update_new(document, smart_to_json(smart));
	if (before)
		json_object_set_new(document, "delta", smart_delta_to_json(before, smart));
	return decode_print_document(document);
}

static int decode_smart_main(int argc, char **argv)
{
	const char *before_path = NULL;
	bool json = false;
	const struct option_row rows[] = {
		{ "before", 0, OPTION_STRING, &before_path, "FILE", "an earlier page: print the differences", 0 },
		{ "json", 0, OPTION_FLAG, &json, NULL, "print one JSON document with nvme-cli's keys", 0 },
		{ 0 },
	};
	_cleanup_free_ unsigned char *page = NULL, *before_page = NULL;
	struct smart smart, before;
	int operands, ret = command_options(&decode_smart, rows, argc, argv, &operands);

	if (ret)
		return ret;
	ret = read_page(argv[1], SMART_PAGE_BYTES, &page);
	if (!ret && before_path)
		ret = read_page(before_path, SMART_PAGE_BYTES, &before_page);
	if (ret)
		return ret;
	smart_decode(page, &smart);
	if (before_page)
		smart_decode(before_page, &before);
	ret = print_smart(&smart, before_page ? &before : NULL, json);
	if (!ret && !smart.valid)
		ret = fail(EXIT_INCOMPLETE, "decode: %s: %s", argv[1], smart.reason);
	else if (!ret && before_page && !before.valid)
		ret = fail(EXIT_INCOMPLETE, "decode: %s: %s", before_path, before.reason);
	smart_free(&smart);
	if (before_page)
		smart_free(&before);
	return ret;
}

void decode_print_fields(const json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value) {
		_cleanup_free_ char *s = json_text(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));

		printf("%-31s %s\n", key, json_is_null(value) ? "n/a" : s ? s : "?");
	}
}

/* The members that the page in hand speaks of: those known of the other kind of page stay out. */
static json_t *identify_json(const unsigned char *page, bool name_space)
{
	static const char *const of_namespace[] = { "nsze_blocks", "ncap_blocks", "nuse_blocks", "nsfeat", "dlfeat",
		"lba_format", "lba_data_bytes", "lba_metadata_bytes", "lba_relative_performance",
		"eui64", "nguid", "endurance_group" };
	/* these are in neither page */
	static const char *const elsewhere[] = { "tmt1_k", "tmt2_k", "uuid", "hmb_bytes", "endurance_log", "ocp_log",
		"ocp_uuid_index", "own_error_entries" };
	struct identify id;
	json_t *all, *part = json_object();

	identify_unknown(&id);
	if (name_space)
		identify_decode_namespace(page, &id);
	else
		identify_decode_controller(page, &id);
	all = fields_to_json(identify_fields, &id);
	identify_free(&id);
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		json_object_del(all, elsewhere[i]);
	for (size_t i = 0; i < sizeof(of_namespace) / sizeof(of_namespace[0]); i++) {
		json_object_set(part, of_namespace[i], json_object_get(all, of_namespace[i]));
		if (!name_space)
			json_object_del(all, of_namespace[i]);
	}
	json_decref(name_space ? all : part);
	return name_space ? part : all;
}

static int decode_identify_main(int argc, char **argv)
{
	bool controller = false, name_space = false, json = false;
	const struct option_row rows[] = {
		{ "controller", 0, OPTION_FLAG, &controller, NULL, "an Identify Controller page (default)", 0 },
		{ "namespace", 0, OPTION_FLAG, &name_space, NULL, "an Identify Namespace page", 0 },
		{ "json", 0, OPTION_FLAG, &json, NULL, "print one JSON document", 0 },
		{ 0 },
	};
	_cleanup_free_ unsigned char *page = NULL;
	json_t *fields, *document;
	int operands, ret = command_options(&decode_identify, rows, argc, argv, &operands);

	if (ret)
		return ret;
	if (controller && name_space)
		return fail(-EINVAL, "decode: a page is --controller or --namespace, not both");
	ret = read_page(argv[1], IDENTIFY_PAGE_BYTES, &page);
	if (ret)
		return ret;
	if (smart_all_bytes(page, IDENTIFY_PAGE_BYTES, *page) && (!*page || *page == 0xff))
		return fail(EXIT_INCOMPLETE, "decode: %s is not valid: all its bytes are %02Xh%s", argv[1], *page,
			    !*page && name_space ? ", as of a namespace that is not active" : "");
	fields = identify_json(page, name_space);
	if (!json) {
		decode_print_fields(fields);
		json_decref(fields);
		return 0;
	}
	document = model_document();
	json_object_update_new(document, fields);
	return decode_print_document(document);
}

const struct command decode_smart = {
	.name = "decode smart",
	.synopsis = "FILE [--before FILE] [--json]",
	.summary = "SMART / Health page, 512 bytes (log 02h)",
	.least = 1,
	.most = 1,
	.operands = "one file",
	.run = decode_smart_main,
};

const struct command decode_identify = {
	.name = "decode identify",
	.synopsis = "FILE [--controller|--namespace] [--json]",
	.summary = "Identify Controller or Namespace page, 4096 bytes",
	.least = 1,
	.most = 1,
	.operands = "one file",
	.run = decode_identify_main,
};
