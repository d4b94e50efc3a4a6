/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run directory: written once, summed up, damage found. And child processes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"
#include "process.h"
#include "store.h"

struct place {
	char directory[64], *run;
};

static int setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	_cleanup_free_ char *path = NULL;

	strncpy(p->directory, "/tmp/nvmatch-test-XXXXXX", sizeof(p->directory) - 1);
	assert_non_null(mkdtemp(p->directory));
	path = text_format("%s/deep/run", p->directory);
	assert_int_equal(store_create(path, "x", &p->run), 0);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;
	char rm[] = "rm", option[] = "-rf", *argv[] = { rm, option, p->directory, NULL }, *out = NULL;

	process_capture(argv, NULL, 10000, &out);
	free(out);
	free(p->run);
	free(p);
	return 0;
}

static void evidence_is_written_once(void **state)
{
	struct place *p = *state;
	char *again = NULL;

	assert_int_equal(store_write(p->run, "a", "1", 1), 0);
	assert_int_equal(store_write(p->run, "a", "2", 1), -EEXIST);
	assert_int_equal(store_replace(p->run, "report.txt", "1", 1), 0);
	assert_int_equal(store_replace(p->run, "report.txt", "2", 1), 0);
	assert_int_equal(store_create(p->run, "x", &again), -EINVAL);
	assert_null(again);
}

static void copies_keep_content_and_holes(void **state)
{
	struct place *p = *state;
	_cleanup_free_ char *source = text_format("%s/source", p->directory), *copy = text_format("%s/c", p->run);
	_cleanup_free_ char *big = calloc(1, 1 << 20), *read_back = NULL;
	FILE *f = fopen(source, "w");
	struct stat st;
	size_t length;

	memcpy(big + 5000, "middle", 6);
	big[(1 << 20) - 1] = 'e';
	fwrite(big, 1, 1 << 20, f);
	fwrite("tail", 1, 4, f);
	fclose(f);
	assert_int_equal(store_copy(p->run, "c", source), 0);
	assert_int_equal(text_read_file(copy, 2 << 20, &read_back, &length), 0);
	assert_int_equal(length, (1 << 20) + 4);
	assert_memory_equal(read_back, big, 1 << 20);
	assert_memory_equal(read_back + (1 << 20), "tail", 4);
	assert_int_equal(stat(copy, &st), 0);
	assert_true(st.st_blocks * 512 < 1 << 19);
}

static void seal_and_verify(void **state)
{
	struct place *p = *state;
	_cleanup_free_ char *b = text_format("%s/d/b", p->run), *c = text_format("%s/c", p->run), *sums = NULL;
	_cleanup_free_ char *sums_path = text_format("%s/SHA256SUMS", p->run);
	struct strings problems = { 0 };
	FILE *f;

	assert_int_equal(store_verify(p->run, &problems), -ENODATA);
	assert_int_equal(store_write(p->run, "a", "abc", 3), 0);
	assert_int_equal(store_mkdir(p->run, "d"), 0);
	assert_int_equal(store_write(p->run, "d/b", "2", 1), 0);
	assert_int_equal(store_replace(p->run, "result.json", "{}", 2), 0);
	assert_int_equal(store_seal(p->run), 0);
	assert_int_equal(text_read_file(sums_path, 4096, &sums, NULL), 0);
	/* SHA-256 of "abc", FIPS 180-2 appendix B.1 */
	assert_non_null(strstr(sums, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n"));
	assert_null(strstr(sums, "result.json"));
	assert_int_equal(store_verify(p->run, &problems), 0);
	assert_int_equal(problems.count, 0);

	f = fopen(b, "w");
	fputs("3", f);
	fclose(f);
	f = fopen(c, "w");
	fclose(f);
	assert_int_equal(store_verify(p->run, &problems), 0);
	assert_int_equal(problems.count, 2);
	assert_string_equal(problems.items[0], "not in SHA256SUMS: c");
	assert_string_equal(problems.items[1], "changed: d/b");
	strings_free(&problems);
	unlink(c);
	unlink(b);
	assert_int_equal(store_verify(p->run, &problems), 0);
	assert_int_equal(problems.count, 1);
	assert_string_equal(problems.items[0], "missing: d/b");
	strings_free(&problems);
}

static void json_documents(void **state)
{
	struct place *p = *state;
	json_t *json = NULL;

	assert_int_equal(store_read_json(p->run, "x.json", &json), -ENOENT);
	assert_int_equal(store_write_json(p->run, "x.json", json_pack("{s:I}", "n", (json_int_t)INT64_MAX)), 0);
	assert_int_equal(store_read_json(p->run, "x.json", &json), 0);
	assert_int_equal(json_integer_value(json_object_get(json, "n")), INT64_MAX);
	json_decref(json);
	assert_int_equal(store_write(p->run, "bad.json", "{\"a\":", 5), 0);
	assert_int_equal(store_read_json(p->run, "bad.json", &json), -EBADMSG);
	assert_int_equal(store_check(p->run), -EINVAL);
}

static void processes_say_how_they_ended(void **state)
{
	char sh[] = "sh", c[] = "-c", script[] = "echo out; echo err >&2; exit 7", kill_script[] = "kill -9 $$",
	     hang[] = "sleep 100", none[] = "/nonexistent/program";
	char *argv[] = { sh, c, script, NULL }, *missing[] = { none, NULL }, *output = NULL;
	struct process process;

	(void)state;
	assert_int_equal(process_capture(argv, NULL, 10000, &output), 7);
	assert_non_null(strstr(output, "out\n"));
	assert_non_null(strstr(output, "err\n"));
	free(output);
	output = NULL;
	argv[2] = kill_script;
	assert_int_equal(process_capture(argv, NULL, 10000, &output), 128 + SIGKILL);
	free(output);
	output = NULL;
	argv[2] = hang;
	assert_int_equal(process_capture(argv, NULL, 300, &output), -ETIMEDOUT);
	assert_null(output);
	assert_int_equal(process_start(&process, missing, NULL, NULL, NULL), -ENOENT);
	/* its own group: the terminal's Ctrl-C does not reach it */
	assert_int_equal(process_start(&process, argv, "/", NULL, NULL), 0);
	assert_int_equal(getpgid(process.pid), process.pid);
	assert_false(process_ended(&process));
	process_signal(&process, SIGTERM);
	while (!process_ended(&process))
		process_wait_any(&process, 1, 1000);
	assert_int_equal(process_exit_status(&process), 128 + SIGTERM);
}

static void cpus_are_shared_out(void **state)
{
	char *cpus[SIDES];
	bool shared = host_cpus(NULL, NULL, cpus);

	(void)state;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		assert_null(cpus[SIDE_A]);
		return;
	}
	assert_true(shared);
	assert_non_null(cpus[SIDE_A]);
	assert_string_not_equal(cpus[SIDE_A], cpus[SIDE_B]);
	free(cpus[SIDE_A]);
	free(cpus[SIDE_B]);
	assert_false(host_cpus("0", "1", cpus));
	assert_string_equal(cpus[SIDE_A], "0");
	assert_string_equal(cpus[SIDE_B], "1");
	free(cpus[SIDE_A]);
	free(cpus[SIDE_B]);
	assert_true(host_cpus("garbage", "also-", cpus));	/* as if not known */
	free(cpus[SIDE_A]);
	free(cpus[SIDE_B]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(evidence_is_written_once, setup, teardown),
		cmocka_unit_test_setup_teardown(copies_keep_content_and_holes, setup, teardown),
		cmocka_unit_test_setup_teardown(seal_and_verify, setup, teardown),
		cmocka_unit_test_setup_teardown(json_documents, setup, teardown),
		cmocka_unit_test(processes_say_how_they_ended),
		cmocka_unit_test(cpus_are_shared_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
