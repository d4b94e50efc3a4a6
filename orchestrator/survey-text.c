/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A survey for a terminal: a strip for each drive, its ranges, and what matches. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "survey.h"
#include "text.h"

static const char *color_of(char letter)
{
	static const struct { char letter; const char *code; } colors[] = {
		{ '#', "35" }, { '+', "32" }, { ':', "36" }, { '-', "34" }, { '.', "90" }, { '_', "37" },
		{ 'u', "37" }, { 'd', "94" }, { '!', "97;41" }, { SURVEY_MIXED, "33" }, { 0, "" },
	};
	size_t i = 0;

	while (colors[i].letter && colors[i].letter != letter)
		i++;
	return colors[i].code;
}

/* Cells of one colour share its codes. */
static void add_strip(struct text *t, const char *map, bool color)
{
	text_add(t, "  |");
	for (const char *p = map; *p;) {
		size_t n = strspn(p, (char[]){ *p, '\0' });

		if (color)
			text_printf(t, "\033[%sm%.*s\033[0m", color_of(*p), (int)n, p);
		else
			text_printf(t, "%.*s", (int)n, p);
		p += n;
	}
	text_add(t, "|\n");
}

static void add_legend(struct text *t, const struct survey *s, bool color)
{
	bool first = true;

	for (int k = 0; k <= SURVEY_KINDS; k++) {
		char letter = k < SURVEY_KINDS ? survey_letter(k) : SURVEY_MIXED;
		bool used = false;

		for (size_t i = 0; i < s->drives_count; i++)
			used |= s->drives[i].map && strchr(s->drives[i].map, letter);
		if (!used)
			continue;
		text_printf(t, "%s%s%s%s%c%s %s", first ? "  " : "   ", color ? "\033[" : "", color ? color_of(letter) : "",
			    color ? "m" : "", letter, color ? "\033[0m" : "",
			    k < SURVEY_KINDS ? survey_kind_words(k) : "several kinds");
		first = false;
	}
	text_add(t, "\n");
}

static void add_head(struct text *t, const struct survey *s, size_t side)
{
	const struct survey_drive *d = &s->drives[side];
	_cleanup_free_ char *target = text_escape_terminal(d->target);
	_cleanup_free_ char *model = d->model ? text_escape_terminal(d->model) : NULL;
	_cleanup_free_ char *serial = d->serial ? text_escape_terminal(d->serial) : NULL;
	char bytes[TEXT_NUMBER_SIZE], time[TEXT_NUMBER_SIZE];

	text_printf(t, "%s%s", s->drives_count > 1 ? side ? "B " : "A " : "", target ? target : "?");
	/* those of a file are of the drive that it lies on */
	if (known(d->file_inode) && (model || serial))
		text_printf(t, " (on a drive%s%s%s%s)", model ? ", " : "", model ? model : "",
			    serial ? ", serial " : "", serial ? serial : "");
	else
		text_printf(t, "%s%s%s%s", model ? ", " : "", model ? model : "", serial ? ", serial " : "",
			    serial ? serial : "");
	text_printf(t, ", %s: %lld blocks read in %s%s\n", text_bytes(bytes, (double)d->capacity_bytes),
		    (long long)d->samples, text_duration(time, (double)d->read_ns),
		    d->direct ? "" : " (through the page cache)");
}

static void add_number(struct text *t, size_t from, size_t to)
{
	char name[48];

	if (from == to)
		snprintf(name, sizeof(name), "%zu", from + 1);
	else
		snprintf(name, sizeof(name), "%zu-%zu", from + 1, to + 1);
	text_printf(t, "  %-7s", name);
}

static void add_shares(struct text *t, const struct survey_range *r)
{
	bool first = true;

	for (int k = 0; k < SURVEY_KINDS; k++) {
		if (!r->counts.n[k])
			continue;
		text_printf(t, "%s%s %.1f %%", first ? "" : ", ", survey_kind_words(k),
			    100 * (double)r->counts.n[k] / (double)r->samples);
		first = false;
	}
}

static bool one_kind(const struct survey_range *r)
{
	return r->samples && r->counts.n[r->kind] == r->samples;
}

/* Neighbours with the same finding are one row. */
static void add_ranges(struct text *t, const struct survey_drive *d)
{
	text_add(t, "  range   from      in each of these ranges\n");
	for (size_t i = 0, last; i < d->ranges_count; i = last + 1) {
		const struct survey_range *r = &d->ranges[i];
		char from[TEXT_NUMBER_SIZE];

		last = i;
		while (last + 1 < d->ranges_count && one_kind(r) && one_kind(&d->ranges[last + 1]) &&
		       !strcmp(r->text, d->ranges[last + 1].text))
			last++;
		add_number(t, i, last);
		text_printf(t, " %-9s %s\n", text_bytes(from, (double)r->offset_bytes), r->text);
		if (one_kind(r) || !r->samples)
			continue;
		text_printf(t, "%20s", "");
		add_shares(t, r);
		text_add(t, "\n");
	}
}

static void add_unreadable(struct text *t, const struct survey_drive *d)
{
	if (!d->unreadable)
		return;
	text_printf(t, "  %lld blocks could not be read, at", (long long)d->unreadable);
	for (size_t i = 0; i < d->unreadable_at_count; i++)
		text_printf(t, "%s %lld", i ? "," : "", (long long)d->unreadable_at[i].offset_bytes);
	text_add(t, (size_t)d->unreadable > d->unreadable_at_count ? ", ...\n" : "\n");
}

static void add_drive(struct text *t, const struct survey *s, size_t side)
{
	const struct survey_drive *d = &s->drives[side];
	_cleanup_free_ char *allocation = d->allocation.text ? text_escape_terminal(d->allocation.text) : NULL;
	int64_t repeated = 0;

	text_add(t, "\n");
	add_head(t, s, side);
	add_ranges(t, d);
	for (size_t i = 0; i < d->ranges_count; i++)
		repeated += d->ranges[i].repeated;
	if (repeated)
		text_printf(t, "  %.1f %% of the blocks have the content of another one in their range\n",
			    100 * (double)repeated / (double)d->samples);
	add_unreadable(t, d);
	if (allocation && d->allocation.separable)
		text_printf(t, "  Zeros: %s.\n", allocation);
	else if (allocation)
		text_printf(t, "  Zeros: not separable: %s.\n", allocation);
}

static void add_pairs(struct text *t, const struct survey *s)
{
	text_add(t, "\nBoth drives, the same blocks\n  range   from      matched?\n");
	for (size_t i = 0, last; i < s->pairs_count; i = last + 1) {
		const struct survey_pair *p = &s->pairs[i];
		char from[TEXT_NUMBER_SIZE];

		last = i;
		while (last + 1 < s->pairs_count && s->pairs[last + 1].matched == p->matched &&
		       s->pairs[last + 1].kind == p->kind && !strcmp(p->text, s->pairs[last + 1].text))
			last++;
		add_number(t, i, last);
		text_printf(t, " %-9s %s: %s\n", text_bytes(from, (double)p->offset_bytes), p->matched ? "yes" : "no",
			    p->text);
	}
}

static void add_proposals(struct text *t, const struct survey *s)
{
	text_printf(t, "\n%s%s.\n", s->proposals_count ? "Proposed: " : "Nothing is proposed: ", s->proposal_text);
	for (size_t i = 0, last; i < s->proposals_count; i = last + 1) {
		const struct survey_proposal *p = &s->proposals[i];
		int64_t end = p->offset_bytes + p->length_bytes;
		char from[TEXT_NUMBER_SIZE], length[TEXT_NUMBER_SIZE];

		last = i;
		while (last + 1 < s->proposals_count && s->proposals[last + 1].offset_bytes == end &&
		       s->proposals[last + 1].kind == p->kind)
			end += s->proposals[++last].length_bytes;
		text_printf(t, "  from %s, %s long: %s\n", text_bytes(from, (double)p->offset_bytes),
			    text_bytes(length, (double)(end - p->offset_bytes)), survey_kind_words(p->kind));
	}
	if (s->proposals_count)
		text_add(t, "To compare the drives there: nvmatch run-suite A B --matched\n");
}

int survey_text(const struct survey *s, FILE *out, bool color)
{
	_cleanup_text_ struct text t = { 0 };
	char bytes[TEXT_NUMBER_SIZE];

	text_printf(&t, "%zu ranges of up to %s, %lld random blocks of %lld bytes in each, seed %lld\n\n",
		    s->drives[0].ranges_count, text_bytes(bytes, (double)s->drives[0].ranges[0].length_bytes),
		    (long long)s->samples_per_range, (long long)s->block_bytes, (long long)s->seed);
	for (size_t i = 0; i < s->drives_count; i++) {
		if (s->drives_count > 1)
			text_add(&t, i ? "B" : "A");
		add_strip(&t, s->drives[i].map ? s->drives[i].map : "", color);
	}
	add_legend(&t, s, color);
	for (size_t i = 0; i < s->drives_count; i++)
		add_drive(&t, s, i);
	if (s->drives_count > 1) {
		add_pairs(&t, s);
		add_proposals(&t, s);
	}
	if (!s->complete)
		text_printf(&t, "\nNot complete: %s. What was read until then is a random sample, too.\n",
			    s->reason ? s->reason : "it was ended");
	if (t.failed)
		return -ENOMEM;
	return fputs(t.data, out) < 0 ? -EIO : 0;
}
