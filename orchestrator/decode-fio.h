/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch decode fio; called by cmd-decode.c. */
#ifndef NVMATCH_DECODE_FIO_H
#define NVMATCH_DECODE_FIO_H

/* argv[0] is "fio", then options and the file. Returns an exit status, or -errno after printing. */
int decode_fio_main(int argc, char **argv);

#endif
