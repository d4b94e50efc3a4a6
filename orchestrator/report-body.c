/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of a report: verdict first, then what it rests on, then how to repeat it. */
#include "report-print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report-words.h"
#include "thresholds.h"

static char *say(struct report *r, const char *format, va_list ap)
{
	struct text t = { 0 };
	char *s;

	text_vprintf(&t, format, ap);
	s = text_steal(&t);
	r->failed |= !s;
	return s;
}

void report_cell(struct report *r, struct report_table *t, const char *format, ...)
{
	char **more = realloc(t->cells, (t->cells_count + 1) * sizeof(*more));
	va_list ap;

	if (!more) {
		r->failed = true;
		return;
	}
	t->cells = more;
	va_start(ap, format);
	t->cells[t->cells_count] = say(r, format, ap);
	va_end(ap);
	t->cells_count += t->cells[t->cells_count] != NULL;
}

void report_table_free(struct report_table *t)
{
	for (size_t i = 0; i < t->cells_count; i++)
		free(t->cells[i]);
	free(t->cells);
	*t = (struct report_table){ 0 };
}

void report_say(struct report *r, const char *format, ...)
{
	_cleanup_free_ char *s = NULL;
	va_list ap;

	va_start(ap, format);
	s = say(r, format, ap);
	va_end(ap);
	if (s)
		r->print->paragraph(r, s);
}

void report_item(struct report *r, const char *format, ...)
{
	_cleanup_free_ char *s = NULL;
	va_list ap;

	va_start(ap, format);
	s = say(r, format, ap);
	va_end(ap);
	if (s)
		r->print->item(r, REPORT_UNMARKED, s, NULL);
}

/* A label that only repeats the side says nothing. */
static const char *label_of(const struct report *r, int side)
{
	const char *label = r->result->label[side];

	return label && strcmp(label, side ? "B" : "A") ? label : NULL;
}

/* "A: LABEL, model X, /dev/nvme0n1": who A and B are, once. */
void report_introduce(struct report *r)
{
	for (int s = 0; s < SIDES; s++) {
		const struct drive *d = &r->result->drives[s];
		const char *label = label_of(r, s), *target = d->target ? d->target : d->path;

		if (s == SIDE_B && !target)
			continue;
		report_item(r, "%s is %s%s%s%s%s", s ? "B" : "A", label ? label : target ? target : "not named",
			    d->model ? ", " : "", d->model ? d->model : "",
			    label && target ? ", " : "", label && target ? target : "");
	}
}

static void report_verdict(struct report *r)
{
	const struct verdict *v = r->verdict;

	_cleanup_free_ char *title = text_format("Verdict: %s", report_headline_words(v->headline));

	r->failed |= !title;
	r->print->heading(r, 2, title ? title : "Verdict");
	r->print->paragraph(r, v->headline_text ? v->headline_text : "");
	for (size_t i = 0; i < v->sentences.count; i++)
		r->print->item(r, REPORT_UNMARKED, v->sentences.items[i], NULL);
}

void report_gates(struct report *r)
{
	const struct verdict *v = r->verdict;

	if (v->gates_count)
		r->print->heading(r, 2, "Gates");
	for (size_t i = 0; i < v->gates_count; i++) {
		const struct gate_result *g = &v->gates[i];

		report_item(r, "%s: %s (%s)", !g->failed ? "passed" : g->measured ? "FAILED" :
			    "FAILED, not measured", g->expression, g->text);
	}
}

void report_classes(struct report *r)
{
	const struct verdict *v = r->verdict;
	int sides = r->result->plan.one_side ? 1 : SIDES;
	struct report_table t = { .columns = 2 + 3 * (size_t)sides };

	if (!v->classes_count)
		return;
	r->print->heading(r, 2, "Speed by kind of data");
	report_say(r, "Shares are of what was looked at. Speeds are geometric means over the rounds, of all I/Os "
		   "in the pieces that hold this kind only: from that share of the drive's bytes. Too few give "
		   "none.");
	report_cell(r, &t, "workload");
	report_cell(r, &t, "data");
	for (int s = 0; s < sides; s++) {
		report_cell(r, &t, "share of %s", s ? "B" : "A");
		report_cell(r, &t, "speed of %s", s ? "B" : "A");
		report_cell(r, &t, "from");
	}
	for (size_t i = 0; i < v->classes_count; i++) {
		const struct class_row *c = &v->classes[i];

		report_cell(r, &t, "%s", c->workload);
		report_cell(r, &t, "%s", c->data_state);
		for (int s = 0; s < sides; s++) {
			_cleanup_free_ char *speed = report_metric_value("bw_bytes_per_s", c->bw_bytes_per_s[s]);

			report_cell(r, &t, "%.1f %%", 100 * c->share[s]);
			report_cell(r, &t, "%s", speed ? speed : "");
			report_cell(r, &t, "%.1f %%", 100 * c->behind_share[s]);
			r->failed |= !speed;
		}
	}
	r->print->table(r, &t);
	report_table_free(&t);
}

void report_concurrency(struct report *r)
{
	const struct verdict *v = r->verdict;
	struct report_table t = { .columns = 6 };
	static const char *const head[] = { "workload", "A", "B", "together", "ratio of ratios",
					    "95 % interval" };

	if (!v->concurrency_count)
		return;
	r->print->heading(r, 2, "Both at once");
	report_say(r, "Each drive against itself on its own, and how that changes A over B.");
	for (size_t i = 0; i < t.columns; i++)
		report_cell(r, &t, "%s", head[i]);
	for (size_t i = 0; i < v->concurrency_count; i++) {
		const struct concurrency_row *c = &v->concurrency[i];
		_cleanup_free_ char *total = report_metric_value("bw_bytes_per_s", c->total_bw_bytes_per_s);

		report_cell(r, &t, "%s", c->workload);
		report_cell(r, &t, "%.1f %% %s", fabs(100 * c->interference[SIDE_A]),
			    concurrency_word(c->interference[SIDE_A]));
		report_cell(r, &t, "%.1f %% %s", fabs(100 * c->interference[SIDE_B]),
			    concurrency_word(c->interference[SIDE_B]));
		report_cell(r, &t, "%s", total ? total : "");
		r->failed |= !total;
		report_cell(r, &t, "%.3f", c->ratio_of_ratios);
		report_cell(r, &t, "%.3f to %.3f", c->ci95_low, c->ci95_high);
	}
	r->print->table(r, &t);
	report_table_free(&t);
}

static bool lacks(const struct drive *d, const struct missing *m)
{
	for (size_t i = 0; i < d->missing_count; i++) {
		if (d->missing[i].field && !strcmp(d->missing[i].field, m->field) &&
		    d->missing[i].reason && !strcmp(d->missing[i].reason, m->reason))
			return true;
	}
	return false;
}

/* What is unknown of a drive and why; once, when both lack it for one reason. */
void report_missing(struct report *r)
{
	const struct drive *drives = r->result->drives;

	for (int s = 0; s < SIDES; s++) {
		for (size_t i = 0; i < drives[s].missing_count; i++) {
			const struct missing *m = &drives[s].missing[i];
			bool both;

			if (!m->field || !m->reason)
				continue;
			both = lacks(&drives[!s], m);
			if (!both || s == SIDE_A)
				report_item(r, "%s: %s is not known: %s", both ? "A and B" : s ? "B" : "A", m->field,
					    m->reason);
		}
	}
}

void report_conditions(struct report *r)
{
	r->print->heading(r, 2, "Conditions and limits");
	for (size_t i = 0; i < r->verdict->conditions.count; i++)
		r->print->item(r, REPORT_UNMARKED, r->verdict->conditions.items[i], NULL);
	for (size_t i = 0; i < r->result->notes.count; i++)
		r->print->item(r, REPORT_UNMARKED, r->result->notes.items[i], NULL);
}

static double default_of(const char *name)
{
	const struct threshold_info *i = threshold_find(name);

	return i ? threshold_value(&thresholds_default, i) : NAN;
}

void report_thresholds(struct report *r)
{
	const struct verdict *v = r->verdict;
	struct report_table t = { .columns = 3 };
	_cleanup_text_ struct text brief = { 0 };

	r->print->heading(r, 2, "Limits used by the rules");
	for (size_t k = 0; r->print->brief && k < v->thresholds_count; k++) {
		double usual = default_of(v->thresholds[k].name);

		if (v->thresholds[k].value != usual)
			text_printf(&brief, "%s%s %g (usually %g)", brief.data ? ", " : "", v->thresholds[k].name,
				    v->thresholds[k].value, usual);
	}
	if (r->print->brief) {
		r->failed |= brief.failed;
		r->print->paragraph(r, brief.data ? brief.data : "All of them are the usual ones; verdict.json lists "
							     "them.");
		return;
	}
	report_cell(r, &t, "name");
	report_cell(r, &t, "limit");
	report_cell(r, &t, "meaning");
	for (size_t k = 0; k < v->thresholds_count; k++) {
		const struct number *n = &v->thresholds[k];
		const struct threshold_info *i = threshold_find(n->name);
		double usual = default_of(n->name);

		report_cell(r, &t, "%s", n->name);
		if (n->value == usual)
			report_cell(r, &t, "%g", n->value);
		else
			report_cell(r, &t, "%g (usually %g)", n->value, usual);
		report_cell(r, &t, "%s", i ? i->meaning : "");
	}
	r->print->table(r, &t);
	report_table_free(&t);
}

/* The command as it was typed, quoted for a shell, with the seed that makes it the same run. */
static void report_measure_again(struct report *r)
{
	const struct result *res = r->result;
	_cleanup_text_ struct text t = { 0 };
	bool seed = !known(res->plan.seed);

	text_add(&t, "nvmatch");
	for (size_t i = 0; i < res->command.count; i++) {
		_cleanup_free_ char *word = text_shell_quote(res->command.items[i]);

		seed = seed || !strncmp(res->command.items[i], "--seed", 6);
		text_printf(&t, " %s", word ? word : "");
	}
	if (!seed)
		text_printf(&t, " --seed %lld", (long long)res->plan.seed);
	r->failed |= t.failed;
	r->print->command(r, t.data ? t.data : "");
}

void report_reproduce(struct report *r)
{
	const struct result *res = r->result;
	const struct host *h = &res->host;

	r->print->heading(r, 2, "How to reproduce");
	if (h->kernel || h->fio_version || h->cpu_model)
		report_say(r, "Host: kernel %s, %s, CPU %s.", h->kernel ? h->kernel : "not known",
			   h->fio_version ? h->fio_version : "fio not known",
			   h->cpu_model ? h->cpu_model : "not known");
	report_say(r, "Check that the evidence in the run directory RUN is complete and unchanged, and "
		   "judge it again:");
	r->print->command(r, "nvmatch verify RUN");
	r->print->command(r, "nvmatch judge RUN");
	if (res->command.count) {
		report_say(r, "Measure again, with the same order and the same offsets:");
		report_measure_again(r);
	}
	report_say(r, "Every slot keeps the job file that fio ran, slots/*/A/job.fio, which fio alone can run too.");
}

int report_body(struct report *r)
{
	r->print->heading(r, 1, r->result->plan.one_side ? "nvmatch: A on its own" : "nvmatch: A compared with B");
	report_introduce(r);
	report_verdict(r);
	report_gates(r);
	report_drives(r);
	report_comparisons(r);
	report_ratings(r);
	report_classes(r);
	report_concurrency(r);
	report_traffic(r);
	report_heat(r);
	report_ledger(r);
	report_conditions(r);
	report_missing(r);
	report_reproduce(r);
	report_thresholds(r);
	if (r->failed)
		return -ENOMEM;
	return fflush(r->out) || ferror(r->out) ? -EIO : 0;
}
