/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the PCIe links of one drive, or of two, mean for a measurement. Pure. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "drive-internal.h"

/*
 * Raw data rate after line coding: 8b/10b up to 5 GT/s, 128b/130b to 32 GT/s, 242 of 256 bytes of
 * a flit above (PCIe base specification 6.0, chapters 4.2.1 to 4.2.3).
 */
double drive_link_bytes_per_s(double speed_gt_per_s, int64_t lanes)
{
	double coding = speed_gt_per_s <= 5.0 ? 0.8 : speed_gt_per_s <= 32.0 ? 128.0 / 130.0 : 242.0 / 256.0;

	if (isnan(speed_gt_per_s) || !known(lanes))
		return NAN;
	return speed_gt_per_s * 1e9 * coding * (double)lanes / 8.0;
}

static int say(struct strings *findings, struct text *t)
{
	_cleanup_free_ char *s = text_steal(t);

	return s ? strings_add(findings, s) : -ENOMEM;
}

/* Smaller of two where unknown loses; NaN when both are unknown. */
static double smaller(double a, double b)
{
	return isnan(a) || b < a ? b : a;
}

static int64_t fewer(int64_t a, int64_t b)
{
	return !known(a) || (known(b) && b < a) ? b : a;
}

char *drive_link_text(char buffer[static DRIVE_LINK_TEXT_SIZE], double speed_gt_per_s, int64_t lanes)
{
	if (isnan(speed_gt_per_s) && !known(lanes))
		snprintf(buffer, DRIVE_LINK_TEXT_SIZE, "unknown");
	else if (isnan(speed_gt_per_s))
		snprintf(buffer, DRIVE_LINK_TEXT_SIZE, "x%lld", (long long)lanes);
	else if (!known(lanes))
		snprintf(buffer, DRIVE_LINK_TEXT_SIZE, "%g GT/s", speed_gt_per_s);
	else
		snprintf(buffer, DRIVE_LINK_TEXT_SIZE, "%g GT/s x%lld", speed_gt_per_s, (long long)lanes);
	return buffer;
}

/* The link between a function and the one above it; above is NULL at the root. */
static int one_link(const struct pci_link *l, const struct pci_link *above, const char *what,
		    struct strings *findings)
{
	double speed = smaller(l->max_speed_gt_per_s, above ? above->max_speed_gt_per_s : NAN);
	int64_t width = fewer(l->max_width_lanes, above ? above->max_width_lanes : UNKNOWN_I64);
	char now[DRIVE_LINK_TEXT_SIZE], can[DRIVE_LINK_TEXT_SIZE];
	struct text t = { 0 };
	int ret = 0;

	if (l->current_speed_gt_per_s < speed || (known(l->current_width_lanes) && known(width) &&
						  l->current_width_lanes < width)) {
		text_printf(&t, "%s %s runs below capability: %s, where %s is possible"
			    " (an idle link may rest: look again under load)", what, l->address,
			    drive_link_text(now, l->current_speed_gt_per_s, l->current_width_lanes),
			    drive_link_text(can, speed, width));
		ret = say(findings, &t);
	}
	if (!ret && above && (above->max_speed_gt_per_s < l->max_speed_gt_per_s ||
			      (known(above->max_width_lanes) && known(l->max_width_lanes) &&
			       above->max_width_lanes < l->max_width_lanes))) {
		text_printf(&t, "slot limits %s %s: it can do %s, the port %s above it %s", what, l->address,
			    drive_link_text(now, l->max_speed_gt_per_s, l->max_width_lanes), above->address,
			    drive_link_text(can, above->max_speed_gt_per_s, above->max_width_lanes));
		ret = say(findings, &t);
	}
	return ret;
}

/*
 * links[i] is the upper end of the link below it only if it is a port: a bridge's own attributes
 * describe its primary link, a downstream port's the link to the device below. Downstream and root
 * ports stand at odd places (endpoint, port, [upstream port, port,] ...), so links are the pairs
 * (0,1), (2,3), ...
 */
int drive_link_findings(const struct drive *drive, struct strings *findings)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < drive->links_count; i += 2)
		ret = one_link(&drive->links[i], i + 1 < drive->links_count ? &drive->links[i + 1] : NULL,
			       i ? "the bridge" : "the drive", findings);
	return ret;
}

/* The lowest port that both have above them, and the rate of the slowest such link; NULL: none. */
static const struct pci_link *shared_link(const struct drive *a, const struct drive *b, double *limit)
{
	const struct pci_link *lowest = NULL;

	*limit = NAN;
	for (size_t i = 1; i < a->links_count; i++) {
		for (size_t k = 1; k < b->links_count; k++) {
			const struct pci_link *l = &a->links[i];

			if (strcmp(l->path, b->links[k].path))
				continue;
			lowest = lowest ? lowest : l;
			*limit = smaller(*limit, drive_link_bytes_per_s(l->current_speed_gt_per_s,
									l->current_width_lanes));
		}
	}
	return lowest;
}

static int compare_links(const struct drive *a, const struct drive *b, struct strings *findings)
{
	const struct pci_link *x = a->links, *y = b->links;
	char of_a[DRIVE_LINK_TEXT_SIZE], of_b[DRIVE_LINK_TEXT_SIZE];
	struct text t = { 0 };

	if (!a->links_count || !b->links_count)
		return 0;
	if ((isnan(x->current_speed_gt_per_s) || isnan(y->current_speed_gt_per_s) ||
	     x->current_speed_gt_per_s == y->current_speed_gt_per_s) &&
	    (!known(x->current_width_lanes) || !known(y->current_width_lanes) ||
	     x->current_width_lanes == y->current_width_lanes))
		return 0;
	text_printf(&t, "%s and %s are at different link rates (%s and %s): compare with care", a->target, b->target,
		    drive_link_text(of_a, x->current_speed_gt_per_s, x->current_width_lanes),
		    drive_link_text(of_b, y->current_speed_gt_per_s, y->current_width_lanes));
	return say(findings, &t);
}

int drive_shared_findings(const struct drive *a, const struct drive *b, struct strings *findings)
{
	double limit;
	const struct pci_link *shared = shared_link(a, b, &limit);
	struct text t = { 0 };
	char rate[TEXT_NUMBER_SIZE];
	int ret = compare_links(a, b, findings);

	if (ret || !shared)
		return ret;
	text_printf(&t, "both drives share the upstream port %s", shared->address);
	if (!isnan(limit))
		text_printf(&t, ": at most %s together", text_rate(rate, limit));
	return say(findings, &t);
}
