/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that are refused at compile time, because a safer one exists:
 * bounded copies through text.h, numbers through text.h (atoi has no errors),
 * processes through run.h (no shell).
 */
#ifndef NVMATCH_BANNED_H
#define NVMATCH_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat strtok gets atoi atol atof vsprintf system popen

#endif
