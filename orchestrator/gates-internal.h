/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An expression of a gate as it was parsed: nodes in a fixed array, no memory of its own. */
#ifndef NVMATCH_GATES_INTERNAL_H
#define NVMATCH_GATES_INTERNAL_H

#include "gates.h"

#define GATE_NODES 64
#define GATE_DEPTH 32		/* of parentheses and nots */
#define GATE_LENGTH 1000	/* bytes of an expression */
#define GATE_NAME 128

/* What a value counts; both sides of a comparison must have the same. */
enum gate_kind { KIND_RATIO, KIND_RATE, KIND_IOPS, KIND_TIME, KIND_CELSIUS, KIND_HEADLINE, KIND_VERDICT,
		 KIND_LEDGER, KIND_COUNT };

enum gate_what { WHAT_RATIO, WHAT_LOW, WHAT_HIGH, WHAT_A, WHAT_B, WHAT_VERDICT, WHAT_ROUNDS, WHAT_MATCH,
		 WHAT_HEADLINE, WHAT_TEMPERATURE, WHAT_LEDGER, WHAT_RUN_HEADLINE };

struct gate_name {
	char text[GATE_NAME];		/* as it was written */
	char workload[GATE_NAME];	/* "": the only one; "any", "all" */
	int mode;			/* 0 single, 1 concurrent, -1: that of the heading comparison */
	char metric[24];		/* "": that of the heading comparison */
	char subset[24];		/* "": that of the heading comparison, or all */
	int side;			/* temperature: SIDE_A, SIDE_B, -1: the hotter one */
	enum gate_what what;
	enum gate_kind kind;
	char ledger[40];
};

enum gate_operator { NODE_OR, NODE_AND, NODE_NOT, NODE_COMPARE, NODE_KNOWN, NODE_UNKNOWN };
enum gate_relation { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL };

struct gate_operand {
	bool is_name;
	struct gate_name name;
	double value;			/* a number in bytes/s, IOPS, ns, C or as a plain ratio; a state's index */
};

struct gate_node {
	enum gate_operator op;
	int left, right;		/* nodes of and, or, not */
	enum gate_relation relation;
	struct gate_operand a, b;	/* of a comparison; known(a) */
};

struct gate {
	struct gate_node nodes[GATE_NODES];
	int count, root;
	char error[160];
	size_t at;			/* where the error is, in bytes */
};

/* 0, or -EINVAL with error and at set. plan may be NULL. */
int gate_parse(const char *expression, const struct plan *plan, struct gate *gate);

/* Reads a name "a.b.c" of n bytes. 0, or -EINVAL with a reason in error. */
int gate_name_parse(const char *s, size_t n, const struct plan *plan, struct gate_name *name,
		    char error[160]);

/* The index of a state's name, -1: there is none, or the kind has no states. */
int gate_state(enum gate_kind kind, const char *s, size_t n);
/* The name of a state. */
const char *gate_state_name(enum gate_kind kind, int state);

#endif
