/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measurements as CSV (RFC 4180): one row for each workload, mode, side and round. */
#include "report.h"

#include <errno.h>
#include <string.h>

#include "model-json.h"

/* One cell of text: one line, quoted where it must be, and never a formula to a spreadsheet. */
char *report_csv_text(const char *s)
{
	_cleanup_free_ char *safe = text_escape_terminal(s);
	struct text t = { 0 };
	bool quote = safe && strpbrk(safe, ",\"") != NULL;

	if (!safe)
		return NULL;
	text_add(&t, quote ? "\"" : "");
	if (*safe && strchr("=+-@", *safe))
		text_add(&t, "'");
	for (const char *p = safe; *p; p++)
		text_add_bytes(&t, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
	text_add(&t, quote ? "\"" : "");
	return text_steal(&t);
}

enum column_type { TEXT, INTEGER, REAL, YES_NO };

static const struct column {
	const char *name;
	enum column_type type;
	size_t offset;
} columns[] = {
#define C(type, member) { #member, type, offsetof(struct measurement, member) }
	C(TEXT, slot), C(YES_NO, usable), C(TEXT, reason), C(INTEGER, bytes), C(INTEGER, ios),
	C(INTEGER, runtime_ns), C(REAL, bw_bytes_per_s), C(REAL, iops), C(REAL, latency_mean_ns),
	C(REAL, latency_p50_ns), C(REAL, latency_p99_ns), C(REAL, latency_p99_9_ns), C(INTEGER, latency_max_ns),
	C(REAL, matched_bw_bytes_per_s), C(REAL, classified_share), C(REAL, depth_reached),
	C(REAL, user_cpu_percent), C(REAL, system_cpu_percent), C(REAL, temperature_start_c),
	C(REAL, temperature_min_c), C(REAL, temperature_max_c), C(REAL, temperature_end_c),
	C(REAL, link_speed_gt_per_s), C(INTEGER, link_width_lanes), C(YES_NO, cache_dropped),
	C(INTEGER, started_ns), C(INTEGER, first_io_ns), C(INTEGER, last_io_ns),
#undef C
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

static int print_text_cell(FILE *out, const char *s)
{
	_cleanup_free_ char *safe = report_csv_text(s ? s : "");

	if (!safe)
		return -ENOMEM;
	fputs(safe, out);
	return 0;
}

static int print_cell(FILE *out, const struct column *c, const struct measurement *m)
{
	const void *p = (const char *)m + c->offset;

	switch (c->type) {
	case TEXT:
		return print_text_cell(out, *(char *const *)p);
	case INTEGER:
		if (known(*(const int64_t *)p))
			fprintf(out, "%lld", (long long)*(const int64_t *)p);
		return 0;
	case REAL:
		if (isfinite(*(const double *)p))
			fprintf(out, "%.12g", *(const double *)p);
		return 0;
	case YES_NO:
		fputs(*(const bool *)p ? "true" : "false", out);
		return 0;
	}
	return 0;
}

static int print_row(FILE *out, const struct result *result, const struct workload_result *w,
		     const struct observation *o, int side)
{
	const struct drive *d = &result->drives[side];
	const char *const before[] = { w->name, o->concurrent ? "concurrent" : "single", side ? "B" : "A" };
	const char *const after[] = { d->target, result->label[side], d->model, d->serial, d->firmware };
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(before) / sizeof(*before); i++) {
		ret = print_text_cell(out, before[i]);
		fputc(',', out);
	}
	fprintf(out, "%lld", (long long)o->round);
	for (size_t i = 0; !ret && i < COLUMNS; i++) {
		fputc(',', out);
		ret = print_cell(out, &columns[i], &o->side[side]);
	}
	for (size_t i = 0; !ret && i < sizeof(after) / sizeof(*after); i++) {
		fputc(',', out);
		ret = print_text_cell(out, after[i]);
	}
	fputs("\r\n", out);
	return ret;
}

int report_csv(FILE *out, const struct result *result, const struct verdict *verdict)
{
	int ret = 0;

	(void)verdict;
	fputs("workload,mode,side,round", out);
	for (size_t i = 0; i < COLUMNS; i++)
		fprintf(out, ",%s", columns[i].name);
	fputs(",target,label,model,serial,firmware\r\n", out);
	for (size_t i = 0; i < result->workloads_count; i++) {
		const struct workload_result *w = &result->workloads[i];

		for (size_t k = 0; k < w->observations_count; k++)
			for (int s = 0; !ret && s < SIDES; s++)
				if (w->observations[k].side[s].slot)
					ret = print_row(out, result, w, &w->observations[k], s);
	}
	return ret ? ret : fflush(out) || ferror(out) ? -EIO : 0;
}
