/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives as saved /sys trees show them (tests/fake-sysfs), files of this machine, and pure parts. */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "drive-internal.h"
#include "model-json.h"
#include "pcie-path.h"

static char *top;	/* where the trees are; made once, before the first test */

static void run_program(const char *const *argv)
{
	pid_t pid;
	int status;

	assert_int_equal(posix_spawnp(&pid, argv[0], NULL, NULL, (char **)(void *)argv, environ), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static char *tree(const char *scenario)
{
	const char *tests = getenv("TESTS") ? getenv("TESTS") : "tests";
	_cleanup_free_ char *script = text_format("%s/fake-sysfs", tests);
	char *dir = text_format("%s/%s", top, scenario);
	const char *argv[] = { script, dir, scenario, NULL };

	if (access(dir, F_OK))
		run_program(argv);
	return dir;
}

static int make_top(void **state)
{
	char name[] = "/tmp/nvmatch-test-drive.XXXXXX";

	(void)state;
	top = mkdtemp(name) ? strdup(name) : NULL;
	return top ? 0 : -1;
}

static int remove_top(void **state)
{
	const char *argv[] = { "rm", "-rf", top, NULL };

	(void)state;
	run_program(argv);
	free(top);
	return 0;
}

static void read_saved_drive(const char *scenario, const char *name, struct drive *d)
{
	_cleanup_free_ char *dir = tree(scenario);

	assert_int_equal(drive_read(name, dir, d), 0);
}

static const char *reason_for(const struct drive *d, const char *field)
{
	for (size_t i = 0; i < d->missing_count; i++)
		if (!strcmp(d->missing[i].field, field))
			return d->missing[i].reason;
	return NULL;
}

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

static void links(void **state)
{
	static const struct { const char *scenario; size_t findings, hops; const char *word; } cases[] = {
		{ "plain", 0, 2, NULL }, { "downtrained", 1, 2, "below capability: 5 GT/s x1" },
		{ "slot", 1, 2, "slot limits" }, { "unknown", 0, 2, NULL }, { "odd", 0, 2, NULL },
		{ "switch", 1, 4, "below capability: 5 GT/s x1, where 16 GT/s x4" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strings findings = { 0 };
		struct drive d;

		read_saved_drive(cases[i].scenario, "nvme0n1", &d);
		assert_int_equal(d.links_count, cases[i].hops);
		assert_int_equal(drive_link_findings(&d, &findings), 0);
		assert_int_equal(findings.count, cases[i].findings);
		if (cases[i].word)
			assert_non_null(strstr(findings.items[0], cases[i].word));
		strings_free(&findings);
		drive_free(&d);
	}
}

/* Configuration space as root reads it, and as others do: 64 bytes, which end before the capability. */
static void configuration_space(void **state)
{
	struct drive a, b;

	(void)state;
	read_saved_drive("config", "nvme0n1", &a);
	read_saved_drive("config", "nvme1n1", &b);
	assert_int_equal(a.links[0].port_type, PCIE_ENDPOINT);
	assert_int_equal(a.links[1].port_type, PCIE_ROOT_PORT);
	assert_int_equal(a.links[0].max_payload_bytes, 256);
	assert_int_equal(a.links[0].max_payload_supported_bytes, 256);
	assert_int_equal(a.links[1].max_payload_supported_bytes, 512);
	assert_int_equal(a.links[0].max_read_request_bytes, 512);
	/* what the kernel does not tell */
	assert_true(a.links[0].current_speed_gt_per_s == 16 && a.links[0].max_speed_gt_per_s == 16);
	assert_int_equal(a.links[0].current_width_lanes, 4);
	assert_false(known(b.links[0].max_payload_bytes) || known(b.links[0].port_type));
	assert_int_equal(b.links[1].max_payload_bytes, 512);
	assert_string_equal(a.iommu_type, "DMA-FQ");
	assert_int_equal(a.interrupt_vectors, 3);
	assert_string_equal(a.interrupt_cpus, "1;0;1");	/* of 9, 100, 101 in this order */
	assert_true(a.links[0].aer_nonfatal == 1 && a.links[0].aer_fatal == 2);
	assert_false(known(a.links[1].aer_fatal));
	drive_free(&a);
	drive_free(&b);
	read_saved_drive("plain", "nvme0n1", &a);
	assert_string_equal(a.iommu_type, "none");
	assert_false(known(a.interrupt_vectors) || known(a.links[0].max_payload_bytes));
	drive_free(&a);
}

/* A space of which the list of capabilities leads out, runs in circles, or stands in a drive that is gone. */
static void hostile_configuration_space(void **state)
{
	unsigned char space[256] = { 0x4d, 0x14, [6] = 0x10, [0x34] = 0x40 };
	struct pcie_config c;

	(void)state;
	space[0x40] = 1, space[0x41] = 0x40;
	assert_false(pcie_config_decode(space, sizeof(space), &c));	/* in circles */
	space[0x41] = 0xfc, space[0xfc] = 0x10;
	assert_false(pcie_config_decode(space, sizeof(space), &c));	/* its end is missing */
	space[0x41] = 0x70, space[0x70] = 0x10;
	space[0x74] = 7, space[0x78] = 0xe0, space[0x7c] = 0x0f, space[0x82] = 0x70;
	for (size_t n = 0; n <= sizeof(space); n++) {
		unsigned char *cut = malloc(n ? n : 1);

		memcpy(cut, space, n);
		assert_int_equal(pcie_config_decode(cut, n, &c), n >= 0x84);
		free(cut);
	}
	/* reserved codes are unknown, not sizes */
	assert_true(c.max_payload_supported_bytes == -1 && c.max_payload_bytes == -1);
	assert_true(isnan(c.max_speed_gt_per_s) && isnan(c.current_speed_gt_per_s));
	assert_int_equal(c.current_width_lanes, 7);
	for (unsigned int code = 1; code <= 6; code++) {
		space[0x82] = (unsigned char)code;
		assert_true(pcie_config_decode(space, sizeof(space), &c));
		assert_int_equal(pcie_generation(c.current_speed_gt_per_s), code);
	}
	space[6] = 0;
	assert_false(pcie_config_decode(space, sizeof(space), &c));	/* no capabilities */
	memset(space, 0xff, sizeof(space));
	assert_false(pcie_config_decode(space, sizeof(space), &c));
}

/* Limits and hops of whole paths. */
static void paths_and_payload(void **state)
{
	struct pcie_hop hops[PCIE_HOPS_MAX];
	struct drive a, b;
	double low, high;

	(void)state;
	read_saved_drive("config", "nvme0n1", &a);
	pcie_path_payload(&a, &low, &high);
	assert_true(low == 256 && high == 256);
	assert_int_equal(pcie_hops(&a, NULL, 0, hops), 1);
	assert_true(hops[0].assessed && !hops[0].state.downtrained);
	drive_free(&a);
	read_saved_drive("config", "nvme1n1", &a);	/* the drive's own is not readable */
	pcie_path_payload(&a, &low, &high);
	assert_true(low == 128 && high == 512);
	drive_free(&a);
	read_saved_drive("plain", "nvme0n1", &a);
	pcie_path_payload(&a, &low, &high);
	assert_true(low == 128 && high == 4096);
	drive_free(&a);
	read_saved_drive("switch", "nvme0n1", &a);
	read_saved_drive("switch", "nvme1n1", &b);
	assert_int_equal(pcie_hops(&a, NULL, 0, hops), 2);	/* the drive's, and the switch's */
	assert_true(hops[1].raw_bytes_per_s == 5e8);
	assert_string_equal(hops[1].port, "0001:00:00.0");
	assert_true(pcie_is_shared(&b, hops[1].address) && !pcie_is_shared(&b, hops[0].address));
	drive_free(&a);
	drive_free(&b);
	read_saved_drive("downtrained", "nvme0n1", &a);
	assert_int_equal(pcie_hops(&a, NULL, 0, hops), 1);
	assert_true(hops[0].state.downtrained && hops[0].state.negotiable_gt_per_s == 16);
	drive_free(&a);
	read_saved_drive("slot", "nvme0n1", &a);
	assert_int_equal(pcie_hops(&a, NULL, 0, hops), 1);
	assert_true(!hops[0].state.downtrained && hops[0].state.slot_limited);
	drive_free(&a);
	read_saved_drive("unknown", "nvme0n1", &a);
	assert_int_equal(pcie_hops(&a, NULL, 0, hops), 1);
	assert_false(hops[0].assessed);
	assert_true(isnan(hops[0].raw_bytes_per_s));
	drive_free(&a);
}

static void link_is_read_again(void **state)
{
	struct pci_link *now;
	struct drive d;
	_cleanup_free_ char *file = NULL;
	FILE *f;

	(void)state;
	read_saved_drive("downtrained", "nvme0n1", &d);
	file = text_format("%s/current_link_speed", d.links[0].path);
	f = fopen(file, "w");
	fputs("8.0 GT/s PCIe\n", f);
	fclose(f);
	assert_int_equal(drive_link_now(&d, &now), 0);
	assert_true(now[0].current_speed_gt_per_s == 8.0);
	assert_true(d.links[0].current_speed_gt_per_s == 5.0);
	drive_links_free(now, d.links_count);
	drive_free(&d);
}

static void shared_port_and_rates(void **state)
{
	static const struct { const char *scenario; const char *word; } cases[] = {
		{ "plain", NULL }, { "switch", "share the upstream port 0001:01:00.0: at most 500 MB/s" },
		{ "downtrained", "different link rates (8 GT/s x1 and 16 GT/s x4)" }, { "unknown", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strings findings = { 0 };
		struct drive a, b;

		read_saved_drive(cases[i].scenario, "nvme0n1", &a);
		read_saved_drive(cases[i].scenario, "nvme1n1", &b);
		assert_int_equal(drive_shared_findings(&a, &b, &findings), 0);
		if (cases[i].word)
			assert_non_null(strstr(findings.items[findings.count - 1], cases[i].word));
		else
			assert_int_equal(findings.count, 0);
		strings_free(&findings);
		drive_free(&a);
		drive_free(&b);
	}
}

static void rates(void **state)
{
	/* raw bytes per second of method's table, rounded there to whole bytes */
	static const struct { double speed; int lanes; double expected; } cases[] = {
		{ 2.5, 1, 250e6 }, { 5, 4, 2e9 }, { 8, 1, 984615385.0 }, { 16, 4, 7876923077.0 },
		{ 32, 16, 63015384615.0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_true(fabs(drive_link_bytes_per_s(cases[i].speed, cases[i].lanes) - cases[i].expected) < 1);
	assert_true(isnan(drive_link_bytes_per_s(NAN, 4)));
	assert_true(isnan(drive_link_bytes_per_s(8, UNKNOWN_I64)));
}

static void unknown_links_and_temperatures(void **state)
{
	struct drive d;
	double c;

	(void)state;
	read_saved_drive("unknown", "nvme0n1", &d);
	assert_true(isnan(d.links[0].current_speed_gt_per_s));
	assert_false(known(d.links[0].current_width_lanes));
	assert_false(known(d.links[1].aer_correctable));
	assert_false(known(d.numa_node));
	assert_non_null(strstr(reason_for(&d, "numa_node"), "-1"));
	assert_non_null(strstr(reason_for(&d, "pm_qos_latency_us"), "any"));
	assert_non_null(reason_for(&d, "sensors"));
	assert_null(d.eui64);
	assert_int_equal(drive_temperature_now(&d, &c), -ENODATA);
	drive_free(&d);
	read_saved_drive("plain", "nvme0n1", &d);
	assert_int_equal(drive_temperature_now(&d, &c), 0);
	assert_true(c == 36.85);
	drive_free(&d);
}

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

static int relation(const char *scenario, const char *name_a, const char *name_b, size_t *clones)
{
	struct strings notices = { 0 };
	struct drive a, b;
	char *why;
	int ret;

	read_saved_drive(scenario, name_a, &a);
	read_saved_drive(scenario, name_b, &b);
	ret = drive_same(&a, &b, &why);
	assert_true((ret == DRIVE_DIFFERENT) == !why);
	free(why);
	assert_int_equal(drive_same(&b, &a, &why), ret);
	free(why);
	assert_int_equal(drive_clones(&a, &b, &notices), 0);
	*clones = notices.count;
	strings_free(&notices);
	drive_free(&a);
	drive_free(&b);
	return ret;
}

static void relations(void **state)
{
	static const struct { const char *scenario, *a, *b; int relation; size_t clones; } cases[] = {
		{ "plain", "nvme0n1", "nvme1n1", DRIVE_DIFFERENT, 0 },
		{ "plain", "nvme0n1", "nvme0n1", DRIVE_SAME, 0 },
		{ "swapped", "nvme0n1", "nvme1n1", DRIVE_DIFFERENT, 0 },
		{ "partition", "nvme0n1", "nvme0n1p2", DRIVE_SAME, 0 },
		{ "partition", "nvme0n1p1", "nvme0n1p2", DRIVE_SHARED, 0 },
		{ "partition", "nvme0n1", "dm-0", DRIVE_SAME, 0 },
		{ "partition", "nvme0n1p1", "nvme1n1", DRIVE_DIFFERENT, 0 },
		{ "namespaces", "nvme0n1", "nvme0n2", DRIVE_SHARED, 0 },
		{ "multipath", "nvme0n1", "nvme0n2", DRIVE_SHARED, 0 },
		{ "twice", "nvme0n1", "nvme1n1", DRIVE_SAME, 0 },
		/* equal serial, EUI64 and world-wide identifier */
		{ "clone", "nvme0n1", "nvme1n1", DRIVE_DIFFERENT, 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t clones;
		int ret = relation(cases[i].scenario, cases[i].a, cases[i].b, &clones);

		if (ret != cases[i].relation || clones != cases[i].clones)
			fail_msg("%s %s %s: relation %d, %zu clone notices", cases[i].scenario, cases[i].a,
				 cases[i].b, ret, clones);
	}
}

/* The second of two equal identifiers is hidden by the kernel, but the namespace still says it. */
static void clones_that_the_kernel_hides(void **state)
{
	static const struct { bool a_shown, b_shown; size_t notices; } cases[] = {
		{ true, true, 1 }, { true, false, 1 }, { false, true, 1 }, { false, false, 0 },
	};
	char id[] = "0011223344556677";

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct drive a = { .target = (char *)"a", .eui64 = cases[i].a_shown ? id : NULL, .identify.eui64 = id };
		struct drive b = { .target = (char *)"b", .eui64 = cases[i].b_shown ? id : NULL, .identify.eui64 = id };
		struct strings notices = { 0 };

		a.device_minor = 1;
		a.file_inode = a.file_device = b.file_inode = b.file_device = UNKNOWN_I64;
		assert_int_equal(drive_clones(&a, &b, &notices), 0);
		assert_int_equal(notices.count, cases[i].notices);
		strings_free(&notices);
	}
}

static void volumes_of_one_drive_share_it(void **state)
{
	struct drive a, b;
	char *why;

	(void)state;
	read_saved_drive("partition", "dm-0", &a);
	read_saved_drive("partition", "dm-0", &b);
	b.device_minor = 1;
	b.kernel_name[3] = b.whole_device[3] = '1';
	assert_int_equal(drive_same(&a, &b, &why), DRIVE_SHARED);
	free(why);
	drive_free(&b);
	read_saved_drive("partition", "nvme1n1", &b);
	assert_int_equal(drive_same(&a, &b, &why), DRIVE_DIFFERENT);
	drive_free(&b);
	read_saved_drive("partition", "nvme0n1p1", &b);
	assert_int_equal(drive_same(&a, &b, &why), DRIVE_SHARED);
	free(why);
	drive_free(&b);
	drive_free(&a);
}

static void names_over_two_boots(void **state)
{
	struct drive before, after;
	char *why;

	(void)state;
	/* other trees: other paths and kernel names, the same drives */
	read_saved_drive("plain", "nvme0n1", &before);
	read_saved_drive("swapped", "nvme0n1", &after);
	assert_int_equal(drive_same(&before, &after, &why), DRIVE_SAME);
	free(why);
	drive_free(&after);
	read_saved_drive("swapped", "nvme1n1", &after);
	assert_int_equal(drive_same(&before, &after, &why), DRIVE_DIFFERENT);
	drive_free(&after);
	drive_free(&before);
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

static void pci_addresses(void **state)
{
	static const struct { const char *name; bool is; } cases[] = {
		{ "0000:03:00.0", true }, { "10000:01:1f.7", true }, { "0000:03:00.8", false },
		{ "pci0000:00", false }, { "0000:03:00.0x", false }, { "", false }, { "0000:3:00.0", false },
		{ "000:03:00.0", false }, { "0000", false }, { "0000:", false }, { "0000:0", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(pci_is_address(cases[i].name), cases[i].is);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_is_complete),
		cmocka_unit_test(all_that_is_unknown_has_a_reason),
		cmocka_unit_test(controller_is_found_not_guessed),
		cmocka_unit_test(multipath_counters_are_those_of_the_paths),
		cmocka_unit_test(size_of_now),
		cmocka_unit_test(counters),
		cmocka_unit_test(links),
		cmocka_unit_test(configuration_space),
		cmocka_unit_test(hostile_configuration_space),
		cmocka_unit_test(paths_and_payload),
		cmocka_unit_test(link_is_read_again),
		cmocka_unit_test(shared_port_and_rates),
		cmocka_unit_test(rates),
		cmocka_unit_test(unknown_links_and_temperatures),
		cmocka_unit_test(uses_of_a_disk_and_its_partitions),
		cmocka_unit_test(other_transports),
		cmocka_unit_test(odd_contents_are_unknown),
		cmocka_unit_test(relations),
		cmocka_unit_test(clones_that_the_kernel_hides),
		cmocka_unit_test(volumes_of_one_drive_share_it),
		cmocka_unit_test(names_over_two_boots),
		cmocka_unit_test(list_names_namespaces_only),
		cmocka_unit_test(bad_targets),
		cmocka_unit_test(files_and_their_extents),
		cmocka_unit_test(what_forbids_writing),
		cmocka_unit_test(a_device_that_went_away),
		cmocka_unit_test(saved_drives_are_never_written),
		cmocka_unit_test(drive_survives_json),
		cmocka_unit_test(pci_addresses),
	};

	return cmocka_run_group_tests(tests, make_top, remove_top);
}
