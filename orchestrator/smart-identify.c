/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes of the Identify pages to numbers. Pure. All little endian. Offsets: NVM Express Base
 * Specification 2.0c, figure 275 (Identify Controller), NVM Command Set Specification 1.0c,
 * figures 97 and 98 (Identify Namespace).
 */
#include <stdlib.h>

#include "model-json.h"
#include "smart-internal.h"

#define HMB_UNIT_BYTES 4096

static int64_t number(const unsigned char *p, int bytes)
{
	return (int64_t)smart_le(p, bytes);
}

/* 64-bit counts of blocks; what does not fit a signed number cannot be one */
static int64_t number64(const unsigned char *p)
{
	uint64_t v = smart_le(p, 8);

	return v <= INT64_MAX ? (int64_t)v : UNKNOWN_I64;
}

void identify_unknown(struct identify *identify)
{
	*identify = (struct identify){ 0 };
	fields_unknown(identify_fields, identify);
}

void identify_free(struct identify *identify)
{
	fields_free(identify_fields, identify);
}

/* Hexadecimal digits; NULL when all bytes are 0. */
static char *hexadecimal(const unsigned char *p, size_t n)
{
	struct text t = { 0 };
	unsigned char any = 0;

	for (size_t i = 0; i < n; i++) {
		text_printf(&t, "%02x", p[i]);
		any |= p[i];
	}
	if (any)
		return text_steal(&t);
	text_free(&t);
	return NULL;
}

static void set_string(char **member, char *s)
{
	free(*member);
	*member = s;
}

void identify_decode_controller(const unsigned char page[IDENTIFY_PAGE_BYTES], struct identify *id)
{
	const unsigned char *capacity = page + 280;

	id->mdts = page[77];
	id->ctratt = number(page + 96, 4);
	id->lpa = page[261];
	id->error_log_entries = page[262] + 1;
	id->hmb_wanted_bytes = number(page + 272, 4) * HMB_UNIT_BYTES;
	id->oacs = number(page + 256, 2);
	id->npss = page[263];
	id->apsta = page[265];
	id->warning_temperature_c = smart_celsius(smart_kelvin(page + 266));
	id->critical_temperature_c = smart_celsius(smart_kelvin(page + 268));
	/* 0: the controller does not report it */
	id->total_capacity_bytes = smart_le(capacity, 8) && !smart_le(capacity + 8, 8) ?
				   number64(capacity) : UNKNOWN_I64;
	id->hctma = number(page + 322, 2);
	id->mntmt_k = smart_kelvin(page + 324);
	id->mxtmt_k = smart_kelvin(page + 326);
	id->vwc = page[525];
}

/*
 * The format in use: bits 3:0 of FLBAS, and bits 6:5 above them where the namespace has more than
 * 16 formats. A page that points outside its own list leaves the format's members unknown.
 */
void identify_decode_namespace(const unsigned char page[IDENTIFY_PAGE_BYTES], struct identify *id)
{
	unsigned int flbas = page[26], nlbaf = page[25], format = flbas & 0xf;
	const unsigned char *entry;

	/* what a drive gives for a namespace that is not active, or not at all */
	if (smart_all_bytes(page, IDENTIFY_PAGE_BYTES, 0) || smart_all_bytes(page, IDENTIFY_PAGE_BYTES, 0xff))
		return;
	id->nsze_blocks = number64(page);
	id->ncap_blocks = number64(page + 8);
	id->nuse_blocks = number64(page + 16);
	id->nsfeat = page[24];
	id->dlfeat = page[33];
	/* 0: the namespace is in no group */
	id->endurance_group = smart_le(page + 102, 2) ? number(page + 102, 2) : UNKNOWN_I64;
	set_string(&id->nguid, hexadecimal(page + 104, 16));
	set_string(&id->eui64, hexadecimal(page + 120, 8));
	if (nlbaf > 15)
		format |= (flbas >> 5 & 3) << 4;
	id->lba_format = format;
	if (format > nlbaf || format > 63)
		return;
	entry = page + 128 + 4 * format;
	id->lba_metadata_bytes = number(entry, 2);
	if (entry[2] >= 9 && entry[2] < 32)
		id->lba_data_bytes = (int64_t)1 << entry[2];
	id->lba_relative_performance = entry[3] & 3;
}

/* Type 3 is a UUID; a list ends with a descriptor of length 0, or where a descriptor does not fit. */
void identify_decode_descriptors(const unsigned char list[IDENTIFY_PAGE_BYTES], struct identify *id)
{
	size_t at = 0;

	while (at + 4 <= IDENTIFY_PAGE_BYTES && list[at + 1] && at + 4 + list[at + 1] <= IDENTIFY_PAGE_BYTES) {
		if (list[at] == 3 && list[at + 1] == 16)
			set_string(&id->uuid, hexadecimal(list + at + 4, 16));
		at += 4u + list[at + 1];
	}
}
