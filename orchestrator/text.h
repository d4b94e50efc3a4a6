/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text: a growing buffer, numbers from text, numbers to text, escaping, whole files.
 * Strings returned are malloc'ed and the caller's to free, unless said otherwise.
 */
#ifndef NVMATCH_TEXT_H
#define NVMATCH_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void text_free_pointer(void *pointer_to_pointer);
void text_close_pointer(int *fd);
void text_fclose_pointer(FILE **file);
#define _cleanup_free_ __attribute__((cleanup(text_free_pointer)))
#define _cleanup_fd_ __attribute__((cleanup(text_close_pointer)))
#define _cleanup_file_ __attribute__((cleanup(text_fclose_pointer)))

/*
 * A growing string. Start with `struct text t = {0}`; after an allocation failure `failed` stays
 * set, later calls do nothing, and text_steal gives NULL: one check at the end is enough.
 */
struct text {
	char *data;		/* NUL-terminated, NULL while empty */
	size_t length;
	size_t capacity;
	bool failed;
};
void text_add(struct text *t, const char *s);
void text_add_bytes(struct text *t, const char *s, size_t n);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *t, const char *format, va_list ap) __attribute__((format(printf, 2, 0)));
char *text_steal(struct text *t);	/* the string ("" if empty), or NULL after a failure */
void text_free(struct text *t);
#define _cleanup_text_ __attribute__((cleanup(text_free)))

/* asprintf that returns the string, NULL when memory ran out. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Whole-string numbers, decimal or 0x: 0, -EINVAL (not a number, or text behind it) or -ERANGE.
 * text_to_bytes takes suffixes as fio's: k m g t (and kib, mib, ...) are powers of 1024,
 * kb mb gb tb powers of 1000. text_to_ns takes 10, 10s, 500ms, 2m, 1h; result in ns.
 */
int text_to_i64(const char *s, int64_t *value);
int text_to_u64(const char *s, uint64_t *value);
int text_to_bytes(const char *s, uint64_t *bytes);
int text_to_ns(const char *s, uint64_t *ns);

/* For a terminal: control bytes, DEL, C1 controls, bidi marks and invalid UTF-8 become \xNN. */
char *text_escape_terminal(const char *s);
/* For one Markdown table cell: escaped as for a terminal, then | ` < > & * _ [ ] and \ made text. */
char *text_escape_markdown(const char *s);
/* For HTML and XML, text and attribute values: escaped as for a terminal, then & < > " and '. */
char *text_escape_html(const char *s);
/* One word of a shell command: as it is when harmless, else in single quotes. */
char *text_shell_quote(const char *s);
/* Makes s fit for JSON: invalid UTF-8 becomes \xNN text, the rest stays. */
char *text_make_utf8(const char *s);

/*
 * Makes s fit for a file name of ours: other than letters, digits, . _ - become _; never starts
 * with a dot.
 */
char *text_file_name(const char *s);

/* "3.66 GB/s", "512 MB": decimal units, three significant digits, into buffer (returned). */
#define TEXT_NUMBER_SIZE 32
char *text_bytes(char buffer[static TEXT_NUMBER_SIZE], double bytes);
char *text_rate(char buffer[static TEXT_NUMBER_SIZE], double bytes_per_s);
/* "850 ns", "12.3 us", "1.20 ms", "3.40 s" */
char *text_duration(char buffer[static TEXT_NUMBER_SIZE], double ns);

/*
 * A whole file of at most max_bytes, NUL added; length may be NULL. -errno; -EFBIG when larger.
 * text_read_line: the first line without its end and surrounding blanks (sysfs attributes).
 */
int text_read_file(const char *path, size_t max_bytes, char **data, size_t *length);
int text_read_line(const char *path, char **line);

/* A fixed size list of strings that grows. */
struct strings {
	char **items;
	size_t count;
};
int strings_add(struct strings *list, const char *s);	/* copies; 0 or -ENOMEM */
void strings_free(struct strings *list);

#endif
