/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recursive descent over a gate's expression. */
#include "gates-internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	const char *start, *at;
	const struct plan *plan;
	struct gate *gate;
	int depth;
};

static int wrong(struct parser *p, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static int wrong(struct parser *p, const char *at, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(p->gate->error, sizeof(p->gate->error), format, ap);
	va_end(ap);
	p->gate->at = (size_t)(at - p->start);
	return -EINVAL;
}

static void blanks(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n')
		p->at++;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static size_t name_length(const char *s)
{
	size_t n = 0;
	bool quoted = false;

	while (s[n] && (quoted || in_name(s[n]) || s[n] == '"')) {
		quoted ^= s[n] == '"';
		n++;
	}
	return quoted ? 0 : n;
}

/* Takes the word if it is next. */
static bool word(struct parser *p, const char *s)
{
	size_t n = strlen(s);

	blanks(p);
	if (strncmp(p->at, s, n) || (isalpha((unsigned char)*s) && in_name(p->at[n])))
		return false;
	p->at += n;
	return true;
}

static int new_node(struct parser *p, enum gate_operator op, int left, int right)
{
	if (p->gate->count == GATE_NODES)
		return wrong(p, p->at, "too long: at most %d parts", GATE_NODES);
	p->gate->nodes[p->gate->count] = (struct gate_node){ .op = op, .left = left, .right = right };
	return p->gate->count++;
}

static const struct unit {
	const char *name;
	enum gate_kind kind;
	double factor;
} units[] = {
	{ "GB/s", KIND_RATE, 1e9 }, { "MB/s", KIND_RATE, 1e6 }, { "kB/s", KIND_RATE, 1e3 },
	{ "GiB/s", KIND_RATE, 0x1p30 }, { "MiB/s", KIND_RATE, 0x1p20 }, { "KiB/s", KIND_RATE, 0x1p10 },
	{ "B/s", KIND_RATE, 1 }, { "ns", KIND_TIME, 1 }, { "us", KIND_TIME, 1e3 }, { "ms", KIND_TIME, 1e6 },
	{ "s", KIND_TIME, 1e9 }, { "C", KIND_CELSIUS, 1 }, { "%", KIND_RATIO, 0.01 }, { "k", KIND_IOPS, 1e3 },
	{ "M", KIND_IOPS, 1e6 },
};

/* A number, with the unit that `kind` needs: bytes, time and degrees are never without one. */
static int number(struct parser *p, enum gate_kind kind, double *value)
{
	const char *start = p->at;
	char *end;

	if (strspn(p->at + (*p->at == '-'), "0123456789.") == 0)
		return wrong(p, start, "a number is needed here");
	*value = strtod(p->at, &end);
	if (end == p->at || !isfinite(*value) || strpbrk((char[]){ start[0], start[1], 0 }, "xX"))
		return wrong(p, start, "not a number");
	p->at = end;
	blanks(p);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t n = strlen(units[i].name);

		if (strncmp(p->at, units[i].name, n) || isalnum((unsigned char)p->at[n]) || p->at[n] == '/')
			continue;
		if (units[i].kind != kind)
			return wrong(p, p->at, "the unit %s does not fit", units[i].name);
		p->at += n;
		*value *= units[i].factor;
		return 0;
	}
	if (kind == KIND_RATE || kind == KIND_TIME || kind == KIND_CELSIUS)
		return wrong(p, p->at, "a unit is needed: %s", kind == KIND_RATE ? "GB/s, MB/s, MiB/s" :
			     kind == KIND_TIME ? "us, ms, s" : "C");
	return 0;
}

static int name(struct parser *p, struct gate_operand *operand)
{
	char error[160];
	size_t n;

	blanks(p);
	n = name_length(p->at);
	if (!n || (!isalpha((unsigned char)*p->at) && *p->at != '"'))
		return wrong(p, p->at, *p->at ? "a name is needed here" : "the expression ends too early");
	if (gate_name_parse(p->at, n, p->plan, &operand->name, error))
		return wrong(p, p->at, "%s", error);
	operand->is_name = true;
	p->at += n;
	return 0;
}

static int right_side(struct parser *p, struct gate_node *node)
{
	enum gate_kind kind = node->a.name.kind;
	const char *start;
	size_t n;
	bool quoted;
	int state;

	blanks(p);
	start = p->at;
	n = name_length(p->at);
	quoted = *start == '"' && n > 2;
	state = gate_state(kind, start + quoted, n - 2 * quoted);
	if (state >= 0) {
		p->at += n;
		node->b.value = state;
		return 0;
	}
	if (isdigit((unsigned char)*p->at) || *p->at == '-' || (*p->at == '.' && kind < KIND_HEADLINE))
		return number(p, kind, &node->b.value);
	if (kind == KIND_HEADLINE || kind == KIND_VERDICT || kind == KIND_LEDGER)
		return wrong(p, start, "not a state of %.60s", node->a.name.text);
	if (name(p, &node->b))
		return -EINVAL;
	return node->b.name.kind == kind ? 0 : wrong(p, start, "the two sides have different units");
}

static int comparison(struct parser *p)
{
	static const struct {
		const char *text;
		enum gate_relation relation;
	} relations[] = { { "<=", LESS_EQUAL }, { ">=", GREATER_EQUAL }, { "==", EQUAL }, { "!=", NOT_EQUAL },
			  { "<", LESS }, { ">", GREATER } };
	int n = new_node(p, NODE_COMPARE, 0, 0);
	struct gate_node *node = n < 0 ? NULL : &p->gate->nodes[n];
	bool found = false;
	const char *at;

	if (!node || name(p, &node->a))
		return -EINVAL;
	blanks(p);
	at = p->at;
	for (size_t i = 0; !found && i < sizeof(relations) / sizeof(*relations); i++) {
		found = word(p, relations[i].text);
		node->relation = relations[i].relation;
	}
	if (!found)
		return wrong(p, at, "one of < <= > >= == != is needed here");
	if (node->a.name.kind >= KIND_HEADLINE && node->a.name.kind <= KIND_LEDGER && node->relation < EQUAL)
		return wrong(p, at, "states have no order: use == or !=");
	return right_side(p, node) ? -EINVAL : n;
}

static int any_of(struct parser *p);

/* not X, ( X ), known(NAME), unknown(NAME), a comparison */
static int one(struct parser *p)
{
	const char *start = p->at;
	bool unknown, is_not = word(p, "not");
	int n;

	if (is_not || word(p, "(")) {
		if (++p->depth > GATE_DEPTH)
			return wrong(p, start, "too deep");
		n = is_not ? one(p) : any_of(p);
		p->depth--;
		if (n < 0)
			return n;
		if (is_not)
			return new_node(p, NODE_NOT, n, n);
		blanks(p);
		return word(p, ")") ? n : wrong(p, p->at, ") is missing");
	}
	unknown = word(p, "unknown");
	if (!unknown && !word(p, "known"))
		return comparison(p);
	n = new_node(p, unknown ? NODE_UNKNOWN : NODE_KNOWN, 0, 0);
	if (n < 0)
		return n;
	if (!word(p, "("))
		return wrong(p, p->at, "( is missing");
	if (name(p, &p->gate->nodes[n].a))
		return -EINVAL;
	return word(p, ")") ? n : wrong(p, p->at, ") is missing");
}

static int all_of(struct parser *p)
{
	int left = one(p);

	while (left >= 0 && word(p, "and")) {
		int right = one(p);

		left = right < 0 ? right : new_node(p, NODE_AND, left, right);
	}
	return left;
}

static int any_of(struct parser *p)
{
	int left = all_of(p);

	while (left >= 0 && word(p, "or")) {
		int right = all_of(p);

		left = right < 0 ? right : new_node(p, NODE_OR, left, right);
	}
	return left;
}

int gate_parse(const char *expression, const struct plan *plan, struct gate *gate)
{
	struct parser p = { .start = expression, .at = expression, .plan = plan, .gate = gate };

	memset(gate, 0, sizeof(*gate));
	if (strlen(expression) > GATE_LENGTH)
		return wrong(&p, expression, "longer than %d bytes", GATE_LENGTH);
	gate->root = any_of(&p);
	if (gate->root < 0)
		return -EINVAL;
	blanks(&p);
	return *p.at ? wrong(&p, p.at, "and, or, or the end is needed here") : 0;
}
