/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one way to fio.h, and the functions of fio that the engine calls. They are weak: a fio
 * that lacks one shall get a clear line (abi.c), not a crash at the first call.
 */
#ifndef NVMATCH_ENGINE_FIO_API_H
#define NVMATCH_ENGINE_FIO_API_H

#include "fio.h"
#include "ioengines.h"
#include "optgroup.h"

#define ENGINE_NAME "datastate"

#define FIO_WEAK(function) extern __typeof__(function) function __attribute__((weak))
FIO_WEAK(register_ioengine);
FIO_WEAK(unregister_ioengine);
FIO_WEAK(load_ioengine);
FIO_WEAK(parse_cmd_option);
FIO_WEAK(fill_default_options);
FIO_WEAK(options_init);
FIO_WEAK(options_free);
FIO_WEAK(fio_option_find);
FIO_WEAK(fio_gettime);
FIO_WEAK(ntime_since);
FIO_WEAK(td_io_get_file_size);
FIO_WEAK(log_err);
FIO_WEAK(do_io_u_sync);

#endif
