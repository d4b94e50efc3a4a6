/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SMART / Health page and Identify pages of an NVMe drive: fetching (the only files that know
 * libnvme) is apart from decoding (pure). Prints nothing: reasons come back as sentences.
 */
#ifndef NVMATCH_SMART_H
#define NVMATCH_SMART_H

#include <jansson.h>

#include "model.h"

#define SMART_PAGE_BYTES 512
#define IDENTIFY_PAGE_BYTES 4096

/*
 * Log 02h of the drive below the target, asked of its controller with NSID FFFFFFFFh, after
 * checking that Identify on the same handle gives the drive's serial.
 * 0; else -errno and *reason is one sentence (caller frees): -EOPNOTSUPP not an NVMe drive,
 * -EACCES needs CAP_SYS_ADMIN, -ESTALE another drive is there now, -EIO refused with a status,
 * -ENODATA the page is all zero, or all ones (page is filled).
 */
int smart_read(const struct drive *drive, unsigned char page[SMART_PAGE_BYTES], char **reason);

/* Pure. A page of zeros or ones alone gives valid = false with the reason. smart_free frees the reason. */
void smart_decode(const unsigned char page[SMART_PAGE_BYTES], struct smart *smart);
void smart_unknown(struct smart *smart, const char *reason);	/* not read, because ... */
void smart_free(struct smart *smart);

/* Identify Controller and Namespace pages of the drive; errors as smart_read. */
int identify_read(const struct drive *drive, unsigned char controller[IDENTIFY_PAGE_BYTES],
		  unsigned char name_space[IDENTIFY_PAGE_BYTES], char **reason);
/*
 * Pure; each fills its own members and leaves the others. identify_unknown first, for a struct
 * that holds nothing; identify_free in the end. A list is that of CNS 03h (UUID).
 */
void identify_unknown(struct identify *identify);
void identify_free(struct identify *identify);
void identify_decode_controller(const unsigned char page[IDENTIFY_PAGE_BYTES], struct identify *identify);
void identify_decode_namespace(const unsigned char page[IDENTIFY_PAGE_BYTES], struct identify *identify);
void identify_decode_descriptors(const unsigned char list[IDENTIFY_PAGE_BYTES], struct identify *identify);

/* Fills drive->identify, or says why not in drive->missing. 0 or -ENOMEM. */
int identify_fill(struct drive *drive);

/* K - 273 (whole degrees, as nvme-cli); NaN when unknown. */
double smart_celsius(int64_t kelvin);

/* after - before. false: one of them unknown, or the counter went back (another drive, a reset). */
bool smart_counter_delta(struct smart_counter before, struct smart_counter after, int64_t *delta);
bool smart_number_delta(int64_t before, int64_t after, int64_t *delta);

/*
 * Bytes that a difference of data_units_read or data_units_written stands for: the counter is
 * rounded up from 1000 blocks of 512 bytes, so the truth lies in [low, high] (NVMe base spec 2.0,
 * figure 207). low may be below zero when the difference is 0.
 */
void smart_delta_bytes(int64_t delta_units, int64_t *low_bytes, int64_t *high_bytes);

/* Exact decimal text of a counter, or of data units in bytes (x 512000, "too large" beyond 128 bits). */
#define SMART_NUMBER_SIZE 56
char *smart_counter_text(char buffer[static SMART_NUMBER_SIZE], struct smart_counter counter);
char *smart_units_bytes_text(char buffer[static SMART_NUMBER_SIZE], struct smart_counter units);

/* Name of a bit of critical_warning (0-7); NULL for a reserved one. */
const char *smart_warning_name(int bit);

/* nvme-cli's keys, and temperature_c, temperature_sensor_N_c, valid, reason, critical_warning_names. */
json_t *smart_to_json(const struct smart *smart);
/* Differences of all counters; a key is null where it cannot be said. */
json_t *smart_delta_to_json(const struct smart *before, const struct smart *after);

#endif
