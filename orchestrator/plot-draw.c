/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs gnuplot in a private directory, and keeps what it made beside data and script. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fail.h"
#include "plot.h"
#include "process.h"
#include "store.h"

#define TIME_LIMIT_MS 60000
#define MOST_PICTURE_BYTES (8 << 20)

static const char common[] =
#include "plot-common.gp.inc"
;

static const struct body {
	const char *kind, *script;
} bodies[] = {
	{ "offsets",
#include "plot-offsets.gp.inc"
	},
	{ "ratios",
#include "plot-ratios.gp.inc"
	},
	{ "modes",
#include "plot-modes.gp.inc"
	},
	{ "latency",
#include "plot-latency.gp.inc"
	},
	{ "time",
#include "plot-time.gp.inc"
	},
	{ "history",
#include "plot-history.gp.inc"
	},
};

static char *script_of(const struct plot *plot)
{
	const char *body = "";

	for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
		if (!strcmp(bodies[i].kind, plot->kind))
			body = bodies[i].script;
	}
	return text_format("# SPDX-License-Identifier: GPL-3.0-or-later\n"
			   "# Made by nvmatch. Draw it again, in this directory: gnuplot -d %s.gp\n%s\n%s\n%s",
			   plot->name, plot->variables.data, common, body);
}

/* The environment is ours, so that no setting of the user's and no locale changes the picture. */
static int run_gnuplot(const char *directory, const char *script, char **output)
{
	_cleanup_free_ char *path = text_format("PATH=%s", getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
	_cleanup_free_ char *home = text_format("HOME=%s", directory);
	_cleanup_free_ char *name = strdup(script);
	static char env[] = "/usr/bin/env", only[] = "-i", locale[] = "LC_ALL=C.UTF-8", zone[] = "TZ=UTC",
		    gnuplot[] = "gnuplot", defaults[] = "-d";
	char *argv[] = { env, only, path, home, locale, zone, gnuplot, defaults, name, NULL };

	return path && home && name ? process_capture(argv, directory, TIME_LIMIT_MS, output) : -ENOMEM;
}

/* Why there is no picture, in one sentence with the way out. */
static char *explain(int status, const char *output)
{
	static const char missing[] = "There are no pictures: gnuplot is not installed. To have them: apt-get "
				      "install gnuplot-nox, and make this report again.";
	const char *line = output ? output + strspn(output, "\n ^") : "";

	if (status == 127)
		return strdup(missing);
	if (status == -ETIMEDOUT)
		return text_format("There are no pictures: gnuplot did not end within %d s.", TIME_LIMIT_MS / 1000);
	return text_format("There are no pictures: gnuplot failed (%d): %.200s", status, line);
}

/* A file of the run's plots; NULL: there is none. */
static char *run_text(const char *run, const char *name, const char *ending)
{
	_cleanup_free_ char *path = text_format("%s/plots/%s%s", run, name, ending);
	char *text = NULL;
	size_t length;

	return path && !text_read_file(path, MOST_PICTURE_BYTES, &text, &length) ? text : NULL;
}

/* Both kept for the run; *text (if wanted) gets the content. A picture that is not there is no error. */
static int keep(const char *run, const char *directory, const char *name, const char *ending, char **text)
{
	_cleanup_free_ char *from = text_format("%s/%s%s", directory, name, ending);
	_cleanup_free_ char *to = text_format("plots/%s%s", name, ending);
	_cleanup_free_ char *data = NULL;
	size_t length;
	int ret = from && to ? text_read_file(from, MOST_PICTURE_BYTES, &data, &length) : -ENOMEM;

	if (ret)
		return ret == -ENOMEM ? ret : 0;
	if (run)
		ret = store_replace(run, to, data, length);
	if (!ret && text && length)
		*text = data, data = NULL;
	return ret;
}

/* Pictures of other data than these are not left beside them when they cannot be drawn again. */
static void remove_outdated(const char *run, const struct plot *plot, const char *script)
{
	static const char *const pictures[] = { ".svg", "-narrow.svg", ".png" };
	_cleanup_free_ char *data = run_text(run, plot->name, ".tsv"), *drawn_by = run_text(run, plot->name, ".gp");

	if (data && drawn_by && !strcmp(data, plot->data.data) && !strcmp(drawn_by, script))
		return;
	for (size_t i = 0; i < sizeof(pictures) / sizeof(*pictures); i++) {
		_cleanup_free_ char *path = text_format("%s/plots/%s%s", run, plot->name, pictures[i]);

		if (path)
			unlink(path);
	}
}

static int keep_pictures(const char *run, const char *directory, struct plot *plot)
{
	int ret = keep(run, directory, plot->name, ".png", NULL);

	if (!ret)
		ret = keep(run, directory, plot->name, ".svg", &plot->svg);
	return ret ? ret : keep(run, directory, plot->name, "-narrow.svg", &plot->svg_narrow);
}

static int draw(const char *run, const char *directory, struct plot *plot, char **problem)
{
	_cleanup_free_ char *script = script_of(plot), *script_name = text_format("%s.gp", plot->name);
	_cleanup_free_ char *data_name = text_format("%s.tsv", plot->name), *output = NULL;
	int ret = script && script_name && data_name ? 0 : -ENOMEM, status = 0;

	if (!ret)
		ret = store_replace(directory, script_name, script, strlen(script));
	if (!ret)
		ret = store_replace(directory, data_name, plot->data.data, plot->data.length);
	if (!ret && !*problem)
		status = run_gnuplot(directory, script_name, &output);
	if (status) {
		*problem = explain(status, output);
		ret = *problem ? 0 : -ENOMEM;
	}
	if (!ret && *problem && run)
		remove_outdated(run, plot, script);
	if (!ret)
		ret = keep(run, directory, plot->name, ".tsv", NULL);
	if (!ret)
		ret = keep(run, directory, plot->name, ".gp", NULL);
	return ret || *problem ? ret : keep_pictures(run, directory, plot);
}

static void remove_directory(const char *directory, const struct plots *plots)
{
	static const char *const endings[] = { ".tsv", ".gp", ".svg", "-narrow.svg", ".png" };

	for (size_t i = 0; i < plots->count * 5; i++) {
		_cleanup_free_ char *path = text_format("%s/%s%s", directory, plots->plots[i / 5].name, endings[i % 5]);

		if (path)
			unlink(path);
	}
	if (rmdir(directory))
		warning("%s could not be removed: %s", directory, strerror(errno));
}

/* Pictures of an earlier report whose workload is gone: names of ours that are not drawn now. */
static void remove_stale(const char *run, const struct plots *plots)
{
	static const char *const endings[] = { ".tsv", ".gp", "-narrow.svg", ".svg", ".png" };
	_cleanup_free_ char *path = text_format("%s/plots", run);
	DIR *dir = path ? opendir(path) : NULL;
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		size_t length = 0, stem = strlen(entry->d_name);
		bool ours = false, drawn = false;

		for (size_t i = 0; i < sizeof(endings) / sizeof(*endings) && !length; i++) {
			size_t n = strlen(endings[i]);

			if (stem > n && !strcmp(entry->d_name + stem - n, endings[i]))
				length = stem - n;
		}
		for (size_t i = 0; length && i < sizeof(bodies) / sizeof(*bodies); i++) {
			size_t n = strlen(bodies[i].kind);

			ours |= n <= length && !strncmp(entry->d_name, bodies[i].kind, n) &&
				(n == length || entry->d_name[n] == '-');
		}
		for (size_t i = 0; i < plots->count; i++)
			drawn |= strlen(plots->plots[i].name) == length &&
				 !strncmp(entry->d_name, plots->plots[i].name, length);
		if (ours && !drawn)
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
}

int plots_draw(const char *run, struct plots *plots)
{
	char directory[] = "/tmp/nvmatch-plots-XXXXXX";
	bool writable = run && !access(run, W_OK);
	int ret = 0;

	if (!plots->count)
		return 0;
	if (!mkdtemp(directory))
		return fail(-errno, "cannot make %s: %s", directory, strerror(errno));
	if (run && !writable)
		warning("%s cannot be written: the pictures are in the report only", run);
	if (writable)
		ret = store_mkdir(run, "plots");
	if (writable && !ret)
		remove_stale(run, plots);
	for (size_t i = 0; !ret && i < plots->count; i++)
		ret = draw(writable ? run : NULL, directory, &plots->plots[i], &plots->problem);
	remove_directory(directory, plots);
	return ret == -ENOMEM ? fail(ret, "out of memory while drawing") : ret;
}
