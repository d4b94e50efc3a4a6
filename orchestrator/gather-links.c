/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the samples of the links under load. */
#include "gather-links.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINKS 64
#define MOST_BYTES (16 << 20)

struct row {
	int64_t link;			/* as in drive.links: 0 is the endpoint */
	char address[32];
	double speed;			/* NaN: not known */
	int64_t width, looks;
};

/* The text up to the next comma or the end. */
static bool field(char **line, char *out, size_t room)
{
	size_t n = strcspn(*line, ",");

	if (n >= room)
		return false;
	memcpy(out, *line, n);
	out[n] = '\0';
	*line += n + ((*line)[n] == ',');
	return true;
}

static bool parse(char *line, struct row *r)
{
	char time[32], link[32], speed[32], width[32], looks[32], *end;
	int64_t when;

	if (!field(&line, time, sizeof(time)) || !field(&line, link, sizeof(link)) ||
	    !field(&line, r->address, sizeof(r->address)) || !field(&line, speed, sizeof(speed)) ||
	    !field(&line, width, sizeof(width)) ||
	    !field(&line, looks, sizeof(looks)) || *line)
		return false;
	r->speed = NAN;
	r->width = UNKNOWN_I64;
	if (*speed) {
		r->speed = strtod(speed, &end);
		if (*end || !(r->speed > 0))
			return false;
	}
	if (*width && (text_to_i64(width, &r->width) || r->width < 0))
		return false;
	if (text_to_i64(link, &r->link) || r->link < 0 || r->link >= MOST_LINKS)
		return false;
	return *r->address && !text_to_i64(time, &when) && !text_to_i64(looks, &r->looks) && r->looks > 0;
}

static struct link_load *link_of(struct measurement *m, const struct row *r)
{
	size_t need = (size_t)r->link + 1;
	struct link_load *l;

	if (need > m->links_count) {
		l = reallocarray(m->links, need, sizeof(*l));
		if (!l)
			return NULL;
		m->links = l;
		while (m->links_count < need)
			l[m->links_count++] = (struct link_load){ NULL, 0, NAN, NAN, UNKNOWN_I64, UNKNOWN_I64 };
	}
	l = &m->links[r->link];
	if (!l->address)
		l->address = strdup(r->address);
	return l->address && !strcmp(l->address, r->address) ? l : NULL;
}

static void add(struct link_load *l, const struct row *r)
{
	l->samples += r->looks;
	l->speed_min_gt_per_s = fmin(l->speed_min_gt_per_s, r->speed);
	l->speed_max_gt_per_s = fmax(l->speed_max_gt_per_s, r->speed);
	if (!known(r->width))
		return;
	if (!known(l->width_min_lanes) || r->width < l->width_min_lanes)
		l->width_min_lanes = r->width;
	if (!known(l->width_max_lanes) || r->width > l->width_max_lanes)
		l->width_max_lanes = r->width;
}

static void forget(struct measurement *m)
{
	for (size_t i = 0; i < m->links_count; i++)
		free(m->links[i].address);
	free(m->links);
	m->links = NULL;
	m->links_count = 0;
}

static void take_endpoint(struct measurement *m)
{
	const struct link_load *l = m->links;

	m->link_speed_min_gt_per_s = l->speed_min_gt_per_s;
	m->link_speed_max_gt_per_s = l->speed_max_gt_per_s;
	m->link_width_min_lanes = l->width_min_lanes;
	m->link_width_max_lanes = l->width_max_lanes;
}

int gather_links(const char *dir, struct measurement *m)
{
	_cleanup_free_ char *path = text_format("%s/link-load.csv", dir), *csv = NULL;
	char *state = NULL;

	if (!path)
		return -ENOMEM;
	if (text_read_file(path, MOST_BYTES, &csv, NULL))
		return 0;
	for (char *line = strtok_r(csv, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
		struct link_load *l;
		struct row r;

		if (line == csv)
			continue;	/* the head */
		l = parse(line, &r) ? link_of(m, &r) : NULL;
		if (!l) {
			forget(m);
			return 0;
		}
		add(l, &r);
	}
	for (size_t i = 0; i < m->links_count; i++) {
		if (!m->links[i].address) {
			forget(m);
			return 0;
		}
	}
	if (m->links_count)
		take_endpoint(m);
	return 0;
}
