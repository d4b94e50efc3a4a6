/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a target is: found through /sys and /proc, by device number and real parents, never by
 * cutting names. Nothing here writes. All functions live on what a normal user may read and put
 * the rest, with the reason, into drive.missing.
 *
 *	struct drive d;
 *	if (drive_read("/dev/nvme0n1", "", &d))		prints the error itself
 *		...
 *	drive_free(&d);
 */
#ifndef NVMATCH_DRIVE_H
#define NVMATCH_DRIVE_H

#include "model.h"

/*
 * Resolves target (device node or any other name of it, kernel name, file, directory) and fills
 * drive, which need not be initialised. sysroot "" or NULL is this machine; else DIR/sys (or DIR
 * itself when it has block/ or class/) and DIR/proc are read, target is a kernel name or path of
 * such a name, and no device is opened.
 * 0, or -errno after printing one sentence: -ENOENT no such target (a missing device node never
 * becomes a file), -EINVAL not a block device, file or directory. On failure drive holds nothing.
 */
int drive_read(const char *target, const char *sysroot, struct drive *drive);
void drive_free(struct drive *drive);

/* Kernel names of all NVMe namespaces that can be a target, sorted: 0 or -ENOMEM. */
int drive_list_nvme(const char *sysroot, struct strings *names);

/*
 * Are two sides one and the same? *why (caller frees) says so in one sentence; NULL if different.
 * DRIVE_SAME: two names of one target, or one contains the other: there is nothing to compare.
 * DRIVE_SHARED: different areas of one drive (two partitions, two files, two namespaces of one
 * controller): may be compared, but says nothing about two drives. -ENOMEM.
 */
enum drive_relation { DRIVE_DIFFERENT, DRIVE_SAME, DRIVE_SHARED };
int drive_same(const struct drive *a, const struct drive *b, char **why);

/*
 * Different devices that carry equal identifiers (serial, EUI64, NGUID, UUID, file system UUID):
 * appends one sentence for each. 0 or -ENOMEM.
 */
int drive_clones(const struct drive *a, const struct drive *b, struct strings *notices);

/*
 * Everything that forbids writing to a block target: appends one sentence for each (mounts also
 * in other mount namespaces, swap, holders, signatures, refused exclusive open, read-only, zoned).
 * Asks the running system again, so it is right at the time of the call. An empty list: not in
 * use. 0 or -errno (printed): then nothing is known, so do not write. Reading used devices is
 * allowed. Files and directories: the list stays empty.
 */
int drive_in_use(const struct drive *drive, struct strings *reasons);

/*
 * Sums drive.stat_paths. raw (may be NULL) gets "PATH: LINE\n" for each, to be kept as evidence
 * (caller frees). 0; -ENODATA when the target has no statistics (files on tmpfs, ...); -errno.
 * Prints nothing.
 */
int drive_block_counters(const struct drive *drive, struct block_counters *counters, char **raw);

/* Parses what drive_block_counters gave as raw: 0 or -EINVAL. */
int drive_counters_from_text(const char *raw, struct block_counters *counters);

/*
 * Reads the links again (drive.links_count of them, same order, addresses copied; caller frees
 * with drive_links_free). Under load, as links may sleep. 0, -ENODATA without PCIe, -ENOMEM.
 */
int drive_link_now(const struct drive *drive, struct pci_link **links);
void drive_links_free(struct pci_link *links, size_t count);

/*
 * Bytes of these ranges of a file that are holes or unwritten, by FIEMAP after an fsync: reads of them
 * never reach the drive. 0, or -errno; -ENODATA: not a file. Prints nothing.
 */
int drive_absent_bytes(const struct drive *drive, const struct range *ranges, size_t count,
		       int64_t *absent_bytes);

/*
 * Is what drive_read found still there: the same block device with a size, or the file? A drive
 * that was pulled out has left /sys, while fio may have read on without moving a byte.
 */
bool drive_present(const struct drive *drive);

/*
 * Bytes of the block device that drive_read found, as the kernel has them now: a namespace can shrink
 * while it is read. UNKNOWN_I64 for a file, and when /sys does not tell. Prints nothing.
 */
int64_t drive_capacity_now(const struct drive *drive);

/* Composite temperature from hwmon. 0, -ENODATA when there is no sensor, or -errno. Prints nothing. */
int drive_temperature_now(const struct drive *drive, double *temperature_c);

/*
 * Findings on the links, one sentence each (a bridge that runs below what both ends can, a slot
 * that limits the drive): appended. 0 or -ENOMEM. The second one: what two drives share.
 */
int drive_link_findings(const struct drive *drive, struct strings *findings);
int drive_shared_findings(const struct drive *a, const struct drive *b, struct strings *findings);

/* "16 GT/s x4"; a part that is not known is left out, "unknown" when both are. Into buffer (returned). */
#define DRIVE_LINK_TEXT_SIZE 48
char *drive_link_text(char buffer[static DRIVE_LINK_TEXT_SIZE], double speed_gt_per_s, int64_t lanes);

/* Upper bound of a PCIe link in one direction, before packet overhead; NaN when unknown. */
double drive_link_bytes_per_s(double speed_gt_per_s, int64_t lanes);

/*
 * A directory that this user may write, with least_bytes free, on a file system of a drive here: NVMe
 * before others, then the one with most room. The caller's; 0 or -ENOENT (not printed).
 */
int drive_propose_directory(int64_t least_bytes, char **directory);

#endif
