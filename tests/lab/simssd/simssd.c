/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nbdkit plugin: an SSD whose truth is known. Parameters are listed in params.c, or by
 * nbdkit --dump-plugin and --help; docs/lab.md tells how to use it.
 */
#include "simssd.h"

#include <errno.h>

static int simssd_get_ready(void)
{
	if (content_make())
		return -1;
	now.temperature = conf.ambient;
	now.last_tick = seconds(CLOCK_MONOTONIC);
	publish_open();
	return 0;
}

static int simssd_pread(void *handle, void *data, uint32_t count, uint64_t offset, uint32_t flags)
{
	double done = take_channel(false, offset, count);
	bool bad = is_bad(offset, count);

	(void)handle, (void)flags;
	if (!bad)
		content_read(data, count, offset);
	sleep_until(done);
	if (bad)
		nbdkit_set_error(EIO);
	return bad ? -1 : 0;
}

static int simssd_pwrite(void *handle, const void *data, uint32_t count, uint64_t offset, uint32_t flags)
{
	double done = take_channel(true, offset, count);

	(void)handle, (void)flags;
	content_write(data, count, offset);
	sleep_until(done);
	return 0;
}

static int simssd_trim(void *handle, uint32_t count, uint64_t offset, uint32_t flags)
{
	(void)handle, (void)flags;
	content_trim(count, offset);
	cache_trim(count);
	return 0;
}

static void *simssd_open(int readonly)
{
	(void)readonly;
	return NBDKIT_HANDLE_NOT_NEEDED;
}

static int64_t simssd_get_size(void *handle)
{
	(void)handle;
	return conf.size;
}

static int simssd_flush(void *handle, uint32_t flags)
{
	(void)handle, (void)flags;
	return 0;
}

static int simssd_yes(void *handle)
{
	(void)handle;
	return 1;
}

static struct nbdkit_plugin plugin = {
	.name = "simssd",
	.longname = "simulated SSD",
	.config = set_parameter,
	.config_help = simssd_help,
	.get_ready = simssd_get_ready,
	.after_fork = publish_start,
	.open = simssd_open,
	.get_size = simssd_get_size,
	.pread = simssd_pread,
	.pwrite = simssd_pwrite,
	.trim = simssd_trim,
	.flush = simssd_flush,
	.can_multi_conn = simssd_yes,
};
struct nbdkit_plugin *plugin_init(void);
NBDKIT_REGISTER_PLUGIN(plugin)
