/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes hostile text harmless: for a terminal, for Markdown, for HTML, for JSON. */
#include "text.h"

#include <ctype.h>
#include <string.h>

/*
 * Length of the valid UTF-8 sequence at s (1 to 4) and its code point, or 0.
 * Overlong forms, surrogates and values above U+10FFFF are not valid (RFC 3629).
 */
static size_t utf8_sequence(const unsigned char *s, uint32_t *point)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 :
		   s[0] >= 0xf0 && s[0] <= 0xf4 ? 4 : 0;

	if (!n)
		return 0;
	*point = n == 1 ? s[0] : s[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (s[i] & 0x3f);
	}
	if (*point < least[n] || *point > 0x10ffff || (*point >= 0xd800 && *point <= 0xdfff))
		return 0;
	return n;
}

/* Controls, and marks that reorder or hide text on a terminal. */
static bool unsafe(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c >= 0xe0000 && c <= 0xe0fff);
}

static char *escape(const char *s, bool (*is_unsafe)(uint32_t))
{
	const unsigned char *p = (const unsigned char *)s;
	struct text t = { 0 };

	while (*p) {
		uint32_t point;
		size_t n = utf8_sequence(p, &point);

		if (n && !(is_unsafe && is_unsafe(point))) {
			text_add_bytes(&t, (const char *)p, n);
			p += n;
			continue;
		}
		for (size_t i = 0; i < (n ? n : 1); i++)
			text_printf(&t, "\\x%02x", *p++);
	}
	return text_steal(&t);
}

char *text_escape_terminal(const char *s)
{
	return escape(s, unsafe);
}

char *text_make_utf8(const char *s)
{
	return escape(s, NULL);
}

char *text_escape_markdown(const char *s)
{
	_cleanup_free_ char *safe = text_escape_terminal(s);
	struct text t = { 0 };

	if (!safe)
		return NULL;
	for (const char *p = safe; *p; p++) {
		if (*p == '<')
			text_add(&t, "&lt;");
		else if (*p == '>')
			text_add(&t, "&gt;");
		else if (*p == '&')
			text_add(&t, "&amp;");
		else if (*p == '_' && p > safe && isalnum((unsigned char)p[-1]) && isalnum((unsigned char)p[1]))
			text_add(&t, "_");	/* inside a word it is plain text */
		else if (strchr("|`*_[]\\~#!@$", *p))
			text_printf(&t, "&#%d;", *p);
		else
			text_add_bytes(&t, p, 1);
	}
	return text_steal(&t);
}

char *text_escape_html(const char *s)
{
	_cleanup_free_ char *safe = text_escape_terminal(s);
	struct text t = { 0 };

	if (!safe)
		return NULL;
	for (const char *p = safe; *p; p++) {
		if (strchr("&<>\"'", *p))
			text_printf(&t, "&#%d;", *p);
		else
			text_add_bytes(&t, p, 1);
	}
	return text_steal(&t);
}

char *text_shell_quote(const char *s)
{
	struct text t = { 0 };

	if (*s && strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/:=,+@%") == strlen(s))
		return strdup(s);
	text_add(&t, "'");
	for (; *s; s++) {
		if (*s == '\'')
			text_add(&t, "'\\''");
		else
			text_add_bytes(&t, s, 1);
	}
	text_add(&t, "'");
	return text_steal(&t);
}

char *text_file_name(const char *s)
{
	char *name = strdup(*s ? s : "_");

	for (char *p = name; p && *p; p++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", *p) ||
		    (*p == '.' && p == name))
			*p = '_';
	return name;
}
