/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns fio's io_u into records: what the hooks in interpose.c call for each I/O. */
#ifndef NVMATCH_ENGINE_OBSERVE_H
#define NVMATCH_ENGINE_OBSERVE_H

#include "engine/options.h"
#include "record/sample.h"
#include "record/writer.h"

struct thermal;

/* Of one thread of fio. Starts as zeros; without a writer nothing is recorded. */
struct observer {
	struct rec_writer *writer;
	struct thermal *thermal;
	struct sampler sampler;
	struct timespec start;		/* fio's clock at time 0 of the records */
	struct timespec now;		/* of the batch at hand */
	uint64_t now_ns;		/* the same since start */
	uint64_t zero_length, zero_hash;	/* hash of the last length of zeros */
	uint16_t batch_flags;		/* REC_F_RAMP, REC_F_VERIFY */
	bool no_latency;		/* fio takes no issue time */
	bool may_ramp;
	bool hash, classify;		/* what is wanted of the data */
	bool sampled;			/* only as far as it does not slow the job */
	bool worker;			/* of io_submit_mode=offload */
};

/* Finds a function of fio whose name depends on the version. At load. */
void observe_init(void);

/*
 * Makes the record file if record= is set, and starts sampling temperature. base_flags are the
 * base engine's. Prints and returns 1 on failure; td carries the error then.
 */
int observe_open(struct observer *o, struct thread_data *td, const char *base_name,
		 int base_flags);

/* Closes both. The observer is empty again. */
void observe_close(struct observer *o);

/* The start gate: waiting, and when it opened on CLOCK_MONOTONIC. */
void observe_gate(struct observer *o, uint64_t start_ns);

/* An offload worker learns only after its init whose it is. */
void observe_adopt(struct observer *o, const struct thread_data *parent);

/* The first I/O of the thread. */
void observe_start(struct observer *o, struct thread_data *td);

/* The base engine took an I/O. */
void observe_submit(struct observer *o, struct thread_data *td, const struct io_u *u);

/* count I/Os are complete: takes the time. */
void observe_batch(struct observer *o, struct thread_data *td, unsigned int count);

/* One of them. Looks at its data, so call it when fio has taken the completion time. */
void observe_complete(struct observer *o, struct thread_data *td, const struct io_u *u);

#endif
