/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies an SVG tag by tag. What gnuplot writes is known: flat text, no comments, no scripts, colours
 * as "rgb( 27,  31,  36)". Anything else is refused, so nothing that a label smuggled in could act.
 */
#include "plot-svg.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "text.h"

/* The colours of plot-common.gp, and the page's names for them (report.css). */
static const struct {
	int red, green, blue;
	const char *name;
} colors[] = {
	{ 0x1b, 0x1f, 0x24, "ink" }, { 0x5b, 0x65, 0x70, "soft" }, { 0xd8, 0xdd, 0xe3, "rule" },
	{ 0xff, 0xff, 0xff, "paper" }, { 0xe4, 0xe8, 0xec, "band" }, { 0xb8, 0x4a, 0x00, "a" },
	{ 0x00, 0x69, 0xa8, "b" },
	{ 0xfe, 0xfe, 0xfe, "tint-0" }, { 0xe9, 0xf1, 0xf7, "tint-1" }, { 0xf3, 0xd9, 0xe7, "tint-2" },
	{ 0xcd, 0xeb, 0xdf, "tint-3" }, { 0xf8, 0xf0, 0xa6, "tint-4" }, { 0xfa, 0xd0, 0x8a, "tint-5" },
	{ 0xb4, 0xbc, 0xc4, "tone-0" }, { 0x9d, 0xb4, 0xc6, "tone-1" }, { 0xc9, 0x8f, 0xb0, "tone-2" },
	{ 0x6d, 0xb9, 0x9d, "tone-3" }, { 0xc9, 0xbb, 0x4a, "tone-4" }, { 0xdf, 0xa0, 0x4a, "tone-5" },
};

static const char *const allowed[] = { "svg", "g", "defs", "path", "text", "tspan", "use", "circle", "rect",
				       "polygon", "polyline", "line", "title", "desc", "pattern", "filter", "feFlood",
				       "feComposite" };

static bool starts(const char *s, const char *word)
{
	return !strncmp(s, word, strlen(word));
}

static bool is_allowed(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++) {
		if (strlen(allowed[i]) == length && !memcmp(allowed[i], name, length))
			return true;
	}
	return false;
}

/* "rgb( 27,  31,  36)" at s: prints the page's variable; returns what was read, 0: no colour of ours. */
static size_t put_color(FILE *out, const char *s)
{
	static const char background[] = "\"#ffffff\"";
	int red, green, blue, n = 0;

	if (starts(s, background)) {
		fputs("\"var(--p-paper)\"", out);
		return sizeof(background) - 1;
	}
	if (sscanf(s, "rgb( %d , %d , %d )%n", &red, &green, &blue, &n) != 3 || !n)
		return 0;
	for (size_t i = 0; i < sizeof(colors) / sizeof(*colors); i++) {
		if (colors[i].red == red && colors[i].green == green && colors[i].blue == blue) {
			fprintf(out, "var(--p-%s)", colors[i].name);
			return (size_t)n;
		}
	}
	return 0;
}

/* An attribute that names an id, up to the id. */
static size_t put_reference(FILE *out, const char *s, const char *prefix)
{
	static const char *const words[] = { " id=\"", " id='", "url(#", "xlink:href='#", "xlink:href=\"#" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!starts(s, words[i]))
			continue;
		/* of the two names of the attribute pages know the short one */
		fprintf(out, "%s%s-", starts(words[i], "xlink:") ? words[i] + 6 : words[i], prefix);
		return strlen(words[i]);
	}
	return 0;
}

/* Where a tag that begins at s ends (its '>'), quotes respected; NULL: it does not, or it is not ours. */
static const char *tag_end(const char *s)
{
	const char *name = s + 1 + (s[1] == '/');
	char quote = 0;

	if (!is_allowed(name, strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")))
		return NULL;
	for (; *s; s++) {
		if (quote)
			quote = *s == quote ? 0 : quote;
		else if (*s == '"' || *s == '\'')
			quote = *s;
		else if (*s == '>')
			return s;
		else if (isspace((unsigned char)*s) && tolower((unsigned char)s[1]) == 'o' &&
			 tolower((unsigned char)s[2]) == 'n')
			return NULL;	/* onclick and the like */
	}
	return NULL;
}

static void put_tag(FILE *out, const char *s, const char *end, const char *prefix)
{
	while (s <= end) {
		size_t n = put_color(out, s);

		if (!n)
			n = put_reference(out, s, prefix);
		if (!n) {
			fputc(*s, out);
			n = 1;
		}
		s += n;
	}
}

/* The element's own tag, without the fixed size and the name spaces. */
static int put_head(FILE *out, const char *s, const char *end, const char *label)
{
	_cleanup_free_ char *safe = text_escape_html(label);
	const char *box = strstr(s, "viewBox=\"");
	size_t n = box && box < end ? strspn(box + 9, "0123456789. ") : 0;

	if (!safe)
		return -ENOMEM;
	if (!n || box[9 + n] != '"')
		return -EBADMSG;
	fprintf(out, "<svg viewBox=\"%.*s\" role=\"img\" aria-label=\"%s\">", (int)n, box + 9, safe);
	return 0;
}

int plot_svg_print(FILE *out, const char *svg, const char *prefix, const char *label)
{
	const char *s = strstr(svg, "<svg"), *end = s ? tag_end(s) : NULL;
	int ret = end ? put_head(out, s, end, label) : -EBADMSG;

	if (ret)
		return ret;
	for (s = end + 1; *s;) {
		size_t text = strcspn(s, "<");

		fwrite(s, 1, text, out);
		s += text;
		if (!*s)
			break;
		end = tag_end(s);
		if (!end)
			return -EBADMSG;
		if (starts(s, "<title") || starts(s, "<desc")) {	/* names of gnuplot's own */
			s = strstr(end, starts(s, "<title") ? "</title>" : "</desc>");
			end = s ? tag_end(s) : NULL;
			if (!end)
				return -EBADMSG;
		} else {
			put_tag(out, s, end, prefix);
		}
		s = end + 1;
	}
	return 0;
}
