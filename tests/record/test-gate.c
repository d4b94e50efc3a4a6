/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The start gate between real processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "record/gate.h"

static char path[] = "/tmp/test-gate-XXXXXX";

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A party in a process of its own: naps, then waits at the sections; exit status is -error. */
static pid_t party(unsigned int nap_ms, uint64_t section, unsigned int threads, int as_pid)
{
	pid_t pid = fork();
	struct gate *gate;
	uint64_t start;
	int err;

	if (pid)
		return pid;
	usleep(nap_ms * 1000);
	err = gate_open(path, &gate);
	if (!err)
		err = gate_wait(gate, as_pid ? as_pid : getpid(), section, threads, NULL, NULL,
				&start);
	if (!err && now_ns() - start > 100000000)
		err = -ERANGE;
	if (!err)
		gate_leave(gate, as_pid ? as_pid : getpid());
	_exit(-err);
}

static int end_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -1;
}

static void test_two_start_together(void **state)
{
	struct gate *gate;
	uint64_t before = now_ns(), start;
	pid_t a, b;

	(void)state;
	assert_int_equal(gate_create(path, 2, 0), 0);
	a = party(0, 7, 1, 0);
	b = party(150, 7, 1, 0);
	assert_int_equal(end_of(a), 0);
	assert_int_equal(end_of(b), 0);
	assert_int_equal(gate_open(path, &gate), 0);
	assert_int_equal(gate_start_time(gate, 7, &start), 0);
	assert_in_range(start - before, 150000000, 2000000000);
	assert_int_equal(gate_start_time(gate, 1, &start), -EAGAIN);
	/* a gate file that was used already starts nobody */
	assert_int_equal(end_of(party(0, 7, 1, a)), -EALREADY);
	gate_close(gate);
}

/* Two threads of one party count for it; the gate opens with the last of them. */
static void test_all_threads_of_a_section(void **state)
{
	struct gate *gate;
	uint64_t before = now_ns(), start;
	pid_t a, b, c;

	(void)state;
	assert_int_equal(gate_create(path, 2, 0), 0);
	a = party(0, 3, 1, 0);
	b = party(0, 3, 2, getpid());
	c = party(200, 3, 0, getpid());
	assert_int_equal(end_of(a), 0);
	assert_int_equal(end_of(b), 0);
	assert_int_equal(end_of(c), 0);
	assert_int_equal(gate_open(path, &gate), 0);
	assert_int_equal(gate_start_time(gate, 3, &start), 0);
	assert_in_range(start - before, 200000000, 2000000000);
	gate_close(gate);
}

static void test_partner_never_comes(void **state)
{
	uint64_t before = now_ns();

	(void)state;
	assert_int_equal(gate_create(path, 2, 300), 0);
	assert_int_equal(end_of(party(0, 7, 1, 0)), -ETIMEDOUT);
	assert_in_range(now_ns() - before, 300000000, 2000000000);
}

/* It came, at another section, and then died: noticed long before the time limit. */
static void test_partner_dies(void **state)
{
	uint64_t before = now_ns();
	pid_t a, b;

	(void)state;
	assert_int_equal(gate_create(path, 2, 20000), 0);
	a = party(0, 1, 1, 0);
	usleep(100000);
	b = party(0, 7, 1, 0);
	usleep(100000);
	kill(a, SIGKILL);
	/* not reaped yet: a zombie does not count as alive */
	assert_int_equal(end_of(b), -EPIPE);
	end_of(a);
	assert_in_range(now_ns() - before, 0, 5000000000);
}

/* A partner that is still busy with an earlier section is waited for beyond the limit. */
static void test_busy_partner(void **state)
{
	struct gate *gate;
	uint64_t start;
	pid_t b;

	(void)state;
	assert_int_equal(gate_create(path, 2, 200), 0);
	assert_int_equal(gate_open(path, &gate), 0);
	b = fork();
	if (!b) {
		int err = gate_wait(gate, getpid(), 1, 1, NULL, NULL, &start);

		gate_leave(gate, getpid());
		_exit(-(err ? err : gate_wait(gate, getpid(), 2, 1, NULL, NULL, &start)));
	}
	assert_int_equal(gate_wait(gate, getpid(), 1, 1, NULL, NULL, &start), 0);
	usleep(600000);
	gate_leave(gate, getpid());
	assert_int_equal(gate_wait(gate, getpid(), 2, 1, NULL, NULL, &start), 0);
	assert_int_equal(end_of(b), 0);
	gate_close(gate);
}

static void test_abort(void **state)
{
	struct gate *gate;
	pid_t a;

	(void)state;
	assert_int_equal(gate_create(path, 2, 20000), 0);
	assert_int_equal(gate_open(path, &gate), 0);
	a = party(0, 7, 1, 0);
	usleep(50000);
	gate_abort(gate);
	assert_int_equal(end_of(a), -ECANCELED);
	gate_close(gate);
}

static bool stop_now(void *arg)
{
	return ++*(int *)arg > 3;
}

static void test_stop_and_misuse(void **state)
{
	struct gate *gate;
	uint64_t start;
	int calls = 0;

	(void)state;
	assert_int_equal(gate_create(path, 2, 0), 0);
	assert_int_equal(gate_open(path, &gate), 0);
	assert_int_equal(gate_wait(gate, getpid(), 1, 1, stop_now, &calls, &start), -EINTR);
	assert_int_equal(gate_wait(gate, 1, 5, 1, stop_now, &calls, &start), -EINTR);
	assert_int_equal(gate_wait(gate, 2, 1, 1, stop_now, &calls, &start), -EUSERS);
	gate_close(gate);
	assert_int_equal(gate_create(path, 0, 0), -EINVAL);
	assert_int_equal(gate_create(path, GATE_PARTIES_MAX + 1, 0), -EINVAL);
	assert_int_equal(gate_open("/nonexistent", &gate), -ENOENT);
	assert_int_equal(gate_open("/dev/null", &gate), -EBADMSG);
	assert_int_equal(truncate(path, 100), 0);
	assert_int_equal(gate_open(path, &gate), -EBADMSG);
}

static void test_keys(void **state)
{
	(void)state;
	assert_int_equal(gate_section_key("read", 0), gate_section_key("read", 0));
	assert_int_not_equal(gate_section_key("read", 0), gate_section_key("read", 1));
	assert_int_not_equal(gate_section_key("read", 0), gate_section_key("daer", 0));
	assert_int_not_equal(gate_section_key("", 0), 0);
}

static int make_path(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	return fd < 0;
}

static int remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_start_together),
		cmocka_unit_test(test_all_threads_of_a_section),
		cmocka_unit_test(test_partner_never_comes),
		cmocka_unit_test(test_partner_dies),
		cmocka_unit_test(test_busy_partner),
		cmocka_unit_test(test_abort),
		cmocka_unit_test(test_stop_and_misuse),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, make_path, remove_path);
}
