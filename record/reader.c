/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens record files and walks over their records. */
#include "record/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/reader-private.h"

int rec_read_at(int fd, void *to, size_t length, uint64_t offset)
{
	size_t done = 0;

	if (offset > INT64_MAX - length)
		return -EBADMSG;
	while (done < length) {
		ssize_t n = pread(fd, (char *)to + done, length - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -ENODATA;
		done += (size_t)n;
	}
	return 0;
}

#define END_STRING(s) ((s)[sizeof(s) - 1] = '\0')

int rec_header_read(int fd, struct rec_header *h)
{
	size_t head = offsetof(struct rec_header, section_count);
	int err = rec_read_at(fd, h, head, 0);

	if (err)
		return err;
	if (memcmp(h->magic, REC_MAGIC, sizeof(h->magic)))
		return -EBADMSG;
	if (h->byte_order != REC_BYTE_ORDER || h->version_major != REC_VERSION_MAJOR)
		return -EPROTONOSUPPORT;
	err = rec_read_at(fd, h, sizeof(*h), 0);
	if (err)
		return err;
	if (h->header_size < REC_HEADER_SIZE || h->section_count > REC_SECTIONS_MAX ||
	    h->bin_shift > 63 || h->thin_shift > REC_SHIFT_MAX || h->hash_shift > REC_SHIFT_MAX ||
	    h->state_shift > REC_SHIFT_MAX)
		return -EBADMSG;
	END_STRING(h->fio_version);
	END_STRING(h->engine_version);
	END_STRING(h->base_engine);
	END_STRING(h->job_name);
	END_STRING(h->temperature_source);
	return 0;
}

/* O_NONBLOCK: a named pipe in the place of a record file must not hang us. */
static int open_regular(const char *path, uint64_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (!S_ISREG(st.st_mode))
		err = -EBADMSG;
	if (err) {
		close(fd);
		return err;
	}
	*bytes = (uint64_t)st.st_size;
	return fd;
}

int rec_open(const char *path, struct rec_reader **reader)
{
	struct rec_reader *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	r->fd = open_regular(path, &r->file_bytes);
	err = r->fd < 0 ? r->fd : rec_header_read(r->fd, &r->header);
	if (!err)
		err = rec_sections_read(r);
	if (!err) {
		r->chunk_bytes = READER_CHUNK_BYTES / r->records.element_size *
				 r->records.element_size;
		r->chunk = malloc(r->chunk_bytes);
		err = r->chunk ? 0 : -ENOMEM;
	}
	if (err) {
		rec_close(r);
		return err;
	}
	*reader = r;
	return 0;
}

void rec_close(struct rec_reader *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(r->files);
	free(r->totals);
	free(r->histogram);
	free(r->bins);
	free(r->compress);
	free(r->temperatures);
	free(r->chunk);
	free(r);
}

const struct rec_header *rec_header(const struct rec_reader *r)
{
	return &r->header;
}

bool rec_is_closed(const struct rec_reader *r)
{
	return r->header.flags & REC_H_CLOSED;
}

bool rec_is_cut(const struct rec_reader *r)
{
	return r->cut;
}

uint64_t rec_slot_count(const struct rec_reader *r)
{
	return r->records.count;
}

void rec_rewind(struct rec_reader *r)
{
	r->next = 0;
}

static int fill_chunk(struct rec_reader *r)
{
	uint64_t left = r->records.count - r->next;
	uint64_t room = r->chunk_bytes / r->records.element_size;
	uint64_t n = left < room ? left : room;
	int err = rec_read_at(r->fd, r->chunk, n * r->records.element_size,
			      r->records.offset + r->next * r->records.element_size);

	r->chunk_first = r->next;
	r->chunk_count = err ? 0 : n;
	return err;
}

int rec_next(struct rec_reader *r, struct rec_record *record)
{
	while (r->next < r->records.count) {
		uint64_t i = r->next - r->chunk_first;

		if (r->next < r->chunk_first || i >= r->chunk_count) {
			int err = fill_chunk(r);

			if (err)
				return err;
			i = 0;
		}
		r->next++;
		memcpy(record, r->chunk + i * r->records.element_size, sizeof(*record));
		if (!(record->flags & REC_F_VALID) || record->direction >= REC_DIRECTIONS ||
		    record->file >= r->file_count ||
		    !rec_offset_passes(record->offset, r->header.thin_shift))
			continue;
		if (record->state >= REC_STATES)
			record->state = REC_UNCLASSIFIED;
		return 1;
	}
	return 0;
}

/* Adds up the latencies of the totals; leaves 0 where they do not lie inside the file. */
static void live_latency(int fd, uint64_t file_bytes, const struct rec_header *h, struct rec_live_view *view)
{
	struct rec_total totals[REC_ROWS];

	view->latency_ios = view->latency_sum_ns = 0;
	for (uint32_t i = 0; i < h->section_count; i++) {
		const struct rec_section *s = &h->sections[i];

		if (s->id != REC_SECTION_TOTALS || s->element_size != sizeof(totals[0]) ||
		    s->capacity < REC_ROWS || s->offset > file_bytes ||
		    file_bytes - s->offset < sizeof(totals) ||
		    rec_read_at(fd, totals, sizeof(totals), s->offset))
			continue;
		for (unsigned int row = 0; row < REC_ROWS; row++) {
			view->latency_ios += totals[row].latency_ios;
			view->latency_sum_ns += totals[row].latency_sum_ns;
		}
		return;
	}
}

int rec_live_read(const char *path, struct rec_live_view *view)
{
	struct rec_header h;
	uint64_t bytes;
	int fd = open_regular(path, &bytes), err;

	if (fd < 0)
		return fd;
	err = bytes < sizeof(h) ? -ENODATA : rec_header_read(fd, &h);
	if (!err)
		live_latency(fd, bytes, &h, view);
	close(fd);
	/* all zero: the engine has not written the header yet */
	if (err == -EBADMSG && h.magic[0] == '\0')
		return -ENODATA;
	if (err)
		return err;
	view->live = h.live;
	view->closed = h.flags & REC_H_CLOSED;
	view->pid = h.pid;
	view->start_monotonic_ns = h.start_monotonic_ns;
	view->gate_start_ns = h.gate_start_ns;
	memcpy(view->job_name, h.job_name, sizeof(view->job_name));
	view->thread_number = h.thread_number;
	view->worker = h.worker;
	return 0;
}
