/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes a record file: lays out the sections, maps it and fills in what is known. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/writer-private.h"

#define ALIGN_BYTES 4096u

static uint64_t align_up(uint64_t n)
{
	return (n + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
}

static void copy_string(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from ? from : "");
}

static void copy_name(char *to, size_t size, const char *from)
{
	size_t length = strlen(from);

	if (length < size)
		copy_string(to, size, from);
	else
		snprintf(to, size, "...%s", from + length - (size - 4));
}

/* Puts one more section behind the others; count is what is in use from the start. */
static struct rec_section *add_section(struct rec_header *h, enum rec_section_id id,
				       size_t element_size, uint64_t capacity, uint64_t count)
{
	struct rec_section *s = &h->sections[h->section_count];
	uint64_t offset = h->header_size;

	if (h->section_count)
		offset = s[-1].offset + s[-1].capacity * s[-1].element_size;
	*s = (struct rec_section){ id, (uint32_t)element_size, align_up(offset), capacity, count };
	h->section_count++;
	return s;
}

static void lay_out(struct rec_header *h, const struct rec_writer_config *config)
{
	uint64_t records = config->record_budget_bytes / sizeof(struct rec_record);

	add_section(h, REC_SECTION_FILES, sizeof(struct rec_file), config->file_count,
		    config->file_count);
	add_section(h, REC_SECTION_TOTALS, sizeof(struct rec_total), REC_ROWS, REC_ROWS);
	add_section(h, REC_SECTION_HISTOGRAM, sizeof(uint64_t), REC_ROWS * REC_BUCKETS,
		    REC_ROWS * REC_BUCKETS);
	add_section(h, REC_SECTION_BINS, sizeof(struct rec_bin), 3 * REC_BINS, 3 * REC_BINS);
	add_section(h, REC_SECTION_COMPRESS, sizeof(uint64_t), 2 * REC_E_BUCKETS,
		    2 * REC_E_BUCKETS);
	add_section(h, REC_SECTION_CHECKPOINTS, sizeof(struct rec_checkpoint), REC_CHECKPOINTS, 0);
	add_section(h, REC_SECTION_TEMPERATURE, sizeof(struct rec_temperature), REC_TEMPERATURES,
		    0);
	add_section(h, REC_SECTION_RECORDS, sizeof(struct rec_record), records ? records : 1, 0);
}

/* The narrowest power of two with which REC_BINS cover the area of I/O of all files. */
static void lay_out_bins(struct rec_header *h, const struct rec_writer_file *files, size_t count)
{
	uint64_t low = UINT64_MAX, high = 0;

	for (size_t i = 0; i < count; i++) {
		const struct rec_writer_file *f = &files[i];
		uint64_t end = f->io_offset + f->io_size;

		if (end < f->io_offset)
			end = UINT64_MAX;
		if (f->io_offset < low)
			low = f->io_offset;
		if (end > high)
			high = end;
	}
	if (low >= high)
		low = 0, high = 1;
	h->bin_base = low;
	h->bin_shift = 12;
	while (h->bin_shift < 63 && (high - low - 1) >> h->bin_shift >= REC_BINS)
		h->bin_shift++;
}

static void describe(struct rec_header *h, const struct rec_writer_config *config)
{
	memcpy(h->magic, REC_MAGIC, sizeof(h->magic));
	h->version_major = REC_VERSION_MAJOR;
	h->version_minor = REC_VERSION_MINOR;
	h->byte_order = REC_BYTE_ORDER;
	h->header_size = REC_HEADER_SIZE;
	h->record_size = sizeof(struct rec_record);
	copy_string(h->fio_version, sizeof(h->fio_version), config->fio_version);
	copy_string(h->engine_version, sizeof(h->engine_version), config->engine_version);
	copy_string(h->base_engine, sizeof(h->base_engine), config->base_engine);
	copy_string(h->job_name, sizeof(h->job_name), config->job_name);
	h->thread_number = config->thread_number;
	h->worker = config->worker;
	h->group = config->group;
	h->subjob = config->subjob;
	h->pid = config->pid;
	h->iodepth = config->iodepth;
	h->direct = config->direct;
	h->classify = config->classify;
	h->record_budget_bytes = config->record_budget_bytes;
	memcpy(h->block_min_bytes, config->block_min_bytes, sizeof(h->block_min_bytes));
	memcpy(h->block_max_bytes, config->block_max_bytes, sizeof(h->block_max_bytes));
	h->start_realtime_ns = config->start_realtime_ns;
	h->start_monotonic_ns = config->start_monotonic_ns;
	h->first_submit_ns = UINT64_MAX;
	copy_string(h->temperature_source, sizeof(h->temperature_source),
		    config->temperature_source);
	if (config->temperature_source)
		h->temperature_interval_ns = config->temperature_interval_ns;
	h->digest.stride = 1;
	lay_out(h, config);
}

static int map_file(const char *path, uint64_t bytes, int *fd, struct rec_header **header)
{
	int err;

	/* a new inode: whoever has an older file of that name open keeps what it read */
	if (unlink(path) && errno != ENOENT)
		return -errno;
	*fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (*fd < 0)
		return -errno;
	/* with blocks: a full disk must be an error here, not a SIGBUS in the job */
	err = -posix_fallocate(*fd, 0, (off_t)bytes);
	if (!err) {
		*header = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, *fd,
			       0);
		if (*header != MAP_FAILED)
			return 0;
		err = -errno;
	}
	close(*fd);
	unlink(path);
	return err;
}

static void *section_data(struct rec_header *h, enum rec_section_id id)
{
	/* lay_out() adds them in the order of their ids, which start at 1 */
	return (char *)h + h->sections[id - 1].offset;
}

static void point_into(struct rec_writer *w, struct rec_header *h)
{
	w->header = h;
	w->totals = section_data(h, REC_SECTION_TOTALS);
	w->histogram = section_data(h, REC_SECTION_HISTOGRAM);
	w->bins = section_data(h, REC_SECTION_BINS);
	w->compress = section_data(h, REC_SECTION_COMPRESS);
	w->checkpoints = section_data(h, REC_SECTION_CHECKPOINTS);
	w->temperatures = section_data(h, REC_SECTION_TEMPERATURE);
	w->records = section_data(h, REC_SECTION_RECORDS);
	w->checkpoint_section = &h->sections[REC_SECTION_CHECKPOINTS - 1];
	w->temperature_section = &h->sections[REC_SECTION_TEMPERATURE - 1];
	w->record_section = &h->sections[REC_SECTION_RECORDS - 1];
	w->capacity = w->record_section->capacity;
	w->records_offset = w->record_section->offset;
	w->cursor = w->capacity;
	w->temperature_stride = 1;
}

void rec_writer_files(struct rec_writer *w, const struct rec_writer_file *files, size_t count)
{
	struct rec_section *section = &w->header->sections[REC_SECTION_FILES - 1];
	struct rec_file *to = section_data(w->header, REC_SECTION_FILES);

	if (count > section->capacity)
		count = section->capacity;
	for (size_t i = 0; i < count; i++) {
		to[i].size_bytes = files[i].size_bytes;
		to[i].io_offset = files[i].io_offset;
		to[i].io_size = files[i].io_size;
		copy_name(to[i].name, sizeof(to[i].name), files[i].name ? files[i].name : "");
	}
	section->count = count;
	lay_out_bins(w->header, files, count);
}

int rec_writer_open(const char *path, const struct rec_writer_config *config,
		    struct rec_writer **writer)
{
	struct rec_header *draft, *mapped;
	struct rec_section *last;
	struct rec_writer *w;
	int err = -ENOMEM;

	if (config->record_budget_bytes > (uint64_t)1 << 40)
		return -EINVAL;
	draft = calloc(1, sizeof(*draft));
	w = calloc(1, sizeof(*w));
	if (!draft || !w)
		goto out;
	describe(draft, config);
	last = &draft->sections[draft->section_count - 1];
	w->mapped = align_up(last->offset + last->capacity * last->element_size);
	err = map_file(path, w->mapped, &w->fd, &mapped);
	if (err)
		goto out;
	memcpy(mapped, draft, sizeof(*draft));
	point_into(w, mapped);
	rec_writer_files(w, config->files, config->file_count);
	for (unsigned int row = 0; row < REC_ROWS; row++)
		w->totals[row].latency_min_ns = UINT64_MAX;
	*writer = w;
	w = NULL;
out:
	free(draft);
	free(w);
	return err;
}
