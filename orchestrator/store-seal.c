/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA256SUMS: sums of all evidence of a run, and the check against them. */
#include "store.h"

#include <sys/types.h>

#include <dirent.h>
#include <errno.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fail.h"

bool store_is_derived(const char *name)
{
	return !strcmp(name, "result.json") || !strcmp(name, "verdict.json") || !strcmp(name, "SHA256SUMS") ||
	       !strcmp(name, "live.json") ||	/* of a run that was killed */
	       !strncmp(name, "report.", 7) || !strcmp(name, "plots") || !strncmp(name, "plots/", 6);
}

/* All evidence below run/prefix, as names relative to the run. */
static int list(const char *run, const char *prefix, struct strings *names)
{
	_cleanup_free_ char *path = text_format("%s/%s", run, prefix);
	DIR *dir = path ? opendir(path) : NULL;
	struct dirent *entry;
	int ret = 0;

	if (!dir)
		return fail(-errno, "cannot read %s: %s", path ? path : run, strerror(errno));
	while (!ret && (entry = readdir(dir))) {
		_cleanup_free_ char *name = text_format("%s%s%s", prefix, *prefix ? "/" : "", entry->d_name);
		_cleanup_free_ char *full = text_format("%s/%s", run, name ? name : "");
		struct stat st;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (!name || !full)
			ret = -ENOMEM;
		else if (store_is_derived(name))
			continue;
		else if (lstat(full, &st))
			ret = fail(-errno, "cannot read %s: %s", full, strerror(errno));
		else if (S_ISDIR(st.st_mode))
			ret = list(run, name, names);
		else
			ret = strings_add(names, name);
	}
	closedir(dir);
	return ret;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_sorted(const char *run, struct strings *names)
{
	int ret = list(run, "", names);

	if (!ret && names->count)
		qsort(names->items, names->count, sizeof(*names->items), by_name);
	return ret;
}

static int sum_of(const char *run, const char *name, char sum[static SHA256_DIGEST_STRING_LENGTH])
{
	_cleanup_free_ char *path = text_format("%s/%s", run, name);

	if (!path || !SHA256File(path, sum))
		return fail(-errno, "cannot read %s/%s: %s", run, name, strerror(errno));
	return 0;
}

int store_sum(const char *run, const char *name, char **sum)
{
	char hex[SHA256_DIGEST_STRING_LENGTH];
	int ret = sum_of(run, name, hex);

	if (ret)
		return ret;
	*sum = strdup(hex);
	return *sum ? 0 : -ENOMEM;
}

int store_seal(const char *run)
{
	struct strings names = { 0 };
	_cleanup_text_ struct text sums = { 0 };
	char sum[SHA256_DIGEST_STRING_LENGTH];
	int ret = list_sorted(run, &names);

	for (size_t i = 0; !ret && i < names.count; i++) {
		ret = sum_of(run, names.items[i], sum);
		if (!ret)
			text_printf(&sums, "%s  %s\n", sum, names.items[i]);
	}
	if (!ret)
		ret = sums.failed ? -ENOMEM :
				    store_replace(run, "SHA256SUMS", sums.data ? sums.data : "", sums.length);
	strings_free(&names);
	return ret;
}

static int problem(struct strings *problems, const char *what, const char *name)
{
	_cleanup_free_ char *s = text_format("%s: %s", what, name);

	return s ? strings_add(problems, s) : -ENOMEM;
}

/* The sum that SHA256SUMS has for name, or NULL. */
static const char *recorded_sum(const char *sums, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = sums; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		size_t line = strcspn(p, "\n");

		if (line == SHA256_DIGEST_STRING_LENGTH - 1 + 2 + n && !memcmp(p + line - n, name, n))
			return p;
	}
	return NULL;
}

static int verify_present(const char *run, const char *sums, const struct strings *names,
			  struct strings *problems)
{
	char sum[SHA256_DIGEST_STRING_LENGTH];

	for (size_t i = 0; i < names->count; i++) {
		const char *wanted = recorded_sum(sums, names->items[i]);
		int ret;

		if (!wanted) {
			ret = problem(problems, "not in SHA256SUMS", names->items[i]);
		} else {
			ret = sum_of(run, names->items[i], sum);
			if (!ret && memcmp(sum, wanted, sizeof(sum) - 1))
				ret = problem(problems, "changed", names->items[i]);
		}
		if (ret)
			return ret;
	}
	return 0;
}

static int verify_missing(const char *sums, const struct strings *names, struct strings *problems)
{
	for (const char *p = sums; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		size_t line = strcspn(p, "\n"), head = SHA256_DIGEST_STRING_LENGTH - 1 + 2;
		_cleanup_free_ char *name = line > head ? strndup(p + head, line - head) : NULL;
		int ret;

		if (name && bsearch(&name, names->items, names->count, sizeof(*names->items), by_name))
			continue;
		ret = problem(problems, name ? "missing" : "damaged line in SHA256SUMS", name ? name : "?");
		if (ret)
			return ret;
	}
	return 0;
}

int store_verify(const char *run, struct strings *problems)
{
	_cleanup_free_ char *path = text_format("%s/SHA256SUMS", run);
	_cleanup_free_ char *sums = NULL;
	struct strings names = { 0 };
	int ret = path ? text_read_file(path, 256 << 20, &sums, NULL) : -ENOMEM;

	if (ret == -ENOENT)
		return fail(-ENODATA, "%s has no SHA256SUMS: the run did not end in order", run);
	if (ret)
		return fail(ret, "cannot read %s: %s", path, strerror(-ret));
	ret = list_sorted(run, &names);
	if (!ret)
		ret = verify_present(run, sums, &names, problems);
	if (!ret)
		ret = verify_missing(sums, &names, problems);
	strings_free(&names);
	return ret;
}
