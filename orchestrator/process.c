/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts, watches and ends child processes. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

static int child_output(const char *path, int target)
{
	int fd = open(path ? path : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);

	if (fd < 0 || dup2(fd, target) < 0)
		return -errno;
	return 0;
}

/* In the child: sets it up and executes; an error goes through the pipe, which exec closes. */
static void child(char *const argv[], const char *cwd, const char *out, const char *err, pid_t parent,
		  int error_pipe)
{
	sigset_t none;
	int error = 0, null = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	/* not SIGTERM: fio does not always hear that while it starts its jobs */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int s = 1; s < 32; s++)
		signal(s, SIG_DFL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0)
		error = -errno;
	if (!error)
		error = child_output(out, STDOUT_FILENO);
	if (!error)
		error = child_output(err, STDERR_FILENO);
	if (!error && cwd && chdir(cwd))
		error = -errno;
	if (!error) {
		execvp(argv[0], argv);
		error = -errno;
	}
	if (write(error_pipe, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

int process_start(struct process *process, char *const argv[], const char *cwd,
		  const char *stdout_path, const char *stderr_path)
{
	int pipe_fds[2], error = 0;
	pid_t parent = getpid(), pid;
	ssize_t n;

	*process = (struct process){ .pidfd = -1 };
	if (pipe2(pipe_fds, O_CLOEXEC))
		return -errno;
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		child(argv, cwd, stdout_path, stderr_path, parent, pipe_fds[1]);
	close(pipe_fds[1]);
	if (pid < 0) {
		error = -errno;
		close(pipe_fds[0]);
		return error;
	}
	setpgid(pid, pid);
	do {
		n = read(pipe_fds[0], &error, sizeof(error));
	} while (n < 0 && errno == EINTR);
	close(pipe_fds[0]);
	if (n == (ssize_t)sizeof(error)) {
		waitpid(pid, NULL, 0);
		return error;
	}
	process->pid = pid;
	process->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	return 0;
}

bool process_ended(struct process *process)
{
	pid_t r;

	if (!process->pid)
		return true;
	do {
		r = waitpid(process->pid, &process->status, WNOHANG);
	} while (r < 0 && errno == EINTR);
	if (r == 0)
		return false;
	if (process->pidfd >= 0)
		close(process->pidfd);
	process->pidfd = -1;
	process->pid = 0;
	return true;
}

void process_signal(const struct process *process, int signal_number)
{
	if (process->pid > 0 && kill(-process->pid, signal_number))
		kill(process->pid, signal_number);
}

void process_wait_any(const struct process *processes, size_t count, int timeout_ms)
{
	struct pollfd fds[8];
	nfds_t n = 0;
	bool blind = false;

	for (size_t i = 0; i < count && n < 8; i++) {
		if (!processes[i].pid)
			continue;
		if (processes[i].pidfd < 0)
			blind = true;	/* a kernel without pidfd_open: look more often */
		else
			fds[n++] = (struct pollfd){ .fd = processes[i].pidfd, .events = POLLIN };
	}
	poll(fds, n, blind && timeout_ms > 20 ? 20 : timeout_ms);
}

int process_exit_status(const struct process *process)
{
	if (WIFEXITED(process->status))
		return WEXITSTATUS(process->status);
	return 128 + WTERMSIG(process->status);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

int process_capture(char *const argv[], const char *cwd, int timeout_ms, char **output)
{
	char path[] = "/tmp/nvmatch-capture.XXXXXX";
	int fd = mkstemp(path), ret;
	int64_t end = now_ms() + timeout_ms;
	struct process process;

	if (fd < 0)
		return -errno;
	close(fd);
	ret = process_start(&process, argv, cwd, path, path);
	while (!ret && !process_ended(&process)) {
		if (now_ms() >= end) {
			process_signal(&process, SIGKILL);
			process_wait_any(&process, 1, 1000);
			process_ended(&process);
			ret = -ETIMEDOUT;
			break;
		}
		process_wait_any(&process, 1, 200);
	}
	if (!ret)
		ret = text_read_file(path, 1 << 20, output, NULL);
	unlink(path);
	return ret ? ret : process_exit_status(&process);
}
