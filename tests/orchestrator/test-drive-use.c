/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What uses a drive, and what forbids writing to it. */
#include <linux/loop.h>
#include <sys/ioctl.h>

#include "saved-drive.h"

static void uses_of_a_disk_and_its_partitions(void **state)
{
	struct drive d;

	(void)state;
	read_saved_drive("partition", "nvme0n1", &d);
	assert_int_equal(d.partitions.count, 2);
	assert_string_equal(d.partitions.items[1], "nvme0n1p2");
	assert_int_equal(d.holders.count, 1);
	assert_string_equal(d.holders.items[0], "dm-0");
	assert_int_equal(d.mounts.count, 2);
	assert_string_equal(d.mounts.items[0], "nvme0n1p1 on /boot (vfat)");
	assert_string_equal(d.mounts.items[1], "dm-0 on /data dir (ext4)");
	assert_int_equal(d.swaps.count, 1);
	drive_free(&d);

	read_saved_drive("partition", "nvme0n1p2", &d);
	assert_int_equal(d.capacity_bytes, 4096 * 512);
	assert_int_equal(d.partition_start_bytes, 1050624LL * 512);
	assert_string_equal(d.whole_device, "nvme0n1");
	assert_int_equal(d.namespace_id, 1);
	assert_int_equal(d.mounts.count, 1);	/* its neighbour's mount is not its own */
	assert_int_equal(d.links_count, 2);
	assert_null(d.mapping);
	drive_free(&d);
	read_saved_drive("partition", "dm-0", &d);
	assert_string_equal(d.mapping, "dm CRYPT-LUKS2");
	drive_free(&d);

	read_saved_drive("partition", "nvme1n1", &d);
	assert_int_equal(d.mounts.count, 1);
	assert_int_equal(d.holders.count, 0);
	drive_free(&d);
}

/* A loop device over a new file that goes away with *fd; its node, or NULL where that is not allowed. */
static char *new_loop(const char *name, uint32_t flags, int *fd)
{
	_cleanup_free_ char *image = text_format("%s/%s", top, name);
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), number = -1;
	struct loop_config config = { .info.lo_flags = flags | LO_FLAGS_AUTOCLEAR };
	char *node = NULL;

	*fd = -1;
	config.fd = (uint32_t)open(image, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	assert_int_equal(ftruncate((int)config.fd, 16 << 20), 0);
	if (control >= 0)
		number = ioctl(control, LOOP_CTL_GET_FREE);
	if (number >= 0) {
		node = text_format("/dev/loop%d", number);
		*fd = open(node, O_RDWR | O_CLOEXEC);
	}
	if (*fd >= 0 && ioctl(*fd, LOOP_CONFIGURE, &config)) {
		close(*fd);
		*fd = -1;
	}
	close((int)config.fd);
	if (control >= 0)
		close(control);
	if (*fd >= 0)
		return node;
	free(node);
	return NULL;
}

/* How many reasons forbid writing to node; one of them must have word. */
static size_t reasons_of(const char *node, const char *word)
{
	struct strings reasons = { 0 };
	struct drive d;
	size_t count;
	bool found = !word;

	assert_int_equal(drive_read(node, "", &d), 0);
	assert_int_equal(drive_in_use(&d, &reasons), 0);
	count = reasons.count;
	for (size_t i = 0; i < count; i++)
		found |= word && strstr(reasons.items[i], word);
	assert_true(found);
	strings_free(&reasons);
	drive_free(&d);
	return count;
}

static void what_forbids_writing(void **state)
{
	int fd, held;
	_cleanup_free_ char *node = new_loop("image", 0, &fd), *fixed = NULL;
	const char *mkfs[] = { "mkfs.ext4", "-q", "-F", node, NULL };

	(void)state;
	if (!node)
		skip();
	assert_int_equal(reasons_of(node, NULL), 0);
	held = open(node, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_int_equal(reasons_of(node, "exclusive open"), 1);
	close(held);
	run_program(mkfs);
	assert_int_equal(reasons_of(node, "ext4 (filesystem)"), 1);
	close(fd);
	fixed = new_loop("fixed", LO_FLAGS_READ_ONLY, &fd);
	assert_non_null(fixed);
	assert_int_equal(reasons_of(fixed, "read-only"), 1);
	close(fd);
}

static void a_device_that_went_away(void **state)
{
	int fd;
	_cleanup_free_ char *node = new_loop("gone", 0, &fd);
	struct strings reasons = { 0 };
	struct drive d;

	(void)state;
	if (!node)
		skip();
	assert_int_equal(drive_read(node, "", &d), 0);
	d.device_minor++;	/* as if another device had taken the place */
	assert_int_equal(drive_in_use(&d, &reasons), -ENODEV);
	close(fd);
	strings_free(&reasons);
	drive_free(&d);
}

static void saved_drives_are_never_written(void **state)
{
	struct strings reasons = { 0 };
	struct drive d;

	(void)state;
	read_saved_drive("plain", "nvme0n1", &d);
	assert_int_equal(drive_in_use(&d, &reasons), 0);
	assert_int_equal(reasons.count, 1);
	strings_free(&reasons);
	drive_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uses_of_a_disk_and_its_partitions),
		cmocka_unit_test(what_forbids_writing), cmocka_unit_test(a_device_that_went_away),
		cmocka_unit_test(saved_drives_are_never_written),
	};

	return cmocka_run_group_tests_name("drive-use", tests, make_top, remove_top);
}
