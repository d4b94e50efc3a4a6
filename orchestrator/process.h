/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Child processes without a shell. A child gets its own process group (a Ctrl-C at the terminal
 * reaches nvmatch alone), dies with us (parent-death signal), has no standard input, and
 * inherits no descriptors but its output files.
 */
#ifndef NVMATCH_PROCESS_H
#define NVMATCH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
	pid_t pid;		/* 0: not running */
	int pidfd;		/* readable when it has ended; -1: none */
	int status;		/* as waitpid gives it, once it has ended */
};

/*
 * Starts argv[0] (found in PATH if it has no slash) in directory cwd (NULL: ours) with output and
 * errors in the given files (NULL: /dev/null), truncated.
 * 0 or -errno, also when the program cannot be executed.
 */
int process_start(struct process *process, char *const argv[], const char *cwd,
		  const char *stdout_path, const char *stderr_path);

/* Has it ended? Fills status then. Never blocks. */
bool process_ended(struct process *process);

/* Sends a signal to the process's whole group. */
void process_signal(const struct process *process, int signal_number);

/*
 * Sleeps until one of the processes ends, a signal arrives, or timeout_ms is over.
 * Processes that are not running are passed over.
 */
void process_wait_any(const struct process *processes, size_t count, int timeout_ms);

/* 0..255: exit status; 128+n: killed by signal n. */
int process_exit_status(const struct process *process);

/*
 * Runs argv in cwd (NULL: ours) to its end, at most timeout_ms; standard output and errors together
 * in *output (at most 1 MiB, NUL added, caller frees). Returns the exit status as above or -errno
 * (-ETIMEDOUT).
 */
int process_capture(char *const argv[], const char *cwd, int timeout_ms, char **output);

#endif
