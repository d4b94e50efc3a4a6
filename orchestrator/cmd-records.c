/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch records: record files as CSV or JSON lines, or a summary of each. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "fail.h"
#include "json-text.h"
#include "model-json.h"
#include "options.h"
#include "record/reader.h"

static const char *const direction_names[] = { "read", "write", "trim", "sync" };

static const struct {
	unsigned int flag;
	const char *name;
} flag_names[] = {
	{ REC_F_ERROR, "error" }, { REC_F_SHORT, "short" }, { REC_F_RAMP, "ramp" },
	{ REC_F_VERIFY, "verify" }, { REC_F_LENGTH_CAPPED, "length_capped" },
};

enum form { FORM_CSV, FORM_JSONL, FORM_SUMMARY };

/* "ramp+short", or "" */
static char *flags_text(unsigned int flags)
{
	struct text t = { 0 };

	for (size_t i = 0; i < sizeof(flag_names) / sizeof(flag_names[0]); i++)
		if (flags & flag_names[i].flag)
			text_printf(&t, "%s%s", t.length ? "+" : "", flag_names[i].name);
	return text_steal(&t);
}

/* A field of CSV by RFC 4180: quoted, quotes doubled; control bytes made visible. */
static void csv_string(const char *s)
{
	_cleanup_free_ char *safe = text_escape_terminal(s);

	putchar('"');
	for (const char *p = safe ? safe : ""; *p; p++) {
		if (*p == '"')
			putchar('"');
		putchar(*p);
	}
	putchar('"');
}

static void print_csv(const char *name, const struct rec_header *h, const struct rec_record *r,
		      const int32_t *temperature)
{
	_cleanup_free_ char *flags = flags_text(r->flags);

	csv_string(name);
	putchar(',');
	csv_string(h->job_name);
	printf(",%u,%" PRIu64 ",%s,%" PRIu64 ",%" PRIu32 ",", h->thread_number, r->time_ns,
	       direction_names[r->direction], r->offset, r->length);
	if (!(r->flags & REC_F_NO_LATENCY))
		printf("%" PRIu64, r->latency_ns);
	printf(",%u,%s,", r->error, data_state_names[r->state]);
	if (r->e_permille != REC_E_UNKNOWN)
		printf("%.3f", r->e_permille / 1000.0);
	putchar(',');
	if (!(r->flags & REC_F_NOT_HASHED))
		printf("%016" PRIx64, r->hash);
	putchar(',');
	if (temperature)
		printf("%.3f", *temperature / 1000.0);
	printf(",%s\n", flags ? flags : "");
}

static json_t *hash_text(const struct rec_record *r)
{
	char hash[17];

	if (r->flags & REC_F_NOT_HASHED)
		return json_null();
	snprintf(hash, sizeof(hash), "%016" PRIx64, r->hash);
	return json_string(hash);
}

static void print_json(const char *name, const struct rec_header *h, const struct rec_record *r,
		       const int32_t *temperature)
{
	_cleanup_free_ char *flags = flags_text(r->flags), *file = text_make_utf8(name);
	_cleanup_free_ char *job = text_make_utf8(h->job_name);
	json_auto_t *json = json_pack(
		"{s:s, s:s, s:i, s:I, s:s, s:I, s:I, s:o, s:i, s:s, s:o, s:o, s:o, s:s}", "file", file ? file : "",
		"job", job ? job : "", "thread", (int)h->thread_number, "time_ns", (json_int_t)r->time_ns, "direction",
		direction_names[r->direction], "offset_bytes", (json_int_t)r->offset, "length_bytes",
		(json_int_t)r->length, "latency_ns",
		r->flags & REC_F_NO_LATENCY ? json_null() : json_integer((json_int_t)r->latency_ns), "error",
		(int)r->error, "state", data_state_names[r->state], "compressibility",
		r->e_permille == REC_E_UNKNOWN ? json_null() : json_real(r->e_permille / 1000.0), "hash", hash_text(r),
		"temperature_c", temperature ? json_real(*temperature / 1000.0) : json_null(), "flags",
		flags ? flags : "");

	if (json)
		json_print(json, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
}

static int print_records(const char *name, struct rec_reader *reader, enum form form)
{
	struct rec_record r;
	int ret;

	while ((ret = rec_next(reader, &r)) == 1) {
		int32_t temperature;
		bool known_there = !rec_temperature_at(reader, r.time_ns, &temperature);

		(form == FORM_CSV ? print_csv : print_json)(name, rec_header(reader), &r,
							    known_there ? &temperature : NULL);
	}
	return ret ? fail(ret, "%s: %s", name, strerror(-ret)) : 0;
}

static json_t *totals_to_json(const struct rec_reader *reader, enum rec_direction d)
{
	json_t *states = json_object();

	for (int s = 0; s < (d <= REC_WRITE ? REC_STATES : 1); s++) {
		const struct rec_total *t = rec_total(reader, d, (enum rec_state)s);

		if (!t->ios)
			continue;
		json_object_set_new(states, d <= REC_WRITE ? data_state_names[s] : "all",
				    json_pack("{s:I, s:I, s:o, s:o}", "ios", (json_int_t)t->ios, "bytes",
					      (json_int_t)t->bytes, "bw_bytes_per_s",
					      t->busy_ns ? json_real((double)t->bytes * 1e9 / (double)t->busy_ns) : json_null(),
					      "latency_mean_ns",
					      t->latency_ios ? json_real((double)t->latency_sum_ns / (double)t->latency_ios) :
							       json_null()));
	}
	return states;
}

static int print_summary(const char *name, const struct rec_reader *reader)
{
	const struct rec_header *h = rec_header(reader);
	_cleanup_free_ char *file = text_make_utf8(name), *job = text_make_utf8(h->job_name);
	_cleanup_free_ char *engine = text_make_utf8(h->base_engine), *fio = text_make_utf8(h->fio_version);
	json_auto_t *json = model_document();
	char digest[17];

	snprintf(digest, sizeof(digest), "%016" PRIx64, h->digest.sequence);
	json_object_update_new(json, json_pack("{s:s, s:s, s:i, s:s, s:s, s:b, s:b}", "file",
					       file ? file : "", "job", job ? job : "", "thread",
					       (int)h->thread_number, "fio_version",
					       fio ? fio : "", "base_engine", engine ? engine : "", "closed",
					       rec_is_closed(reader), "cut", rec_is_cut(reader)));
	json_object_update_new(json, json_pack("{s:I, s:f, s:f, s:I, s:s}", "start_realtime_ns",
					       (json_int_t)h->start_realtime_ns, "records_kept_share",
					       1.0 / (double)(UINT64_C(1) << (h->thin_shift & 63)), "state_share_last",
					       1.0 / (double)(UINT64_C(1) << (h->state_shift & 63)), "submitted_ios",
					       (json_int_t)h->digest.ios, "digest", digest));
	for (int d = 0; d < REC_DIRECTIONS; d++)
		json_object_set_new(json, direction_names[d], totals_to_json(reader, (enum rec_direction)d));
	json_print(json, stdout, JSON_SHOWN | JSON_REAL_PRECISION(9));
	return 0;
}

static int show_file(const char *path, const char *name, enum form form)
{
	struct rec_reader *reader;
	int ret = rec_open(path, &reader);

	if (ret == -EPROTONOSUPPORT)
		return fail(ret, "%s was written by a newer engine: its format is not known here", name);
	if (ret == -EBADMSG || ret == -ENODATA)
		return fail(ret, "%s is not a record file, or it was cut off before its records", name);
	if (ret)
		return fail(ret, "%s: %s", name, strerror(-ret));
	if (rec_is_cut(reader))
		warning("%s: its end is missing; what is there is shown", name);
	ret = form == FORM_SUMMARY ? print_summary(name, reader) : print_records(name, reader, form);
	rec_close(reader);
	return ret;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Every *.rec below a directory, in the order of names. */
static int show_tree(const char *path, const char *shown, enum form form, size_t *files)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, by_name), ret = 0;

	if (n < 0)
		return fail(-errno, "%s: %s", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name, *dot = strrchr(name, '.');
		_cleanup_free_ char *full = text_format("%s/%s", path, name);
		_cleanup_free_ char *relative = text_format("%s%s%s", shown, *shown ? "/" : "", name);
		struct stat st;

		if (!ret && name[0] != '.' && full && relative && !lstat(full, &st)) {
			if (S_ISDIR(st.st_mode)) {
				ret = show_tree(full, relative, form, files);
			} else if (dot && !strcmp(dot, ".rec")) {
				ret = show_file(full, relative, form);
				++*files;
			}
		}
		free(entries[i]);
	}
	free(entries);
	return ret;
}

static int show(const char *path, enum form form)
{
	struct stat st;
	size_t files = 0;
	int ret;

	if (stat(path, &st))
		return fail(-errno, "%s: %s", path, strerror(errno));
	if (form == FORM_CSV)
		puts("file,job,thread,time_ns,direction,offset_bytes,length_bytes,latency_ns,error,state,"
		     "compressibility,hash,temperature_c,flags");
	if (!S_ISDIR(st.st_mode))
		return show_file(path, path, form);
	ret = show_tree(path, "", form, &files);
	return ret || files ? ret : fail(-ENOENT, "%s: there is no record file (*.rec) in it", path);
}

static int records_main(int argc, char **argv)
{
	const char *format = "csv";
	const struct option_row rows[] = {
		{ "format", 'f', OPTION_STRING, &format, "FORMAT",
		  "csv, jsonl (a JSON object a line), or summary (csv)", 0 },
		{ 0 }
	};
	int operands, ret = command_options(&cmd_records, rows, argc, argv, &operands);

	if (ret)
		return ret;
	if (strcmp(format, "csv") && strcmp(format, "jsonl") && strcmp(format, "summary"))
		return fail(EXIT_USAGE, "records: unknown format %s (there are: csv, jsonl, summary)", format);
	return show(argv[1], !strcmp(format, "csv") ? FORM_CSV :
			     !strcmp(format, "jsonl") ? FORM_JSONL : FORM_SUMMARY);
}

const struct command cmd_records = {
	.name = "records",
	.synopsis = "FILE|RUN [--format FORMAT]",
	.summary = "record files as CSV or JSON lines",
	.least = 1,
	.most = 1,
	.operands = "one record file or run directory",
	.run = records_main,
};
