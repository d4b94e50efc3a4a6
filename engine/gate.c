/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits with a thread of fio at the start gate. */
#include "engine/gate.h"

#include "engine/fio-api.h"
#include "record/gate.h"

/* Set before fio forks its jobs, never after. */
static int main_pid;

void engine_gate_init(void)
{
	main_pid = getpid();
}

static bool is_terminated(void *arg)
{
	const struct thread_data *td = arg;

	return *(volatile const typeof(td->terminate) *)&td->terminate;
}

static const char *reason(int err)
{
	switch (err) {
	case -ETIMEDOUT:
		return "the partner did not come in time";
	case -EPIPE:
		return "the partner's fio has ended";
	case -ECANCELED:
		return "the start was called off";
	case -EINTR:
		return "fio was told to stop";
	case -EALREADY:
		return "it was used before; each run needs a new gate file";
	case -EUSERS:
		return "more fio processes came than it was made for";
	case -EBADMSG:
		return "not a gate file";
	default:
		return strerror(-err);
	}
}

static int refuse(struct thread_data *td, const char *path, int err)
{
	fprintf(stderr, ENGINE_NAME ": job %s: gate %s: %s\n", td->o.name, path, reason(err));
	td_verror(td, -err, "gate");
	return 1;
}

int engine_gate_wait(struct thread_data *td, const char *path, struct gate **gate,
		     uint64_t *start_ns)
{
	/* fio resets numjobs of the clones; the first thread of a section knows it */
	unsigned int threads = td->subjob_number ? 0 : td->o.numjobs;
	struct gate *g;
	int err = gate_open(path, &g);

	if (err)
		return refuse(td, path, err);
	err = gate_wait(g, main_pid, gate_section_key(td->o.name, td->groupid), threads,
			is_terminated, td, start_ns);
	if (err) {
		gate_close(g);
		return refuse(td, path, err);
	}
	*gate = g;
	return 0;
}

void engine_gate_leave(struct gate *gate)
{
	if (!gate)
		return;
	gate_leave(gate, main_pid);
	gate_close(gate);
}
