/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slots: what they take, and an order that a drift cannot take for a difference. */
#include "plan-slots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile.h"
#include "model-json.h"
#include "stats-random.h"
#include "suite.h"

/* Seen with fio 3.33: starting it and its first section, and each section behind that. */
#define SLOT_START_NS INT64_C(400000000)
#define SECTION_START_NS INT64_C(300000000)
/* Hashing and classifying on one core: a byte a nanosecond, and slower drives take longer. */
#define FINGERPRINT_BYTES_PER_NS 1

/* A time among the options of a job, in nanoseconds; a bare number is in units of unit_ns. */
static int64_t own_ns(const struct workload *w, const char *name, int64_t unit_ns)
{
	const char *s = jobfile_option(&w->options, name);
	uint64_t ns;
	int64_t n;

	if (!s)
		return 0;
	if (!text_to_i64(s, &n))
		return n > 0 && n < INT64_MAX / unit_ns ? n * unit_ns : 0;
	return !text_to_ns(s, &ns) && ns < INT64_MAX / 4 ? (int64_t)ns : 0;
}

int64_t plan_slot_ns(const struct workload *w)
{
	int64_t runtime = (known(w->runtime_ns) ? w->runtime_ns : 0) + (known(w->ramp_ns) ? w->ramp_ns : 0);

	/* a runtime bounds loops, but begins after the delay, and the last pause may be behind it */
	runtime += own_ns(w, "startdelay", 1000000000) + own_ns(w, "thinktime", 1000);
	return SLOT_START_NS + (int64_t)w->ranges_count * (runtime + SECTION_START_NS);
}

static bool has_fingerprint(const struct plan *plan, const struct workload *w)
{
	/* what is written is known by its seed */
	return plan->fingerprint && !w->writes &&
	       (!strcmp(plan->fingerprint, "before") || !strcmp(plan->fingerprint, "both"));
}

/* Sides that a fingerprint pass reads: in a calibration both are one drive. */
static int fingerprint_sides(const struct plan_request *r)
{
	return r->drives[SIDE_B] ? SIDES : 1;
}

static int64_t workload_fingerprint_bytes(const struct workload *w)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < w->ranges_count; i++)
		bytes += w->ranges[i].length_bytes < FINGERPRINT_RANGE_BYTES ? w->ranges[i].length_bytes :
			 FINGERPRINT_RANGE_BYTES;
	return bytes;
}

int64_t plan_fingerprint_bytes(const struct plan_request *r, const struct plan *plan)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < plan->workloads_count; i++)
		if (has_fingerprint(plan, &plan->workloads[i]))
			bytes += workload_fingerprint_bytes(&plan->workloads[i]) * fingerprint_sides(r);
	return bytes;
}

/* Timed and plain slots of one workload in one round. */
static int64_t slots_of_round(const struct plan_request *r)
{
	int64_t plain = r->probe ? 1 : 0;

	if (!r->drives[SIDE_B])
		return 1 + plain;
	return (r->suite->single ? 2 : 0) + (r->suite->concurrent ? 1 : 0) + plain;
}

int64_t plan_total_ns(const struct plan_request *r, const struct plan *plan)
{
	int64_t ns = 0;

	for (size_t i = 0; i < plan->workloads_count; i++) {
		const struct workload *w = &plan->workloads[i];

		ns += plan_slot_ns(w) * slots_of_round(r) * plan->rounds;
		if (has_fingerprint(plan, w))
			ns += fingerprint_sides(r) *
			      (SLOT_START_NS + (int64_t)w->ranges_count * SECTION_START_NS +
			       workload_fingerprint_bytes(w) / FINGERPRINT_BYTES_PER_NS);
	}
	return ns;
}

int64_t plan_side_slots(const struct plan_request *r, const struct plan *plan)
{
	int64_t plain = r->probe ? 1 : 0;

	if (!r->drives[SIDE_B])
		return plan->rounds * (1 + plain);
	return plan->rounds * ((r->suite->single ? 2 : 0) + (r->suite->concurrent ? 2 : 0) + plain);
}

struct order {
	const struct plan_request *request;
	struct plan *plan;
	int64_t workload, round;
	int failed;
};

static void add_slot(struct order *o, enum slot_mode mode, enum slot_purpose purpose)
{
	struct plan *plan = o->plan;
	struct slot *slot = &plan->slots[plan->slots_count];
	_cleanup_free_ char *name = text_file_name(plan->workloads[o->workload].name);

	*slot = (struct slot){ .number = (int64_t)plan->slots_count + 1, .workload = o->workload,
			       .round = o->round, .mode = mode, .purpose = purpose };
	slot->name = name ? text_format("%04lld-%.60s-%s%s", (long long)slot->number, name, slot_mode_names[mode],
					purpose == SLOT_FINGERPRINT ? "-fingerprint" :
					purpose == SLOT_PLAIN ? "-plain" : "") : NULL;
	plan->slots_count++;
	if (!slot->name)
		o->failed = -ENOMEM;
}

/* What has no partner in its round stands on the other side of the pair every second round. */
static void add_beside(struct order *o, bool b_first)
{
	const struct plan_request *r = o->request;
	bool two = r->drives[SIDE_B];

	if (two && r->suite->concurrent)
		add_slot(o, MODE_AB, SLOT_TIMED);
	/* without records, as far behind the slot of the same drive as before it in the next round */
	if (r->probe)
		add_slot(o, two && b_first == (o->round % 2 == 0) ? MODE_B : MODE_A, SLOT_PLAIN);
}

/*
 * One workload in one round. The order of A and B is ABBA or BAAB over two rounds, the other slots
 * stand between the pairs, so that a drift over time hits A and B alike.
 */
static void add_round(struct order *o, bool b_first)
{
	const struct plan_request *r = o->request;
	bool even = o->round % 2 == 0;

	if (!even)
		add_beside(o, b_first);
	if (!r->drives[SIDE_B]) {
		add_slot(o, MODE_A, SLOT_TIMED);
	} else if (r->suite->single) {
		add_slot(o, b_first ? MODE_B : MODE_A, SLOT_TIMED);
		add_slot(o, b_first ? MODE_A : MODE_B, SLOT_TIMED);
	}
	if (even)
		add_beside(o, b_first);
}

static void add_fingerprints(struct order *o)
{
	for (size_t w = 0; w < o->plan->workloads_count; w++) {
		o->workload = (int64_t)w;
		if (!has_fingerprint(o->plan, &o->plan->workloads[w]))
			continue;
		add_slot(o, MODE_A, SLOT_FINGERPRINT);
		if (fingerprint_sides(o->request) > 1)
			add_slot(o, MODE_B, SLOT_FINGERPRINT);
	}
}

int plan_order_slots(const struct plan_request *r, struct plan *plan)
{
	size_t n = plan->workloads_count;
	struct stats_random random = { (uint64_t)r->seed };
	struct order o = { .request = r, .plan = plan };
	_cleanup_free_ bool *b_first = calloc(n, sizeof(*b_first));

	plan->slots = calloc((size_t)(plan->rounds * slots_of_round(r) + SIDES) * n, sizeof(*plan->slots));
	if (!plan->slots || !b_first)
		return -ENOMEM;
	add_fingerprints(&o);
	for (o.round = 0; o.round < plan->rounds; o.round++) {
		for (size_t w = 0; w < n; w++) {
			o.workload = (int64_t)w;
			b_first[w] = o.round % 2 == 0 ? stats_random_quad(&random) : !b_first[w];
			add_round(&o, b_first[w]);
		}
	}
	return o.failed;
}
