/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints a record file for the scripts of this folder:
 *   rec-dump FILE                header and totals, one "key value" a line
 *   rec-dump FILE records        a line each: offset length direction state flags error hash file latency
 *   rec-dump FILE rehash DATA    reads DATA (by pread, not by fio) and compares each hashed
 *                                record with XXH3 of the same bytes: "compared N differ M"
 *   rec-dump FILE digest FILE2   relation of the two streams and the proved prefix
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "record/reader.h"
#include "record/state.h"

static const char *const directions[] = { "read", "write", "trim", "sync" };

static void print_direction(const struct rec_reader *r, enum rec_direction dir)
{
	const struct rec_apart *apart = &rec_header(r)->apart;
	struct rec_total sum;
	const char *d = directions[dir];

	rec_total_direction(r, dir, &sum);
	printf("%s.ios %" PRIu64 "\n%s.bytes %" PRIu64 "\n", d, sum.ios, d, sum.bytes);
	printf("%s.busy_ns %" PRIu64 "\n", d, sum.busy_ns);
	printf("%s.latency_mean_ns %" PRIu64 "\n", d,
	       sum.latency_ios ? sum.latency_sum_ns / sum.latency_ios : 0);
	printf("%s.latency_ios %" PRIu64 "\n", d, sum.latency_ios);
	printf("%s.ramp_ios %" PRIu64 "\n", d, apart->ramp_ios[dir]);
	printf("%s.verify_ios %" PRIu64 "\n", d, apart->verify_ios[dir]);
	printf("%s.error_ios %" PRIu64 "\n", d, apart->error_ios[dir]);
	printf("%s.short_ios %" PRIu64 "\n", d, apart->short_ios[dir]);
	printf("%s.live_ios %" PRIu64 "\n", d, rec_header(r)->live.ios[dir]);
	for (int s = 0; dir <= REC_WRITE && s < REC_STATES; s++)
		printf("%s.%s.ios %" PRIu64 "\n", d, state_name((enum rec_state)s),
		       rec_total(r, dir, (enum rec_state)s)->ios);
}

static void print_all(struct rec_reader *r)
{
	const struct rec_header *h = rec_header(r);
	struct rec_record rec;
	uint64_t records = 0;
	size_t temperatures;

	while (rec_next(r, &rec) == 1)
		records++;
	rec_temperatures(r, &temperatures);
	printf("pid %d\n", h->pid);
	printf("base_engine %s\njob %s\nthread %u\nworker %u\ngroup %u\nsubjob %u\n",
	       h->base_engine, h->job_name, h->thread_number, h->worker, h->group, h->subjob);
	printf("closed %d\ncut %d\nphase %u\nrecords %" PRIu64 "\n", rec_is_closed(r),
	       rec_is_cut(r), h->live.phase, records);
	printf("thin_shift %u\nhash_shift %u\nstate_shift %u\ndropped %" PRIu64 "\n", h->thin_shift,
	       h->hash_shift, h->state_shift, h->dropped);
	printf("classify_ns %" PRIu64 "\nlast_ns %" PRIu64 "\nfirst_ns %" PRIu64 "\n",
	       h->classify_ns, h->live.time_ns, h->first_submit_ns);
	printf("gate_start_ns %" PRIu64 "\nfirst_monotonic_ns %" PRIu64 "\n", h->gate_start_ns,
	       h->start_monotonic_ns + h->first_submit_ns);
	printf("digest.ios %" PRIu64 "\n", rec_stream(r)->digest.ios);
	printf("temperatures %zu\ntemperature_known %u\ntemperature %d\n", temperatures,
	       h->live.temperature_known, h->live.temperature_millidegree_c);
	printf("files %zu\nfile0 %s\n", rec_file_count(r),
	       rec_file_count(r) ? rec_file(r, 0)->name : "");
	for (int dir = 0; dir < REC_DIRECTIONS; dir++)
		print_direction(r, (enum rec_direction)dir);
}

static void print_records(struct rec_reader *r)
{
	struct rec_record rec;

	while (rec_next(r, &rec) == 1)
		printf("%" PRIu64 " %u %s %s 0x%x %u %016" PRIx64 " %u %" PRIu64 "\n", rec.offset,
		       rec.length, directions[rec.direction],
		       state_name((enum rec_state)rec.state), rec.flags, rec.error, rec.hash,
		       rec.file, rec.latency_ns);
}

static int rehash(struct rec_reader *r, const char *path)
{
	int fd = open(path, O_RDONLY), err = fd < 0;
	uint64_t compared = 0, differ = 0;
	struct rec_record rec;

	while (!err && rec_next(r, &rec) == 1) {
		char *data;

		if (rec.flags & (REC_F_NOT_HASHED | REC_F_ERROR))
			continue;
		data = malloc(rec.length + 1);
		err = !data || pread(fd, data, rec.length, (off_t)rec.offset) != (ssize_t)rec.length;
		compared++;
		differ += !err && XXH3_64bits(data, rec.length) != rec.hash;
		free(data);
	}
	if (fd >= 0)
		close(fd);
	printf("compared %" PRIu64 " differ %" PRIu64 "\n", compared, differ);
	return err;
}

static int compare(struct rec_reader *a, const char *path)
{
	static const char *const names[] = { "equal_sequence", "equal_set", "equal_prefix",
					     "different", "unknown" };
	struct rec_reader *b;
	uint64_t prefix;
	int err = rec_open(path, &b);

	if (err)
		return 1;
	printf("%s", names[rec_digest_compare(rec_stream(a), rec_stream(b), &prefix)]);
	printf(" %" PRIu64 "\n", prefix);
	rec_close(b);
	return 0;
}

int main(int argc, char **argv)
{
	struct rec_reader *r;
	int err = argc < 2 ? -EINVAL : rec_open(argv[1], &r);

	if (err) {
		fprintf(stderr, "rec-dump: %s\n", strerror(-err));
		return 1;
	}
	if (argc == 2)
		print_all(r);
	else if (!strcmp(argv[2], "records"))
		print_records(r);
	else if (argc == 4 && !strcmp(argv[2], "rehash"))
		err = rehash(r, argv[3]);
	else if (argc == 4 && !strcmp(argv[2], "digest"))
		err = compare(r, argv[3]);
	else
		err = 1;
	rec_close(r);
	return err;
}
