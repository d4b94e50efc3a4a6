/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing the verdict, and running over the measurements. */
#include "judge-build.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* One zeroed element more at the end of *array. */
static void *grow(struct judging *j, void *array, size_t *count, size_t size)
{
	void **items = array, *more;

	if (j->failed)
		return NULL;
	more = realloc(*items, (*count + 1) * size);
	if (!more) {
		j->failed = true;
		return NULL;
	}
	*items = more;
	return memset((char *)more + (*count)++ * size, 0, size);
}

struct comparison *judge_add_comparison(struct judging *j)
{
	struct comparison *c = grow(j, &j->verdict->comparisons, &j->verdict->comparisons_count, sizeof(*c));

	if (c) {
		c->match_share = c->a = c->b = c->ratio = c->ci95_low = c->ci95_high = NAN;
		c->ci90_low = c->ci90_high = c->median_ratio = NAN;
		c->sessions = 1;
		c->p_sign_flip = c->p_t = c->p_holm = c->q_benjamini_hochberg = c->sd_log = NAN;
	}
	return c;
}

struct workload_verdict *judge_add_workload(struct judging *j)
{
	struct workload_verdict *w = grow(j, &j->verdict->workloads, &j->verdict->workloads_count, sizeof(*w));

	if (w)
		w->match_share = NAN;
	return w;
}

struct class_row *judge_add_class(struct judging *j)
{
	return grow(j, &j->verdict->classes, &j->verdict->classes_count, sizeof(struct class_row));
}

struct concurrency_row *judge_add_concurrency(struct judging *j)
{
	return grow(j, &j->verdict->concurrency, &j->verdict->concurrency_count,
		    sizeof(struct concurrency_row));
}

struct rating_row *judge_add_rating(struct judging *j)
{
	return grow(j, &j->verdict->ratings, &j->verdict->ratings_count, sizeof(struct rating_row));
}

struct ledger_row *judge_add_row(struct judging *j)
{
	return grow(j, &j->verdict->ledger, &j->verdict->ledger_count, sizeof(struct ledger_row));
}

char *judge_take(struct judging *j, char *text)
{
	j->failed |= !text;
	return text;
}

static void add_string(struct judging *j, struct strings *list, const char *format, va_list ap)
{
	struct text t = { 0 };
	_cleanup_free_ char *s = NULL;

	text_vprintf(&t, format, ap);
	s = text_steal(&t);
	j->failed |= !s || strings_add(list, s);
}

void judge_sentence(struct judging *j, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add_string(j, &j->verdict->sentences, format, ap);
	va_end(ap);
}

void judge_condition(struct judging *j, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add_string(j, &j->verdict->conditions, format, ap);
	va_end(ap);
}

static char *format_new(struct judging *j, const char *format, va_list ap)
{
	struct text t = { 0 };

	text_vprintf(&t, format, ap);
	return judge_take(j, text_steal(&t));
}

void judge_string(struct judging *j, char **string, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	*string = format_new(j, format, ap);
	va_end(ap);
}

void judge_number(struct judging *j, struct ledger_row *row, double value, const char *name, ...)
{
	struct number *n;
	va_list ap;

	if (!row || isnan(value))
		return;
	n = grow(j, &row->numbers, &row->numbers_count, sizeof(*n));
	if (!n)
		return;
	n->value = value;
	va_start(ap, name);
	n->name = format_new(j, name, ap);
	va_end(ap);
}

void judge_threshold(struct judging *j, struct number **list, size_t *count, const struct threshold_info *i)
{
	struct number *n = grow(j, list, count, sizeof(*n));

	if (!n)
		return;
	n->value = threshold_value(j->limits, i);
	n->name = judge_take(j, strdup(i->name));
}

void judge_evidence(struct judging *j, struct ledger_row *row, const char *pointer, const char *file, ...)
{
	struct evidence *e;
	va_list ap;

	e = row ? grow(j, &row->evidence, &row->evidence_count, sizeof(*e)) : NULL;
	if (!e)
		return;
	va_start(ap, file);
	e->file = format_new(j, file, ap);
	va_end(ap);
	if (pointer)
		e->pointer = judge_take(j, strdup(pointer));
}

const struct measurement *judge_measurement(const struct judging *j, int side, size_t *cursor)
{
	size_t k = (*cursor)++;

	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_result *r = &j->result->workloads[w];

		if (k < r->observations_count)
			return &r->observations[k].side[side];
		k -= r->observations_count;
	}
	return NULL;
}

double judge_max(const struct judging *j, int side, measure_fn *value)
{
	const struct measurement *m;
	double most = NAN;

	for (size_t i = 0; (m = judge_measurement(j, side, &i));)
		most = fmax(most, value(m));
	return most;
}

double judge_min(const struct judging *j, int side, measure_fn *value)
{
	const struct measurement *m;
	double least = NAN;

	for (size_t i = 0; (m = judge_measurement(j, side, &i));)
		least = fmin(least, value(m));
	return least;
}

double judge_sum(const struct judging *j, int side, measure_fn *value)
{
	const struct measurement *m;
	double sum = NAN;

	for (size_t i = 0; (m = judge_measurement(j, side, &i));)
		sum = i == 1 ? value(m) : sum + value(m);
	return sum;
}
