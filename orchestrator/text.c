/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing strings, numbers from and to text, whole files. */
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void text_free_pointer(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}

void text_close_pointer(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

void text_fclose_pointer(FILE **file)
{
	if (*file)
		fclose(*file);
}

static bool text_reserve(struct text *t, size_t more)
{
	size_t need, capacity;
	char *data;

	if (t->failed)
		return false;
	if (__builtin_add_overflow(t->length, more, &need) || need >= SIZE_MAX / 2) {
		t->failed = true;
		return false;
	}
	if (need + 1 <= t->capacity)
		return true;
	capacity = t->capacity ? t->capacity : 128;
	while (capacity < need + 1)
		capacity *= 2;
	data = realloc(t->data, capacity);
	if (!data) {
		t->failed = true;
		return false;
	}
	t->data = data;
	t->capacity = capacity;
	return true;
}

void text_add_bytes(struct text *t, const char *s, size_t n)
{
	if (!text_reserve(t, n))
		return;
	memcpy(t->data + t->length, s, n);
	t->length += n;
	t->data[t->length] = '\0';
}

void text_add(struct text *t, const char *s)
{
	text_add_bytes(t, s, strlen(s));
}

void text_vprintf(struct text *t, const char *format, va_list ap)
{
	char *s = NULL;
	int n = vasprintf(&s, format, ap);

	if (n < 0) {
		t->failed = true;
		return;
	}
	text_add_bytes(t, s, (size_t)n);
	free(s);
}

void text_printf(struct text *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	text_vprintf(t, format, ap);
	va_end(ap);
}

char *text_steal(struct text *t)
{
	char *data;

	text_add(t, "");
	data = t->failed ? NULL : t->data;
	if (!data)
		free(t->data);
	*t = (struct text){ 0 };
	return data;
}

void text_free(struct text *t)
{
	free(t->data);
	*t = (struct text){ 0 };
}

char *text_format(const char *format, ...)
{
	char *s = NULL;
	va_list ap;
	int n;

	va_start(ap, format);
	n = vasprintf(&s, format, ap);
	va_end(ap);
	return n < 0 ? NULL : s;
}

/* Hexadecimal behind 0x, else decimal: a leading 0 must not mean octal, 010 is ten. */
static int base_of(const char *s)
{
	s += *s == '-' || *s == '+';
	return s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10;
}

int text_to_i64(const char *s, int64_t *value)
{
	char *end;
	long long v;

	if (!*s || isspace((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	v = strtoll(s, &end, base_of(s));
	if (errno)
		return -errno;
	if (end == s || *end)
		return -EINVAL;
	*value = v;
	return 0;
}

int text_to_u64(const char *s, uint64_t *value)
{
	char *end;
	unsigned long long v;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	v = strtoull(s, &end, base_of(s));
	if (errno)
		return -errno;
	if (*end)
		return -EINVAL;
	*value = v;
	return 0;
}

struct unit {
	const char *name;
	double factor;
};

static int text_to_unit(const char *s, const struct unit *units, size_t count, uint64_t *value)
{
	char *end;
	double v;

	if ((!isdigit((unsigned char)*s) && *s != '.') || base_of(s) == 16)
		return -EINVAL;
	errno = 0;
	v = strtod(s, &end);
	if (errno || !isfinite(v))
		return -ERANGE;
	for (size_t i = 0; i < count; i++) {
		if (strcasecmp(end, units[i].name))
			continue;
		/* there is no half byte */
		if (units[i].factor == 1 && v != floor(v))
			return -EINVAL;
		v *= units[i].factor;
		if (v >= 9.2e18)
			return -ERANGE;
		*value = (uint64_t)(v + 0.5);
		return 0;
	}
	return -EINVAL;
}

int text_to_bytes(const char *s, uint64_t *bytes)
{
	static const struct unit units[] = {
		{ "", 1 },	  { "b", 1 },
		{ "k", 0x1p10 },  { "kib", 0x1p10 }, { "kb", 1e3 },
		{ "m", 0x1p20 },  { "mib", 0x1p20 }, { "mb", 1e6 },
		{ "g", 0x1p30 },  { "gib", 0x1p30 }, { "gb", 1e9 },
		{ "t", 0x1p40 },  { "tib", 0x1p40 }, { "tb", 1e12 },
	};

	uint64_t plain;

	/* plain integers stay exact to the last digit */
	if (!text_to_u64(s, &plain)) {
		if (plain > INT64_MAX)
			return -ERANGE;
		*bytes = plain;
		return 0;
	}
	return text_to_unit(s, units, sizeof(units) / sizeof(units[0]), bytes);
}

int text_to_ns(const char *s, uint64_t *ns)
{
	static const struct unit units[] = {
		{ "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "m", 60e9 }, { "h", 3600e9 },
	};

	return text_to_unit(s, units, sizeof(units) / sizeof(units[0]), ns);
}

static char *text_scaled(char *buffer, double value, double step, const char *const *names, size_t n)
{
	size_t i = 0;

	if (!isfinite(value)) {
		snprintf(buffer, TEXT_NUMBER_SIZE, "n/a");
		return buffer;
	}
	/* 999.5 would print as 1000 with three digits */
	while (i + 1 < n && fabs(value) >= 999.5) {
		value /= step;
		i++;
	}
	if (i == 0 && value == floor(value))
		snprintf(buffer, TEXT_NUMBER_SIZE, "%.0f %s", value, names[i]);
	else
		snprintf(buffer, TEXT_NUMBER_SIZE, "%.*f %s",
			 fabs(value) >= 99.95 ? 0 : fabs(value) >= 9.995 ? 1 : 2, value, names[i]);
	return buffer;
}

char *text_bytes(char buffer[static TEXT_NUMBER_SIZE], double bytes)
{
	static const char *const names[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };

	return text_scaled(buffer, bytes, 1000, names, 7);
}

char *text_rate(char buffer[static TEXT_NUMBER_SIZE], double bytes_per_s)
{
	static const char *const names[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s" };

	return text_scaled(buffer, bytes_per_s, 1000, names, 5);
}

char *text_duration(char buffer[static TEXT_NUMBER_SIZE], double ns)
{
	static const char *const names[] = { "ns", "us", "ms", "s" };

	return text_scaled(buffer, ns, 1000, names, 4);
}

int text_read_file(const char *path, size_t max_bytes, char **data, size_t *length)
{
	_cleanup_fd_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_text_ struct text t = { 0 };
	char chunk[16384];
	ssize_t n;

	if (fd < 0)
		return -errno;
	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (t.length + (size_t)n > max_bytes)
			return -EFBIG;
		text_add_bytes(&t, chunk, (size_t)n);
	}
	if (length)
		*length = t.length;
	*data = text_steal(&t);
	return *data ? 0 : -ENOMEM;
}

int text_read_line(const char *path, char **line)
{
	char *data, *start, *end;
	int ret = text_read_file(path, 65536, &data, NULL);

	if (ret)
		return ret;
	data[strcspn(data, "\n")] = '\0';
	for (start = data; isspace((unsigned char)*start); start++)
		;
	for (end = start + strlen(start); end > start && isspace((unsigned char)end[-1]); end--)
		;
	*end = '\0';
	memmove(data, start, (size_t)(end - start) + 1);
	*line = data;
	return 0;
}

int strings_add(struct strings *list, const char *s)
{
	char **items = reallocarray(list->items, list->count + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	list->items = items;
	items[list->count] = strdup(s);
	if (!items[list->count])
		return -ENOMEM;
	list->count++;
	return 0;
}

void strings_free(struct strings *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct strings){ 0 };
}
