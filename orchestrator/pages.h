/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Log pages of an NVMe drive beside the SMART page: endurance group (09h), OCP extended SMART
 * (C0h), error log (01h). Fetching (smart-pages.c, with libnvme) is apart from decoding (pure). Prints
 * nothing: reasons come back as sentences.
 */
#ifndef NVMATCH_PAGES_H
#define NVMATCH_PAGES_H

#include <jansson.h>

#include "model.h"

#define ENDURANCE_PAGE_BYTES 512
#define OCP_PAGE_BYTES 512
#define ERROR_ENTRY_BYTES 64
#define ERROR_LOG_MAX_BYTES 4096	/* 64 entries: what one command moves; the newest come first */

enum page_kind { PAGE_ENDURANCE, PAGE_OCP, PAGE_ERROR_LOG, PAGE_KINDS };

extern const char *const page_names[PAGE_KINDS];	/* endurance, ocp, error-log: of evidence files */

struct page {
	unsigned char *data;	/* NULL: not read */
	size_t length;
	char *reason;		/* why not, one sentence; NULL also where the drive does not offer it */
};

/*
 * Every page that drive.identify says is offered, of the controller whose serial is the drive's.
 * 0 or -ENOMEM; page by page the data or why not. pages_free afterwards.
 */
int pages_read(const struct drive *drive, struct page pages[PAGE_KINDS]);
void pages_free(struct page pages[PAGE_KINDS]);

/* Pure. Wrong lengths, empty pages and wrong identifiers give valid = false and a reason. */
void endurance_decode(const unsigned char *page, size_t length, struct endurance *endurance);
void ocp_decode(const unsigned char *page, size_t length, struct ocp_smart *ocp);
int error_log_decode(const unsigned char *page, size_t length, struct error_log *log);	/* 0 or -ENOMEM */
void endurance_unknown(struct endurance *endurance, const char *reason);	/* not read, because ... */
void ocp_unknown(struct ocp_smart *ocp, const char *reason);
void endurance_free(struct endurance *endurance);
void ocp_free(struct ocp_smart *ocp);
void error_log_free(struct error_log *log);

/*
 * Entries of `after` that `before` did not have yet, by their rising number: those of status code
 * type 2h (media and data integrity errors, without the codes 85h to 87h that only answer the host)
 * and all others. false: one of the logs is not valid, or
 * the numbers went back.
 */
bool error_log_new(const struct error_log *before, const struct error_log *after, int64_t *media,
		   int64_t *other);

/*
 * Written to media over written by the host, in the drive's life; NaN where it does not say.
 * The OCP page counts media bytes exactly, but needs the host's from the SMART page.
 */
double endurance_write_amplification(const struct endurance *endurance);
double ocp_write_amplification(const struct ocp_smart *ocp, const struct smart *smart);

/* Events between two pages, or UNKNOWN_I64: not valid, went back, or a one-byte count at its end. */
int64_t ocp_throttle_events(const struct ocp_smart *before, const struct ocp_smart *after);
/* Likewise: reads that needed soft decoding or XOR recovery, or failed (all three counts added up). */
int64_t ocp_read_recoveries(const struct ocp_smart *before, const struct ocp_smart *after);

/* In words: "unthrottled", "first level", ...; NULL for a reserved value. */
const char *ocp_throttle_name(int64_t status);
/* "media: unrecovered read error", or "type 1h, status 0Ah"; into buffer (returned). */
#define ERROR_STATUS_TEXT_SIZE 64
char *error_status_text(char buffer[static ERROR_STATUS_TEXT_SIZE], const struct error_entry *entry);

/* libnvme's names, and beside them bytes and words; counters beyond 2^63 are decimal text. */
json_t *endurance_to_json(const struct endurance *endurance);
json_t *ocp_to_json(const struct ocp_smart *ocp);
json_t *error_log_to_json(const struct error_log *log);

#endif
