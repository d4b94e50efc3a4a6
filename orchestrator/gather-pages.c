/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the log pages beside the SMART page that a slot left. */
#include <errno.h>
#include <stdlib.h>

#include "gather-slot.h"
#include "pages.h"
#include "smart.h"

#define PAGE_MAX_BYTES (256 * ERROR_ENTRY_BYTES)

/* A page as evidence has it; else why not, or "not read". */
struct kept {
	unsigned char *data;
	size_t length;
	char *reason;
};

static struct kept read_kept(const char *dir, const char *name, const char *when)
{
	_cleanup_free_ char *page = text_format("%s/%s-%s.bin", dir, name, when);
	_cleanup_free_ char *reason = text_format("%s/%s-%s.txt", dir, name, when);
	struct kept k = { 0 };
	char *data;

	if (page && !text_read_file(page, PAGE_MAX_BYTES, &data, &k.length))
		k.data = (unsigned char *)data;
	else if (reason && text_read_line(reason, &k.reason))
		k.reason = NULL;
	return k;
}

static const char *reason_of(const struct kept *k)
{
	return k->reason ? k->reason : "not read";
}

static void kept_free(struct kept *k)
{
	free(k->data);
	free(k->reason);
}

static void read_endurance(const char *dir, const char *when, struct endurance *e)
{
	struct kept k = read_kept(dir, page_names[PAGE_ENDURANCE], when);

	endurance_free(e);
	if (k.data)
		endurance_decode(k.data, k.length, e);
	else
		endurance_unknown(e, reason_of(&k));
	kept_free(&k);
}

static void read_ocp(const char *dir, const char *when, struct ocp_smart *ocp)
{
	struct kept k = read_kept(dir, page_names[PAGE_OCP], when);

	ocp_free(ocp);
	if (k.data)
		ocp_decode(k.data, k.length, ocp);
	else
		ocp_unknown(ocp, reason_of(&k));
	kept_free(&k);
}

static int read_errors(const char *dir, const char *when, struct error_log *log)
{
	struct kept k = read_kept(dir, page_names[PAGE_ERROR_LOG], when);
	int ret = 0;

	*log = (struct error_log){ 0 };
	if (k.data)
		ret = error_log_decode(k.data, k.length, log);
	kept_free(&k);
	return ret;
}

/* What reading the pages has added to the drive's error log: the first SMART page to the one after them. */
static void count_own_errors(const char *dir, struct measurement *m)
{
	struct kept k = read_kept(dir, "smart", "before-pages");
	struct smart first;

	if (k.data && k.length == SMART_PAGE_BYTES) {
		smart_decode(k.data, &first);
		if (first.valid && m->smart_before.valid)
			smart_counter_delta(first.num_err_log_entries, m->smart_before.num_err_log_entries,
					    &m->error_entries_own);
		smart_free(&first);
	}
	kept_free(&k);
}

void gather_pages_unknown(struct measurement *m)
{
	endurance_unknown(&m->endurance_before, "not read");
	endurance_unknown(&m->endurance_after, "not read");
	ocp_unknown(&m->ocp_before, "not read");
	ocp_unknown(&m->ocp_after, "not read");
}

int gather_pages(const char *dir, struct measurement *m)
{
	struct error_log before, after = { 0 };
	int64_t media, other;
	int ret = read_errors(dir, "before", &before);

	if (!ret)
		ret = read_errors(dir, "after", &after);
	if (!ret && error_log_new(&before, &after, &media, &other)) {
		m->error_entries_media = media;
		m->error_entries_other = other;
	}
	error_log_free(&before);
	error_log_free(&after);
	read_endurance(dir, "before", &m->endurance_before);
	read_endurance(dir, "after", &m->endurance_after);
	read_ocp(dir, "before", &m->ocp_before);
	read_ocp(dir, "after", &m->ocp_after);
	count_own_errors(dir, m);
	return ret;
}
