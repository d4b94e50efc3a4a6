/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asking fio: what it says, what it does when it does not answer, and which words are printed. */
#include "examples.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

/* host_ask() with standard error in text, which is freed by the caller. */
static int ask(char *program, char *question, int timeout_ms, char **output, char **text)
{
	char path[] = "/tmp/nvmatch-test-host.XXXXXX", *argv[] = { program, question, NULL };
	int fd = mkstemp(path), kept = dup(STDERR_FILENO), ret;

	assert_true(fd >= 0 && kept >= 0);
	dup2(fd, STDERR_FILENO);
	ret = host_ask(argv, timeout_ms, output);
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	close(fd);
	assert_int_equal(text_read_file(path, 65536, text, NULL), 0);
	unlink(path);
	return ret;
}

static void an_answer(void **state)
{
	_cleanup_free_ char *output = NULL, *text = NULL;

	(void)state;
	assert_int_equal(ask("echo", "fio-3.33", 60000, &output, &text), 0);
	assert_string_equal(output, "fio-3.33\n");
	assert_string_equal(text, "");
}

static void no_such_program(void **state)
{
	_cleanup_free_ char *output = NULL, *text = NULL;

	(void)state;
	assert_int_equal(ask("/nonexistent/fio", "--version", 60000, &output, &text), -EIO);
	assert_non_null(strstr(text, "/nonexistent/fio cannot be run"));
	assert_non_null(strstr(text, "install the Debian package fio"));
}

/* It is ended, and not called missing. */
static void no_answer(void **state)
{
	_cleanup_free_ char *output = NULL, *text = NULL;
	time_t start = time(NULL);

	(void)state;
	assert_int_equal(ask("sleep", "300", 300, &output, &text), -EIO);
	assert_true(time(NULL) - start < 200);
	assert_non_null(strstr(text, "sleep 300 gave no answer within 0.3 s"));
	assert_null(strstr(text, "install"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer), cmocka_unit_test(no_such_program), cmocka_unit_test(no_answer),
	};

	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
