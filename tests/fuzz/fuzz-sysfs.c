/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of /sys and /proc that a kernel, a driver or a drive wrote. */
#include "drive.h"
#include "host.h"
#include "tests/fuzz/fuzz.h"

#define CONTROLLER "sys/block/nvme0n1/device/"
#define LINK CONTROLLER "device/"
#define QUEUE "sys/block/nvme0n1/queue/"
static const char *const names[] = { CONTROLLER "serial",
				     CONTROLLER "model",
				     CONTROLLER "firmware_rev",
				     CONTROLLER "address",
				     CONTROLLER "cntlid",
				     CONTROLLER "subsysnqn",
				     CONTROLLER "transport",
				     CONTROLLER "hwmon3/temp1_input",
				     CONTROLLER "hwmon3/temp1_label",
				     CONTROLLER "power/pm_qos_latency_tolerance_us",
				     LINK "current_link_speed",
				     LINK "max_link_speed",
				     LINK "current_link_width",
				     LINK "aer_dev_correctable",
				     LINK "numa_node",
				     LINK "local_cpulist",
				     QUEUE "scheduler",
				     QUEUE "max_sectors_kb",
				     QUEUE "logical_block_size",
				     QUEUE "physical_block_size",
				     "sys/block/nvme0n1/size",
				     "sys/block/nvme0n1/stat",
				     "sys/block/nvme0n1/dev",
				     "proc/self/mountinfo",
				     "proc/swaps",
				     NULL };

static void read_drives(const char *tree)
{
	struct drive a, b;
	struct strings reasons = { 0 };
	char *why = NULL;

	if (drive_read("nvme0n1", tree, &a))
		return;
	if (!drive_read("nvme1n1", tree, &b)) {
		drive_same(&a, &b, &why);
		drive_clones(&a, &b, &reasons);
		free(why);
		drive_free(&b);
	}
	drive_in_use(&a, &reasons);
	strings_free(&reasons);
	drive_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_replace(names, data, size, read_drives);
	return 0;
}
