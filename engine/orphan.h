/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A job process dies with the fio that started it. fio alone does not see to that: when it is killed
 * (SIGKILL, out of memory), or told to end in the moment in which it forks, its jobs run on.
 */
#ifndef NVMATCH_ENGINE_ORPHAN_H
#define NVMATCH_ENGINE_ORPHAN_H

/* In fio itself, when the engine is loaded. */
void orphan_init(void);

/* In each job, when it begins: from here on it gets SIGKILL when fio has gone. Does not return if it has. */
void orphan_prevent(void);

#endif
