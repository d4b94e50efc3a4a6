/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses typed option tables and prints their help. */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fail.h"

static int usage_error(const char *command, const char *what, const char *option, const char *value)
{
	return fail(-EINVAL, "%s: %s: %s%s%s (see nvmatch %s --help)", command, what, option,
		    value ? " " : "", value ? value : "", command);
}

static int set_value(const struct option_row *row, const char *command, const char *s)
{
	int64_t v = 0;
	uint64_t u = 0;
	int ret = 0;

	switch (row->type) {
	case OPTION_FLAG:
		*(bool *)row->value = true;
		return 0;
	case OPTION_STRING:
	case OPTION_OPTIONAL:
		*(const char **)row->value = s;
		return 0;
	case OPTION_STRINGS:
		return strings_add(row->value, s);
	case OPTION_I64:
		ret = text_to_i64(s, &v);
		break;
	case OPTION_BYTES:
		ret = text_to_bytes(s, &u);
		v = (int64_t)u;
		break;
	case OPTION_NS:
		ret = text_to_ns(s, &u);
		v = (int64_t)u;
		break;
	}
	if (ret || v < row->least)
		return usage_error(command, ret ? "not a good value" : "value too small", row->name, s);
	*(int64_t *)row->value = v;
	return 0;
}

static const struct option_row *find_long(const struct option_row *rows, const char *command,
					  const char *name, size_t n, int *error)
{
	const struct option_row *found = NULL;

	for (const struct option_row *r = rows; n && r->name; r++) {
		if (strncmp(r->name, name, n))
			continue;
		if (strlen(r->name) == n)
			return r;
		if (found) {
			*error = fail(-EINVAL, "%s: option --%.*s is ambiguous: --%s or --%s", command,
				      (int)n, name, found->name, r->name);
			return NULL;
		}
		found = r;
	}
	if (!found)
		*error = fail(-EINVAL, "%s: unknown option --%.*s (see nvmatch %s --help)", command,
			      (int)n, name, command);
	return found;
}

static int take(const struct option_row *row, const char *command, const char *attached, int argc,
		char **argv, int *i)
{
	const char *s = attached;

	if (row->type == OPTION_FLAG) {
		if (attached)
			return usage_error(command, "this option takes no value", row->name, attached);
	} else if (!s && row->type == OPTION_OPTIONAL) {
		s = "";
	} else if (!s) {
		if (*i + 1 >= argc)
			return usage_error(command, "a value is missing", row->name, NULL);
		s = argv[++*i];
	}
	return set_value(row, command, s);
}

static int take_long(const struct option_row *rows, const char *command, int argc, char **argv, int *i)
{
	const char *name = argv[*i] + 2, *equals = strchr(name, '=');
	size_t n = equals ? (size_t)(equals - name) : strlen(name);
	int error = 0;
	const struct option_row *row;

	if (n == 4 && !strncmp(name, "help", 4))
		return OPTIONS_HELP;
	row = find_long(rows, command, name, n, &error);
	return row ? take(row, command, equals ? equals + 1 : NULL, argc, argv, i) : error;
}

static int take_short(const struct option_row *rows, const char *command, int argc, char **argv, int *i)
{
	const char *p = argv[*i] + 1;

	for (; *p; p++) {
		const struct option_row *row = rows;
		int ret;

		while (row->name && row->letter != *p)
			row++;
		if (!row->name)
			return *p == 'h' ? OPTIONS_HELP :
			       fail(-EINVAL, "%s: unknown option -%c (see nvmatch %s --help)", command, *p, command);
		if (row->type == OPTION_FLAG) {
			*(bool *)row->value = true;
			continue;
		}
		ret = take(row, command, p[1] ? p + 1 : NULL, argc, argv, i);
		return ret;
	}
	return 0;
}

int options_parse(const struct option_row *rows, const char *command, int argc, char **argv, int *operands)
{
	int kept = 1;

	for (int i = 1; i < argc; i++) {
		int ret = 0;

		if (!strcmp(argv[i], "--")) {
			while (++i < argc)
				argv[kept++] = argv[i];
			break;
		}
		if (!strncmp(argv[i], "--", 2))
			ret = take_long(rows, command, argc, argv, &i);
		else if (argv[i][0] == '-' && argv[i][1])
			ret = take_short(rows, command, argc, argv, &i);
		else
			argv[kept++] = argv[i];
		if (ret)
			return ret;
	}
	*operands = kept - 1;
	return 0;
}

/* Prints text from column `indent` on, broken at blanks before column 80. */
static void print_wrapped(const char *s, int indent)
{
	int column = indent;

	while (*s) {
		int n = (int)strcspn(s, " ");

		if (column > indent && column + 1 + n > 79) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", n, s);
		column += n;
		s += n + (s[n] == ' ');
	}
	putchar('\n');
}

void options_print(const struct option_row *rows)
{
	for (; rows->name; rows++) {
		char left[64];
		bool optional = rows->type == OPTION_OPTIONAL;
		int n = snprintf(left, sizeof(left), "  %c%c%s--%s%s%s%s", rows->letter ? '-' : ' ',
				 rows->letter ? rows->letter : ' ', rows->letter ? ", " : "  ", rows->name,
				 optional ? "[=" : rows->argument ? " " : "",
				 rows->argument ? rows->argument : "", optional ? "]" : "");

		if (n < 28)
			printf("%s%*s", left, 28 - n, "");
		else
			printf("%s\n%28s", left, "");
		print_wrapped(rows->help, 28);
	}
}
