/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the writer share; nobody else includes this. */
#ifndef NVMATCH_RECORD_WRITER_PRIVATE_H
#define NVMATCH_RECORD_WRITER_PRIVATE_H

#include "record/writer.h"

struct rec_writer {
	struct rec_header *header;	/* start of the mapping; what follows lies in it too */
	struct rec_total *totals;
	uint64_t *histogram;
	struct rec_bin *bins;
	uint64_t *compress;
	struct rec_checkpoint *checkpoints;
	struct rec_temperature *temperatures;
	struct rec_record *records;
	struct rec_section *checkpoint_section, *temperature_section, *record_section;

	uint64_t capacity;		/* records */
	uint64_t cursor;		/* next slot that thinning looks at */
	uint64_t last_ns;		/* completion before this one */
	uint64_t share_ns;		/* of the time between for each I/O of the batch */
	uint64_t share_rest_ns;		/* what the division left, for the first of them */
	uint64_t temperature_calls, temperature_stride;

	int fd;
	size_t mapped;			/* bytes */
	uint64_t records_offset;
};

/* Writes the record if its offset belongs to the kept share. In thin.c. */
void rec_thin_keep(struct rec_writer *writer, const struct rec_record *record);

#endif
