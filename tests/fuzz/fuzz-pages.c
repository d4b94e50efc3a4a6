/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a drive answers: the SMART page and the Identify pages, cut or long. */
#include "smart.h"
#include "tests/fuzz/fuzz.h"

static void smart_pages(const uint8_t page[static IDENTIFY_PAGE_BYTES])
{
	struct smart before, after;
	json_t *json;

	smart_decode(page, &before);
	smart_decode(page + SMART_PAGE_BYTES, &after);
	json = smart_to_json(&before);
	json_decref(json);
	json = smart_delta_to_json(&before, &after);
	json_decref(json);
	smart_free(&before);
	smart_free(&after);
}

static void identify_pages(const uint8_t page[static IDENTIFY_PAGE_BYTES])
{
	struct identify identify;

	identify_unknown(&identify);
	identify_decode_controller(page, &identify);
	identify_decode_namespace(page, &identify);
	identify_decode_descriptors(page, &identify);
	identify_free(&identify);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *page = calloc(1, IDENTIFY_PAGE_BYTES);

	if (!page)
		return 0;
	memcpy(page, data, size < IDENTIFY_PAGE_BYTES ? size : IDENTIFY_PAGE_BYTES);
	smart_pages(page);
	identify_pages(page);
	free(page);
	return 0;
}
