/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch decode smart and decode identify; called by cmd-decode.c. */
#ifndef NVMATCH_DECODE_PAGES_H
#define NVMATCH_DECODE_PAGES_H

/* argv[0] is the kind, then options and the file. Return an exit status, or -errno after printing. */
int decode_smart_main(int argc, char **argv);
int decode_identify_main(int argc, char **argv);

#endif
