/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kind of data lies at an offset, from all that was seen of it. */
#include "gather-slot.h"

#include <errno.h>
#include <string.h>

#include "record/reader.h"

/* A bin counts as of one state when this share of what was classified in it is. */
#define PURE_SHARE 0.95

int gather_kinds(struct rec_reader *reader, enum rec_direction d, struct rec_bin bins[static REC_BINS])
{
	const struct rec_header *h = rec_header(reader);
	struct rec_record r;
	int ret = 0;

	memcpy(bins, rec_bins(reader, d), REC_BINS * sizeof(*bins));
	if (!h->apart.ramp_ios[d] || h->bin_shift > 62)
		return 0;
	rec_rewind(reader);
	while ((ret = rec_next(reader, &r)) == 1) {
		uint64_t i = r.offset > h->bin_base ? (r.offset - h->bin_base) >> h->bin_shift : 0;

		if (r.direction != d || r.state == REC_UNCLASSIFIED || !(r.flags & REC_F_RAMP) ||
		    (r.flags & (REC_F_ERROR | REC_F_VERIFY)))
			continue;
		bins[i < REC_BINS ? i : REC_BINS - 1].state_bytes[r.state] += r.length;
	}
	rec_rewind(reader);
	/* a damaged file tells less; that it is damaged is said elsewhere */
	return ret == -ENOMEM ? ret : 0;
}

int gather_pure_state(const struct rec_bin *bin)
{
	uint64_t all = 0;

	for (int s = 0; s < DATA_STATES; s++)
		all += s == REC_UNCLASSIFIED ? 0 : bin->state_bytes[s];
	for (int s = 0; s < DATA_STATES; s++)
		if (s != REC_UNCLASSIFIED && all && (double)bin->state_bytes[s] >= PURE_SHARE * (double)all)
			return s;
	return REC_UNCLASSIFIED;
}
