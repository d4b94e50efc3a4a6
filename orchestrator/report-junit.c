/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gates and comparisons as JUnit XML, in the form that Jenkins and GitLab read. A failed gate is a
 * failure. What could not be tested is an error where it ends the program with 3 or 5 (the headline
 * is not valid, the run is not complete), and else skipped. A difference is no failure: gates say
 * what is one.
 */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model-json.h"
#include "report-words.h"

/* XML 1.0 has no way to write control characters, nor U+FFFE and U+FFFF. */
static char *escape_xml(const char *s)
{
	_cleanup_free_ char *safe = text_escape_terminal(s);
	struct text t = { 0 };

	if (!safe)
		return NULL;
	for (const char *p = safe; *p; p++) {
		if (strchr("&<>\"'", *p))
			text_printf(&t, "&#%d;", *p);
		else if (!strncmp(p, "\xef\xbf\xbe", 3) || !strncmp(p, "\xef\xbf\xbf", 3))
			text_printf(&t, "\\xef\\xbf\\x%02x", (unsigned char)(p += 2)[0]);
		else
			text_add_bytes(&t, p, 1);
	}
	return text_steal(&t);
}

enum outcome { PASSED, FAILURE, ERROR, SKIPPED, OUTCOMES };

struct suite_out {
	struct text cases;
	size_t count[OUTCOMES];
};

/* message: why, or for what passed a line of output; may be NULL. */
static void add_case(struct suite_out *suite, const char *class_name, const char *name, enum outcome outcome,
		     const char *type, const char *message)
{
	static const char *const tags[OUTCOMES] = { "system-out", "failure", "error", "skipped" };
	_cleanup_free_ char *c = escape_xml(class_name), *n = escape_xml(name);
	_cleanup_free_ char *m = escape_xml(message ? message : ""), *k = escape_xml(type);
	struct text *t = &suite->cases;

	t->failed |= !c || !n || !m || !k;
	if (t->failed)
		return;
	suite->count[outcome]++;
	text_printf(t, "    <testcase classname=\"%s\" name=\"%s\">", c, n);
	if (outcome == PASSED)
		text_printf(t, "<system-out>%s</system-out>", m);
	else if (outcome == SKIPPED)
		text_printf(t, "<skipped message=\"%s\"/>", m);
	else
		text_printf(t, "<%s message=\"%s\" type=\"%s\">%s</%s>", tags[outcome], m, k, m, tags[outcome]);
	text_add(t, "</testcase>\n");
}

static void print_suite(FILE *out, const char *name, struct suite_out *suite, bool *failed)
{
	const size_t *n = suite->count;

	*failed |= suite->cases.failed;
	fprintf(out, "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n%s"
		"  </testsuite>\n", name, n[PASSED] + n[FAILURE] + n[ERROR] + n[SKIPPED], n[FAILURE], n[ERROR],
		n[SKIPPED], suite->cases.data ? suite->cases.data : "");
	text_free(&suite->cases);
}

static void add_run(struct suite_out *suite, const struct result *result, const struct verdict *v)
{
	static const enum outcome outcomes[] = {
		[HEADLINE_VALID] = PASSED, [HEADLINE_NARROWER] = ERROR, [HEADLINE_NOT_VALID] = ERROR,
		[HEADLINE_INCONCLUSIVE] = SKIPPED,
	};
	bool complete = !strcmp(result->state, "complete");

	add_case(suite, "nvmatch.run", "the run is complete", complete ? PASSED : ERROR, result->state,
		 result->notes.count && !complete ? result->notes.items[0] : result->state);
	add_case(suite, "nvmatch.run", "the headline comparison is valid", outcomes[v->headline],
		 headline_names[v->headline], v->headline_text);
}

static void add_comparison(struct suite_out *suite, const struct comparison *c)
{
	_cleanup_free_ char *class_name = text_format("nvmatch.comparison.%s", c->workload);
	_cleanup_free_ char *name = text_format("%s, %s, %s data", c->concurrent ? "concurrent" : "single",
						c->metric, c->subset);
	_cleanup_free_ char *words = report_verdict_words(c);
	_cleanup_free_ char *a = report_metric_value(c->metric, c->a), *b = report_metric_value(c->metric, c->b);
	_cleanup_free_ char *message = NULL;
	bool skipped = c->verdict == VERDICT_NOT_COMPARED || c->verdict == VERDICT_INCONCLUSIVE;

	if (words && a && b)
		message = text_format("%s: A %s, B %s%s%s", words, a, b, c->reason ? "; " : "",
				      c->reason ? c->reason : "");
	suite->cases.failed |= !class_name || !name || !message;
	if (message && class_name && name)
		add_case(suite, class_name, name, skipped ? SKIPPED : PASSED, verdict_names[c->verdict], message);
}

int report_junit(FILE *out, const struct result *result, const struct verdict *v)
{
	struct suite_out run = { 0 }, comparisons = { 0 }, gates = { 0 };
	bool failed = false;

	add_run(&run, result, v);
	for (size_t i = 0; i < v->comparisons_count; i++)
		add_comparison(&comparisons, &v->comparisons[i]);
	for (size_t i = 0; i < v->gates_count; i++)
		add_case(&gates, "nvmatch.gate", v->gates[i].expression, v->gates[i].failed ? FAILURE : PASSED,
			 v->gates[i].measured ? "gate" : "not_measured", v->gates[i].text);
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"nvmatch\">\n", out);
	print_suite(out, "run", &run, &failed);
	print_suite(out, "comparisons", &comparisons, &failed);
	print_suite(out, "gates", &gates, &failed);
	fputs("</testsuites>\n", out);
	if (failed)
		return -ENOMEM;
	return fflush(out) || ferror(out) ? -EIO : 0;
}
