/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives as saved /sys trees show them (tests/fake-sysfs), files of this machine, and pure parts. */
#include "saved-drive.h"

#include "model-json.h"
#include "pcie-path.h"

static void plain_is_complete(void **state)
{
	struct drive d;

	(void)state;
	read_saved_drive("plain", "/dev/nvme0n1", &d);
	assert_string_equal(d.target, "/dev/nvme0n1");
	assert_string_equal(d.path, "/dev/nvme0n1");
	assert_int_equal(d.kind, TARGET_BLOCK);
	assert_string_equal(d.kernel_name, "nvme0n1");
	assert_string_equal(d.whole_device, "nvme0n1");
	assert_int_equal(d.device_major, 259);
	assert_int_equal(d.device_minor, 0);
	assert_string_equal(d.transport, "nvme-pcie");
	assert_string_equal(d.model, "Example SSD One 1TB");
	assert_string_equal(d.serial, "SERIALAAA0001");
	assert_string_equal(d.firmware, "FW1.0");
	assert_string_equal(d.controller, "nvme0");
	assert_int_equal(d.controller_id, 6);
	assert_int_equal(d.namespace_id, 1);
	assert_string_equal(d.eui64, "002538b111000001");
	assert_null(d.nguid);
	assert_non_null(reason_for(&d, "nguid"));
	assert_string_equal(d.subsystem_nqn, "nqn.2014-08.org.example:a");
	assert_int_equal(d.capacity_bytes, 1024209543168);
	assert_int_equal(d.logical_block_bytes, 512);
	assert_int_equal(d.physical_block_bytes, 4096);
	assert_int_equal(d.optimal_io_bytes, 0);
	assert_int_equal(d.partition_start_bytes, 0);
	assert_string_equal(d.scheduler, "none");
	assert_string_equal(d.write_cache, "write back");
	assert_int_equal(d.nr_requests, 1023);
	assert_int_equal(d.wbt_latency_us, 2000);
	assert_int_equal(d.pm_qos_latency_us, 100000);
	assert_int_equal(d.numa_node, 1);
	assert_string_equal(d.local_cpus, "0-7,16-23");
	assert_string_equal(d.pci_address, "0000:03:00.0");
	assert_int_equal(d.links_count, 2);
	assert_string_equal(d.links[1].address, "0000:00:01.0");
	assert_true(d.links[0].current_speed_gt_per_s == 16.0 && d.links[0].current_width_lanes == 4);
	assert_int_equal(d.links[0].aer_correctable, 6);	/* receiver errors are not among them */
	assert_int_equal(d.sensors_count, 2);
	assert_string_equal(d.sensors[0].label, "Composite");
	assert_true(d.sensors[0].current_c == 36.85 && d.sensors[0].critical_c == 84.85);
	assert_true(d.sensors[1].current_c == -4.15 && isnan(d.sensors[1].max_c));
	assert_int_equal(d.stat_paths.count, 1);
	assert_int_equal(d.mounts.count + d.holders.count + d.swaps.count + d.partitions.count, 0);
	drive_free(&d);
	assert_null(d.model);
	assert_false(known(d.capacity_bytes));
}

/* Every member that is unknown has its reason, in every tree: nothing is silently absent. */
static void all_that_is_unknown_has_a_reason(void **state)
{
	static const struct { const char *scenario, *name; } cases[] = {
		{ "plain", "nvme0n1" }, { "unknown", "nvme0n1" }, { "unknown", "nvme1n1" }, { "odd", "nvme0n1" },
		{ "odd", "nvme1n1" }, { "sata", "sda" }, { "sata", "vdb" }, { "multipath", "nvme0n1" },
		{ "partition", "nvme0n1p2" },
	};
	static const char *const known_ones[] = { "model", "serial", "firmware", "capacity_bytes", "scheduler",
						  "logical_block_bytes", "numa_node", "transport", "read_only" };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct drive d;

		read_saved_drive(cases[i].scenario, cases[i].name, &d);
		for (const struct field *f = drive_fields; f->key; f++) {
			const void *p = (const char *)&d + f->offset;
			bool have = f->type == FIELD_STRING ? *(char *const *)p != NULL :
				    f->type == FIELD_INT ? known(*(const int64_t *)p) : true;

			for (size_t k = 0; k < sizeof(known_ones) / sizeof(known_ones[0]); k++)
				if (!strcmp(f->key, known_ones[k]) && !have && !reason_for(&d, f->key))
					fail_msg("%s %s: %s", cases[i].scenario, cases[i].name, f->key);
			if (have && f->type != FIELD_STRINGS && reason_for(&d, f->key) && f->type == FIELD_INT)
				fail_msg("%s %s: %s is known and missing", cases[i].scenario, cases[i].name, f->key);
		}
		assert_non_null(reason_for(&d, "signatures"));
		drive_free(&d);
	}
}

static void controller_is_found_not_guessed(void **state)
{
	static const struct { const char *scenario, *name, *serial, *controller; } cases[] = {
		{ "plain", "nvme0n1", "SERIALAAA0001", "nvme0" }, { "plain", "nvme1n1", "SERIALBBB0002", "nvme1" },
		{ "swapped", "nvme0n1", "SERIALAAA0001", "nvme1" }, { "swapped", "nvme1n1", "SERIALBBB0002", "nvme0" },
		{ "namespaces", "nvme0n2", "SERIALAAA0001", "nvme0" },
		{ "partition", "nvme0n1p2", "SERIALAAA0001", "nvme0" },
		{ "partition", "dm-0", "SERIALAAA0001", "nvme0" },
		/* the first controller of the two is not live */
		{ "multipath", "nvme0n1", "SERIALAAA0001", "nvme1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct drive d;

		read_saved_drive(cases[i].scenario, cases[i].name, &d);
		assert_string_equal(d.serial, cases[i].serial);
		assert_string_equal(d.controller, cases[i].controller);
		drive_free(&d);
	}
}

static void multipath_counters_are_those_of_the_paths(void **state)
{
	struct block_counters c;
	struct drive d;
	char *raw;

	(void)state;
	read_saved_drive("multipath", "nvme0n1", &d);
	assert_int_equal(d.stat_paths.count, 2);
	assert_int_equal(drive_block_counters(&d, &c, &raw), 0);
	assert_int_equal(c.read_ios, 2001);	/* 1000 + 1001; those of nvme0n2 are 2000 and 2001 */
	assert_int_equal(c.read_bytes, 2 * 8000 * 512);
	assert_false(known(c.discarded_bytes));	/* 11 positions: before Linux 4.18 */
	assert_int_equal(drive_counters_from_text(raw, &c), 0);
	assert_int_equal(c.read_ios, 2001);
	free(raw);
	drive_free(&d);
}

/* What the kernel says about the size of the device that was found, before and after it shrank. */
static void size_of_now(void **state)
{
	_cleanup_free_ char *shrunk = text_format("%s/shrunk", top), *size = text_format("%s/size", shrunk);
	struct drive d;
	FILE *f;

	(void)state;
	read_saved_drive("plain", "nvme0n1", &d);
	assert_true(d.capacity_bytes > 4194304);
	assert_int_equal(drive_capacity_now(&d), d.capacity_bytes);
	free(d.sysfs_path);
	d.sysfs_path = strdup(shrunk);
	assert_int_equal(mkdir(shrunk, 0777), 0);
	assert_false(known(drive_capacity_now(&d)));
	f = fopen(size, "w");
	assert_non_null(f);
	fputs("8192\n", f);
	fclose(f);
	assert_int_equal(drive_capacity_now(&d), 4194304);
	d.kind = TARGET_FILE;
	assert_false(known(drive_capacity_now(&d)));
	drive_free(&d);
}

static void counters(void **state)
{
	static const struct { const char *text; int ret; int64_t read_bytes, written_ios, discarded; } cases[] = {
		{ "/sys/a/stat: 1 0 8 0 2 0 16 0 0 0 0 0 0 24 0 0 0\n", 0, 4096, 2, 24 * 512 },
		{ "p: 1 0 8 0 2 0 16 0 0 0 0\n", 0, 4096, 2, UNKNOWN_I64 },
		{ "a:b: 1 0 8 0 2 0 16 0 0 0 0 0 0 0\nc: 1 0 8 0 3 0 16 0 0 0 0 0 0 0\n", 0, 8192, 5, 0 },
		{ "", -EINVAL, 0, 0, 0 },
		{ "p: 1 0 8\n", -EINVAL, 0, 0, 0 },
		{ "p 1 0 8 0 2 0 16 0 0\n", -EINVAL, 0, 0, 0 },
		{ "p: 1 0 -8 0 2 0 16 0 0 0 0\n", -EINVAL, 0, 0, 0 },
		{ "p: 1 0 9223372036854775807 0 2 0 16 0 0 0 0\n", -EINVAL, 0, 0, 0 },
		{ "p: 1 0 99999999999999999999 0 2 0 16 0 0 0 0\n", -EINVAL, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct block_counters c;

		assert_int_equal(drive_counters_from_text(cases[i].text, &c), cases[i].ret);
		if (cases[i].ret)
			continue;
		assert_true(c.read_bytes == cases[i].read_bytes);
		assert_true(c.written_ios == cases[i].written_ios);
		assert_true(c.discarded_bytes == cases[i].discarded);
	}
}

static void other_transports(void **state)
{
	struct drive d;

	(void)state;
	read_saved_drive("sata", "sda", &d);
	assert_string_equal(d.transport, "sata");
	assert_string_equal(d.model, "Example SATA SSD");	/* without the "ATA" of the layer above */
	assert_string_equal(d.serial, "S1ATA0009");
	assert_string_equal(d.firmware, "1B6Q");
	assert_string_equal(d.wwid, "naa.5002538d00000009");
	assert_int_equal(d.sensors_count, 1);
	assert_null(d.controller);
	drive_free(&d);
	read_saved_drive("sata", "vdb", &d);
	assert_string_equal(d.transport, "virtio");
	assert_null(d.model);
	assert_string_equal(d.serial, "V1");
	drive_free(&d);
}

static void odd_contents_are_unknown(void **state)
{
	struct drive d;
	double c;

	(void)state;
	read_saved_drive("odd", "nvme0n1", &d);
	assert_false(known(d.capacity_bytes));	/* sectors x 512 does not fit */
	assert_false(known(d.read_only));
	assert_false(known(d.nr_requests));	/* hexadecimal is not what the kernel writes */
	assert_false(known(d.read_ahead_kib));
	assert_false(known(d.namespace_id));
	assert_null(d.firmware);		/* 300 kB of x */
	assert_null(d.serial);			/* a link out of the tree */
	assert_null(d.zoned);
	assert_string_equal(d.model, "evil\033[2J\xff");
	assert_true(isnan(d.links[0].current_speed_gt_per_s));
	assert_false(known(d.links[0].aer_correctable));
	assert_int_equal(d.sensors_count, 2);
	assert_true(isnan(d.sensors[0].current_c));
	assert_int_equal(drive_temperature_now(&d, &c), -ENODATA);
	drive_free(&d);
}

static void list_names_namespaces_only(void **state)
{
	static const struct { const char *scenario; size_t count; const char *last; } cases[] = {
		{ "plain", 2, "nvme1n1" }, { "multipath", 2, "nvme0n2" }, { "partition", 2, "nvme1n1" },
		{ "namespaces", 3, "nvme1n1" }, { "sata", 0, NULL }, { "odd", 1, "nvme0n1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_free_ char *dir = tree(cases[i].scenario);
		struct strings names = { 0 };

		assert_int_equal(drive_list_nvme(dir, &names), 0);
		assert_int_equal(names.count, cases[i].count);
		if (names.count)
			assert_string_equal(names.items[names.count - 1], cases[i].last);
		strings_free(&names);
	}
}

static void bad_targets(void **state)
{
	_cleanup_free_ char *fifo = text_format("%s/fifo", top);
	_cleanup_free_ char *loop = text_format("%s/loop", top);
	struct { const char *target; int ret; } cases[] = {
		{ "/dev/nvme77n9", -ENOENT }, { "nvme77n9", -ENOENT }, { "no-such-file", -ENOENT },
		{ "/tmp/no/such/file", -ENOENT }, { "/dev/null", -EINVAL }, { "", -EINVAL }, { fifo, -EINVAL },
		{ loop, -ELOOP }, { "/dev/nvme77n9/", -ENOENT }, { "/dev/null/x", -ENOENT },
	};
	_cleanup_free_ char *saved = tree("plain");
	struct drive d;

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink("loop", loop), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (drive_read(cases[i].target, "", &d) != cases[i].ret)
			fail_msg("%s", cases[i].target);
		assert_null(d.target);
	}
	assert_int_equal(access("/dev/nvme77n9", F_OK), -1);
	assert_int_equal(drive_read("nvme9n1", saved, &d), -ENOENT);
	assert_int_equal(drive_read("..", saved, &d), -ENOENT);
	assert_int_equal(drive_read("nvme0n1", "/no/such/root", &d), -ENOENT);
	assert_int_equal(drive_read("nvme0n1", top, &d), -ENOENT);
}

static void files_and_their_extents(void **state)
{
	_cleanup_free_ char *path = text_format("%s/file", top), *alias = text_format("%s/alias", top);
	_cleanup_free_ char *data = calloc(1, 1 << 20), *why = NULL;
	struct strings reasons = { 0 };
	struct drive d, other;
	int fd = open(path, O_CREAT | O_RDWR, 0600);

	(void)state;
	memset(data, 'x', 1 << 20);
	assert_int_equal(pwrite(fd, data, 1 << 20, 1 << 20), 1 << 20);
	assert_int_equal(ftruncate(fd, 4 << 20), 0);
	close(fd);
	assert_int_equal(symlink(path, alias), 0);
	assert_int_equal(drive_read(path, "", &d), 0);
	assert_int_equal(d.kind, TARGET_FILE);
	assert_int_equal(d.file_bytes, 4 << 20);
	assert_int_equal(d.extent_mapped_bytes, 1 << 20);
	assert_int_equal(d.extent_hole_bytes, 3 << 20);
	assert_non_null(d.file_system);
	assert_true(d.free_bytes > 0);
	assert_int_equal(drive_read(alias, NULL, &other), 0);
	assert_string_equal(other.path, path);
	assert_int_equal(drive_same(&d, &other, &why), DRIVE_SAME);
	assert_int_equal(drive_in_use(&d, &reasons), 0);
	assert_int_equal(reasons.count, 0);
	drive_free(&other);
	assert_int_equal(drive_read(top, "", &other), 0);
	assert_int_equal(other.kind, TARGET_DIRECTORY);
	free(why);
	assert_int_equal(drive_same(&d, &other, &why), DRIVE_SHARED);
	drive_free(&other);
	drive_free(&d);
}

static void drive_survives_json(void **state)
{
	static const char *const trees[] = { "plain", "multipath", "odd", "partition" };

	(void)state;
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		json_auto_t *json = NULL, *again = NULL;
		struct drive d, copy = { 0 };
		const char *wrong;

		read_saved_drive(trees[i], "nvme0n1", &d);
		json = fields_to_json(drive_fields, &d);
		assert_non_null(json);
		assert_int_equal(fields_from_json(drive_fields, json, &copy, &wrong), 0);
		again = fields_to_json(drive_fields, &copy);
		assert_true(json_equal(json, again));
		drive_free(&copy);
		drive_free(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_is_complete), cmocka_unit_test(all_that_is_unknown_has_a_reason),
		cmocka_unit_test(controller_is_found_not_guessed),
		cmocka_unit_test(multipath_counters_are_those_of_the_paths), cmocka_unit_test(size_of_now),
		cmocka_unit_test(counters), cmocka_unit_test(other_transports),
		cmocka_unit_test(odd_contents_are_unknown), cmocka_unit_test(list_names_namespaces_only),
		cmocka_unit_test(bad_targets), cmocka_unit_test(files_and_their_extents),
		cmocka_unit_test(drive_survives_json),
	};

	return cmocka_run_group_tests_name("drive", tests, make_top, remove_top);
}
