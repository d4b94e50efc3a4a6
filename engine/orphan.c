/* SPDX-License-Identifier: GPL-2.0-only */
/* Ties a job process to the fio that forked it, from the fork on: before its init a job already waits. */
#include "engine/orphan.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

static pid_t forking;

static void prepare(void)
{
	forking = getpid();
}

static void child(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* gone before that call: nobody will send the signal any more */
	if (getppid() != forking)
		_exit(128 + SIGKILL);
}

void orphan_prevent(void)
{
	pthread_atfork(prepare, NULL, child);
}
