/* SPDX-License-Identifier: BSD-2-Clause */
/* Adapts the sampling shares; sample.h has the idea. */
#include "record/sample.h"

#include <string.h>

/* The first verdict comes soon, so that little is classified under another share. */
#define FIRST_WINDOW_IOS 32
#define WINDOW_IOS 256
#define WARM_UP 4	/* measurements during which only the smallest counts: caches are cold */

void sampler_init(struct sampler *s, uint64_t now_ns)
{
	memset(s, 0, sizeof(*s));
	s->window_start_ns = now_ns;
	s->window = FIRST_WINDOW_IOS;
}

static unsigned int raised(unsigned int shift, double delay_ns, double limit_ns)
{
	delay_ns /= (double)(1u << shift);
	while (delay_ns > limit_ns && shift < SAMPLE_SHIFT_MAX) {
		delay_ns /= 2;
		shift++;
	}
	return shift;
}

static void judge_window(struct sampler *s, uint64_t now_ns)
{
	double passed = (double)(now_ns - s->window_start_ns);
	double time = s->latency_ns > passed ? s->latency_ns : passed;

	if (s->hash.measured >= WARM_UP)
		s->hash_shift = raised(s->hash_shift, s->hash_delay * s->hash.ns,
				       time * SAMPLE_HASH_LIMIT);
	if (s->state.measured >= WARM_UP)
		s->state_shift = raised(s->state_shift, s->state_delay * s->state.ns,
					time * SAMPLE_STATE_LIMIT);
	s->hash_delay = s->state_delay = s->latency_ns = 0;
	s->window_ios = 0;
	s->window = WINDOW_IOS;
	s->window_start_ns = now_ns;
}

void sampler_batch(struct sampler *s, uint64_t now_ns, unsigned int count)
{
	s->hash_delay += (double)(s->batch_bytes * s->batch) / 4096;
	s->state_delay += (double)(s->batch_units * s->batch);
	s->window_ios += s->batch;
	s->batch_bytes = s->batch_units = 0;
	s->batch = count;
	if (s->window_ios >= s->window)
		judge_window(s, now_ns);
}

void sampler_spent(struct sampler *s, struct sample_cost *cost, double pieces, uint64_t ns)
{
	double each = (double)ns / pieces;

	if (!ns) {
		s->spent_ns += cost->ns * pieces;
		return;
	}
	s->spent_ns += (double)ns;
	if (!cost->measured || (cost->measured < WARM_UP && each < cost->ns))
		cost->ns = each;
	else if (cost->measured >= WARM_UP) {
		/* one that was interrupted says nothing about the cost */
		if (each > 2 * cost->ns)
			each = 2 * cost->ns;
		cost->ns += (each - cost->ns) / 8;
	}
	cost->measured++;
}
