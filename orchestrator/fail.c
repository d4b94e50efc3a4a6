/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints an error or a warning once, escaped, on stderr. */
#include "fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "text.h"

static void say(const char *prefix, const char *format, va_list ap)
{
	char line[4096];
	_cleanup_free_ char *safe = NULL;

	vsnprintf(line, sizeof(line), format, ap);
	safe = text_escape_terminal(line);
	fprintf(stderr, "%s%s\n", prefix, safe ? safe : "out of memory");
}

int fail(int error, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say("nvmatch: ", format, ap);
	va_end(ap);
	return error;
}

void warning(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say("nvmatch: warning: ", format, ap);
	va_end(ap);
}

int exit_status_of(int ret)
{
	if (ret >= 0)
		return ret;
	switch (-ret) {
	case EINVAL:
	case E2BIG:
	case ENOENT:
		return EXIT_USAGE;
	case EBUSY:
	case EPERM:
	case EACCES:
	case ENOTUNIQ:
		return EXIT_REFUSED;
	default:
		return EXIT_INCOMPLETE;
	}
}
