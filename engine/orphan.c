/* SPDX-License-Identifier: GPL-2.0-only */
/* Ties a job process to the fio that forked it. */
#include "engine/orphan.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

static pid_t loaded_in;

void orphan_init(void)
{
	loaded_in = getpid();
}

void orphan_prevent(void)
{
	/* thread=1, or a worker of io_submit_mode=offload in its job */
	if (getpid() == loaded_in)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* gone before that call: nobody will send the signal any more */
	if (getppid() != loaded_in && kill(loaded_in, 0) && errno == ESRCH)
		_exit(128 + SIGKILL);
}
