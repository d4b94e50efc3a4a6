/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NVMATCH_REPORT_FIO_PLOT_H
#define NVMATCH_REPORT_FIO_PLOT_H

#include "model-picture.h"

/*
 * The files that fio-plot (1.1.21) reads, below a directory that must be new, as bench-fio lays them
 * out: SIDE[-LABEL]-alone|both/BS/RW-IODEPTH-NUMJOBS.json with one job, that has the means over all
 * rounds of one workload, and beside it RW-iodepth-D-numjobs-N_bw.1.log and _iops.1.log. A second
 * workload with the same four gets its name behind BS. Workloads that mix reads and writes are left
 * out, with a warning. 0, an exit status or -errno (printed).
 */
int report_fio_plot(const char *directory, const struct result *result, const struct pictures *pictures);

#endif
