/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows how far a run is. */
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

#define PLAIN_WAIT_NS INT64_C(60000000000)	/* a wait is told again in a log after this */
#define SHOW_EVERY_NS INT64_C(450000000)

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static char *name_of(const struct drive *d, const char *label)
{
	const char *name = label ? label : d->model ? d->model : d->target ? d->target : d->path;

	return strdup(name ? name : "");
}

static void start_side(struct live_side *side, const struct drive *d, const char *label)
{
	const struct identify *id = &d->identify;
	double tmt1_c = known(id->tmt1_k) && id->tmt1_k > 0 ? (double)id->tmt1_k - 273 : NAN;

	side->name = name_of(d, label);
	side->temperature_c = d->sensors_count ? d->sensors[0].current_c : NAN;
	side->threshold_c = fmin(id->warning_temperature_c, tmt1_c);
}

void progress_start(struct progress *p, const struct plan *plan, const struct drive *const drives[SIDES],
		    const char *const labels[SIDES], const char *work, bool quiet)
{
	*p = (struct progress){ .quiet = quiet, .terminal = isatty(STDERR_FILENO), .start_ns = now_ns(),
				.plan = plan, .work = work, .screen = { .fd = STDERR_FILENO } };
	p->live.slots = (int64_t)plan->slots_count;
	p->live.rounds = plan->rounds;
	start_side(&p->live.a, drives[SIDE_A], labels[SIDE_A]);
	if (drives[SIDE_B])
		start_side(&p->live.b, drives[SIDE_B], labels[SIDE_B]);
}

/* What the plan expected before it, scaled by how the slots so far really went; waits come on top. */
static int64_t left_ns(const struct progress *p)
{
	double elapsed = (double)(now_ns() - p->start_ns - p->waited_ns), expected = (double)p->plan->expected_ns;
	double done = (double)(p->slot->number - 1) / (double)p->plan->slots_count;

	if (done > 0.1)
		expected = elapsed / done;
	return expected > elapsed ? (int64_t)(expected - elapsed) : 0;
}

/* On a terminal and for watchers: at most about twice a second, or when something begins. */
static void show(struct progress *p, bool at_once)
{
	int64_t now = now_ns();

	if (!at_once && now - p->drawn_ns < SHOW_EVERY_NS)
		return;
	p->drawn_ns = now;
	p->live.left_ns = left_ns(p);
	if (p->work)
		live_publish(p->work, &p->live);
	if (!p->quiet && p->terminal)
		live_draw(&p->screen, &p->live);
}

static void say_plain(struct progress *p)
{
	_cleanup_text_ struct text line = { 0 };

	if (p->quiet || p->terminal)
		return;
	p->live.left_ns = left_ns(p);
	live_line(&line, &p->live);
	if (line.data)
		fputs(line.data, stderr);
	p->said_ns = now_ns();
}

static void begin_side(struct live_side *side, bool active)
{
	side->active = active;
	side->share = side->bytes_per_s = side->latency_ns = NAN;
	side->bytes = UNKNOWN_I64;
}

void progress_slot(struct progress *p, const struct slot *slot)
{
	struct live *l = &p->live;

	p->slot = slot;
	p->plain_said = false;
	p->said_ns = 0;
	free(l->workload);
	l->workload = strdup(p->plan->workloads[slot->workload].name);
	l->slot = slot->number;
	l->round = slot->round + 1;
	l->mode = slot->mode;
	begin_side(&l->a, slot->mode != MODE_B);
	begin_side(&l->b, slot->mode != MODE_A);
	show(p, true);
}

void progress_waiting(void *context, const char *words, int64_t left)
{
	struct progress *p = context;

	free(p->live.waiting);
	p->live.waiting = strdup(words);
	p->live.waiting_left_ns = left;
	show(p, true);
	if (!p->said_ns || now_ns() - p->said_ns > PLAIN_WAIT_NS)
		say_plain(p);
}

static void update_side(struct live_side *side, const struct run_progress *now, enum side s, double share)
{
	if (!side->active)
		return;
	side->share = share;
	side->bytes = now->bytes[s];
	side->bytes_per_s = now->bytes_per_s[s];
	if (!isnan(now->latency_ns[s]))
		side->latency_ns = now->latency_ns[s];
	if (!isnan(now->temperature_c[s]))
		side->temperature_c = now->temperature_c[s];
}

void progress_update(void *context, const struct run_progress *now)
{
	struct progress *p = context;
	bool moving = now->bytes[SIDE_A] > 0 || now->bytes[SIDE_B] > 0;
	double share = p->slot_ns > 0 ? (double)now->elapsed_ns / (double)p->slot_ns : NAN;

	free(p->live.waiting);
	p->live.waiting = NULL;
	update_side(&p->live.a, now, SIDE_A, share);
	update_side(&p->live.b, now, SIDE_B, share);
	show(p, false);
	/* one plain line a slot is enough for a log, and it shall have something to say */
	if (moving && !p->plain_said) {
		say_plain(p);
		p->plain_said = true;
	}
}

void progress_clear(struct progress *p)
{
	live_erase(&p->screen);
}

void progress_end(struct progress *p)
{
	progress_clear(p);
	live_free(&p->live);
}
