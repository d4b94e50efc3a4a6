/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links, configuration space and paths of drives, as saved /sys trees show them (tests/fake-sysfs). */
#include "saved-drive.h"

#include "pcie-path.h"

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
		cmocka_unit_test(links), cmocka_unit_test(configuration_space),
		cmocka_unit_test(hostile_configuration_space), cmocka_unit_test(paths_and_payload),
		cmocka_unit_test(link_is_read_again), cmocka_unit_test(shared_port_and_rates),
		cmocka_unit_test(rates), cmocka_unit_test(unknown_links_and_temperatures),
		cmocka_unit_test(pci_addresses),
	};

	return cmocka_run_group_tests_name("drive-link", tests, make_top, remove_top);
}
