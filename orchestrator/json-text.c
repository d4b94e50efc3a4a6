/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as pure ASCII. */
#include "json-text.h"

#include <errno.h>
#include <string.h>

#include "text.h"

/* jansson escapes every control but DEL, which outside of a string JSON does not have. */
static int add_escaped(const char *s, size_t n, void *text)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == 0x7f)
			text_add(text, "\\u007f");
		else
			text_add_bytes(text, s + i, 1);
	}
	return 0;
}

char *json_text(const json_t *json, size_t layout)
{
	struct text t = { 0 };

	if (json_dump_callback(json, add_escaped, &t, layout | JSON_ENSURE_ASCII)) {
		text_free(&t);
		return NULL;
	}
	return text_steal(&t);
}

int json_print(const json_t *json, FILE *out, size_t layout)
{
	_cleanup_free_ char *s = json_text(json, layout);

	if (!s)
		return -ENOMEM;
	return fputs(s, out) < 0 || putc('\n', out) == EOF ? -EIO : 0;
}
