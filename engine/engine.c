/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine as fio sees it until the base engine takes over: a table of functions of which
 * the first that fio calls for a thread interposes (interpose.h).
 */
#include <dlfcn.h>

#include "engine/abi.h"
#include "engine/gate.h"
#include "engine/interpose.h"
#include "engine/observe.h"
#include "engine/options.h"
#include "engine/orphan.h"

/* So that one can tell which fio this file is for without loading it: strings, nm, dlsym. */
extern const char nvmatch_engine_fio_version[];
__attribute__((visibility("default"))) const char nvmatch_engine_fio_version[] = FIO_VERSION;

void get_ioengine(struct ioengine_ops **ops);

/* For a base engine without setup: what fio does in that case. */
static int plain_setup(struct thread_data *td)
{
	struct fio_file *f;
	unsigned int i;

	for_each_file(td, f, i) {
		if (td_io_get_file_size(td, f)) {
			if (td->error != ENOENT) {
				log_err("%s\n", td->verror);
				return 1;
			}
			/* it will be created */
			td->error = 0;
			td->verror[0] = '\0';
		}
		if (f->real_file_size == -1ULL && td->o.size)
			f->real_file_size = td->o.size / td->o.nr_files;
	}
	return 0;
}

static int front_setup(struct thread_data *td)
{
	if (interpose(td))
		return 1;
	return td->io_ops->setup ? td->io_ops->setup(td) : plain_setup(td);
}

/* Workers of io_submit_mode=offload are never set up. */
static int front_init(struct thread_data *td)
{
	return interpose(td) ? 1 : td->io_ops->init(td);
}

/* These exist because fio requires them; they must not pretend to have done I/O. */
static enum fio_q_status front_queue(struct thread_data *td, struct io_u *u)
{
	(void)td;
	fprintf(stderr, ENGINE_NAME ": I/O before the base engine was set up\n");
	u->error = EINVAL;
	return FIO_Q_COMPLETED;
}

static int front_getevents(struct thread_data *td, unsigned int min, unsigned int max,
			   const struct timespec *timeout)
{
	(void)td;
	(void)min;
	(void)max;
	(void)timeout;
	return -EINVAL;
}

static struct io_u *front_event(struct thread_data *td, int event)
{
	(void)td;
	(void)event;
	return NULL;
}

static struct ioengine_ops front = {
	.name = ENGINE_NAME,
	.version = FIO_IOOPS_VERSION,
	.setup = front_setup,
	.init = front_init,
	.queue = front_queue,
	.getevents = front_getevents,
	.event = front_event,
	.option_struct_size = sizeof(struct engine_options),
};

static int load(void)
{
	Dl_info info;

	if (abi_check_fio())
		return 1;
	if (!dladdr((void *)get_ioengine, &info) || interpose_init(&front, info.dli_fname))
		return 1;
	orphan_prevent();
	engine_gate_init();
	observe_init();
	front.options = options_table(&front);
	return !front.options;
}

/* fio calls this for each job. Without ops it stops. */
__attribute__((visibility("default"))) void get_ioengine(struct ioengine_ops **ops)
{
	static enum { FRESH, GOOD, BAD } state;

	if (state == FRESH)
		state = load() ? BAD : GOOD;
	*ops = state == GOOD ? &front : NULL;
}
