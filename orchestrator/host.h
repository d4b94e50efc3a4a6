/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine, the fio and the engine that a run uses. */
#ifndef NVMATCH_HOST_H
#define NVMATCH_HOST_H

#include "model.h"

/* Kernel, CPU, memory, policies; below sysroot ("" = none). What is not there stays unknown. */
void host_read(const char *sysroot, struct host *host);

/*
 * Lets a program answer one question (argv[1]); its words in *output (caller frees). Its exit status,
 * or after printing: -EIO it cannot be run, or gave no answer in time and was ended.
 */
int host_ask(char *const argv[], int timeout_ms, char **output);

/*
 * Finds fio (path as given, or in PATH when NULL) and asks its version into host.
 * 0, or after printing: -EIO no fio or it does not answer (the message says what to install).
 */
int host_find_fio(const char *path, struct host *host);

/*
 * Does this fio load this engine? Lets fio itself decide. Fills engine_path and engine_fio_version.
 * 0, or after printing: -EIO with the engine's own line (which fio it needs).
 */
int host_check_engine(const char *engine, struct host *host);

/*
 * Can io_uring be used here? Else libaio: *engine is "io_uring" or "libaio", *reason (caller frees,
 * NULL for io_uring) says why it is not the first choice.
 */
void host_base_engine(const char **engine, char **reason);

/* A list as 0-3,8: 0; -EINVAL not a list of CPUs; -ENODEV one of them cannot be used here. */
int host_cpus_check(const char *list);

/*
 * CPU lists for two sides: of the drives' NUMA nodes where known, else of all CPUs we may use; a
 * list that both share is halved. Strings are the caller's; NULL when there is only one CPU.
 * Returns true when the two lists are equally near to both drives.
 */
bool host_cpus(const char *local_a, const char *local_b, char *cpus[SIDES]);

#endif
