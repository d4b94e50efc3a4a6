/* SPDX-License-Identifier: BSD-2-Clause */
/* Brings the sections before the records into memory, element by element as far as we know them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/reader-private.h"

/* More than any section of a sound file; bounds what a damaged one makes us allocate. */
#define SECTION_MAX_BYTES (64u << 20)

static const struct rec_section *find(const struct rec_header *h, enum rec_section_id id)
{
	for (uint32_t i = 0; i < h->section_count; i++)
		if (h->sections[i].id == (uint32_t)id)
			return &h->sections[i];
	return NULL;
}

/*
 * Reads all elements in use of a section into a new array of elements of our size; what a newer
 * minor version appended to them is left out. Fewer than want of them is -EBADMSG.
 */
static int load(struct rec_reader *reader, enum rec_section_id id, size_t size, uint64_t want,
		void **array, size_t *count)
{
	const struct rec_section *s = find(&reader->header, id);
	char *raw, *out;
	int err;

	if (!s || s->element_size < size || s->count < want || s->count > s->capacity ||
	    s->offset < REC_HEADER_SIZE || s->count > SECTION_MAX_BYTES / s->element_size)
		return -EBADMSG;
	if (s->offset > reader->file_bytes ||
	    s->count * s->element_size > reader->file_bytes - s->offset)
		return -ENODATA;
	raw = malloc(s->count * s->element_size + 1);
	out = calloc(s->count + 1, size);
	if (!raw || !out) {
		free(raw);
		free(out);
		return -ENOMEM;
	}
	err = rec_read_at(reader->fd, raw, s->count * s->element_size, s->offset);
	for (uint64_t i = 0; !err && i < s->count; i++)
		memcpy(out + i * size, raw + i * s->element_size, size);
	free(raw);
	if (err) {
		free(out);
		return err;
	}
	*array = out;
	*count = s->count;
	return 0;
}

static int load_stream(struct rec_reader *reader)
{
	struct rec_stream *stream = &reader->stream;
	void *array;
	size_t count;
	int err = load(reader, REC_SECTION_CHECKPOINTS, sizeof(struct rec_checkpoint), 0, &array,
		       &count);

	if (err)
		return err;
	if (count <= REC_CHECKPOINTS) {
		memcpy(stream->checkpoints, array, count * sizeof(struct rec_checkpoint));
		stream->checkpoint_count = count;
		stream->digest = reader->header.digest;
	} else {
		err = -EBADMSG;
	}
	free(array);
	return err;
}

static int check_records(struct rec_reader *reader)
{
	const struct rec_section *s = find(&reader->header, REC_SECTION_RECORDS);
	uint64_t there;

	if (!s || s->element_size < sizeof(struct rec_record) ||
	    s->element_size != reader->header.record_size || s->element_size > READER_CHUNK_BYTES ||
	    s->count > s->capacity || s->offset < REC_HEADER_SIZE)
		return -EBADMSG;
	if (s->offset > reader->file_bytes)
		return -ENODATA;
	reader->records = *s;
	there = (reader->file_bytes - s->offset) / s->element_size;
	if (s->count > there) {
		reader->records.count = there;
		reader->cut = true;
	}
	return 0;
}

int rec_sections_read(struct rec_reader *r)
{
	size_t n;
	const struct {
		enum rec_section_id id;
		size_t size;
		uint64_t want;
		void **array;
		size_t *count;
	} sections[] = {
		{ REC_SECTION_FILES, sizeof(*r->files), 0, (void **)&r->files, &r->file_count },
		{ REC_SECTION_TOTALS, sizeof(*r->totals), REC_ROWS, (void **)&r->totals, &n },
		{ REC_SECTION_HISTOGRAM, sizeof(*r->histogram), REC_ROWS * REC_BUCKETS,
		  (void **)&r->histogram, &n },
		{ REC_SECTION_BINS, sizeof(*r->bins), 3 * REC_BINS, (void **)&r->bins, &n },
		{ REC_SECTION_COMPRESS, sizeof(*r->compress), 2 * REC_E_BUCKETS,
		  (void **)&r->compress, &n },
		{ REC_SECTION_TEMPERATURE, sizeof(*r->temperatures), 0, (void **)&r->temperatures,
		  &r->temperature_count },
	};
	int err = check_records(r);

	for (size_t i = 0; !err && i < sizeof(sections) / sizeof(sections[0]); i++)
		err = load(r, sections[i].id, sections[i].size, sections[i].want, sections[i].array,
			   sections[i].count);
	if (!err)
		err = load_stream(r);
	for (size_t i = 0; !err && i < r->file_count; i++)
		r->files[i].name[sizeof(r->files[i].name) - 1] = '\0';
	return err;
}
