/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evidence -> result -> verdict -> documents. */
#include "derive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "gates.h"
#include "gather.h"
#include "json-text.h"
#include "judge.h"
#include "report.h"
#include "result-json.h"
#include "store.h"
#include "verdict-json.h"

static int json_document(json_t *json, const char *name, struct document *document)
{
	char *text = json ? json_text(json, JSON_SHOWN | JSON_REAL_PRECISION(12)) : NULL;

	json_decref(json);
	document->name = name;
	document->data = text ? text_format("%s\n", text) : NULL;
	free(text);
	document->length = document->data ? strlen(document->data) : 0;
	return document->data ? 0 : -ENOMEM;
}

static int print_text(FILE *out, const struct result *result, const struct verdict *verdict)
{
	return report_text(out, result, verdict, false);
}

static int report_document(const struct derived *d, const char *name, struct document *document,
			   int (*print)(FILE *, const struct result *, const struct verdict *))
{
	FILE *out = open_memstream(&document->data, &document->length);
	int ret;

	document->name = name;
	if (!out)
		return -ENOMEM;
	ret = print(out, &d->result, &d->verdict);
	if (fclose(out) && !ret)
		ret = -ENOMEM;
	return ret;
}

int derive(const char *run, struct derived *d)
{
	int ret;

	memset(d, 0, sizeof(*d));
	ret = gather(run, &d->result);
	if (ret)
		return ret;
	ret = judge(&d->result, &d->verdict);
	if (!ret)
		ret = gates_judge(&d->result.plan.gates, &d->result, &d->verdict);
	if (!ret)
		ret = json_document(result_to_json(&d->result), "result.json", &d->documents[0]);
	if (!ret)
		ret = json_document(verdict_to_json(&d->verdict), "verdict.json", &d->documents[1]);
	if (!ret)
		ret = report_document(d, "report.txt", &d->documents[2], print_text);
	if (!ret)
		ret = report_document(d, "report.md", &d->documents[3], report_md);
	return ret ? fail(ret, "cannot build the report of %s: %s", run, strerror(-ret)) : 0;
}

int derive_gates(struct derived *d, const struct strings *gates)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < gates->count; i++)
		ret = gates_check(gates->items[i], &d->result.plan);
	return ret ? ret : gates_judge(gates, &d->result, &d->verdict);
}

int derive_write(const char *run, const struct derived *d)
{
	for (size_t i = 0; i < DERIVED_DOCUMENTS; i++) {
		int ret = store_replace(run, d->documents[i].name, d->documents[i].data, d->documents[i].length);

		if (ret)
			return ret;
	}
	return 0;
}

void derive_free(struct derived *d)
{
	for (size_t i = 0; i < DERIVED_DOCUMENTS; i++)
		free(d->documents[i].data);
	verdict_free(&d->verdict);
	gather_free(&d->result);
	memset(d, 0, sizeof(*d));
}

/* A calibration that found a difference is no calibration. */
static bool differs_from_itself(const struct verdict *v)
{
	for (size_t i = 0; i < v->comparisons_count; i++)
		if (v->comparisons[i].heads && (v->comparisons[i].verdict == VERDICT_DIFFERENT ||
						v->comparisons[i].verdict == VERDICT_DIFFERENT_SIZE_UNRESOLVED))
			return true;
	return false;
}

int derive_exit_status(const struct derived *d)
{
	if (strcmp(d->result.state, "complete"))
		return EXIT_INCOMPLETE;
	if (gates_failed(&d->verdict))
		return EXIT_GATE;
	if (d->result.plan.calibration && differs_from_itself(&d->verdict))
		return EXIT_NOT_VALID;
	if (d->verdict.headline == HEADLINE_NOT_VALID || d->verdict.headline == HEADLINE_NARROWER)
		return EXIT_NOT_VALID;
	return EXIT_DONE;
}
