/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints drives for people. Each drive gives the same labels in the same order, so two fit side by side. */
#include "inspect-text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drive.h"
#include "smart.h"

#define LABEL_WIDTH 22

struct row {
	const char *label;	/* NULL: value is unused, a heading is in `heading` */
	const char *heading;
	char *value;		/* lines divided by \n; NULL: n/a */
};

struct rows {
	struct row *items;
	size_t count;
	bool failed;
};

static struct row *new_row(struct rows *rows)
{
	struct row *items = rows->failed ? NULL : reallocarray(rows->items, rows->count + 1, sizeof(*items));

	if (!items) {
		rows->failed = true;
		return NULL;
	}
	rows->items = items;
	items[rows->count] = (struct row){ 0 };
	return &items[rows->count++];
}

static void heading(struct rows *rows, const char *text)
{
	struct row *r = new_row(rows);

	if (r)
		r->heading = text;
}

/* Takes value over. */
static void add(struct rows *rows, const char *label, char *value)
{
	struct row *r = new_row(rows);

	if (!r) {
		free(value);
		return;
	}
	r->label = label;
	r->value = value;
}

static void add_text(struct rows *rows, const char *label, const char *s)
{
	add(rows, label, s ? text_escape_terminal(s) : NULL);
}

static void add_number(struct rows *rows, const char *label, int64_t v, const char *unit)
{
	add(rows, label, known(v) ? text_format("%lld%s", (long long)v, unit) : NULL);
}

static void add_bytes(struct rows *rows, const char *label, int64_t v)
{
	char size[TEXT_NUMBER_SIZE];

	add(rows, label, known(v) ? text_format("%lld bytes (%s)", (long long)v, text_bytes(size, (double)v)) :
	    NULL);
}

static void add_list(struct rows *rows, const char *label, const struct strings *list)
{
	struct text t = { 0 };

	for (size_t i = 0; list && i < list->count; i++) {
		_cleanup_free_ char *safe = text_escape_terminal(list->items[i]);

		text_printf(&t, "%s%s", i ? "\n" : "", safe ? safe : "?");
	}
	if (list && !list->count)
		text_add(&t, "none");
	add(rows, label, list ? text_steal(&t) : NULL);
}

/* Which kinds of rows any of the drives has. */
struct shown {
	bool file, nvme;
};

static void add_identity(struct rows *rows, const struct drive *d, bool nvme)
{
	static const char *const kinds[] = { "block device", "file", "directory" };

	heading(rows, "Identity");
	add_text(rows, "target", d->target);
	add(rows, "kind", text_format("%s", kinds[d->kind]));
	add_text(rows, "path", d->path);
	add_text(rows, "model", d->model);
	add_text(rows, "serial", d->serial);
	add_text(rows, "firmware", d->firmware);
	add_text(rows, "transport", d->transport);
	if (nvme) {
		add_number(rows, "namespace", d->namespace_id, "");
		add_text(rows, "controller", d->controller);
		add_text(rows, "EUI64", d->eui64);
		add_text(rows, "NGUID", d->nguid);
		add_text(rows, "UUID", d->uuid);
		add_text(rows, "subsystem", d->subsystem_nqn);
	}
	add_text(rows, "world-wide identifier", d->wwid);
	add(rows, "device number", known(d->device_major) ?
	    text_format("%lld:%lld", (long long)d->device_major, (long long)d->device_minor) : NULL);
}

static void add_geometry(struct rows *rows, const struct drive *d, bool nvme)
{
	const struct identify *id = &d->identify;

	heading(rows, "Size and blocks");
	add_bytes(rows, "capacity", d->capacity_bytes);
	add_number(rows, "logical block", d->logical_block_bytes, " bytes");
	add_number(rows, "physical block", d->physical_block_bytes, " bytes");
	add_number(rows, "smallest I/O", d->minimum_io_bytes, " bytes");
	add_number(rows, "best I/O", d->optimal_io_bytes, d->optimal_io_bytes ? " bytes" : " (not reported)");
	add_bytes(rows, "starts at", d->partition_start_bytes);
	if (!nvme)
		return;
	add(rows, "LBA format", known(id->lba_format) && known(id->lba_data_bytes) ?
	    text_format("%lld: %lld + %lld bytes, relative performance %lld", (long long)id->lba_format,
			(long long)id->lba_data_bytes, (long long)id->lba_metadata_bytes,
			(long long)id->lba_relative_performance) : NULL);
	add(rows, "allocated", known(id->nuse_blocks) && known(id->nsze_blocks) ?
	    text_format("%lld of %lld blocks", (long long)id->nuse_blocks, (long long)id->nsze_blocks) : NULL);
}

static void add_links(struct rows *rows, const struct drive *d)
{
	struct strings findings = { 0 };
	struct text t = { 0 }, path = { 0 };

	heading(rows, "PCIe");
	inspect_links_text(d, &t);
	inspect_host_path_text(d, &path);
	add(rows, "link", d->links_count ? text_steal(&t) : NULL);
	drive_link_findings(d, &findings);
	add_list(rows, "link findings", d->links_count ? &findings : NULL);
	strings_free(&findings);
	add(rows, "host path", path.length ? text_steal(&path) : NULL);
	add_number(rows, "NUMA node", d->numa_node, "");
	add_text(rows, "near CPUs", d->local_cpus);
}

static void add_celsius(struct text *t, const char *what, double c)
{
	if (!isnan(c))
		text_printf(t, "%s%.1f C", what, c);
}

static void add_temperatures(struct rows *rows, const struct drive *d)
{
	const struct identify *id = &d->identify;
	struct text t = { 0 }, limits = { 0 };

	for (size_t i = 0; i < d->sensors_count; i++) {
		const struct temperature_sensor *s = &d->sensors[i];
		_cleanup_free_ char *label = text_escape_terminal(s->label ? s->label : "sensor");

		text_printf(&t, "%s%s: ", i ? "\n" : "", label ? label : "?");
		if (isnan(s->current_c))
			text_add(&t, "n/a");
		add_celsius(&t, "", s->current_c);
		add_celsius(&t, ", limit ", s->max_c);
		add_celsius(&t, ", critical ", s->critical_c);
	}
	add(rows, "temperature", d->sensors_count ? text_steal(&t) : NULL);
	add_celsius(&limits, "warning ", id->warning_temperature_c);
	add_celsius(&limits, limits.length ? ", critical " : "critical ", id->critical_temperature_c);
	add(rows, "thresholds", limits.length ? text_steal(&limits) : NULL);
}

static void add_health(struct rows *rows, const struct inspected *x)
{
	struct text t = { 0 };
	char *lines;

	heading(rows, "Health");
	add_temperatures(rows, &x->drive);
	inspect_smart_text(&x->smart, &t);
	inspect_pages_text(x, &t);
	lines = text_steal(&t);
	if (lines && *lines)
		lines[strlen(lines) - 1] = '\0';
	add(rows, "SMART", lines);
}

static bool is_missing(const struct drive *d, const char *field)
{
	for (size_t i = 0; i < d->missing_count; i++)
		if (!strcmp(d->missing[i].field, field))
			return true;
	return false;
}

static void add_use(struct rows *rows, const struct drive *d)
{
	struct text t = { 0 };

	heading(rows, "In use");
	add_list(rows, "mounts", is_missing(d, "mounts") ? NULL : &d->mounts);
	add_list(rows, "partitions", &d->partitions);
	add_list(rows, "holders", &d->holders);
	add_list(rows, "swap", is_missing(d, "swaps") ? NULL : &d->swaps);
	for (size_t i = 0; i < d->signatures_count; i++)
		text_printf(&t, "%s%s: %s (%s)", i ? "\n" : "", d->signatures[i].device, d->signatures[i].type,
			    d->signatures[i].usage);
	if (is_missing(d, "signatures"))
		text_add(&t, t.length ? "\nmore n/a" : "n/a");
	add(rows, "signatures", t.length ? text_steal(&t) : text_format("none"));
	add(rows, "read-only", known(d->read_only) ? text_format(d->read_only ? "yes" : "no") : NULL);
}

static void add_settings(struct rows *rows, const struct drive *d)
{
	heading(rows, "Settings");
	add_text(rows, "scheduler", d->scheduler);
	add_text(rows, "write cache", d->write_cache);
	add_text(rows, "zoned", d->zoned);
	add_number(rows, "queue", d->nr_requests, " requests");
	add(rows, "largest I/O", known(d->max_sectors_kib) && known(d->max_hw_sectors_kib) ?
	    text_format("%lld KiB, hardware %lld KiB", (long long)d->max_sectors_kib,
			(long long)d->max_hw_sectors_kib) : NULL);
	add_number(rows, "read-ahead", d->read_ahead_kib, " KiB");
	add_number(rows, "nomerges", d->nomerges, "");
	add_number(rows, "rq_affinity", d->rq_affinity, "");
	add_number(rows, "writeback throttling", d->wbt_latency_us, " us");
	add(rows, "rotational", known(d->rotational) ? text_format(d->rotational ? "yes" : "no") : NULL);
	add_number(rows, "power saving bound", d->pm_qos_latency_us, " us");
}

static void add_file(struct rows *rows, const struct drive *d)
{
	heading(rows, "File");
	add_text(rows, "file system", d->file_system);
	add_text(rows, "file system UUID", d->file_system_uuid);
	add_text(rows, "lies on", d->backing_device);
	add_bytes(rows, "size", d->file_bytes);
	add_bytes(rows, "allocated", d->file_allocated_bytes);
	add_bytes(rows, "free", d->free_bytes);
	add_bytes(rows, "holes", d->extent_hole_bytes);
	add_bytes(rows, "never written", d->extent_unwritten_bytes);
	add_bytes(rows, "written", d->extent_mapped_bytes);
}

static void describe(const struct inspected *x, struct shown shown, struct rows *rows)
{
	add_identity(rows, &x->drive, shown.nvme);
	add_geometry(rows, &x->drive, shown.nvme);
	if (shown.file)
		add_file(rows, &x->drive);
	add_links(rows, &x->drive);
	add_health(rows, x);
	add_use(rows, &x->drive);
	add_settings(rows, &x->drive);
}

/* Takes a piece of at most width columns off *s: up to \n, else to a blank, else cut. */
static void take_piece(struct text *out, const char **s, int width)
{
	int n = (int)strcspn(*s, "\n"), cut = n, pad;

	if (n > width) {
		for (cut = width; cut > width / 2 && (*s)[cut] != ' '; cut--)
			;
		if (cut <= width / 2)
			cut = width;
		/* not inside a UTF-8 sequence */
		while (cut > 1 && ((*s)[cut] & 0xc0) == 0x80)
			cut--;
	}
	text_add_bytes(out, *s, (size_t)cut);
	pad = width - cut;
	*s += cut;
	*s += **s == '\n' || **s == ' ';
	text_printf(out, "%*s", pad, "");
}

static void strip_line_end(struct text *out)
{
	while (out->length && out->data[out->length - 1] == ' ')
		out->data[--out->length] = '\0';
	text_add(out, "\n");
}

static void print_row(const char *label, const char *const *values, size_t count, int width, struct text *out)
{
	const char *rest[2] = { values[0], count > 1 ? values[1] : "" };
	int column = count > 1 ? (width - LABEL_WIDTH - 2) / 2 : width - LABEL_WIDTH;

	do {
		text_printf(out, "  %-*s", LABEL_WIDTH, label);
		for (size_t i = 0; i < count; i++) {
			text_add(out, i ? "  " : "");
			take_piece(out, &rest[i], column);
		}
		strip_line_end(out);
		label = "";
	} while (*rest[0] || *rest[1]);
}

/* The fields without value, those with one reason on one line. */
static void print_missing(const struct drive *d, struct text *out)
{
	_cleanup_free_ char *target = text_escape_terminal(d->target);

	if (!d->missing_count)
		return;
	text_printf(out, "\nNot known of %s\n", target ? target : "?");
	for (size_t i = 0; i < d->missing_count; i++) {
		_cleanup_free_ char *reason = text_escape_terminal(d->missing[i].reason);
		bool first = true;

		for (size_t k = 0; k < i && first; k++)
			first = strcmp(d->missing[k].reason, d->missing[i].reason) != 0;
		if (!first)
			continue;
		text_printf(out, "  %s", d->missing[i].field);
		for (size_t k = i + 1; k < d->missing_count; k++)
			if (!strcmp(d->missing[k].reason, d->missing[i].reason))
				text_printf(out, ", %s", d->missing[k].field);
		text_printf(out, ": %s\n", reason ? reason : "?");
	}
}

static void rows_free(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->items[i].value);
	free(rows->items);
}

int inspect_text(const struct inspected *drives, size_t count, int width, struct text *out)
{
	struct rows rows[2] = { 0 };
	struct shown shown = { 0 };
	const char *title = NULL;
	bool failed = false, device = false;

	for (size_t i = 0; i < count; i++) {
		shown.file |= drives[i].drive.kind != TARGET_BLOCK;
		shown.nvme |= drives[i].drive.controller != NULL;
		device |= drives[i].drive.sysfs_path != NULL;
	}
	for (size_t i = 0; i < count; i++) {
		describe(&drives[i], shown, &rows[i]);
		failed |= rows[i].failed;
	}
	for (size_t r = 0; !failed && r < rows[0].count; r++) {
		const char *values[2] = { "", "" };
		bool any = device;	/* a file in memory would have little but n/a */

		if (rows[0].items[r].heading) {
			title = rows[0].items[r].heading;
			continue;
		}
		for (size_t i = 0; i < count; i++) {
			any |= rows[i].items[r].value != NULL;
			values[i] = rows[i].items[r].value ? rows[i].items[r].value : "n/a";
		}
		if (!any)
			continue;
		if (title)
			text_printf(out, "%s%s\n", out->length ? "\n" : "", title);
		title = NULL;
		print_row(rows[0].items[r].label, values, count, width - 2, out);
	}
	for (size_t i = 0; i < count; i++) {
		print_missing(&drives[i].drive, out);
		rows_free(&rows[i]);
	}
	return failed || out->failed ? -ENOMEM : 0;
}
