/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of the engine, its own and those of the base engines.
 *
 * fio gives an engine one option table and one option struct. Ours holds, besides our own
 * options, every option of every engine that fio knows, so that a job file says
 * `base_engine=io_uring` and then `fixedbufs=1` as if io_uring were the engine. Values for
 * the base are collected as text while fio parses, and given to the base engine's own
 * table when it is known which engine that is (options_apply).
 */
#ifndef NVMATCH_ENGINE_OPTIONS_H
#define NVMATCH_ENGINE_OPTIONS_H

#include "engine/abi.h"

/* What td->eo points at. */
struct engine_options {
	union {
		struct thread_data *td;		/* fio wants this at the start of any eo */
		char base_area[BASE_OPTIONS_MAX];	/* the option struct of the base engine */
	};
	char *base_engine;
	char *base_opts;
	char *base_captured;	/* lines name=value; a name after '?' may be unknown to the base */
	char *base_value;	/* of the option being parsed */
	char *record;
	char *temp_source;
	char *gate;
	unsigned long long record_budget;
	unsigned long long temp_interval_us;
	unsigned int classify;	/* enum rec_classify */
};

/*
 * The option table, made at the first call from the engines registered then. front is asked
 * to take over the flags of the default base engine, as fio looks at flags before setup.
 */
struct fio_option *options_table(struct ioengine_ops *front);

/*
 * Loads the engine that base_engine names. Prints the reason and returns NULL if there is no
 * such engine, or if it is this one.
 */
struct ioengine_ops *options_load_base(struct thread_data *td, const char *name);

/*
 * Gives the collected values to the base engine: its option struct at the start of eo is made
 * new. Prints and returns 1 if an option is not one of the base or has a bad value.
 */
int options_apply(struct thread_data *td, const struct ioengine_ops *base);

#endif
