/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes the first signal that asks us to end. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

/* The only changing global: a signal handler has nowhere else to write. */
static volatile sig_atomic_t caught;

static void note(int number)
{
	if (!caught)
		caught = number;
}

void interrupt_install(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action = { .sa_handler = note };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int interrupt_signal(void)
{
	return caught;
}
