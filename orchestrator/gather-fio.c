/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fio wrote in one slot on one side. */
#include "gather-slot.h"

#include <errno.h>
#include <stdlib.h>

#include "fio-json.h"
#include "text.h"

/* A document without a result is named, so that one can look at it. */
static int name_file(struct fio_run *run)
{
	char *reason;

	if (run->state != FIO_NO_RESULT)
		return 0;
	reason = text_format("fio.json: %s", run->reason ? run->reason : "no result");
	if (!reason)
		return -ENOMEM;
	free(run->reason);
	run->reason = reason;
	return 0;
}

int gather_fio(const char *dir, const struct workload *w, struct fio_run *run)
{
	_cleanup_free_ char *json = text_format("%s/fio.json", dir), *exit = text_format("%s/exit", dir);
	_cleanup_free_ char *line = NULL, *text = NULL;
	struct fio_expect expect = FIO_EXPECT_NOTHING;
	int64_t code;
	size_t length = 0;
	int ret;

	*run = (struct fio_run){ 0 };
	if (!json || !exit)
		return -ENOMEM;
	expect.planned_jobs = (int64_t)w->ranges_count * w->numjobs;
	if (!text_read_line(exit, &line) && !text_to_i64(line, &code))
		expect.exit_status = (int)code;
	/* a range that may end by its number of bytes may end before its time */
	if (w->timed && !known(w->io_bytes))
		expect.asked_runtime_ms = w->runtime_ns / 1000000;
	ret = text_read_file(json, 256 << 20, &text, &length);
	if (ret == -ENOMEM)
		return ret;
	ret = fio_json_read(text ? text : "", length, &expect, run);
	return ret ? ret : name_file(run);
}
