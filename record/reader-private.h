/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the reader share; nobody else includes this. */
#ifndef NVMATCH_RECORD_READER_PRIVATE_H
#define NVMATCH_RECORD_READER_PRIVATE_H

#include "record/reader.h"

/* Records are read in pieces of about this many bytes. */
#define READER_CHUNK_BYTES 65536u

struct rec_reader {
	int fd;
	uint64_t file_bytes;		/* when it was opened; what comes later is not read */
	struct rec_header header;
	bool cut;

	struct rec_file *files;
	struct rec_total *totals;
	uint64_t *histogram;
	struct rec_bin *bins;
	uint64_t *compress;
	struct rec_stream stream;
	struct rec_temperature *temperatures;
	size_t file_count, temperature_count;

	struct rec_section records;	/* .count is what the file really holds */
	uint64_t next;			/* record that rec_next() looks at */
	uint64_t chunk_first, chunk_count;	/* records in the chunk */
	unsigned char *chunk;
	size_t chunk_bytes;
};

/* Reads and checks a header. Errors as rec_open(). In reader.c. */
int rec_header_read(int fd, struct rec_header *header);

/* Reads length bytes at offset; a file that ends before gives -ENODATA. In reader.c. */
int rec_read_at(int fd, void *to, size_t length, uint64_t offset);

/* Reads all sections but the records into the reader. In reader-sections.c. */
int rec_sections_read(struct rec_reader *reader);

#endif
