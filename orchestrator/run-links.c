/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches the PCIe links of a drive during a slot. */
#include "run-links.h"

#include <errno.h>
#include <stdlib.h>

#include "drive.h"
#include "run-snapshot.h"

#define LOOK_EVERY_NS INT64_C(1000000000)

/* An unknown speed equals another unknown one. */
static bool same(const struct pci_link *a, const struct pci_link *b)
{
	return a->current_width_lanes == b->current_width_lanes &&
	       (a->current_speed_gt_per_s == b->current_speed_gt_per_s ||
		(isnan(a->current_speed_gt_per_s) && isnan(b->current_speed_gt_per_s)));
}

static void add_number(struct text *t, bool is_known, double v)
{
	if (is_known)
		text_printf(t, ",%g", v);
	else
		text_add(t, ",");
}

static void add_row(struct links_seen *seen, size_t i)
{
	const struct pci_link *l = &seen->last[i];

	if (!seen->csv.length)
		text_add(&seen->csv, "time_ns,link,address,speed_gt_per_s,width_lanes,looks\n");
	text_printf(&seen->csv, "%lld,%zu,%s", (long long)seen->since_ns[i], i, l->address);
	add_number(&seen->csv, !isnan(l->current_speed_gt_per_s), l->current_speed_gt_per_s);
	add_number(&seen->csv, known(l->current_width_lanes), (double)l->current_width_lanes);
	text_printf(&seen->csv, ",%lld\n", (long long)seen->looks[i]);
}

static void begin(struct links_seen *seen, size_t count, int64_t now_ns)
{
	seen->since_ns = calloc(count, sizeof(*seen->since_ns));
	seen->looks = calloc(count, sizeof(*seen->looks));
	seen->failed = !seen->since_ns || !seen->looks;
	for (size_t i = 0; !seen->failed && i < count; i++)
		seen->since_ns[i] = now_ns;
}

void links_look(struct links_seen *seen, const struct drive *drive, int64_t now_ns)
{
	struct pci_link *now = NULL;

	if (now_ns < seen->next_ns || seen->failed || !drive->links_count || drive_link_now(drive, &now))
		return;
	seen->next_ns = now_ns + LOOK_EVERY_NS;
	if (!seen->last)
		begin(seen, drive->links_count, now_ns);
	for (size_t i = 0; !seen->failed && i < drive->links_count; i++) {
		if (seen->last && !same(&seen->last[i], &now[i])) {
			add_row(seen, i);
			seen->since_ns[i] = now_ns;
			seen->looks[i] = 0;
		}
		seen->looks[i]++;
	}
	if (seen->last)
		drive_links_free(seen->last, drive->links_count);
	seen->last = now;
}

int links_write(struct links_seen *seen, const struct drive *drive, const char *directory)
{
	for (size_t i = 0; seen->last && !seen->failed && i < drive->links_count; i++)
		add_row(seen, i);
	if (seen->failed || seen->csv.failed)
		return -ENOMEM;
	return seen->csv.length ? snapshot_file(directory, "link-load.csv", seen->csv.data, seen->csv.length) : 0;
}

void links_free(struct links_seen *seen, const struct drive *drive)
{
	if (seen->last)
		drive_links_free(seen->last, drive->links_count);
	free(seen->since_ns);
	free(seen->looks);
	text_free(&seen->csv);
}
