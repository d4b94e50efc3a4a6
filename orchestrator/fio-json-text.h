/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds fio's JSON documents between its other lines; for fio-json.c only. */
#ifndef NVMATCH_FIO_JSON_TEXT_H
#define NVMATCH_FIO_JSON_TEXT_H

#include <jansson.h>

#include "text.h"

struct fio_text {
	json_t *document;	/* the last complete one, or NULL */
	bool cut;		/* a document after it began and never ended or is no JSON */
	struct strings lines;	/* the text around documents, one item a line that is not blank */
};

/* Takes text apart; 0 or -ENOMEM. The caller frees *found with fio_text_free. */
int fio_text_split(const char *text, size_t length, struct fio_text *found);
void fio_text_free(struct fio_text *found);

#endif
