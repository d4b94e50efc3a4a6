/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A job process dies with the fio that started it. fio alone does not see to that: when it is killed
 * (SIGKILL, out of memory) its jobs run on, or wait for ever for the word to begin.
 */
#ifndef NVMATCH_ENGINE_ORPHAN_H
#define NVMATCH_ENGINE_ORPHAN_H

/* When the engine is loaded. From here on what this process forks gets SIGKILL when its parent has gone. */
void orphan_prevent(void);

#endif
