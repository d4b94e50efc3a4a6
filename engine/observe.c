/* SPDX-License-Identifier: GPL-2.0-only */
/* From io_u to record. Everything in here runs per I/O: no allocation, lock, print, system call. */
#include "engine/observe.h"

#include <dlfcn.h>

#include "record/hash.h"

/* One measurement of this many; a clock costs as much as hashing a small block. */
#define TIME_HASH_EVERY 16
#define TIME_STATE_EVERY 4

/* in_ramp_time() until fio 3.41, in_ramp_period() from 3.42 on. Set at load. */
static bool (*in_ramp)(struct thread_data *td);

void observe_init(void)
{
	*(void **)&in_ramp = dlsym(RTLD_DEFAULT, "in_ramp_time");
	if (!in_ramp)
		*(void **)&in_ramp = dlsym(RTLD_DEFAULT, "in_ramp_period");
}

static uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* As fio's ntime_since(): 0 if the clock went back. */
static uint64_t since_ns(const struct timespec *from, const struct timespec *to)
{
	int64_t ns = (to->tv_sec - from->tv_sec) * 1000000000 + to->tv_nsec - from->tv_nsec;

	return ns > 0 ? (uint64_t)ns : 0;
}

static enum rec_direction direction(enum fio_ddir ddir)
{
	switch (ddir) {
	case DDIR_READ:
		return REC_READ;
	case DDIR_WRITE:
		return REC_WRITE;
	case DDIR_TRIM:
		return REC_TRIM;
	default:
		return REC_SYNC;
	}
}

static unsigned int file_index(const struct io_u *u)
{
	return u->file ? u->file->fileno : 0;
}

void observe_gate(struct observer *o, uint64_t start_ns)
{
	if (!o->writer)
		return;
	rec_writer_header(o->writer)->live.phase = start_ns ? REC_PHASE_INIT : REC_PHASE_GATE;
	rec_writer_header(o->writer)->gate_start_ns = start_ns;
}

void observe_start(struct observer *o, struct thread_data *td)
{
	if (td->parent)
		observe_adopt(o, td->parent);
	fio_gettime(&o->now, NULL);
	o->now_ns = since_ns(&o->start, &o->now);
	rec_writer_start(o->writer, o->now_ns);
	sampler_init(&o->sampler, o->now_ns);
}

void observe_submit(struct observer *o, struct thread_data *td, const struct io_u *u)
{
	const struct thread_data *job = td->parent ? td->parent : td;
	enum rec_direction dir = direction(u->ddir);

	/*
	 * Neither verification nor what a short I/O left over is the workload's choice; how many
	 * syncs fio sends depends on the time at which the last one completed.
	 */
	if (job->runstate == TD_VERIFYING || (u->flags & IO_U_F_VER_LIST) || dir == REC_SYNC ||
	    u->xfer_buf != u->buf)
		return;
	rec_writer_submit(o->writer, u->offset, u->xfer_buflen, dir, file_index(u));
}

void observe_batch(struct observer *o, struct thread_data *td, unsigned int count)
{
	struct thread_data *job = td->parent ? td->parent : td;
	struct rec_header *h = rec_writer_header(o->writer);

	fio_gettime(&o->now, NULL);
	o->now_ns = since_ns(&o->start, &o->now);
	rec_writer_batch(o->writer, o->now_ns, count);
	if (o->sampled)
		sampler_batch(&o->sampler, o->now_ns, count);
	h->hash_shift = o->sampler.hash_shift;
	h->state_shift = o->sampler.state_shift;
	o->batch_flags = 0;
	if (o->may_ramp && in_ramp && in_ramp(job))
		o->batch_flags |= REC_F_RAMP;
	if (job->runstate == TD_VERIFYING)
		o->batch_flags |= REC_F_VERIFY;
}

static uint64_t hash_of(struct observer *o, const void *data, uint64_t length,
			enum rec_state periodic)
{
	if (periodic != REC_ZERO)
		return rec_hash(data, length);
	if (o->zero_length != length) {
		o->zero_hash = rec_hash(data, length);
		o->zero_length = length;
	}
	return o->zero_hash;
}

/*
 * Zero test first: it leaves at the first byte that differs, and zeros of a length need to be
 * hashed only once. So normal data is read once, and zeros are too.
 */
static enum rec_state look_through(struct observer *o, struct rec_record *r, const void *data)
{
	bool timed = sampler_times(&o->sampler.hash, TIME_HASH_EVERY);
	uint64_t before = timed ? clock_ns() : 0;
	enum rec_state periodic = state_periodic(data, r->length);

	if (periodic == REC_ZERO)
		r->flags |= REC_F_ZERO;
	if (o->hash) {
		r->hash = hash_of(o, data, r->length, periodic);
		r->flags &= ~REC_F_NOT_HASHED;
	}
	sampler_spent(&o->sampler, &o->sampler.hash, (double)r->length / 4096,
		      timed ? clock_ns() - before : 0);
	return periodic;
}

static void classify(struct observer *o, struct rec_record *r, const void *data,
		     enum rec_state periodic, struct state_io *state)
{
	bool timed = sampler_times(&o->sampler.state, TIME_STATE_EVERY);
	uint64_t before = timed ? clock_ns() : 0;

	state_of_io_known(data, r->length, r->offset, SAMPLE_UNITS, periodic, state);
	r->state = (uint8_t)state->state;
	if (state->units)
		r->e_permille = (uint16_t)(state->e * 1000 + 0.5);
	sampler_spent(&o->sampler, &o->sampler.state, state->units ? state->units : 1,
		      timed ? clock_ns() - before : 0);
}

/* Fills in what the data is; true if it was classified, with the details in state. */
static bool look_at_data(struct observer *o, struct rec_record *r, const void *data,
			 struct state_io *state)
{
	enum rec_state periodic;

	sampler_io(&o->sampler, r->length, r->latency_ns);
	if (!rec_offset_passes(r->offset, o->sampler.hash_shift))
		return false;
	periodic = look_through(o, r, data);
	if (!o->classify || !rec_offset_passes(r->offset, o->sampler.state_shift))
		return false;
	classify(o, r, data, periodic, state);
	return true;
}

static void describe(struct observer *o, const struct io_u *u, struct rec_record *r)
{
	uint64_t length = u->xfer_buflen - u->resid;

	r->direction = (uint8_t)direction(u->ddir);
	/* fio leaves in a sync what the io_u was used for before */
	r->offset = r->direction == REC_SYNC ? 0 : u->offset;
	r->time_ns = o->now_ns;
	r->file = (uint16_t)file_index(u);
	r->flags = o->batch_flags | REC_F_NOT_HASHED;
	r->e_permille = REC_E_UNKNOWN;
	if (u->flags & IO_U_F_VER_LIST)
		r->flags |= REC_F_VERIFY;
	if (u->error) {
		r->flags |= REC_F_ERROR;
		r->error = u->error > UINT16_MAX ? UINT16_MAX : (uint16_t)u->error;
	} else if (r->direction != REC_SYNC) {
		if (u->resid)
			r->flags |= REC_F_SHORT;
		if (length > UINT32_MAX) {
			r->flags |= REC_F_LENGTH_CAPPED;
			length = UINT32_MAX;
		}
		r->length = (uint32_t)length;
	}
	if (o->no_latency)
		r->flags |= REC_F_NO_LATENCY;
	else
		r->latency_ns = since_ns(&u->issue_time, &o->now);
}

void observe_complete(struct observer *o, struct thread_data *td, const struct io_u *u)
{
	struct rec_record r = { 0 };
	struct state_io state;
	bool classified = false;

	(void)td;
	describe(o, u, &r);
	if ((o->hash || o->classify) && r.length && r.direction <= REC_WRITE)
		classified = look_at_data(o, &r, u->xfer_buf, &state);
	rec_writer_complete(o->writer, &r, classified ? &state : NULL);
}
