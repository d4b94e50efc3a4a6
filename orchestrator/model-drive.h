/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of model.h that says what a drive and a host are (drive.c, smart.c, host.c). */
#ifndef NVMATCH_MODEL_DRIVE_H
#define NVMATCH_MODEL_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

#define UNKNOWN_I64 INT64_MIN

static inline bool known(int64_t v)
{
	return v != UNKNOWN_I64;
}

enum target_kind { TARGET_BLOCK, TARGET_FILE, TARGET_DIRECTORY };

/* One PCIe function on the way from the drive to the root: [0] is the endpoint. */
struct pci_link {
	char *address;			/* 0000:03:00.0 */
	char *path;			/* its directory in /sys, sysroot included */
	double current_speed_gt_per_s;	/* NaN: "Unknown" or no file */
	double max_speed_gt_per_s;
	int64_t current_width_lanes;
	int64_t max_width_lanes;
	int64_t aer_correctable;	/* sum of Bad TLP, Bad DLLP, Rollover, Timeout */
	int64_t aer_nonfatal, aer_fatal;
	/* from configuration space, of which only root reads more than 64 bytes */
	int64_t max_payload_bytes;	/* MPS in use (Device Control) */
	int64_t max_payload_supported_bytes;	/* Device Capabilities */
	int64_t max_read_request_bytes;	/* MRRS in use */
	int64_t port_type;		/* enum pcie_port (pcie.h) */
};

struct temperature_sensor {
	char *label;
	char *path;			/* the input file, sysroot included */
	double current_c;
	double max_c;			/* temp*_max */
	double critical_c;		/* temp*_crit */
};

struct signature {
	char *type;			/* ext4, LVM2_member, gpt, ... as libblkid names them */
	char *usage;			/* filesystem, raid, crypto, other, partition table */
	char *device;			/* where: the device itself or a partition of it */
	char *uuid;			/* or NULL */
};

struct missing {
	char *field;
	char *reason;			/* one sentence: why it is unknown and what would show it */
};

/* What Identify Controller and Identify Namespace say (NVMe base spec 2.0, figures 275 and 280). */
struct identify {
	double warning_temperature_c;	/* WCTEMP; NaN when 0 (not reported) */
	double critical_temperature_c;	/* CCTEMP */
	int64_t hctma, mntmt_k, mxtmt_k;	/* host-controlled thermal management */
	int64_t oacs, mdts, npss, apsta, vwc;
	int64_t total_capacity_bytes;	/* TNVMCAP */
	int64_t nsze_blocks, ncap_blocks, nuse_blocks;
	int64_t nsfeat, dlfeat;
	int64_t lba_format;		/* index in use (FLBAS) */
	int64_t lba_data_bytes, lba_metadata_bytes, lba_relative_performance;
	int64_t tmt1_k, tmt2_k;		/* light and heavy throttle points set now (feature 10h); unknown: none */
	/* what the namespace itself says; the kernel hides identifiers that two drives share */
	char *eui64, *nguid, *uuid;
	int64_t ctratt, lpa;		/* controller and log page attributes, bits */
	int64_t error_log_entries;	/* size of the error log */
	int64_t endurance_group;	/* id of the namespace's group; unknown: none */
	int64_t hmb_wanted_bytes;	/* HMPRE; 0: the drive uses no host memory */
	int64_t hmb_bytes;		/* host memory that it has now (feature 0Dh) */
	/* log pages: 1 offered, 0 not offered, unknown not asked */
	int64_t endurance_log, ocp_log;
	int64_t ocp_uuid_index;		/* to be given with log C0h */
	int64_t own_error_entries;	/* in the drive's error log, made by asking for all this */
};

struct drive {
	char *target;			/* as the user typed it */
	char *sysroot;			/* NULL: this machine, else a saved /sys: no device may be opened */
	char *path;			/* what fio opens: resolved, absolute */
	int kind;			/* enum target_kind */
	char *kernel_name;		/* nvme0n1; shown, never an identity. Of a file: the device below it */
	char *sysfs_path;		/* directory of the block device in /sys, sysroot included */
	int64_t device_major, device_minor;
	char *transport;		/* nvme-pcie, nvme-tcp, sata, usb, virtio, loop, zram, ... */
	char *model, *serial, *firmware;
	char *controller;		/* nvme0 */
	int64_t controller_id, namespace_id;
	char *eui64, *nguid, *uuid, *wwid, *subsystem_nqn;
	char *pci_address;
	struct pci_link *links;
	size_t links_count;
	char *iommu_type;		/* of the endpoint's group: identity, DMA, DMA-FQ; "none" without one */
	int64_t interrupt_vectors;	/* of the endpoint (MSI) */
	char *interrupt_cpus;		/* CPU lists that they are delivered to, ";" between vectors */
	char *mapping;			/* how a virtual target lies on devices: dm CRYPT-LUKS2, md raid1, ... */
	int64_t numa_node;		/* unknown where sysfs says -1 */
	char *local_cpus;		/* CPU list of that node, 0-7,16-23 */
	int64_t capacity_bytes, logical_block_bytes, physical_block_bytes, minimum_io_bytes, optimal_io_bytes;
	int64_t partition_start_bytes;	/* 0 for a whole device */
	char *whole_device;		/* kernel name of the disk; of a partition its parent */
	/* queue settings (/sys/block/X/queue) */
	char *scheduler, *write_cache, *zoned;
	int64_t nr_requests, max_sectors_kib, max_hw_sectors_kib, read_ahead_kib, nomerges, rq_affinity;
	int64_t wbt_latency_us, rotational, read_only, io_poll;
	int64_t pm_qos_latency_us;	/* pm_qos_latency_tolerance_us of the controller: APST */
	struct identify identify;
	struct temperature_sensor *sensors;
	size_t sensors_count;
	/* in use */
	struct strings mounts, partitions, holders, swaps;
	struct signature *signatures;
	size_t signatures_count;
	/* files to read block statistics from: one for each path of a multipath namespace, else one */
	struct strings stat_paths;
	/* files and directories */
	char *file_system, *file_system_uuid;
	char *backing_device;		/* node of the device below a file; of a loop device its file */
	int64_t file_device, file_inode;	/* st_dev and st_ino; of a loop device those of its file */
	int64_t file_bytes, file_allocated_bytes, free_bytes;
	int64_t extent_hole_bytes, extent_unwritten_bytes, extent_mapped_bytes;	/* FIEMAP */
	/* of the ranges of the workload that meets most of them: holes and unwritten bytes, and all */
	int64_t range_absent_bytes, range_bytes;
	struct missing *missing;
	size_t missing_count;
};

struct host {
	char *kernel, *cpu_model, *governor, *fio_version, *fio_path, *engine_path, *engine_fio_version;
	char *os_release, *architecture;
	int64_t page_bytes, cpus_online, memory_bytes;
	char *aspm_policy;
	int64_t nvme_default_ps_max_latency_us;
};

#endif
