/* SPDX-License-Identifier: GPL-2.0-only */
/* The option table, and the way of base engine options through it. */
#include "engine/options.h"

#include "record/format.h"

static int base_engine_set(void *data, const char *name);

#define PLACE(field) .off1 = offsetof(struct engine_options, field)
#define GROUPED .category = FIO_OPT_C_ENGINE, .group = FIO_OPT_G_INVALID

static const struct fio_option own_options[] = {
	{
		.name = "base_engine",
		.lname = "Base engine",
		.type = FIO_OPT_STR_STORE,
		PLACE(base_engine),
		.cb = base_engine_set,
		.def = "io_uring",
		.prio = 100,	/* parsed first in a section: the others depend on it */
		.help = "fio engine that does the I/O; its own options are accepted beside these",
		GROUPED,
	},
	{
		.name = "base_opts",
		.lname = "Base engine options",
		.type = FIO_OPT_STR_STORE,
		PLACE(base_opts),
		.help = "name[=value],... for a base engine whose options fio does not know here",
		GROUPED,
	},
	{
		.name = "record",
		.lname = "Record file prefix",
		.type = FIO_OPT_STR_STORE,
		PLACE(record),
		.help = "record into PREFIX.JOB.THREAD.rec, one file per thread; unset: no records",
		GROUPED,
	},
	{
		.name = "record_budget",
		.lname = "Record budget",
		.type = FIO_OPT_STR_VAL,
		PLACE(record_budget),
		.def = "64m",
		.minval = 48,
		.help = "bytes of records per thread before they are thinned by offset",
		GROUPED,
	},
	{
		.name = "classify",
		.lname = "Classification of data",
		.type = FIO_OPT_STR,
		PLACE(classify),
		.def = "full",
		.posval = {
			{ .ival = "off", .oval = REC_CLASSIFY_OFF, .help = "Data is not looked at" },
			{ .ival = "hash", .oval = REC_CLASSIFY_HASH, .help = "Hash of the content" },
			{ .ival = "state", .oval = REC_CLASSIFY_STATE, .help = "Data state" },
			{ .ival = "full", .oval = REC_CLASSIFY_FULL,
			  .help = "Both; a sample of offsets where it would slow the job" },
			{ .ival = "all", .oval = REC_CLASSIFY_ALL,
			  .help = "Both, of every I/O, however slow that makes the job" },
		},
		.help = "What is done with the data of an I/O",
		GROUPED,
	},
	{
		.name = "temp_source",
		.lname = "Temperature source",
		.type = FIO_OPT_STR_STORE,
		PLACE(temp_source),
		.def = "auto",
		.help = "auto (sensor of the target's drive), a file with millidegrees, or none",
		GROUPED,
	},
	{
		.name = "temp_interval",
		.lname = "Temperature interval",
		.type = FIO_OPT_STR_VAL_TIME,
		PLACE(temp_interval_us),
		.def = "1",
		.is_seconds = 1,
		.minval = 1000,
		.help = "time between two samples of temperature, in seconds or with a unit (100ms)",
		GROUPED,
	},
	{
		.name = "gate",
		.lname = "Start gate",
		.type = FIO_OPT_STR_STORE,
		PLACE(gate),
		.help = "start each section together with other fio processes at this gate file",
		GROUPED,
	},
	{
		/* in the table so that fio copies and frees it with the rest */
		.name = "datastate_captured",
		.lname = "internal",
		.type = FIO_OPT_STR_STORE,
		PLACE(base_captured),
		.hide = 1,
		.help = "internal: the base engine's options",
		GROUPED,
	},
};

/* fio's own limit on options of all kinds is 640. */
#define TABLE_MAX 400

struct table {
	struct fio_option options[TABLE_MAX];	/* ends with one without a name */
	unsigned int count;
	struct ioengine_ops *front;
};

/* Made once while fio starts; after that only an engine in a .so of its own adds to it. */
static struct table *table;

static const struct fio_option *find(const struct fio_option *options, const char *name)
{
	for (; options && options->name; options++)
		if (!strcmp(options->name, name) ||
		    (options->alias && !strcmp(options->alias, name)))
			return options;
	return NULL;
}

struct by_name {
	const char *name;
	struct ioengine_ops *found;
};

static int match_name(struct ioengine_ops *ops, void *arg)
{
	struct by_name *wanted = arg;

	if (strcmp(ops->name, wanted->name))
		return 0;
	wanted->found = ops;
	return 1;
}

/* The registered engine of that name, under the aliases that fio itself accepts. */
static struct ioengine_ops *registered(const char *name)
{
	struct by_name wanted = { .name = name };

	if (!strncmp(name, "linuxaio", 8) || !strncmp(name, "aio", 3))
		wanted.name = "libaio";
	abi_for_each_engine(match_name, &wanted);
	return wanted.found;
}

/* ---- capture: fio parses, we keep the text --------------------------------------------- */

static int keep_value(void *data, const char *value)
{
	struct engine_options *eo = data;

	free(eo->base_value);
	eo->base_value = value ? strdup(value) : NULL;
	return 0;
}

static int keep_set(void *data, int *value)
{
	return keep_value(data, *value ? "1" : "0");
}

/*
 * A bad value shall be refused where it stands. Which base engine it will be is settled only
 * later, so an option that the present one lacks passes here.
 */
static int try_value(struct thread_data *td, const char *base_engine, const char *name,
		     const char *value)
{
	struct ioengine_ops *base = td && base_engine ? registered(base_engine) : NULL;
	struct engine_options scratch;
	int failed;

	if (!base || !find(base->options, name))
		return 0;
	memset(&scratch, 0, sizeof(scratch));
	scratch.td = td;
	options_init(base->options);
	fill_default_options(&scratch, base->options);
	failed = parse_cmd_option(name, value, base->options, &scratch, NULL);
	options_free(base->options, &scratch);
	return failed;
}

/* The only callback that is given the option. Runs after the value was kept. */
static int capture(const struct fio_option *o, void *data)
{
	struct engine_options *eo = data;
	const char *value = eo->base_value;
	bool global = eo->td && !eo->td->thread_number;
	char *lines;

	if (try_value(eo->td, eo->base_engine, o->name, value))
		return 1;
	/* as fio does it: an option in [global] may concern another section's engine */
	if (asprintf(&lines, "%s%s%s%s%s\n", eo->base_captured ? eo->base_captured : "",
		     global ? "?" : "", o->name, value ? "=" : "", value ? value : "") < 0)
		return 1;
	free(eo->base_captured);
	eo->base_captured = lines;
	return keep_value(eo, NULL);
}

static int add_options_of(struct ioengine_ops *ops, void *arg)
{
	const struct fio_option *from;

	(void)arg;
	for (from = ops->options; ops != table->front && from && from->name; from++) {
		bool flag = from->type == FIO_OPT_STR_SET;	/* given without a value */

		if (from->type == FIO_OPT_DEPRECATED || from->type == FIO_OPT_SOFT_DEPRECATED ||
		    from->type == FIO_OPT_UNSUPPORTED || find(table->options, from->name) ||
		    table->count == TABLE_MAX - 1)
			continue;
		table->options[table->count++] = (struct fio_option){
			.name = from->name,
			.lname = from->lname ? from->lname : from->name,
			.alias = from->alias,
			.type = flag ? FIO_OPT_STR_SET : FIO_OPT_STR,
			.cb = flag ? (void *)keep_set : (void *)keep_value,
			.verify = capture,
			.help = from->help,
			GROUPED,
		};
	}
	return 0;
}

/* ---- base_engine= ------------------------------------------------------------------------ */

struct ioengine_ops *options_load_base(struct thread_data *td, const char *name)
{
	char *so_path = td->o.ioengine_so_path, *engine = td->o.ioengine;
	struct ioengine_ops *base;
	char external[] = "external";

	/* fio takes the name from td; give it the base's for the time of the call */
	td->o.ioengine = (char *)name;
	td->o.ioengine_so_path = NULL;
	if (!strncmp(name, "external:", 9)) {
		td->o.ioengine = external;
		td->o.ioengine_so_path = (char *)name + 9;
	}
	base = load_ioengine(td);
	td->o.ioengine = engine;
	td->o.ioengine_so_path = so_path;
	if (base == table->front) {
		fprintf(stderr, ENGINE_NAME ": base_engine cannot be " ENGINE_NAME " itself\n");
		return NULL;
	}
	if (!base)
		fprintf(stderr, ENGINE_NAME ": cannot use base_engine=%s\n", name);
	return base;
}

/*
 * From here to setup fio decides by the engine's flags (can it trim, extend files, ...): let the
 * thread have the base's. Jobs after [global] start from the front's.
 */
static int base_engine_set(void *data, const char *name)
{
	struct engine_options *eo = data;
	struct thread_data *td = eo->td;
	struct ioengine_ops *base;

	if (!td)	/* fio fills in defaults */
		return 0;
	if (abi_check_td(td, table->front, data))
		return 1;
	base = options_load_base(td, name);
	if (!base)
		return 1;
	td->io_ops = base;
	td_set_ioengine_flags(td);
	td->io_ops = table->front;
	if (!td->thread_number)
		table->front->flags = base->flags & ~FIO_NO_OFFLOAD;
	if (base->dlhandle)
		add_options_of(base, NULL);
	return 0;
}

struct fio_option *options_table(struct ioengine_ops *front)
{
	struct ioengine_ops *base;

	if (table)
		return table->options;
	table = calloc(1, sizeof(*table));
	if (!table)
		return NULL;
	table->front = front;
	table->count = sizeof(own_options) / sizeof(own_options[0]);
	memcpy(table->options, own_options, sizeof(own_options));
	abi_for_each_engine(add_options_of, NULL);
	base = registered(own_options[0].def);
	if (base)
		front->flags = base->flags & ~FIO_NO_OFFLOAD;
	return table->options;
}

/* ---- replay into the base engine ----------------------------------------------------------- */

static int apply_one(struct engine_options *eo, const struct ioengine_ops *base, char *line)
{
	bool optional = *line == '?';
	char *name = line + optional, *value = strchr(name, '=');

	if (value)
		*value++ = '\0';
	if (find(base->options, name))
		return parse_cmd_option(name, value, base->options, eo, NULL);
	if (optional)
		return 0;
	fprintf(stderr, ENGINE_NAME ": option %s is not an option of base_engine=%s\n", name,
		eo->base_engine);
	return 1;
}

static int apply_list(struct engine_options *eo, const struct ioengine_ops *base, const char *list,
		      const char *separators)
{
	char *copy = strdup(list ? list : ""), *rest = copy, *line;
	int failed = !copy;

	while (!failed && (line = strsep(&rest, separators)))
		if (*line)
			failed = apply_one(eo, base, line);
	free(copy);
	return failed;
}

int options_apply(struct thread_data *td, const struct ioengine_ops *base)
{
	struct engine_options *eo = td->eo;
	int failed;

	memset(eo->base_area, 0, sizeof(eo->base_area));
	eo->td = td;
	if (base->options) {
		options_init(base->options);
		fill_default_options(eo, base->options);
	}
	failed = apply_list(eo, base, eo->base_captured, "\n") ||
		 apply_list(eo, base, eo->base_opts, ",");
	eo->td = NULL;	/* as fio leaves it after parsing */
	return failed;
}
