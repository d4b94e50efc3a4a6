/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is each piece of evidence of the side, slot and time in whose directory it lies? What is of another
 * drive, another slot or another run gives no numbers: it is set to unknown and named.
 */
#include "gather-slot.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "record/reader.h"
#include "smart.h"

#define CLOCK_SLACK_NS INT64_C(100000000)	/* CLOCK_REALTIME may be corrected a little on the way */
#define FASTEST_BYTES_PER_S 64e9		/* no drive moves more than a gen5 x16 link */
#define SMART_UNIT_BYTES 512000.0

/* As fio shows it: a colon in a name has a backslash before it. */
static bool same_path(const char *shown, const char *path)
{
	for (; *shown || *path; shown++, path++) {
		if (*shown == '\\' && shown[1] == ':')
			shown++;
		if (*shown != *path)
			return false;
	}
	return true;
}

/* io_uring_cmd opens the character device ng0n1 of nvme0n1; a record keeps the tail of a long name. */
static bool is_target(const char *shown, const char *path)
{
	size_t n = strlen(shown), m = strlen(path);

	if (same_path(shown, path))
		return true;
	if (!strncmp(shown, "/dev/ng", 7) && !strncmp(path, "/dev/nvme", 9))
		return !strcmp(shown + 7, path + 9);
	return !strncmp(shown, "...", 3) && n > 64 && m >= n - 3 && !strcmp(path + m - (n - 3), shown + 3);
}

static void take_back(struct measurement *m, struct record_files *files, char *reason)
{
	char *slot = m->slot;
	int64_t started_ns = m->started_ns;

	if (!reason)
		return;
	m->slot = NULL;
	measurement_free(m);
	measurement_unknown(m);
	m->slot = slot;
	m->started_ns = started_ns;
	m->reason = reason;
	record_files_free(files);
}

/* job.fio begins with the slot and side that it was made for, and names the target. */
static char *wrong_job(const char *dir, const char *slot, enum side side, const char *target)
{
	_cleanup_free_ char *path = text_format("%s/job.fio", dir), *job = NULL;
	_cleanup_free_ char *tail = text_format("side %c of slot %s\n", "AB"[side], slot);
	char *line, *end;

	if (!path || !tail || text_read_file(path, 1 << 20, &job, NULL))
		return NULL;	/* not there: the records still tell */
	if (!strncmp(job, "# workload ", 11) && !strstr(job, tail))
		return text_format("%c/job.fio was made for another slot or side", "AB"[side]);
	line = strstr(job, "\nfilename=");
	if (!line)
		return NULL;
	line += strlen("\nfilename=");
	end = strchr(line, '\n');
	if (end)
		*end = '\0';
	return is_target(line, target) ? NULL :
	       text_format("%c/job.fio is for %s, and the planned target is %s", "AB"[side], line, target);
}

/* When it happened must lie within the slot; unknown ends do not count. */
static bool within(int64_t ns, int64_t slack_ns, int64_t started_ns, int64_t ended_ns)
{
	return !(known(started_ns) && ns < started_ns - slack_ns) && !(known(ended_ns) && ns > ended_ns + slack_ns);
}

static char *wrong_fio(const char *dir, enum side side, const char *target, int64_t started_ns,
		       int64_t ended_ns)
{
	_cleanup_free_ char *path = text_format("%s/fio.json", dir), *text = NULL;
	json_auto_t *json = NULL;
	const json_t *options, *stamp;
	const char *name, *brace;

	if (!path || text_read_file(path, 256 << 20, &text, NULL))
		return NULL;
	brace = strchr(text, '{');	/* fio may print a line before it */
	json = brace ? json_loads(brace, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
	options = json_object_get(json, "global options");
	name = json_string_value(json_object_get(options, "filename"));
	if (name && !is_target(name, target))
		return text_format("%c/fio.json is of %s, and the planned target is %s", "AB"[side], name, target);
	stamp = json_object_get(json, "timestamp_ms");
	if (json_is_integer(stamp) && json_integer_value(stamp) < INT64_MAX / 1000000 &&
	    !within(json_integer_value(stamp) * 1000000, CLOCK_SLACK_NS, started_ns, ended_ns))
		return text_format("%c/fio.json was not written in the time of this slot", "AB"[side]);
	return NULL;
}

static char *wrong_record(const struct record_file *file, const struct workload *w, enum side side,
			  const char *target, int64_t started_ns, int64_t ended_ns)
{
	const char *slash = strrchr(file->path, '/');
	size_t length = strlen(w->name);
	struct rec_reader *reader;
	const struct rec_header *h;
	char *reason = NULL;

	if (rec_open(file->path, &reader))
		return NULL;
	h = rec_header(reader);
	slash = slash ? slash + 1 : file->path;
	for (size_t i = 0; !reason && i < rec_file_count(reader); i++) {
		const struct rec_file *opened = rec_file(reader, i);

		if (!is_target(opened->name, target))
			reason = text_format("%c/records/%s is of %s, and the planned target is %s", "AB"[side], slash,
					     opened->name, target);
	}
	if (!reason && (strncmp(h->job_name, w->name, length) || h->job_name[length] != '-'))
		reason = text_format("%c/records/%s is of the job %s, not of %s", "AB"[side], slash, h->job_name,
				     w->name);
	if (!reason && !within((int64_t)h->start_realtime_ns, CLOCK_SLACK_NS, started_ns, ended_ns))
		reason = text_format("%c/records/%s was not written in the time of this slot", "AB"[side], slash);
	rec_close(reader);
	return reason;
}

static int64_t end_of_slot(const char *run, const char *slot)
{
	_cleanup_free_ char *path = text_format("%s/slots/%s/slot.json", run, slot);
	json_auto_t *json = path ? json_load_file(path, 0, NULL) : NULL;
	const json_t *ended = json_object_get(json, "ended_ns");

	return json_is_integer(ended) ? json_integer_value(ended) : UNKNOWN_I64;
}

/* A line of block statistics is "<file>: numbers"; all of them must be files of this drive. */
static bool foreign_block(const char *dir, const char *name, const struct drive *drive)
{
	_cleanup_free_ char *path = text_format("%s/%s", dir, name), *text = NULL;

	if (!path || !drive->stat_paths.count || text_read_file(path, 65536, &text, NULL))
		return false;
	for (char *line = text, *next; line && *line; line = next) {
		char *colon;
		bool own = false;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		colon = strstr(line, ": ");
		if (!colon)
			continue;
		*colon = '\0';
		for (size_t i = 0; i < drive->stat_paths.count; i++)
			own |= !strcmp(line, drive->stat_paths.items[i]);
		if (!own)
			return true;
	}
	return false;
}

static bool foreign_link(const char *dir, const struct drive *drive)
{
	_cleanup_free_ char *path = text_format("%s/link.json", dir);
	json_auto_t *json = path ? json_load_file(path, 0, NULL) : NULL;
	const json_t *endpoint = json_array_get(json_object_get(json, "after"), 0);
	const char *address = json_string_value(json_object_get(endpoint, "address"));

	return address && drive->links_count && drive->links[0].address && strcmp(address, drive->links[0].address);
}

static int note(struct result *result, const char *slot, enum side side, const char *file)
{
	_cleanup_free_ char *s = text_format("slot %s: %c/%s is of another device and was not used", slot,
					     "AB"[side], file);

	return s ? strings_add(&result->notes, s) : -ENOMEM;
}

int gather_integrity(struct result *result, const struct workload *w, enum side side, struct measurement *m,
		     struct record_files *files)
{
	const struct drive *drive = &result->drives[side];
	_cleanup_free_ char *dir = text_format("%s/slots/%s/%c", result->run, m->slot, "AB"[side]);
	int64_t ended_ns = end_of_slot(result->run, m->slot);
	char *reason;
	int ret = 0;

	if (!dir)
		return -ENOMEM;
	if (!drive->path)
		return 0;
	reason = wrong_job(dir, m->slot, side, drive->path);
	if (!reason)
		reason = wrong_fio(dir, side, drive->path, m->started_ns, ended_ns);
	for (size_t i = 0; !reason && i < files->count; i++)
		reason = wrong_record(&files->files[i], w, side, drive->path, m->started_ns, ended_ns);
	take_back(m, files, reason);
	if (foreign_block(dir, "blk-before", drive) || foreign_block(dir, "blk-after", drive)) {
		m->block = (struct block_counters){ UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64, UNKNOWN_I64,
						    UNKNOWN_I64 };
		ret = note(result, m->slot, side, "blk-before or blk-after");
	}
	if (!ret && foreign_link(dir, drive)) {
		m->link_speed_gt_per_s = NAN;
		m->link_width_lanes = m->link_errors = UNKNOWN_I64;
		ret = note(result, m->slot, side, "link.json");
	}
	return ret;
}

/* ---- SMART pages: they carry no serial, but their counters only rise ----------------------------- */

struct page {
	int64_t time_ns;
	const char *slot, *when;
	struct smart *smart;
};

static int by_time(const void *a, const void *b)
{
	const struct page *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return strcmp(y->when, x->when);	/* "before" comes first */
}

static bool fell(struct smart_counter before, struct smart_counter after)
{
	return after.high < before.high || (after.high == before.high && after.low < before.low);
}

static const char *counter_that_fell(const struct smart *before, const struct smart *after)
{
	if (fell(before->data_units_read, after->data_units_read))
		return "data_units_read";
	if (fell(before->data_units_written, after->data_units_written))
		return "data_units_written";
	if (fell(before->power_on_hours, after->power_on_hours))
		return "power_on_hours";
	if (fell(before->power_cycles, after->power_cycles))
		return "power_cycles";
	if (fell(before->media_errors, after->media_errors))
		return "media_errors";
	return NULL;
}

/* More units than any link could have carried in that time. */
static bool jumped(const struct page *before, const struct page *after)
{
	double seconds = (double)(after->time_ns - before->time_ns) / 1e9 + 60;
	struct smart_counter x = before->smart->data_units_read, y = after->smart->data_units_read;
	double units = ((double)y.high - (double)x.high) * 0x1p64 + ((double)y.low - (double)x.low);

	return units * SMART_UNIT_BYTES > seconds * FASTEST_BYTES_PER_S;
}

static size_t list_pages(struct result *result, enum side side, struct page *pages)
{
	size_t n = 0;

	for (size_t w = 0; w < result->workloads_count; w++) {
		for (size_t i = 0; i < result->workloads[w].observations_count; i++) {
			struct measurement *m = &result->workloads[w].observations[i].side[side];

			if (!known(m->started_ns))
				continue;
			if (m->smart_before.valid)
				pages[n++] = (struct page){ m->started_ns, m->slot, "before", &m->smart_before };
			if (m->smart_after.valid)
				pages[n++] = (struct page){ m->started_ns, m->slot, "after", &m->smart_after };
		}
	}
	qsort(pages, n, sizeof(*pages), by_time);
	return n;
}

/* Which of two pages is the wrong one cannot be known, so none of this side's is believed. */
static int check_pages(struct result *result, enum side side, struct page *pages)
{
	size_t n = list_pages(result, side, pages);

	for (size_t i = 1; i < n; i++) {
		const struct page *p = &pages[i];
		const char *counter = counter_that_fell(pages[i - 1].smart, p->smart);
		bool jump = !counter && jumped(&pages[i - 1], p);
		_cleanup_free_ char *reason = NULL;

		if (!counter && !jump)
			continue;
		reason = text_format("%s of slots/%s/%c/smart-%s.bin does not follow from the page before it "
				     "(slots/%s, %s): one of them is of another drive or time", counter ? counter :
				     "data_units_read", p->slot, "AB"[side], p->when, pages[i - 1].slot,
				     pages[i - 1].when);
		for (size_t k = 0; reason && k < n; k++) {
			smart_free(pages[k].smart);
			smart_unknown(pages[k].smart, reason);
		}
		return reason ? strings_add(&result->notes, reason) : -ENOMEM;
	}
	return 0;
}

int gather_smart_order(struct result *result)
{
	size_t room = 1;
	_cleanup_free_ struct page *pages = NULL;
	int ret = 0;

	for (size_t w = 0; w < result->workloads_count; w++)
		room += 2 * result->workloads[w].observations_count;
	pages = calloc(room, sizeof(*pages));
	if (!pages)
		return -ENOMEM;
	for (int s = 0; !ret && s < SIDES; s++)
		ret = check_pages(result, (enum side)s, pages);
	return ret;
}
