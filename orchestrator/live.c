/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines that show a run while it goes on. */
#include "live.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define LEAST_COLUMNS 20
#define MOST_COLUMNS 1000
#define PART_SIZE 64
#define STRIP_SIZE 32

/* Columns that a character takes at most: those of East Asia and pictures take two. */
static size_t width_of(const char *s, size_t *bytes)
{
	unsigned char c = (unsigned char)*s;

	*bytes = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	for (size_t i = 1; i < *bytes; i++)
		if ((s[i] & 0xc0) != 0x80)
			*bytes = i;
	return c >= 0xe1 ? 2 : 1;
}

static void add_cut(struct text *out, const char *s, size_t columns)
{
	while (*s) {
		size_t bytes, width = width_of(s, &bytes);

		if (width > columns)
			break;
		text_add_bytes(out, s, bytes);
		s += bytes;
		columns -= width;
	}
}

/* One line: its parts, in the order of importance, as long as they fit. */
static void add_line(struct text *out, const char *const *parts, size_t count, size_t columns)
{
	_cleanup_text_ struct text line = { 0 };

	for (size_t i = 0; i < count; i++) {
		size_t width = parts[i] ? strlen(parts[i]) : 0;	/* bytes: no less than columns */

		if (!width || (i && line.length + 2 + width > columns))
			continue;
		text_printf(&line, "%s%s", i && line.length ? "  " : "", parts[i]);
	}
	if (line.data)
		add_cut(out, line.data, columns);
	text_add(out, "\n");
}

static char *time_words(int64_t ns)
{
	long long s = ns > 0 ? ns / 1000000000 : 0;

	if (s >= 3600)
		return text_format("%lld h %02lld min", s / 3600, s / 60 % 60);
	return s >= 60 ? text_format("%lld min %02lld s", s / 60, s % 60) : text_format("%lld s", s);
}

static const char *mode_words(int mode)
{
	return mode == MODE_AB ? "A and B at once" : mode == MODE_B ? "B alone" : "A alone";
}

static void add_head(struct text *out, const struct live *l, size_t columns)
{
	_cleanup_free_ char *workload = text_escape_terminal(l->workload ? l->workload : "");
	_cleanup_free_ char *time = time_words(l->left_ns);
	_cleanup_free_ char *slot = text_format("slot %lld of %lld", (long long)l->slot, (long long)l->slots);
	_cleanup_free_ char *round = text_format("round %lld of %lld", (long long)l->round, (long long)l->rounds);
	_cleanup_free_ char *left = time ? text_format("%s left", time) : NULL;
	const char *const parts[] = { slot, workload, left, mode_words(l->mode), round };

	add_line(out, parts, sizeof(parts) / sizeof(parts[0]), columns);
}

static void add_waiting(struct text *out, const struct live *l, size_t columns)
{
	_cleanup_free_ char *what = text_escape_terminal(l->waiting), *time = time_words(l->waiting_left_ns);
	_cleanup_free_ char *most = time ? text_format("at most %s more", time) : NULL;
	_cleanup_free_ char *wait = what ? text_format("cool-down: %s", what) : NULL;
	const char *const parts[] = { wait, most };

	add_line(out, parts, 2, columns);
}

static void bar(char *out, double share, size_t width, char full)
{
	size_t n = isnan(share) || share < 0 ? 0 : share > 1 ? width : (size_t)(share * (double)width + 0.5);

	memset(out, full, n);
	memset(out + n, '.', width - n);
	out[width] = '\0';
}

static void add_work(struct text *out, const struct live_side *s, char letter, size_t columns)
{
	char number[TEXT_NUMBER_SIZE], work[PART_SIZE], rate[PART_SIZE] = "", latency[PART_SIZE] = "",
	     done[PART_SIZE] = "", strip[STRIP_SIZE];
	size_t width = columns >= 60 ? 24 : columns >= 30 ? 10 : 4;
	const char *const parts[] = { work, rate, latency, done };

	bar(strip, s->active ? s->share : 0, width, '#');
	if (s->active && !isnan(s->share))
		snprintf(work, sizeof(work), "%c [%s] %3.0f %%", letter, strip, 100 * fmin(s->share, 1));
	else
		snprintf(work, sizeof(work), "%c [%s] %s", letter, strip, s->active ? "waits" : "at rest");
	if (s->active && !isnan(s->bytes_per_s))
		snprintf(rate, sizeof(rate), "%s", text_rate(number, s->bytes_per_s));
	if (s->active && !isnan(s->latency_ns))
		snprintf(latency, sizeof(latency), "latency %s", text_duration(number, s->latency_ns));
	if (s->active && known(s->bytes))
		snprintf(done, sizeof(done), "%s", text_bytes(number, (double)s->bytes));
	add_line(out, parts, 4, columns);
}

/* The bar of a temperature goes from 20 C to the threshold. */
static void add_heat(struct text *out, const struct live_side *s, size_t columns)
{
	_cleanup_free_ char *name = text_escape_terminal(s->name);
	char heat[PART_SIZE] = "  no temperature", strip[STRIP_SIZE];
	const char *const parts[] = { heat, name };

	if (!isnan(s->temperature_c) && !isnan(s->threshold_c)) {
		bar(strip, (s->temperature_c - 20) / (s->threshold_c - 20), columns >= 60 ? 24 : 6, '=');
		snprintf(heat, sizeof(heat), "  [%s] %.0f C of %.0f C", strip, s->temperature_c, s->threshold_c);
	} else if (!isnan(s->temperature_c)) {
		snprintf(heat, sizeof(heat), "  %.0f C", s->temperature_c);
	}
	add_line(out, parts, 2, columns);
}

void live_frame(struct text *out, const struct live *live, size_t columns)
{
	const struct live_side *sides[SIDES] = { &live->a, &live->b };

	columns = (columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns > MOST_COLUMNS ? MOST_COLUMNS : columns) - 1;
	add_head(out, live, columns);
	if (live->waiting)
		add_waiting(out, live, columns);
	for (int s = 0; s < SIDES; s++) {
		if (!sides[s]->name)
			continue;
		add_work(out, sides[s], "AB"[s], columns);
		add_heat(out, sides[s], columns);
	}
}

void live_line(struct text *out, const struct live *l)
{
	_cleanup_free_ char *name = text_escape_terminal(l->workload ? l->workload : "");
	_cleanup_free_ char *what = l->waiting ? text_escape_terminal(l->waiting) : NULL;
	_cleanup_free_ char *time = time_words(l->waiting_left_ns);
	const struct live_side *sides[SIDES] = { &l->a, &l->b };
	char number[TEXT_NUMBER_SIZE];

	text_printf(out, "slot %lld of %lld  %s  round %lld  %s  %lld:%02lld left", (long long)l->slot,
		    (long long)l->slots, name ? name : "", (long long)l->round,
		    l->mode == MODE_AB ? "A+B" : l->mode == MODE_B ? "B" : "A", (long long)l->left_ns / 60000000000,
		    (long long)l->left_ns / 1000000000 % 60);
	if (what)
		text_printf(out, "  cool-down: %s, at most %s more", what, time ? time : "");
	for (int s = 0; !what && s < SIDES; s++) {
		if (!sides[s]->active || !known(sides[s]->bytes))
			continue;
		text_printf(out, "  %c %s", "AB"[s], text_bytes(number, (double)sides[s]->bytes));
		if (!isnan(sides[s]->bytes_per_s))
			text_printf(out, " %s", text_rate(number, sides[s]->bytes_per_s));
		if (!isnan(sides[s]->temperature_c))
			text_printf(out, " %.0f C", sides[s]->temperature_c);
	}
	text_add(out, "\n");
}

/* ---- a terminal ----------------------------------------------------------------------------- */

static size_t columns_of(int fd)
{
	struct winsize w;

	return !ioctl(fd, TIOCGWINSZ, &w) && w.ws_col > 0 ? w.ws_col : 80;
}

static void put(int fd, const struct text *t)
{
	ssize_t n = t->data ? write(fd, t->data, t->length) : 0;

	(void)n;	/* a terminal that is gone is no reason to end a run */
}

/* To the first line of the frame. A terminal that became narrower has broken its lines in two. */
static void go_back(struct text *t, const struct live_screen *screen, size_t columns)
{
	size_t rows = screen->lines * (screen->widest > columns ? (screen->widest + columns - 1) / columns : 1);

	text_add(t, "\r");
	if (rows)
		text_printf(t, "\033[%zuA", rows);
}

void live_draw(struct live_screen *screen, const struct live *live)
{
	_cleanup_text_ struct text frame = { 0 }, out = { 0 };
	size_t columns = columns_of(screen->fd), lines = 0, widest = 0;

	live_frame(&frame, live, columns);
	text_add(&out, "\033[?25l");
	go_back(&out, screen, columns);
	for (const char *p = frame.data; p && *p; lines++) {
		size_t n = strcspn(p, "\n");

		widest = n > widest ? n : widest;
		text_add_bytes(&out, p, n);
		text_add(&out, "\033[K\n");
		p += n + (p[n] == '\n');
	}
	text_add(&out, "\033[J\033[?25h");
	put(screen->fd, &out);
	screen->lines = lines;
	screen->widest = widest;
}

void live_erase(struct live_screen *screen)
{
	_cleanup_text_ struct text out = { 0 };

	if (!screen->lines)
		return;
	go_back(&out, screen, columns_of(screen->fd));
	text_add(&out, "\033[J\033[?25h");
	put(screen->fd, &out);
	screen->lines = 0;
}
