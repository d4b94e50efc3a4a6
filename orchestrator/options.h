/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of a command as a typed table: parsing, defaults and the help text come from it.
 * `--name value`, `--name=value`, `-x value`, unique prefixes of long names, `--` ends options.
 */
#ifndef NVMATCH_OPTIONS_H
#define NVMATCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

enum option_type {
	OPTION_FLAG,	/* bool * */
	OPTION_STRING,	/* const char **, points into argv */
	OPTION_OPTIONAL,	/* const char **, "" without a value; a value only as --name=value */
	OPTION_STRINGS,	/* struct strings *, may be given several times */
	OPTION_I64,	/* int64_t *, at least `least` */
	OPTION_BYTES,	/* int64_t *, 64m, 1g; see text_to_bytes */
	OPTION_NS,	/* int64_t *, 10, 500ms, 2m; nanoseconds */
};

struct option_row {
	const char *name;	/* long name without dashes; NULL ends the table */
	char letter;		/* 0: none */
	enum option_type type;
	void *value;
	const char *argument;	/* name of the argument in the help, NULL for a flag */
	const char *help;
	int64_t least;		/* OPTION_I64, OPTION_BYTES, OPTION_NS: smallest value allowed */
};

/*
 * Takes the options out of argv[1..argc-1]; what is left (the operands) is moved to the front
 * of argv from argv[1] on and counted in *operands.
 * 0; -EINVAL after printing what is wrong and how to get help (exit 2);
 * OPTIONS_HELP when --help or -h was given (the caller prints the help and ends with 0).
 */
#define OPTIONS_HELP 1
int options_parse(const struct option_row *rows, const char *command, int argc, char **argv, int *operands);

/* The help rows for stdout, at most 80 columns wide. */
void options_print(const struct option_row *rows);

#endif
