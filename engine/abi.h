/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is the fio that loaded us the one we were compiled for? fio has no stable interface: its
 * structs change with each version, and the engine reads them. Each check uses only what the
 * running fio exports and does not crash on a mismatch. Each prints one line on failure.
 */
#ifndef NVMATCH_ENGINE_ABI_H
#define NVMATCH_ENGINE_ABI_H

#include "engine/fio-api.h"

/* Room for the option struct of a base engine. */
#define BASE_OPTIONS_MAX 4096

/*
 * Calls fn for each engine that fio has registered, until one returns non-zero. fio's list is
 * private, but an engine that registers itself becomes a part of it.
 */
void abi_for_each_engine(int (*fn)(struct ioengine_ops *ops, void *arg), void *arg);

/* At load: versions, functions, struct fio_option, struct thread_options, ioengine_ops. */
int abi_check_fio(void);

/* When a thread_data is seen: its engine is front; eo, if not NULL, is its option struct. */
int abi_check_td(const struct thread_data *td, const struct ioengine_ops *front, const void *eo);

/* At the first I/O of a thread. On failure nothing in the io_u can be trusted. */
int abi_check_io_u(struct thread_data *td, const struct io_u *u);

#endif
