/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The record file: what the engine wrote about every I/O of one fio thread.
 * README.md in this folder says the same in prose, with the history of versions.
 *
 *      0 +--------------------------------------------------------------+
 *        | struct rec_header: who, when, how; section table; live       |
 *        | counters that may be read while the job runs                 |
 *   4096 +--------------------------------------------------------------+
 *        | files        struct rec_file       names and sizes           |
 *        | totals       struct rec_total      per direction and state   |
 *        | histogram    uint64_t              latency, same rows        |
 *        | bins         struct rec_bin        per range of offsets      |
 *        | compress     uint64_t              distribution of e         |
 *        | checkpoints  struct rec_checkpoint stream digest on the way  |
 *        | temperature  struct rec_temperature                          |
 *        +--------------------------------------------------------------+
 *        | records      struct rec_record     the only part that is     |
 *        |                                    thinned when full         |
 *        +--------------------------------------------------------------+
 *
 * All numbers are little-endian. Where a section lies, how large its elements are and how
 * many there are stands in the section table, never in the reader's head. Elements only
 * grow at their end (minor version); anything else is a new major version.
 */
#ifndef NVMATCH_RECORD_FORMAT_H
#define NVMATCH_RECORD_FORMAT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define REC_MAGIC "NVMREC\r\n"
#define REC_VERSION_MAJOR 1
#define REC_VERSION_MINOR 0
#define REC_BYTE_ORDER 0x01020304u
#define REC_HEADER_SIZE 4096u
#define REC_SECTIONS_MAX 12

enum rec_section_id {
	REC_SECTION_FILES = 1,
	REC_SECTION_TOTALS,
	REC_SECTION_HISTOGRAM,
	REC_SECTION_BINS,
	REC_SECTION_COMPRESS,
	REC_SECTION_CHECKPOINTS,
	REC_SECTION_TEMPERATURE,
	REC_SECTION_RECORDS,
};

struct rec_section {
	uint32_t id;		/* enum rec_section_id; a reader skips what it does not know */
	uint32_t element_size;	/* bytes */
	uint64_t offset;	/* bytes from the start of the file */
	uint64_t capacity;	/* elements that there is room for */
	uint64_t count;		/* elements in use; grows while the job runs */
};
static_assert(sizeof(struct rec_section) == 32, "file format");

enum rec_direction {
	REC_READ,
	REC_WRITE,
	REC_TRIM,
	REC_SYNC,		/* fsync, fdatasync, sync_file_range, ...: no data, length 0 */
	REC_DIRECTIONS,
};

/* What the bytes of an I/O were: state.h has the rules. */
enum rec_state {
	REC_UNCLASSIFIED,	/* not looked at: sampled out, no data, or classify is off */
	REC_ZERO,
	REC_PATTERN,
	REC_HIGHLY_COMPRESSIBLE,
	REC_COMPRESSIBLE,
	REC_INCOMPRESSIBLE,
	REC_STATES,
};

/* Flags of a record. */
enum {
	REC_F_VALID = 1 << 0,		/* set last: a slot without it was cut off in mid-write */
	REC_F_ERROR = 1 << 1,		/* the I/O failed, .error says how; length is 0 */
	REC_F_SHORT = 1 << 2,		/* less was transferred than asked for; .length is what was */
	REC_F_RAMP = 1 << 3,		/* completed in ramp_time */
	REC_F_VERIFY = 1 << 4,		/* read back by fio to verify, not part of the workload */
	REC_F_NO_LATENCY = 1 << 5,	/* fio took no issue time; latency_ns is 0 and unknown */
	REC_F_NOT_HASHED = 1 << 6,	/* hash is 0 and unknown */
	REC_F_ZERO = 1 << 7,		/* all bytes were tested and are 0 (also if state is unclassified) */
	REC_F_LENGTH_CAPPED = 1 << 8,	/* longer than length can say (a trim of 4 GiB and more) */
};

/* Thousandths of e (state.h) that a record can carry; this one says that e is not known. */
#define REC_E_UNKNOWN 0xffffu

/* One completed I/O. */
struct rec_record {
	uint64_t offset;	/* bytes from the start of the file or device */
	uint64_t hash;		/* XXH3, 64 bits, seed 0, of the bytes transferred */
	uint64_t time_ns;	/* of completion, since start_monotonic_ns of the header */
	uint64_t latency_ns;	/* completion latency: from issue to completion */
	uint32_t length;	/* bytes transferred */
	uint16_t file;		/* index into the files section */
	uint16_t flags;		/* REC_F_* */
	uint16_t error;		/* errno, or 0 */
	uint16_t e_permille;	/* compressibility, or REC_E_UNKNOWN */
	uint8_t direction;	/* enum rec_direction */
	uint8_t state;		/* enum rec_state */
	uint8_t reserved[2];	/* 0 */
};
static_assert(sizeof(struct rec_record) == 48, "file format");

struct rec_file {
	uint64_t size_bytes;	/* of the file or device; UINT64_MAX if fio does not know */
	uint64_t io_offset;	/* where the job's I/O starts */
	uint64_t io_size;	/* and how many bytes it may touch */
	char name[488];		/* ends with NUL; a longer name is cut at its start: "...tail" */
};
static_assert(sizeof(struct rec_file) == 512, "file format");

/*
 * Rows of the totals and histogram sections: reads and writes have a row for each state,
 * trims and syncs have one. The sum over a direction's rows is the direction.
 * Counted: what completed without error outside ramp_time and verification, always
 * complete, whatever happens to the records.
 */
#define REC_ROWS (2 * REC_STATES + 2)

static inline unsigned int rec_row(enum rec_direction dir, enum rec_state state)
{
	if (dir <= REC_WRITE)
		return (unsigned int)dir * REC_STATES + (unsigned int)state;
	return 2 * REC_STATES + (unsigned int)dir - REC_TRIM;
}

struct rec_total {
	uint64_t ios;
	uint64_t bytes;
	/*
	 * Time between one completion and the one before it belongs to the I/O that
	 * completed; n that complete together get an n-th each. So bytes / busy_ns of a
	 * row is its own throughput, and the thread's is the harmonic mean of its rows.
	 */
	uint64_t busy_ns;
	uint64_t latency_ios;		/* those whose latency is known */
	uint64_t latency_sum_ns;
	uint64_t latency_min_ns;	/* UINT64_MAX if latency_ios is 0 */
	uint64_t latency_max_ns;
	uint64_t unit_bytes;		/* bytes of single 4 KiB units examined and found in this
					   state, whatever the state of the whole I/O */
};
static_assert(sizeof(struct rec_total) == 64, "file format");

/*
 * Latency histogram, one of REC_BUCKETS counters a row. Below 64 ns a bucket is 1 ns wide,
 * from there on each power of two is cut into 64: at most 1.6 % wide. The last bucket takes
 * everything from about 18 minutes.
 */
#define REC_BUCKETS_PER_OCTAVE 64
#define REC_BUCKETS 2240

static inline unsigned int rec_bucket(uint64_t ns)
{
	unsigned int octave;

	if (ns < 64)
		return (unsigned int)ns;
	octave = 63 - (unsigned int)__builtin_clzll(ns);
	if (octave > 39)
		return REC_BUCKETS - 1;
	return (octave - 5) * 64 + (unsigned int)(ns >> (octave - 6)) - 64;
}

/* The lowest latency that falls into bucket i; that of i + 1 is the end of it. */
static inline uint64_t rec_bucket_ns(unsigned int i)
{
	if (i < 64)
		return i;
	return (uint64_t)(64 + i % 64) << (i / 64 - 1);
}

/*
 * The job's area of I/O cut into at most REC_BINS ranges of 2^bin_shift bytes from bin_base
 * on, for each of REC_READ, REC_WRITE and REC_TRIM (in this order, REC_BINS each).
 * An I/O counts where it starts. Files of a job share the bins.
 */
#define REC_BINS 256

struct rec_bin {
	uint64_t ios;
	uint64_t bytes;
	uint64_t busy_ns;
	uint64_t latency_sum_ns;
	uint64_t state_bytes[REC_STATES];
};
static_assert(sizeof(struct rec_bin) == 80, "file format");

/*
 * Distribution of e of the examined units: bytes with e in [i/100, (i+1)/100), the last
 * bucket takes 1 and above; REC_READ first, then REC_WRITE. Zero units count at e = 0.
 */
#define REC_E_BUCKETS 101

/*
 * Digest of the stream (file, offset, length, direction) in order of submission. Ramp is
 * included; syncs, verification and the remainders of short I/Os are not.
 * With rec_mix() below and G = REC_GOLDEN:
 *   item = mix(offset + mix(length + G * (8 * file + direction)))
 *   sequence = mix(sequence + item); set[0] += item; set[1] += mix(item + G)
 * A checkpoint is (ios, sequence) at every multiple of stride; when REC_CHECKPOINTS are
 * taken, every other one goes and stride doubles.
 */
#define REC_CHECKPOINTS 128

struct rec_digest {
	uint64_t ios;
	uint64_t sequence;	/* equal: same I/Os in the same order */
	uint64_t set[2];	/* equal: same I/Os in any order; may be added up over threads */
	uint64_t stride;
};
static_assert(sizeof(struct rec_digest) == 40, "file format");

struct rec_checkpoint {
	uint64_t ios;
	uint64_t sequence;
};
static_assert(sizeof(struct rec_checkpoint) == 16, "file format");

/* When all are used every other one goes and the interval doubles. */
#define REC_TEMPERATURES 4096

struct rec_temperature {
	uint64_t time_ns;	/* as in a record */
	int32_t millidegree_c;
	uint32_t reserved;	/* 0 */
};
static_assert(sizeof(struct rec_temperature) == 16, "file format");

enum rec_classify { REC_CLASSIFY_OFF, REC_CLASSIFY_HASH, REC_CLASSIFY_STATE, REC_CLASSIFY_FULL,
		    REC_CLASSIFY_ALL };	/* as full, and never a sample */

enum rec_phase {
	REC_PHASE_INIT,		/* the file was made, no I/O yet */
	REC_PHASE_GATE,		/* waiting at the start gate */
	REC_PHASE_RUN,
	REC_PHASE_END,
};

/*
 * May be read by others at any time (each field alone is consistent). Everything the thread
 * did, ramp and verification included.
 */
struct rec_live {
	uint32_t phase;			/* enum rec_phase */
	uint32_t temperature_known;	/* 0: temperature_millidegree_c means nothing */
	int32_t temperature_millidegree_c;
	uint32_t reserved;
	uint64_t errors;
	uint64_t ios[REC_DIRECTIONS];
	uint64_t bytes[REC_DIRECTIONS];
	uint64_t time_ns;		/* of the last completion, as in a record */
};
static_assert(sizeof(struct rec_live) == 96, "file format");

/* I/Os that are not in the totals. */
struct rec_apart {
	uint64_t ramp_ios[REC_DIRECTIONS];
	uint64_t ramp_bytes[REC_DIRECTIONS];
	uint64_t verify_ios[REC_DIRECTIONS];
	uint64_t verify_bytes[REC_DIRECTIONS];
	uint64_t error_ios[REC_DIRECTIONS];	/* in any phase */
	uint64_t short_ios[REC_DIRECTIONS];	/* in any phase; these are in the totals too */
};
static_assert(sizeof(struct rec_apart) == 192, "file format");

/* Flags of the header. */
enum {
	REC_H_CLOSED = 1 << 0,	/* the engine ended the file in order */
};

struct rec_header {
	char magic[8];			/* REC_MAGIC */
	uint16_t version_major;
	uint16_t version_minor;
	uint32_t byte_order;		/* REC_BYTE_ORDER */
	uint32_t header_size;		/* REC_HEADER_SIZE */
	uint32_t record_size;		/* sizeof(struct rec_record) or more */
	uint32_t section_count;
	uint32_t flags;			/* REC_H_* */
	struct rec_section sections[REC_SECTIONS_MAX];

	/* who */
	char fio_version[32];		/* strings end with NUL */
	char engine_version[32];
	char base_engine[32];
	char job_name[128];
	uint32_t thread_number;		/* fio's, from 1 */
	uint32_t worker;		/* from 1: a worker of io_submit_mode=offload; else 0 */
	uint32_t group;			/* fio's groupid */
	uint32_t subjob;		/* which of numjobs, from 0 */
	int32_t pid;
	uint32_t iodepth;
	uint32_t direct;		/* 1: O_DIRECT */
	uint32_t classify;		/* enum rec_classify */
	uint64_t record_budget_bytes;
	uint64_t block_min_bytes[3];	/* read, write, trim */
	uint64_t block_max_bytes[3];

	/* when */
	uint64_t start_realtime_ns;	/* the same moment on CLOCK_REALTIME */
	uint64_t start_monotonic_ns;	/* and on CLOCK_MONOTONIC: time 0 of the records */
	uint64_t gate_start_ns;		/* release of the gate on CLOCK_MONOTONIC; 0: no gate */
	uint64_t first_submit_ns;	/* since start_monotonic_ns; UINT64_MAX: no I/O */

	/* how it was thinned and sampled */
	uint64_t bin_base;		/* bytes */
	uint32_t bin_shift;
	uint32_t thin_shift;		/* records kept: those with rec_offset_passes(thin_shift) */
	uint32_t hash_shift;		/* hashed now: those with rec_offset_passes(hash_shift) */
	uint32_t state_shift;		/* classified now: rec_offset_passes(state_shift) */
	uint64_t dropped;		/* records that found no room even so */
	uint64_t classify_ns;		/* estimated time spent hashing and classifying */

	uint64_t temperature_interval_ns;	/* between samples, now; 0: not measured */
	char temperature_source[128];	/* file that was read; empty: none */

	struct rec_digest digest;
	struct rec_apart apart;
	struct rec_live live;
	uint8_t reserved[2832];
};
static_assert(sizeof(struct rec_header) == REC_HEADER_SIZE, "file format");

#define REC_GOLDEN 0x9e3779b97f4a7c15u

/* SplitMix64's finaliser: spreads every input bit over the output. */
static inline uint64_t rec_mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9u;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/*
 * Thinning and sampling choose by offset, so that two drives keep the same offsets: true for
 * a share of 2^-shift of all offsets, and whoever passes a shift passes each lower one.
 */
#define REC_SHIFT_MAX 32

static inline bool rec_offset_passes(uint64_t offset, unsigned int shift)
{
	return shift == 0 || rec_mix(offset + REC_GOLDEN) >> (64 - shift) == 0;
}

#endif
