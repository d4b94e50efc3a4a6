/* SPDX-License-Identifier: GPL-2.0-only */
/* The copied function table of the base engine, and the hooks in it. */
#include "engine/interpose.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include "engine/gate.h"
#include "engine/observe.h"

/* One thread of fio; ops first, so that td->io_ops leads here. */
struct state {
	struct ioengine_ops ops;	/* the base's with our hooks */
	struct ioengine_ops base;
	struct observer observer;
	struct gate *gate;
	int (*end_io)(struct thread_data *td, struct io_u **u);	/* what ours replaced */
	bool checked;			/* the layout of io_u */
};

/*
 * States lie in memory shared by fio and its job processes, as thread_data does: with
 * create_serialize=0 the job interposes, and its parent still reads td->io_ops. They
 * are not reused: fio may look at a finished thread's ops.
 */
#define STATES_MAX 4096

static struct pool {
	unsigned int used;
	struct state states[STATES_MAX];
} *pool;

static struct ioengine_ops *front_ops;
static const char *engine_path;
static unsigned int fio_minor;

int interpose_init(struct ioengine_ops *front, const char *so_path)
{
	front_ops = front;
	engine_path = strdup(so_path);
	sscanf(FIO_VERSION, "fio-3.%u", &fio_minor);
	pool = mmap(NULL, sizeof(*pool), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return pool == MAP_FAILED || !engine_path;
}

static struct state *new_state(void)
{
	unsigned int i = __atomic_fetch_add(&pool->used, 1, __ATOMIC_RELAXED);

	return i < STATES_MAX ? &pool->states[i] : calloc(1, sizeof(struct state));
}

static struct state *state_of(struct thread_data *td)
{
	return container_of(td->io_ops, struct state, ops);
}

/*
 * Until fio 3.41 ioengine_so_path points into the string of ioengine, which fio frees; offload
 * workers load the engine from it again. From 3.42 on fio owns and frees it.
 */
static void mend_so_path(struct thread_data *td)
{
	if (td->o.ioengine_so_path && fio_minor < 42)
		td->o.ioengine_so_path = (char *)engine_path;
}

/* ---- hooks: I/O ----------------------------------------------------------------------------- */

/*
 * For an I/O that completed inside queue(): fio takes the completion time when queue() has
 * returned, so the data must be looked at later. end_io is called after fio has counted.
 */
static int hook_end_io(struct thread_data *td, struct io_u **u)
{
	struct state *s = state_of(td);
	int (*next)(struct thread_data *td, struct io_u **u) = s->end_io;

	(*u)->end_io = next;
	observe_submit(&s->observer, td, *u);
	observe_complete(&s->observer, td, *u);
	return next ? next(td, u) : 0;
}

/* The layout is checked with the first I/O of each thread, before its fields are trusted. */
static int first_io(struct state *s, struct thread_data *td, const struct io_u *u)
{
	s->checked = true;
	if (abi_check_io_u(td, u)) {
		td_verror(td, EINVAL, "layout of io_u");
		return 1;
	}
	observe_start(&s->observer, td);
	return 0;
}

static enum fio_q_status hook_queue(struct thread_data *td, struct io_u *u)
{
	struct state *s = state_of(td);
	enum fio_q_status status;

	if (!s->checked && first_io(s, td, u))
		return FIO_Q_COMPLETED;
	status = s->base.queue(td, u);
	if (status == FIO_Q_QUEUED)
		observe_submit(&s->observer, td, u);
	if (status != FIO_Q_COMPLETED || !(ddir_rw(u->ddir) || ddir_sync(u->ddir)))
		return status;
	observe_batch(&s->observer, td, 1);
	if (!u->error && !u->resid && ddir_rw(u->ddir)) {
		s->end_io = u->end_io;
		u->end_io = hook_end_io;
		return status;
	}
	observe_submit(&s->observer, td, u);
	observe_complete(&s->observer, td, u);
	return status;
}

static int hook_getevents(struct thread_data *td, unsigned int min, unsigned int max,
			  const struct timespec *timeout)
{
	struct state *s = state_of(td);
	int events = s->base.getevents(td, min, max, timeout);

	if (events > 0)
		observe_batch(&s->observer, td, (unsigned int)events);
	return events;
}

static struct io_u *hook_event(struct thread_data *td, int event)
{
	struct state *s = state_of(td);
	struct io_u *u = s->base.event(td, event);

	observe_complete(&s->observer, td, u);
	return u;
}

/* ---- hooks: life of a thread ---------------------------------------------------------------- */

static int hook_init(struct thread_data *td)
{
	struct state *s = state_of(td);
	struct engine_options *eo = td->eo;

	if (observe_open(&s->observer, td, eo->base_engine, s->base.flags))
		return 1;
	if (!s->observer.writer) {
		/* nothing to see: the base engine's own functions, at no cost */
		s->ops.queue = s->base.queue;
		s->ops.getevents = s->base.getevents;
		s->ops.event = s->base.event;
	}
	return s->base.init ? s->base.init(td) : 0;
}

/*
 * The last call before fio's clock starts for the thread, when all its threads have been
 * started: the place to wait for others.
 */
static int hook_post_init(struct thread_data *td)
{
	struct state *s = state_of(td);
	struct engine_options *eo = td->eo;
	uint64_t start_ns = 0;

	if (s->base.post_init && s->base.post_init(td))
		return 1;
	if (!eo->gate || s->observer.worker)
		return 0;
	observe_gate(&s->observer, 0);
	if (engine_gate_wait(td, eo->gate, &s->gate, &start_ns))
		return 1;
	observe_gate(&s->observer, start_ns);
	return 0;
}

static void hook_cleanup(struct thread_data *td)
{
	struct state *s = state_of(td);

	if (s->base.cleanup)
		s->base.cleanup(td);
	observe_close(&s->observer);
	engine_gate_leave(s->gate);
	s->gate = NULL;
	/* fio has freed eo of offload workers before */
	if (td->eo && s->base.options)
		options_free(s->base.options, td->eo);
	if (s->base.dlhandle)
		dlclose(s->base.dlhandle);
	td->io_ops = front_ops;		/* fio frees options and handle through it */
}

/* ---- interposing ---------------------------------------------------------------------------- */

static void hook(struct state *s, const struct ioengine_ops *base)
{
	s->base = *base;
	/* name, flags and setup stay the base's: fio decides by them */
	s->ops = *base;
	/* what fio copies and frees is ours */
	s->ops.options = front_ops->options;
	s->ops.option_struct_size = front_ops->option_struct_size;
	s->ops.dlhandle = front_ops->dlhandle;
	s->ops.queue = hook_queue;
	if (base->getevents)
		s->ops.getevents = hook_getevents;
	if (base->event)
		s->ops.event = hook_event;
	s->ops.init = hook_init;
	s->ops.post_init = hook_post_init;
	s->ops.cleanup = hook_cleanup;
}

int interpose(struct thread_data *td)
{
	struct engine_options *eo = td->eo;
	struct ioengine_ops *base;
	struct state *s;

	if (abi_check_td(td, front_ops, NULL))
		return 1;
	mend_so_path(td);
	base = options_load_base(td, eo->base_engine);
	if (!base)
		return 1;
	if (base->option_struct_size > BASE_OPTIONS_MAX) {
		fprintf(stderr, ENGINE_NAME ": base_engine=%s: its options need too much room\n",
			eo->base_engine);
		return 1;
	}
	if (options_apply(td, base)) {
		td_verror(td, EINVAL, "options of the base engine");
		return 1;
	}
	s = new_state();
	if (!s) {
		td_verror(td, ENOMEM, "base engine");
		return 1;
	}
	hook(s, base);
	if (td->o.odirect)
		s->ops.flags |= FIO_RAWIO;
	td->io_ops = &s->ops;
	td_set_ioengine_flags(td);
	return 0;
}
