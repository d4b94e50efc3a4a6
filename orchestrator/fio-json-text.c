/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio writes error lines into the same stream as its JSON, several documents with
 * --status-interval, and numbers that no JSON reader takes (nan, more than 63 bits).
 * A document begins at a line that begins with "{" and ends at the matching brace.
 */
#include "fio-json-text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINES 100		/* kept; fio can repeat one line for every I/O */
#define MAX_LINE_BYTES 500

/* A cursor over one text. */
struct scan {
	const char *at, *end;
};

/* At a line that begins a document? Blanks before the brace are allowed outside documents only. */
static bool line_opens(const char *line, const char *end, bool outside)
{
	while (outside && line < end && (*line == ' ' || *line == '\t' || *line == '\r'))
		line++;
	return line < end && *line == '{';
}

/* Bytes above 0x7f up to the next that is not; what is not UTF-8 becomes \\xNN in the JSON string. */
static void clean_high_bytes(struct scan *s, struct text *out)
{
	_cleanup_text_ struct text raw = { 0 };
	_cleanup_free_ char *utf8 = NULL;
	const char *start = s->at;

	while (s->at < s->end && (unsigned char)*s->at >= 0x80)
		s->at++;
	text_add_bytes(&raw, start, (size_t)(s->at - start));
	utf8 = raw.failed ? NULL : text_make_utf8(raw.data);
	if (!utf8) {
		out->failed = true;
		return;
	}
	for (const char *p = utf8; *p; p++)
		text_add(out, *p == '\\' ? "\\\\" : (char[]){ *p, '\0' });
}

/* A string from its quote on. A raw line end inside means the document is broken: false. */
static bool clean_string(struct scan *s, struct text *out)
{
	text_add_bytes(out, s->at++, 1);
	while (s->at < s->end) {
		unsigned char c = (unsigned char)*s->at;

		if (c == '\n')
			return false;
		if (c >= 0x80) {
			clean_high_bytes(s, out);
			continue;
		}
		if (c < 0x20)
			text_printf(out, "\\u%04x", c);
		else
			text_add_bytes(out, s->at, 1);
		s->at++;
		if (c == '"')
			return true;
		if (c == '\\' && s->at < s->end && (unsigned char)*s->at >= 0x20 && (unsigned char)*s->at < 0x80)
			text_add_bytes(out, s->at++, 1);
	}
	return false;
}

/* A number or bare word. What JSON or 63 bits cannot hold is kept as a string; nan and inf are null. */
static void clean_word(struct scan *s, struct text *out)
{
	const char *start = s->at;
	_cleanup_free_ char *word = NULL;
	json_t *value;

	while (s->at < s->end && (isalnum((unsigned char)*s->at) || strchr("+-._", *s->at)) && *s->at)
		s->at++;
	word = strndup(start, (size_t)(s->at - start));
	value = word ? json_loads(word, JSON_DECODE_ANY, NULL) : NULL;
	if (!word)
		out->failed = true;
	else if (value)
		text_add(out, word);
	else if (isdigit((unsigned char)word[strspn(word, "-+.")]))
		text_printf(out, "\"%s\"", word);
	else
		text_add(out, "null");
	json_decref(value);
}

/*
 * Copies the document at s->at into out, made fit for a JSON reader, and moves behind it.
 * False when it never ends: s->at is then at the line that begins the next one, or at the end.
 */
static bool clean_document(struct scan *s, struct text *out)
{
	size_t depth = 0;

	while (s->at < s->end) {
		char c = *s->at;

		if (c == '\n' && depth && line_opens(s->at + 1, s->end, false)) {
			s->at++;
			return false;
		}
		if (c == '"') {
			if (!clean_string(s, out))
				depth = SIZE_MAX / 2;	/* only a new document can help */
			continue;
		}
		if (isalnum((unsigned char)c) || c == '-' || c == '+' || c == '.') {
			clean_word(s, out);
			continue;
		}
		text_add_bytes(out, s->at++, 1);
		if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && --depth == 0)
			return true;
	}
	return false;
}

static int take_document(struct scan *s, struct fio_text *found)
{
	_cleanup_text_ struct text out = { 0 };
	bool whole = clean_document(s, &out);
	json_t *document = NULL;

	if (out.failed)
		return -ENOMEM;
	if (whole)
		document = json_loadb(out.data, out.length, JSON_ALLOW_NUL, NULL);
	found->cut = !document;
	if (document) {
		json_decref(found->document);
		found->document = document;
	}
	return 0;
}

static int take_line(struct scan *s, struct fio_text *found)
{
	const char *start = s->at, *end = memchr(start, '\n', (size_t)(s->end - start));
	_cleanup_free_ char *line = NULL;
	size_t n;

	if (!end)
		end = s->end;
	s->at = end < s->end ? end + 1 : end;
	while (start < end && (isspace((unsigned char)*start) || !*start))
		start++;
	while (end > start && (isspace((unsigned char)end[-1]) || !end[-1]))
		end--;
	n = (size_t)(end - start);
	if (n == 0 || found->lines.count > MAX_LINES)
		return 0;
	if (found->lines.count == MAX_LINES)
		return strings_add(&found->lines, "(more lines like these are left out)");
	line = strndup(start, n < MAX_LINE_BYTES ? n : MAX_LINE_BYTES);
	return line ? strings_add(&found->lines, line) : -ENOMEM;
}

int fio_text_split(const char *text, size_t length, struct fio_text *found)
{
	struct scan s = { .at = text, .end = text + length };
	int ret = 0;

	*found = (struct fio_text){ 0 };
	while (!ret && s.at < s.end) {
		if (!line_opens(s.at, s.end, true)) {
			ret = take_line(&s, found);
			continue;
		}
		while (*s.at != '{')
			s.at++;
		ret = take_document(&s, found);
	}
	if (ret)
		fio_text_free(found);
	return ret;
}

void fio_text_free(struct fio_text *found)
{
	json_decref(found->document);
	strings_free(&found->lines);
	*found = (struct fio_text){ 0 };
}
