/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts every I/O and writes the file. Making the file is in writer-open.c, thinning in thin.c. */
#include "record/writer-private.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/digest.h"

struct rec_header *rec_writer_header(struct rec_writer *writer)
{
	return writer->header;
}

void rec_writer_start(struct rec_writer *writer, uint64_t time_ns)
{
	writer->header->first_submit_ns = time_ns;
	writer->last_ns = time_ns;
	writer->header->live.phase = REC_PHASE_RUN;
}

void rec_writer_submit(struct rec_writer *writer, uint64_t offset, uint64_t length,
		       enum rec_direction dir, unsigned int file)
{
	rec_digest_add(&writer->header->digest, writer->checkpoints,
		       &writer->checkpoint_section->count, offset, length, dir, file);
}

void rec_writer_batch(struct rec_writer *writer, uint64_t time_ns, unsigned int count)
{
	uint64_t gap = time_ns > writer->last_ns ? time_ns - writer->last_ns : 0;

	writer->last_ns = time_ns;
	if (count <= 1) {
		writer->share_ns = gap;
		writer->share_rest_ns = 0;
		return;
	}
	writer->share_ns = gap / count;
	writer->share_rest_ns = gap - writer->share_ns * count;
}

static void count_units(struct rec_writer *writer, enum rec_direction dir,
			const struct state_io *data)
{
	uint64_t *compress = writer->compress + (size_t)dir * REC_E_BUCKETS;

	for (unsigned int i = 0; i < data->units; i++) {
		const struct state_unit *unit = &data->unit[i];
		unsigned int bucket = (unsigned int)(unit->e * 100);

		if (bucket >= REC_E_BUCKETS)
			bucket = REC_E_BUCKETS - 1;
		compress[bucket] += unit->bytes;
		writer->totals[rec_row(dir, unit->state)].unit_bytes += unit->bytes;
	}
}

static void count_bin(struct rec_writer *writer, const struct rec_record *r, uint64_t busy_ns)
{
	const struct rec_header *h = writer->header;
	uint64_t i = r->offset > h->bin_base ? (r->offset - h->bin_base) >> h->bin_shift : 0;
	struct rec_bin *bin;

	if (i >= REC_BINS)
		i = REC_BINS - 1;
	bin = &writer->bins[(size_t)r->direction * REC_BINS + i];
	bin->ios++;
	bin->bytes += r->length;
	bin->busy_ns += busy_ns;
	bin->latency_sum_ns += r->latency_ns;
	bin->state_bytes[r->state] += r->length;
}

static void count_measured(struct rec_writer *writer, const struct rec_record *r, uint64_t busy_ns)
{
	unsigned int row = rec_row(r->direction, r->state);
	struct rec_total *total = &writer->totals[row];

	total->ios++;
	total->bytes += r->length;
	total->busy_ns += busy_ns;
	if (!(r->flags & REC_F_NO_LATENCY)) {
		total->latency_ios++;
		total->latency_sum_ns += r->latency_ns;
		if (r->latency_ns < total->latency_min_ns)
			total->latency_min_ns = r->latency_ns;
		if (r->latency_ns > total->latency_max_ns)
			total->latency_max_ns = r->latency_ns;
		writer->histogram[(size_t)row * REC_BUCKETS + rec_bucket(r->latency_ns)]++;
	}
	if (r->direction != REC_SYNC)
		count_bin(writer, r, busy_ns);
}

void rec_writer_complete(struct rec_writer *writer, const struct rec_record *record,
			 const struct state_io *data)
{
	struct rec_header *h = writer->header;
	unsigned int dir = record->direction;
	uint64_t busy_ns = writer->share_ns + writer->share_rest_ns;

	writer->share_rest_ns = 0;
	h->live.ios[dir]++;
	h->live.bytes[dir] += record->length;
	h->live.time_ns = record->time_ns;
	if (record->flags & REC_F_SHORT)
		h->apart.short_ios[dir]++;
	if (record->flags & REC_F_ERROR) {
		h->live.errors++;
		h->apart.error_ios[dir]++;
	} else if (record->flags & REC_F_VERIFY) {
		h->apart.verify_ios[dir]++;
		h->apart.verify_bytes[dir] += record->length;
	} else if (record->flags & REC_F_RAMP) {
		h->apart.ramp_ios[dir]++;
		h->apart.ramp_bytes[dir] += record->length;
	} else {
		count_measured(writer, record, busy_ns);
		if (data && dir <= REC_WRITE)
			count_units(writer, dir, data);
	}
	rec_thin_keep(writer, record);
}

void rec_writer_temperature(struct rec_writer *writer, uint64_t time_ns, int32_t millidegree_c)
{
	struct rec_section *section = writer->temperature_section;
	struct rec_live *live = &writer->header->live;
	uint64_t n = section->count;

	live->temperature_millidegree_c = millidegree_c;
	__atomic_store_n(&live->temperature_known, 1, __ATOMIC_RELEASE);
	/* after a doubling of the interval only every 2^n-th sample is kept */
	if (writer->temperature_calls++ & (writer->temperature_stride - 1))
		return;
	if (n == REC_TEMPERATURES) {
		for (n = 0; n < REC_TEMPERATURES / 2; n++)
			writer->temperatures[n] = writer->temperatures[2 * n];
		writer->temperature_stride *= 2;
		writer->header->temperature_interval_ns *= 2;
		section->count = n;
	}
	writer->temperatures[n] = (struct rec_temperature){ time_ns, millidegree_c, 0 };
	__atomic_store_n(&section->count, n + 1, __ATOMIC_RELEASE);
}

int rec_writer_close(struct rec_writer *writer)
{
	uint64_t used;
	int ret = 0;

	if (!writer)
		return 0;
	used = writer->records_offset + writer->record_section->count * sizeof(struct rec_record);
	writer->header->live.phase = REC_PHASE_END;
	writer->header->flags |= REC_H_CLOSED;
	munmap(writer->header, writer->mapped);
	if (ftruncate(writer->fd, (off_t)used))
		ret = -errno;
	close(writer->fd);
	free(writer);
	return ret;
}
