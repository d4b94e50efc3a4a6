/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Record files: everything that a reader asks of one. */
#include "record/reader.h"
#include "tests/fuzz/fuzz.h"

static void read_all(struct rec_reader *reader)
{
	struct rec_record record;
	struct rec_total sum;
	size_t count;
	uint64_t prefix_ios;
	int32_t temperature;

	for (size_t i = 0; i < rec_file_count(reader); i++)
		rec_file(reader, i);
	while (rec_next(reader, &record) > 0)
		rec_temperature_at(reader, record.time_ns, &temperature);
	for (int dir = 0; dir < REC_DIRECTIONS; dir++) {
		rec_total_direction(reader, dir, &sum);
		for (int state = 0; state < REC_STATES; state++) {
			uint64_t ns;

			rec_total(reader, dir, state);
			rec_histogram_quantile(rec_histogram(reader, dir, state), 0.99, &ns);
		}
		rec_bins(reader, dir);
	}
	rec_temperatures(reader, &count);
	rec_digest_compare(rec_stream(reader), rec_stream(reader), &prefix_ios);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rec_reader *reader;
	struct rec_live_view view;
	char path[64];
	int fd = fuzz_file(data, size, path);

	if (!rec_open(path, &reader)) {
		read_all(reader);
		rec_close(reader);
	}
	rec_live_read(path, &view);
	close(fd);
	return 0;
}
