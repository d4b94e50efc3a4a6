/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a run says how it stands, and how a watcher finds that. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fail.h"
#include "live.h"
#include "model-json.h"
#include "store.h"

#define WORK_PREFIX "/dev/shm/nvmatch-"
#define MOST_BYTES 65536

static const struct field side_fields[] = {
	F_STRING(struct live_side, name), F_BOOL(struct live_side, active), F_DOUBLE(struct live_side, share),
	F_DOUBLE(struct live_side, bytes_per_s), F_DOUBLE(struct live_side, latency_ns),
	F_INT(struct live_side, bytes), F_DOUBLE(struct live_side, temperature_c),
	F_DOUBLE(struct live_side, threshold_c), F_END
};

static const struct field live_fields[] = {
	F_INT(struct live, slot), F_INT(struct live, slots), F_INT(struct live, round),
	F_INT(struct live, rounds), F_INT(struct live, left_ns), F_STRING(struct live, workload),
	F_ENUM(struct live, mode, slot_mode_names), F_STRING(struct live, waiting),
	F_INT(struct live, waiting_left_ns), F_STRUCT(struct live, a, side_fields),
	F_STRUCT(struct live, b, side_fields), F_END
};

/* When a process began, in ticks since boot (proc(5), field 22): a number alone may be another's by now. */
static int64_t began(int64_t pid)
{
	_cleanup_free_ char *path = text_format("/proc/%lld/stat", (long long)pid), *line = NULL;
	char *p = path && !text_read_line(path, &line) ? strrchr(line, ')') : NULL, *end;
	long long ticks;

	for (int i = 2; p && i < 22; i++)
		p = strchr(p + 1, ' ');
	if (!p)
		return UNKNOWN_I64;
	ticks = strtoll(p + 1, &end, 10);
	return end > p + 1 ? ticks : UNKNOWN_I64;
}

int live_announce(const char *run, const char *work)
{
	json_t *json = json_pack("{s:I, s:I, s:s}", "pid", (json_int_t)getpid(), "began_ticks",
				 (json_int_t)began(getpid()), "work", work);

	return json ? store_replace_json(run, "live.json", json) : -ENOMEM;
}

void live_withdraw(const char *run)
{
	_cleanup_free_ char *path = text_format("%s/live.json", run);

	if (path)
		unlink(path);
}

void live_publish(const char *work, const struct live *live)
{
	_cleanup_free_ char *path = text_format("%s/status.json", work), *fresh = text_format("%s/status.new", work);
	json_t *json = fields_to_json(live_fields, live);

	if (path && fresh && json && !json_dump_file(json, fresh, JSON_ENSURE_ASCII))
		rename(fresh, path);
	json_decref(json);
}

static int64_t int_of(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	return json_is_integer(v) ? json_integer_value(v) : UNKNOWN_I64;
}

/* The file lies where only a run of ours puts it: what a run directory says may be anyone's. */
static bool is_ours(const char *work)
{
	return work && !strncmp(work, WORK_PREFIX, strlen(WORK_PREFIX)) && !strchr(work + strlen(WORK_PREFIX), '/');
}

static int read_status(const char *work, struct live *live)
{
	_cleanup_free_ char *path = text_format("%s/status.json", work), *data = NULL;
	const char *wrong;
	json_t *json;
	size_t length;
	int ret = path ? text_read_file(path, MOST_BYTES, &data, &length) : -ENOMEM;

	if (ret)
		return ret;
	json = json_loadb(data, length, 0, NULL);
	ret = json ? fields_from_json(live_fields, json, live, &wrong) : -EBADMSG;
	json_decref(json);
	return ret;
}

int live_find(const char *run, enum live_state *state, struct live *live)
{
	_cleanup_free_ char *end = text_format("%s/end.json", run);
	json_t *json = NULL;
	const char *work;
	int64_t pid;
	int ret = store_read_json(run, "live.json", &json);

	*live = (struct live){ 0 };
	if (ret == -ENOENT) {
		*state = end && !access(end, F_OK) ? LIVE_ENDED : LIVE_NOT_YET;
		return 0;
	}
	if (ret)
		return ret;
	work = json_string_value(json_object_get(json, "work"));
	pid = int_of(json, "pid");
	if (!is_ours(work) || pid <= 0)
		ret = fail(-EBADMSG, "%s/live.json is damaged", run);
	else if (!known(int_of(json, "began_ticks")) || began(pid) != int_of(json, "began_ticks"))
		*state = LIVE_KILLED;
	else
		ret = read_status(work, live);
	if (!ret && *state != LIVE_KILLED)
		*state = LIVE_RUNNING;
	/* between two slots, or before the first frame */
	if (ret == -ENOENT || ret == -EBADMSG) {
		*state = LIVE_NOT_YET;
		ret = 0;
	}
	json_decref(json);
	return ret;
}

void live_free(struct live *live)
{
	fields_free(live_fields, live);
}
