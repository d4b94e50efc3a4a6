/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs fio for one slot, watches it, and ends it when it must end. */
#include "run.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "drive.h"
#include "fail.h"
#include "interrupt.h"
#include "json-text.h"
#include "model-json.h"
#include "process.h"
#include "record/gate.h"
#include "record/reader.h"
#include "run-links.h"
#include "run-snapshot.h"

#define TICK_MS 100
#define STOP_GRACE_NS INT64_C(15000000000)

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Of all record files of one side. */
struct moved {
	int64_t bytes;
	uint64_t latency_ios, latency_sum_ns;
};

struct running {
	const struct run_request *request;
	char *directory[SIDES];
	struct process process[SIDES];
	json_t *links[SIDES];
	struct links_seen seen[SIDES];
	struct moved moved[SIDES];	/* at the last tick */
	bool link_sampled;
	struct run_progress progress;
	int64_t start_ns;		/* CLOCK_MONOTONIC */
	int64_t last_tick_ns;
	int stop_signal;		/* sent to fio, or 0 */
	int64_t stop_ns;
	enum run_end end;
};

static int prepare_side(struct running *run, enum side s)
{
	const struct run_side *side = &run->request->sides[s];
	_cleanup_free_ char *records = NULL;
	int ret;

	run->process[s].pidfd = -1;
	if (!side->active)
		return 0;
	run->directory[s] = text_format("%s/%c", run->request->work, "AB"[s]);
	records = text_format("%s/%c/records", run->request->work, "AB"[s]);
	run->links[s] = json_object();
	if (!run->directory[s] || !records || !run->links[s])
		return -ENOMEM;
	if (mkdir(run->directory[s], 0777) || mkdir(records, 0777))
		return fail(-errno, "cannot make %s: %s", records, strerror(errno));
	ret = snapshot_file(run->directory[s], "job.fio", side->job_text, strlen(side->job_text));
	if (!ret)
		ret = snapshot_take(side->drive, run->directory[s], "before");
	if (!ret)
		snapshot_link(side->drive, "before", run->links[s]);
	return ret;
}

static int start_side(struct running *run, enum side s)
{
	static char fio_json[] = "--output=fio.json", format[] = "--output-format=json+", eta[] = "--eta=never",
		    readonly[] = "--readonly", job[] = "job.fio";
	char *argv[8] = { (char *)run->request->fio, fio_json, format, eta };
	_cleanup_free_ char *out = text_format("%s/fio.stdout", run->directory[s]);
	_cleanup_free_ char *err = text_format("%s/fio.stderr", run->directory[s]);
	int n = 4, ret;

	if (!out || !err)
		return -ENOMEM;
	if (!run->request->writes)
		argv[n++] = readonly;
	argv[n] = job;
	ret = process_start(&run->process[s], argv, run->directory[s], out, err);
	if (ret)
		return fail(ret == -ENOENT ? -EIO : ret, "cannot start %s: %s", run->request->fio, strerror(-ret));
	return 0;
}

static int make_gate(const struct run_request *r)
{
	_cleanup_free_ char *path = text_format("%s/gate", r->work);
	int ret;

	if (!r->sides[SIDE_A].active || !r->sides[SIDE_B].active)
		return 0;
	ret = path ? gate_create(path, 2, 0) : -ENOMEM;
	return ret ? fail(ret, "cannot make the start gate in %s: %s", r->work, strerror(-ret)) : 0;
}

static struct moved read_live(const char *directory, double *temperature_c)
{
	_cleanup_free_ char *path = text_format("%s/records", directory);
	DIR *dir = path ? opendir(path) : NULL;
	struct moved moved = { 0 };
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		_cleanup_free_ char *file = text_format("%s/%s", path, entry->d_name);
		struct rec_live_view view;

		if (entry->d_name[0] == '.' || !file || rec_live_read(file, &view))
			continue;
		for (int d = 0; d < REC_DIRECTIONS; d++)
			moved.bytes += (int64_t)view.live.bytes[d];
		moved.latency_ios += view.latency_ios;
		moved.latency_sum_ns += view.latency_sum_ns;
		if (!view.closed && view.live.temperature_known)
			*temperature_c = view.live.temperature_millidegree_c / 1000.0;
	}
	if (dir)
		closedir(dir);
	return moved;
}

static void tick_side(struct running *run, enum side s, double seconds)
{
	struct run_progress *p = &run->progress;
	struct moved now = read_live(run->directory[s], &p->temperature_c[s]), *last = &run->moved[s];

	p->bytes_per_s[s] = known(p->bytes[s]) ? (double)(now.bytes - p->bytes[s]) / seconds : NAN;
	p->bytes[s] = now.bytes;
	p->latency_ns[s] = now.latency_ios > last->latency_ios ?
			   (double)(now.latency_sum_ns - last->latency_sum_ns) /
			   (double)(now.latency_ios - last->latency_ios) : NAN;
	*last = now;
	/* once, under load: an idle link may sleep at a lower speed */
	if (!run->link_sampled && now.bytes > 0)
		snapshot_link(run->request->sides[s].drive, "during", run->links[s]);
	if (now.bytes > 0)
		links_look(&run->seen[s], run->request->sides[s].drive, clock_ns(CLOCK_REALTIME));
}

static void tick(struct running *run)
{
	struct run_progress *p = &run->progress;
	int64_t now = clock_ns(CLOCK_MONOTONIC);
	double seconds = (double)(now - run->last_tick_ns) / 1e9;

	if (seconds < 0.25)
		return;
	for (int s = 0; s < SIDES; s++)
		if (run->request->sides[s].active)
			tick_side(run, (enum side)s, seconds);
	run->link_sampled = run->link_sampled || p->bytes[SIDE_A] > 0 || p->bytes[SIDE_B] > 0;
	p->elapsed_ns = now - run->start_ns;
	run->last_tick_ns = now;
	if (run->request->progress)
		run->request->progress(run->request->context, p);
}

static void stop(struct running *run, int signal_number)
{
	for (int s = 0; s < SIDES; s++)
		process_signal(&run->process[s], signal_number);
	run->stop_signal = signal_number;
	run->stop_ns = clock_ns(CLOCK_MONOTONIC);
}

/* Ends fio when we were told to end, or when the slot takes too long. */
static void check_stop(struct running *run)
{
	int64_t now = clock_ns(CLOCK_MONOTONIC);

	if (run->stop_signal) {
		if (run->stop_signal != SIGKILL && now - run->stop_ns > STOP_GRACE_NS)
			stop(run, SIGKILL);
		return;
	}
	if (interrupt_signal()) {
		run->end = RUN_INTERRUPTED;
		stop(run, SIGINT);
	} else if (now - run->start_ns > run->request->limit_ns) {
		run->end = RUN_TIMED_OUT;
		stop(run, SIGTERM);
	}
}

/* A process that even SIGKILL does not end hangs in the kernel; we do not wait for it for ever. */
static bool given_up(const struct running *run)
{
	return run->stop_signal == SIGKILL && clock_ns(CLOCK_MONOTONIC) - run->stop_ns > STOP_GRACE_NS;
}

static void watch(struct running *run)
{
	while (!given_up(run)) {
		bool a = process_ended(&run->process[SIDE_A]), b = process_ended(&run->process[SIDE_B]);

		if (a && b)
			break;
		check_stop(run);
		tick(run);
		process_wait_any(run->process, SIDES, TICK_MS);
	}
}

static int finish_side(struct running *run, enum side s)
{
	const struct run_side *side = &run->request->sides[s];
	_cleanup_free_ char *status = NULL;
	char *links;
	int ret, code = run->process[s].pid ? 128 + SIGKILL : process_exit_status(&run->process[s]);

	if (!side->active)
		return 0;
	if (code && run->end == RUN_COMPLETE)
		run->end = RUN_FAILED;
	status = text_format("%d\n", code);
	snapshot_link(side->drive, "after", run->links[s]);
	links = json_text(run->links[s], JSON_SHOWN);
	if (!status || !links)
		return -ENOMEM;
	ret = snapshot_file(run->directory[s], "exit", status, strlen(status));
	if (!ret)
		ret = snapshot_file(run->directory[s], "link.json", links, strlen(links));
	free(links);
	if (!ret)
		ret = links_write(&run->seen[s], side->drive, run->directory[s]);
	return ret ? ret : snapshot_take(side->drive, run->directory[s], "after");
}

/* The cool-down gate before the slot; the outcome is that of all its drives. */
static json_t *cooldown_to_json(const struct run_request *r)
{
	const struct cooldown_record *c = &r->cooldown[r->sides[SIDE_A].active ? SIDE_A : SIDE_B];
	json_t *json = json_pack("{s:s, s:o, s:s?}", "outcome", cooldown_names[c->outcome], "waited_ns",
				 known(c->waited_ns) ? json_integer(c->waited_ns) : json_null(), "reason", c->reason);

	for (int s = 0; json && s < SIDES; s++) {
		const struct cooldown_record *own = &r->cooldown[s];

		if (r->sides[s].active)
			json_object_set_new(json, s == SIDE_A ? "A" : "B",
					    json_pack("{s:o, s:o}", "start_c", isnan(own->start_c) ? json_null() :
						      json_real(own->start_c), "gate_c", isnan(own->gate_c) ?
						      json_null() : json_real(own->gate_c)));
	}
	return json;
}

static int write_slot(const struct running *run, int64_t started_ns, bool dropped, const char *reason)
{
	static const char *const ends[] = { "complete", "failed", "interrupted", "timed_out" };
	json_t *json = json_pack("{s:s, s:I, s:I, s:b, s:s?, s:o}", "end", ends[run->end], "started_ns",
				 (json_int_t)started_ns, "ended_ns", (json_int_t)clock_ns(CLOCK_REALTIME),
				 "cache_dropped", dropped, "cache_reason", reason, "cooldown",
				 cooldown_to_json(run->request));
	char *text = json ? json_text(json, JSON_SHOWN) : NULL;
	int ret = text ? snapshot_file(run->request->work, "slot.json", text, strlen(text)) : -ENOMEM;

	free(text);
	json_decref(json);
	return ret;
}

static int start_and_watch(struct running *run)
{
	int ret = 0;

	run->start_ns = run->last_tick_ns = clock_ns(CLOCK_MONOTONIC);
	for (int s = 0; !ret && s < SIDES; s++)
		if (run->request->sides[s].active)
			ret = start_side(run, (enum side)s);
	if (ret)
		stop(run, SIGTERM);
	watch(run);
	return ret;
}

int run_slot(const struct run_request *request, enum run_end *end)
{
	struct running run = { .request = request, .end = RUN_COMPLETE,
			       .progress = { .bytes = { UNKNOWN_I64, UNKNOWN_I64 }, .bytes_per_s = { NAN, NAN },
					     .latency_ns = { NAN, NAN },
					     .temperature_c = { NAN, NAN } } };
	int64_t started_ns = clock_ns(CLOCK_REALTIME);
	_cleanup_free_ char *reason = NULL;
	bool dropped = request->drop_caches && snapshot_drop_caches(&reason);
	int ret = make_gate(request);

	for (int s = 0; !ret && s < SIDES; s++)
		ret = prepare_side(&run, (enum side)s);
	if (!ret)
		ret = start_and_watch(&run);
	for (int s = 0; !ret && s < SIDES; s++)
		ret = finish_side(&run, (enum side)s);
	if (!ret)
		ret = write_slot(&run, started_ns, dropped, request->drop_caches ? reason : "not asked for");
	for (int s = 0; s < SIDES; s++) {
		free(run.directory[s]);
		json_decref(run.links[s]);
		links_free(&run.seen[s], request->sides[s].drive);
	}
	*end = run.end;
	return ret;
}

char *run_first_error(const char *work, enum side s)
{
	_cleanup_free_ char *path = text_format("%s/%c/fio.stderr", work, "AB"[s]);
	char *line = NULL;

	if (!path || text_read_line(path, &line))
		return NULL;
	if (!*line) {
		free(line);
		return NULL;
	}
	return line;
}
