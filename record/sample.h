/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How large a share of the I/Os may be hashed and classified without slowing the job.
 * Pure arithmetic: the caller measures and asks.
 *
 * Looking at the data of a batch of n I/Os that completed together delays the next
 * submission of each of them by the time it takes for all n. Against their latency (or the
 * time that passed, if the thread is idle in between) this is the part of the job's speed
 * that may be lost. The share of offsets is halved until the expected loss is below the
 * limit, and never grows again, so what is sampled late was sampled early too.
 *
 * What counts is the expected cost of all I/Os times the share, not that of the I/Os that
 * happened to be chosen: chance would only ever push the share down.
 */
#ifndef NVMATCH_RECORD_SAMPLE_H
#define NVMATCH_RECORD_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAMPLE_HASH_LIMIT 0.006		/* of the job's speed */
#define SAMPLE_STATE_LIMIT 0.004
#define SAMPLE_SHIFT_MAX 16
#define SAMPLE_UNITS 8			/* 4 KiB units of an I/O that are examined at most */

struct sample_cost {
	double ns;		/* of one piece: 4 KiB hashed, or one unit classified */
	unsigned int measured;	/* how often */
	unsigned int calls;
};

struct sampler {
	unsigned int hash_shift, state_shift;
	struct sample_cost hash, state;
	unsigned int batch;		/* I/Os of the batch at hand */
	uint64_t batch_bytes, batch_units;
	double hash_delay, state_delay;	/* of this window, in pieces times I/Os */
	double latency_ns;
	uint64_t window_start_ns;
	unsigned int window_ios, window;
	double spent_ns;		/* since the start */
};

void sampler_init(struct sampler *s, uint64_t now_ns);

/* count I/Os were found complete at now_ns. */
void sampler_batch(struct sampler *s, uint64_t now_ns, unsigned int count);

/* One of them carried length bytes of data. latency_ns 0: unknown. */
static inline void sampler_io(struct sampler *s, uint64_t length, uint64_t latency_ns)
{
	uint64_t units = (length + 4095) / 4096;

	s->batch_bytes += length;
	s->batch_units += units < SAMPLE_UNITS ? units : SAMPLE_UNITS;
	s->latency_ns += (double)latency_ns;
}

/* Shall the time of this call be taken? */
static inline bool sampler_times(struct sample_cost *cost, unsigned int every)
{
	return cost->calls++ % every == 0 || cost->measured < 8;
}

/* That many pieces were done; in ns, or 0 if that was not measured. */
void sampler_spent(struct sampler *s, struct sample_cost *cost, double pieces, uint64_t ns);

#endif
