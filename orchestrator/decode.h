/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of nvmatch decode, commands of their own: cmd-decode.c finds them. */
#ifndef NVMATCH_DECODE_H
#define NVMATCH_DECODE_H

struct command;

extern const struct command decode_fio, decode_smart, decode_identify;

#endif
