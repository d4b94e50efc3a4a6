/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the program's own files lie: beside a build, or installed. */
#include "suite.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "fail.h"

static char *program_directory(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	return strdup(path);
}

static char *first_readable(char *first, char *second)
{
	if (first && !access(first, R_OK)) {
		free(second);
		return first;
	}
	free(first);
	if (second && !access(second, R_OK))
		return second;
	free(second);
	return NULL;
}

char *suite_find(const char *name)
{
	_cleanup_free_ char *program = program_directory();
	const char *own = getenv("NVMATCH_JOBS");

	if (own)
		return first_readable(text_format("%s/%s", own, name), NULL);
	/* a build directory inside another one (build/asan) has its sources one level up more */
	for (int up = 1; program && up <= 2; up++) {
		char *path = text_format("%s%s/jobs/%s", program, up == 1 ? "/.." : "/../..", name);

		if (path && !access(path, R_OK))
			return path;
		free(path);
	}
	return first_readable(text_format(NVMATCH_PREFIX "/share/nvmatch/jobs/%s", name),
			      program ? text_format("%s/../share/nvmatch/jobs/%s", program, name) : NULL);
}

char *suite_find_engine(void)
{
	_cleanup_free_ char *program = program_directory();
	char *beside = program ? text_format("%s/datastate.so", program) : NULL;
	char *parent = program ? text_format("%s/../datastate.so", program) : NULL;
	char *found = first_readable(beside, parent);

	if (found)
		return found;
	return first_readable(text_format(NVMATCH_PREFIX "/lib/nvmatch/datastate.so"),
			      program ? text_format("%s/../lib/nvmatch/datastate.so", program) : NULL);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int suite_list(const char *directory, struct strings *names)
{
	_cleanup_free_ char *path = suite_find(directory);
	DIR *dir = path ? opendir(path) : NULL;
	struct dirent *entry;
	int ret = 0;

	if (!dir)
		return fail(-ENOENT, "no %s found: neither beside the program nor in " NVMATCH_PREFIX
			    "/share/nvmatch/jobs/%s", directory, directory);
	while (!ret && (entry = readdir(dir))) {
		char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, ".json"))
			continue;
		*dot = '\0';
		ret = strings_add(names, entry->d_name);
	}
	closedir(dir);
	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items), by_name);
	return ret;
}

int suite_names(struct strings *names)
{
	return suite_list("suites", names);
}

int suite_json(const char *path, json_t **json)
{
	json_error_t error;

	*json = json_load_file(path, 0, &error);
	if (*json)
		return 0;
	/* without a line: it could not be opened, and the text names it */
	return error.line < 1 ? fail(-EINVAL, "%s", error.text) :
	       fail(-EINVAL, "%s: line %d: %s", path, error.line, error.text);
}
