/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts the engine between fio and the base engine, for one thread of fio.
 *
 * fio calls an engine through td->io_ops. interpose() loads the base engine, copies its table of
 * functions, replaces those that see an I/O, and lets td->io_ops point at the copy. So
 * fio talks to the base engine as ever, and we see what passes.
 */
#ifndef NVMATCH_ENGINE_INTERPOSE_H
#define NVMATCH_ENGINE_INTERPOSE_H

#include "engine/fio-api.h"

/*
 * At load, before fio forks: what all threads share. so_path is where this engine was loaded
 * from. Returns 0, or 1 without memory.
 */
int interpose_init(struct ioengine_ops *front, const char *so_path);

/*
 * Interposes on the engine named by base_engine=. td->io_ops must be front (it is the first to
 * be asked). Prints and returns 1 on failure.
 */
int interpose(struct thread_data *td);

#endif
