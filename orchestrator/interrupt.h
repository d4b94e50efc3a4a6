/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that end a run in order: INT, TERM, HUP, QUIT. */
#ifndef NVMATCH_INTERRUPT_H
#define NVMATCH_INTERRUPT_H

/* From here on these signals are noted instead of killing us. */
void interrupt_install(void);

/* The number of the first such signal, or 0. */
int interrupt_signal(void);

#endif
