/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks that the running fio has the struct layouts this engine was compiled with. */
#include "engine/abi.h"

#include <dlfcn.h>
#include <link.h>

static int __attribute__((format(printf, 1, 2))) refuse(const char *format, ...)
{
	const char *running = dlsym(RTLD_DEFAULT, "fio_version_string");
	char why[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(why, sizeof(why), format, ap);
	va_end(ap);
	fprintf(stderr,
		ENGINE_NAME ": this engine needs " FIO_VERSION " and cannot be used with %s: %s. "
		"Build it with the source of the fio that is to run it.\n",
		running ? running : "this program", why);
	return 1;
}

void abi_for_each_engine(int (*fn)(struct ioengine_ops *ops, void *arg), void *arg)
{
	struct ioengine_ops probe = { .name = "datastate-probe", .version = FIO_IOOPS_VERSION };
	struct flist_head *head, *entry, *next;

	register_ioengine(&probe);
	head = probe.list.next;		/* it was added at the end of a ring */
	unregister_ioengine(&probe);
	for (entry = head->next; entry != head; entry = next) {
		next = entry->next;
		if (fn(flist_entry(entry, struct ioengine_ops, list), arg))
			return;
	}
}

static bool is_mapped(const void *address)
{
	Dl_info info;

	return address && dladdr(address, &info);
}

/* The first members of struct ioengine_ops (list, name, version) are the same in all versions. */
static int check_ops(struct ioengine_ops *ops, void *arg)
{
	int *failed = arg;

	if (ops->version != FIO_IOOPS_VERSION) {
		*failed = refuse("its engine interface has version %d, not %d", ops->version,
				 FIO_IOOPS_VERSION);
	} else if (!is_mapped(ops->queue) || ops->option_struct_size < 0 ||
		   ops->option_struct_size > BASE_OPTIONS_MAX ||
		   (ops->option_struct_size &&
		    (!is_mapped(ops->options) || !is_mapped(ops->options->name)))) {
		*failed = refuse("struct ioengine_ops differs (engine %s)", ops->name);
	}
	return *failed;
}

static size_t size_of_symbol(const void *address)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
	    info.dli_saddr != address)
		return 0;
	return symbol->st_size;
}

/* fio says where it keeps the value of each option: these must be our places. */
#define PLACE(option, field) { option, offsetof(struct thread_options, field) }
static const struct {
	const char *option;
	unsigned int offset;
} places[] = {
	PLACE("description", description),
	PLACE("name", name),
	PLACE("wait_for", wait_for),
	PLACE("filename", filename),
	PLACE("iodepth", iodepth),
	PLACE("rw", td_ddir),
	PLACE("direct", odirect),
	PLACE("size", size),
	PLACE("iodepth_batch", iodepth_batch),
	PLACE("io_submit_mode", io_submit_mode),
	PLACE("nrfiles", nr_files),
	PLACE("thread", use_thread),
	PLACE("runtime", timeout),
	PLACE("ramp_time", ramp_time),
	PLACE("startdelay", start_delay),
	PLACE("loops", loops),
	PLACE("numjobs", numjobs),
	PLACE("verify", verify),
	PLACE("read_iolog", read_iolog_file),
	PLACE("write_iolog", write_iolog_file),
	PLACE("disable_lat", disable_lat),
	PLACE("disable_clat", disable_clat),
	PLACE("disable_slat", disable_slat),
	PLACE("disable_bw_measurement", disable_bw),
	PLACE("zonemode", zone_mode),
	PLACE("rate_iops", rate_iops),
	PLACE("group_reporting", group_reporting),
	PLACE("continue_on_error", continue_on_error),
	PLACE("log_offset", log_offset),
	PLACE("buffer_compress_percentage", compress_percentage),
	PLACE("dedupe_percentage", dedupe_percentage),
	PLACE("unified_rw_reporting", unified_rw_rep),
	PLACE("steadystate", ss_state),
	PLACE("allow_file_create", allow_create),
	PLACE("thinktime", thinktime),
	PLACE("flow", flow),
	PLACE("replay_align", replay_align),
};

static int check_options(const struct fio_option *table)
{
	size_t bytes = size_of_symbol(table);
	unsigned int known = 0;

	if (bytes % sizeof(struct fio_option))
		return refuse("struct fio_option differs");
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const struct fio_option *o = fio_option_find(places[i].option);

		if (!o)
			continue;
		if ((uintptr_t)((const char *)o - (const char *)table) % sizeof(*o) ||
		    strcmp(o->name, places[i].option))
			return refuse("struct fio_option differs");
		if (!o->off1)
			continue;
		if (o->off1 != places[i].offset)
			return refuse("struct thread_options differs (%s)", places[i].option);
		known++;
	}
	return known < 20 ? refuse("only %u of its options are known", known) : 0;
}

int abi_check_fio(void)
{
	const char *running = dlsym(RTLD_DEFAULT, "fio_version_string");
	const struct fio_option *table = dlsym(RTLD_DEFAULT, "fio_options");
	int failed = 0;

	if (!running || !table)
		return refuse("it is not fio, or a fio that exports nothing");
	if (strcmp(running, FIO_VERSION))
		return refuse("the versions differ");
	if (!register_ioengine || !unregister_ioengine || !load_ioengine || !parse_cmd_option ||
	    !fill_default_options || !options_init || !options_free || !fio_option_find ||
	    !fio_gettime || !ntime_since || !td_io_get_file_size || !log_err || !do_io_u_sync)
		return refuse("it lacks a function that the engine calls");
	abi_for_each_engine(check_ops, &failed);
	return failed ? failed : check_options(table);
}

/* td->eo follows td->o, and td->io_ops lies far behind in the struct. */
int abi_check_td(const struct thread_data *td, const struct ioengine_ops *front, const void *eo)
{
	if (td->io_ops != front)
		return refuse("struct thread_data differs (io_ops)");
	if (td->o.magic != OPT_MAGIC)
		return refuse("struct thread_data differs (o.magic)");
	if (eo && td->eo != eo)
		return refuse("struct thread_data differs (eo)");
	return 0;
}

/* fio's own function sets .error of an io_u with a direction that does not exist. */
static bool error_is_in_place(const struct thread_data *td)
{
	union {
		struct io_u u;
		char room[8192];
	} made_up;

	memset(&made_up, 0, sizeof(made_up));
	made_up.u.ddir = DDIR_LAST + 1;
	made_up.u.xfer_buflen = 1;
	do_io_u_sync(td, &made_up.u);
	return made_up.u.error == EINVAL;
}

static bool file_is_in_place(const struct thread_data *td, const struct io_u *u)
{
	/* an offload worker is given the file of its parent */
	if (!u->file || td->parent)
		return true;
	for (unsigned int i = 0; i < td->files_index; i++)
		if (td->files[i] == u->file)
			return true;
	return false;
}

static unsigned long long largest_block(const struct thread_options *o)
{
	unsigned long long bytes = 0;

	for (int i = 0; i < DDIR_RWDIR_CNT; i++)
		if (o->max_bs[i] > bytes)
			bytes = o->max_bs[i];
	return bytes;
}

int abi_check_io_u(struct thread_data *td, const struct io_u *u)
{
	if (!error_is_in_place(td))
		return refuse("struct io_u differs (error)");
	if (!file_is_in_place(td, u))
		return refuse("struct io_u differs (file)");
	if (!(u->flags & IO_U_F_FLIGHT))
		return refuse("struct io_u differs (flags)");
	if ((unsigned int)u->ddir >= DDIR_LAST)
		return refuse("struct io_u differs (ddir)");
	if ((u->ddir == DDIR_READ || u->ddir == DDIR_WRITE) &&
	    (u->xfer_buf != u->buf || u->xfer_buflen != u->buflen || u->resid || u->error ||
	     (!td->o.read_iolog_file && u->xfer_buflen > largest_block(&td->o))))
		return refuse("struct io_u differs (buffers)");
	return 0;
}
