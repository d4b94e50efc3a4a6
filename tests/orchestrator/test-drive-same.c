/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which drives are one, and which only look so. */
#include "saved-drive.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relations), cmocka_unit_test(clones_that_the_kernel_hides),
		cmocka_unit_test(volumes_of_one_drive_share_it), cmocka_unit_test(names_over_two_boots),
	};

	return cmocka_run_group_tests_name("drive-same", tests, make_top, remove_top);
}
