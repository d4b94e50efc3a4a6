/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how far a run is. */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "model-json.h"
#include "run.h"

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

void progress_start(struct progress *p, const struct plan *plan, bool quiet)
{
	*p = (struct progress){ .quiet = quiet, .terminal = isatty(STDERR_FILENO), .start_ns = now_ns(),
				.plan = plan };
}

/* What the plan expected before it, scaled by how the slots so far really went. */
static double seconds_left(const struct progress *p)
{
	double elapsed = (double)(now_ns() - p->start_ns), expected = (double)p->plan->expected_ns;
	double done = (double)(p->slot->number - 1) / (double)p->plan->slots_count;

	if (done > 0.1)
		expected = elapsed / done;
	return expected > elapsed ? (expected - elapsed) / 1e9 : 0;
}

static void add_head(struct text *t, const struct progress *p)
{
	_cleanup_free_ char *name = text_escape_terminal(p->plan->workloads[p->slot->workload].name);
	int left = (int)seconds_left(p);

	text_printf(t, "slot %lld of %zu  %s  round %lld  %s  %d:%02d left", (long long)p->slot->number,
		    p->plan->slots_count, name ? name : "", (long long)p->slot->round + 1,
		    p->slot->mode == MODE_AB ? "A+B" : slot_mode_names[p->slot->mode], left / 60, left % 60);
}

static void add_side(struct text *t, const struct run_progress *now, enum side s)
{
	char bytes[TEXT_NUMBER_SIZE], rate[TEXT_NUMBER_SIZE];

	if (!known(now->bytes[s]))
		return;
	text_printf(t, "  %c %s", "AB"[s], text_bytes(bytes, (double)now->bytes[s]));
	if (isfinite(now->bytes_per_s[s]))
		text_printf(t, " %s", text_rate(rate, now->bytes_per_s[s]));
	if (isfinite(now->temperature_c[s]))
		text_printf(t, " %.0f C", now->temperature_c[s]);
}

void progress_slot(struct progress *p, const struct slot *slot)
{
	_cleanup_text_ struct text t = { 0 };

	p->slot = slot;
	p->plain_said = false;
	if (p->quiet || !p->terminal)
		return;
	add_head(&t, p);
	if (t.data)
		fprintf(stderr, "\r\033[K%s", t.data);
	p->line_open = true;
}

void progress_update(void *context, const struct run_progress *now)
{
	struct progress *p = context;
	_cleanup_text_ struct text t = { 0 };

	bool moving = now->bytes[SIDE_A] > 0 || now->bytes[SIDE_B] > 0;

	/* one plain line a slot is enough for a log, and it shall have something to say */
	if (p->quiet || (!p->terminal && (p->plain_said || !moving)))
		return;
	add_head(&t, p);
	add_side(&t, now, SIDE_A);
	add_side(&t, now, SIDE_B);
	if (t.data)
		fprintf(stderr, p->terminal ? "\r\033[K%s" : "%s\n", t.data);
	p->line_open = p->terminal;
	p->plain_said = true;
}

void progress_end(struct progress *p)
{
	if (p->line_open)
		fputs("\r\033[K", stderr);
	p->line_open = false;
}
