/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names in a gate's expression: [WORKLOAD.][MODE.][METRIC.][SUBSET.]WHAT and a few others. */
#include "gates-internal.h"
#include "hypotheses.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model-json.h"

static const char *const *states_of(enum gate_kind kind)
{
	return kind == KIND_HEADLINE ? headline_names : kind == KIND_VERDICT ? verdict_names :
	       kind == KIND_LEDGER ? ledger_state_names : NULL;
}

int gate_state(enum gate_kind kind, const char *s, size_t n)
{
	const char *const *names = states_of(kind);

	for (int i = 0; names && names[i]; i++)
		if (strlen(names[i]) == n && !memcmp(names[i], s, n))
			return i;
	return -1;
}

const char *gate_state_name(enum gate_kind kind, int state)
{
	return states_of(kind)[state];
}

static const struct what {
	const char *word;
	enum gate_what what;
	enum gate_kind kind;
} whats[] = {
	{ "ratio", WHAT_RATIO, KIND_RATIO }, { "ci95_low", WHAT_LOW, KIND_RATIO },
	{ "ci95_high", WHAT_HIGH, KIND_RATIO }, { "a", WHAT_A, KIND_RATE }, { "b", WHAT_B, KIND_RATE },
	{ "verdict", WHAT_VERDICT, KIND_VERDICT }, { "rounds", WHAT_ROUNDS, KIND_COUNT },
	{ "match", WHAT_MATCH, KIND_RATIO }, { "headline", WHAT_HEADLINE, KIND_HEADLINE },
};

static const struct metric {
	const char *word, *metric;
	enum gate_kind kind;
} metrics[] = {
	{ "bw", "bw_bytes_per_s", KIND_RATE }, { "iops", "iops", KIND_IOPS },
	{ "p50", "latency_p50_ns", KIND_TIME }, { "p99", "latency_p99_ns", KIND_TIME },
	{ "p99_9", "latency_p99_9_ns", KIND_TIME }, { "max", "latency_max_ns", KIND_TIME },
};

#define PARTS 8
struct parts {
	char word[PARTS][GATE_NAME];
	int count;
};

/* Splits at dots; what is in double quotes stands together. p99.9 is one word. */
static int split(const char *s, size_t n, struct parts *p)
{
	size_t length = 0;
	bool quoted = false;

	p->count = 1;
	memset(p->word, 0, sizeof(p->word));
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"') {
			quoted = !quoted;
		} else if (s[i] == '.' && !quoted) {
			if (!strcmp(p->word[p->count - 1], "p99") && i + 1 < n && s[i + 1] == '9' &&
			    (i + 2 == n || s[i + 2] == '.')) {
				p->word[p->count - 1][length++] = '_';
				continue;
			}
			if (p->count == PARTS)
				return -EINVAL;
			p->count++;
			length = 0;
		} else if (length + 1 < GATE_NAME) {
			p->word[p->count - 1][length++] = s[i];
		} else {
			return -EINVAL;
		}
	}
	return 0;
}

static const struct workload *find_workload(const struct plan *plan, const char *name)
{
	for (size_t i = 0; plan && i < plan->workloads_count; i++)
		if (!strcmp(plan->workloads[i].name, name))
			return &plan->workloads[i];
	return NULL;
}

static bool is_metric(struct gate_name *name, const char *word)
{
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		if (!strcmp(word, metrics[i].word) && !*name->metric) {
			snprintf(name->metric, sizeof(name->metric), "%s", metrics[i].metric);
			if (name->what == WHAT_A || name->what == WHAT_B)
				name->kind = metrics[i].kind;
			return true;
		}
	}
	return false;
}

static bool is_subset(struct gate_name *name, const char *word)
{
	bool good = !strcmp(word, "matched") || !strcmp(word, "all");

	for (int i = 0; data_state_names[i]; i++)
		good = good || !strcmp(word, data_state_names[i]);
	if (!good || *name->subset)
		return false;
	snprintf(name->subset, sizeof(name->subset), "%s", word);
	return true;
}

/* What stands before the last word. */
static int take_selector(struct gate_name *name, const char *word, bool first, const struct plan *plan,
			 char error[160])
{
	if (first && (!strcmp(word, "any") || !strcmp(word, "all") || find_workload(plan, word))) {
		snprintf(name->workload, sizeof(name->workload), "%.127s", word);
		return 0;
	}
	if (name->mode < 0 && (!strcmp(word, "single") || !strcmp(word, "concurrent"))) {
		name->mode = !strcmp(word, "concurrent");
		return 0;
	}
	if (is_metric(name, word) || is_subset(name, word))
		return 0;
	if (first && !plan) {
		snprintf(name->workload, sizeof(name->workload), "%.127s", word);
		return 0;
	}
	snprintf(error, 160, first ? "there is no workload %.60s here" : "%.60s selects nothing", word);
	return -EINVAL;
}

static int only_one(const struct gate_name *name, const struct plan *plan, char error[160])
{
	if (*name->workload || !plan || plan->workloads_count == 1)
		return 0;
	snprintf(error, 160, "there are %zu workloads: put one's name, any or all before %.60s",
		 plan->workloads_count, name->text);
	return -EINVAL;
}

/* a.temperature_max, b.temperature_max, temperature_max; ledger.ID; headline */
static bool is_other(const struct parts *p, struct gate_name *name)
{
	const char *last = p->word[p->count - 1];

	if (p->count == 1 && !strcmp(last, "headline")) {
		name->what = WHAT_RUN_HEADLINE;
		name->kind = KIND_HEADLINE;
	} else if (!strcmp(last, "temperature_max") && (p->count == 1 || (p->count == 2 &&
		   (!strcmp(p->word[0], "a") || !strcmp(p->word[0], "b"))))) {
		name->what = WHAT_TEMPERATURE;
		name->kind = KIND_CELSIUS;
		name->side = p->count == 1 ? -1 : *p->word[0] == 'a' ? SIDE_A : SIDE_B;
	} else if (p->count == 2 && !strcmp(p->word[0], "ledger")) {
		name->what = WHAT_LEDGER;
		name->kind = KIND_LEDGER;
		snprintf(name->ledger, sizeof(name->ledger), "%.39s", last);
	} else {
		return false;
	}
	return true;
}

/* The heading metric of a workload is IOPS if it is random: the unit follows. */
static enum gate_kind heading_kind(const struct gate_name *name, const struct plan *plan)
{
	const struct workload *w = find_workload(plan, name->workload);

	if (!w && plan && plan->workloads_count)
		w = &plan->workloads[0];
	return w && !strncmp(w->rw, "rand", 4) ? KIND_IOPS : KIND_RATE;
}

int gate_name_parse(const char *s, size_t n, const struct plan *plan, struct gate_name *name, char error[160])
{
	struct parts p;
	bool found = false;
	int ret = 0;

	*name = (struct gate_name){ .mode = -1, .side = -1 };
	snprintf(name->text, sizeof(name->text), "%.*s", (int)(n < GATE_NAME ? n : GATE_NAME - 1), s);
	if (split(s, n, &p)) {
		snprintf(error, 160, "the name is too long");
		return -EINVAL;
	}
	if (is_other(&p, name)) {
		if (name->what == WHAT_LEDGER && !hypothesis_exists(name->ledger)) {
			snprintf(error, 160, "the ledger has no row %.40s (docs/method.md has their names)", name->ledger);
			return -EINVAL;
		}
		return 0;
	}
	for (size_t i = 0; !found && i < sizeof(whats) / sizeof(*whats); i++) {
		found = !strcmp(p.word[p.count - 1], whats[i].word);
		name->what = whats[i].what;
		name->kind = whats[i].kind;
	}
	if (!found) {
		snprintf(error, 160, "there is no value %.60s (docs/gates.md has the names)", p.word[p.count - 1]);
		return -EINVAL;
	}
	for (int i = 0; !ret && i < p.count - 1; i++)
		ret = take_selector(name, p.word[i], i == 0, plan, error);
	if (!*name->metric && (name->what == WHAT_A || name->what == WHAT_B))
		name->kind = heading_kind(name, plan);
	return ret ? ret : only_one(name, plan, error);
}
