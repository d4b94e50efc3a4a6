/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed and data state by offset, of each side for itself. */
#include "gather-slot.h"

#include <errno.h>

#include "record/reader.h"

static int add_file(struct rec_reader *reader, enum rec_direction d, const struct range *range,
		     int side, struct bin_sums *bins)
{
	const struct rec_header *h = rec_header(reader);
	struct rec_bin rows[REC_BINS];

	if (h->bin_shift > 62)
		return 0;
	if (gather_kinds(reader, d, rows))
		return -ENOMEM;
	for (uint64_t i = 0; i < REC_BINS; i++) {
		uint64_t offset = h->bin_base + (i << h->bin_shift);
		struct bin_sums *into;

		if (offset - (uint64_t)range->offset_bytes >= (uint64_t)range->length_bytes)
			continue;
		into = &bins[gather_piece(range, offset)];
		into->bytes[side] += (double)rows[i].bytes;
		into->busy_ns[side] += (double)rows[i].busy_ns;
		for (int c = 0; c < DATA_STATES; c++)
			into->class_bytes[side][c] += (int64_t)rows[i].state_bytes[c];
	}
	return 0;
}

int gather_bins(const struct workload *w, const struct record_files *files, enum side side,
		struct bin_sums *bins)
{
	for (size_t i = 0; i < files->count; i++) {
		int64_t range = files->files[i].range;
		struct rec_reader *reader;
		int ret;

		if (range < 0 || range >= (int64_t)w->ranges_count)
			continue;
		ret = rec_open(files->files[i].path, &reader);
		if (ret == -ENOMEM)
			return ret;
		if (ret)
			continue;	/* gather_records has said so */
		ret = add_file(reader, w->writes ? REC_WRITE : REC_READ, &w->ranges[range], side,
			 bins + range * BINS_PER_RANGE);
		rec_close(reader);
		if (ret)
			return ret;
	}
	return 0;
}
