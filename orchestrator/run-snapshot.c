/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads SMART, block statistics and links around a slot, and drops the page cache. */
#include "run-snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drive.h"
#include "fail.h"
#include "model-json.h"
#include "pages.h"
#include "smart.h"

int snapshot_file(const char *directory, const char *name, const void *data, size_t length)
{
	_cleanup_free_ char *path = text_format("%s/%s", directory, name);
	FILE *f = path ? fopen(path, "we") : NULL;

	if (!f)
		return fail(-errno, "cannot write %s/%s: %s", directory, name, strerror(errno));
	if (fwrite(data, 1, length, f) != length || fflush(f)) {
		fclose(f);
		return fail(-EIO, "cannot write %s: %s", path, strerror(errno));
	}
	fclose(f);
	return 0;
}

static int snapshot_smart(const struct drive *drive, const char *directory, const char *when)
{
	unsigned char page[SMART_PAGE_BYTES];
	_cleanup_free_ char *reason = NULL, *name = NULL;
	int ret = smart_read(drive, page, &reason);

	/* an all-zero page is kept too: it shows what the drive answered */
	name = text_format("smart-%s.%s", when, !ret || ret == -ENODATA ? "bin" : "txt");
	if (!name)
		return -ENOMEM;
	if (!ret || ret == -ENODATA)
		return snapshot_file(directory, name, page, sizeof(page));
	if (!reason)
		reason = strdup("not available");
	return snapshot_file(directory, name, reason, reason ? strlen(reason) : 0);
}

static int snapshot_pages(const struct drive *drive, const char *directory, const char *when)
{
	struct page pages[PAGE_KINDS];
	int ret = pages_read(drive, pages);

	for (int i = 0; !ret && i < PAGE_KINDS; i++) {
		const struct page *p = &pages[i];
		_cleanup_free_ char *name = text_format("%s-%s.%s", page_names[i], when, p->data ? "bin" : "txt");

		if (!name)
			ret = -ENOMEM;
		else if (p->data || p->reason)
			ret = snapshot_file(directory, name, p->data ? (const void *)p->data : p->reason,
					    p->data ? p->length : strlen(p->reason));
	}
	pages_free(pages);
	return ret;
}

/*
 * The SMART page that a slot is judged by is the last one before it and the first one after it, so
 * that errors that reading the other pages adds to the drive's log do not fall into the slot. How
 * many those are is the difference to a first reading.
 */
static int snapshot_nvme(const struct drive *drive, const char *directory, const char *when)
{
	bool before = !strcmp(when, "before");
	int ret = 0;

	if (before && drive->controller && !drive->sysroot)
		ret = snapshot_smart(drive, directory, "before-pages");
	if (!ret && !before)
		ret = snapshot_smart(drive, directory, when);
	if (!ret)
		ret = snapshot_pages(drive, directory, when);
	return ret || !before ? ret : snapshot_smart(drive, directory, when);
}

int snapshot_take(const struct drive *drive, const char *directory, const char *when)
{
	struct block_counters counters;
	_cleanup_free_ char *raw = NULL, *name = text_format("blk-%s", when);
	int ret = snapshot_nvme(drive, directory, when);

	if (ret || !name)
		return ret ? ret : -ENOMEM;
	if (drive_block_counters(drive, &counters, &raw) || !raw)
		return 0;	/* no file: no statistics to be had */
	return snapshot_file(directory, name, raw, strlen(raw));
}

void snapshot_link(const struct drive *drive, const char *when, void *json_object)
{
	struct pci_link *links = NULL;
	json_t *array = json_array();

	if (!drive_link_now(drive, &links)) {
		for (size_t i = 0; i < drive->links_count; i++)
			json_array_append_new(array, fields_to_json(pci_link_fields, &links[i]));
		drive_links_free(links, drive->links_count);
	}
	json_object_set_new(json_object, when, array);
}

bool snapshot_drop_caches(char **reason)
{
	_cleanup_fd_ int fd = -1;

	sync();
	/* the file is write-only, and 3 frees page cache, dentries and inodes (Documentation/sysctl/vm.txt) */
	fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, "3\n", 2) == 2)
		return true;
	*reason = text_format("page cache not dropped: /proc/sys/vm/drop_caches: %s%s", strerror(errno),
			      errno == EACCES ? " (needs root)" : "");
	return false;
}
