/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run-suite: one slot after another, each kept before the next one starts. */
#include "cmd-run-suite.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cooldown-wait.h"
#include "drive.h"
#include "fail.h"
#include "interrupt.h"
#include "jobs.h"
#include "plan.h"
#include "progress.h"
#include "run.h"
#include "store.h"

/* Removes a directory tree of ours; never follows a link. */
static void remove_tree(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		_cleanup_free_ char *name = text_format("%s/%s", path, entry->d_name);
		struct stat st;

		if (!name || !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || lstat(name, &st))
			continue;
		if (S_ISDIR(st.st_mode))
			remove_tree(name);
		else
			unlink(name);
	}
	if (dir)
		closedir(dir);
	rmdir(path);
}

/* A run that was killed could not clean up: its directory names a process that is gone. */
static void remove_abandoned(void)
{
	DIR *dir = opendir("/dev/shm");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		_cleanup_free_ char *path = text_format("/dev/shm/%s", entry->d_name);
		struct stat st;
		int pid = 0, end = 0;

		if (!path || sscanf(entry->d_name, "nvmatch-%d-%n", &pid, &end) != 1 || !end || pid <= 0 ||
		    lstat(path, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
		    !kill(pid, 0) || errno != ESRCH)
			continue;
		warning("%s is left of a run that was killed, and is removed", path);
		remove_tree(path);
	}
	if (dir)
		closedir(dir);
}

/*
 * fio runs in memory (/dev/shm), and what it left is copied into the run directory between slots:
 * so nothing is written to any drive while one is measured, wherever the run directory lies.
 */
static int make_work(const struct plan *plan, char **work)
{
	uint64_t need = 0;
	struct statvfs v;

	for (size_t i = 0; i < plan->workloads_count; i++) {
		const struct workload *w = &plan->workloads[i];
		uint64_t bytes = (uint64_t)w->ranges_count * (uint64_t)w->numjobs * SIDES *
				 ((uint64_t)plan->record_budget_bytes + (1 << 20));

		need = bytes > need ? bytes : need;
	}
	if (statvfs("/dev/shm", &v) || access("/dev/shm", W_OK))
		return fail(-EIO, "/dev/shm cannot be used (%s): records are kept there while a slot runs",
			    strerror(errno));
	if ((uint64_t)v.f_bavail * v.f_frsize < need)
		return fail(-ENOSPC, "/dev/shm has %llu MB free, one slot may need %llu MB: use fewer ranges or jobs",
			    (unsigned long long)v.f_bavail * v.f_frsize / 1000000, (unsigned long long)need / 1000000);
	remove_abandoned();
	*work = text_format("/dev/shm/nvmatch-%d-XXXXXX", getpid());
	if (!*work || !mkdtemp(*work))
		return fail(-errno, "cannot make a directory in /dev/shm: %s", strerror(errno));
	return 0;
}

static int add_jobs(const struct prepared *p, const struct slot *slot, struct run_request *request,
		    char *texts[SIDES])
{
	for (int s = 0; s < SIDES; s++) {
		struct jobs_request jobs = { .plan = &p->plan, .slot = slot, .side = (enum side)s,
					     .target = p->drives[s].path, .engine = p->host.engine_path };
		int ret;

		request->sides[s].active = slot->mode == MODE_AB || slot->mode == (s == SIDE_A ? MODE_A : MODE_B);
		request->sides[s].drive = &p->drives[s];
		if (!request->sides[s].active)
			continue;
		ret = jobs_text(&jobs, &texts[s]);
		if (ret)
			return ret;
		request->sides[s].job_text = texts[s];
	}
	return 0;
}

/* Generous: a drive that is slow is a result, one that hangs is ended. */
static int64_t limit_of(const struct workload *w)
{
	if (!known(w->runtime_ns))
		return INT64_C(24) * 3600 * 1000000000;
	return plan_slot_ns(w) * 3 + INT64_C(60) * 1000000000;
}

/* What a slot is shown to, and the gate before it. */
struct around {
	struct progress progress;
	struct cooldown_gate gate;
};

static void slot_goes_on(void *context, const struct run_progress *now)
{
	struct around *around = context;

	for (int s = 0; s < SIDES; s++)
		cooldown_gate_saw(&around->gate, (enum side)s, now->temperature_c[s]);
	progress_update(&around->progress, now);
}

/* With a time budget, waiting takes only what the slots that are left leave of it. */
static void wait_for_gate(const struct prepared *p, const struct slot *slot, struct around *around,
			  struct run_request *request)
{
	const bool active[SIDES] = { request->sides[SIDE_A].active, request->sides[SIDE_B].active };
	int64_t left_ns = 0;

	for (size_t i = (size_t)slot->number - 1; i < p->plan.slots_count; i++)
		left_ns += plan_slot_ns(&p->plan.workloads[p->plan.slots[i].workload]);
	if (known(p->plan.budget_ns))
		around->gate.until_ns = around->progress.start_ns + p->plan.budget_ns - left_ns;
	cooldown_gate_wait(&around->gate, active, request->cooldown);
	for (int s = 0; s < SIDES; s++)
		if (active[s]) {
			around->progress.waited_ns += request->cooldown[s].waited_ns;
			break;
		}
}

static void start_around(struct around *around, const struct run_options *o, const struct prepared *p,
			 const char *work)
{
	const struct drive *const drives[SIDES] = { &p->drives[SIDE_A], p->two ? &p->drives[SIDE_B] : NULL };

	progress_start(&around->progress, &p->plan, drives, o->label, work, o->quiet);
	cooldown_gate_start(&around->gate, &p->plan.cooldown, drives[SIDE_A], drives[SIDE_B]);
	around->gate.waiting = progress_waiting;
	around->gate.context = &around->progress;
}

static int one_slot(const struct run_options *o, const struct prepared *p, const struct slot *slot,
		    const char *run, const char *work, struct around *around, enum run_end *how)
{
	const struct workload *w = &p->plan.workloads[slot->workload];
	_cleanup_free_ char *directory = text_format("%s/%s", work, slot->name);
	_cleanup_free_ char *name = text_format("slots/%s", slot->name);
	struct run_request request = { .work = directory, .fio = p->host.fio_path, .writes = w->writes,
				       .drop_caches = !o->no_drop_caches, .limit_ns = limit_of(w),
				       .progress = slot_goes_on, .context = around };
	char *texts[SIDES] = { NULL, NULL };
	int ret = directory && name ? 0 : -ENOMEM;

	*how = RUN_FAILED;
	if (!ret && mkdir(directory, 0777))
		ret = fail(-errno, "cannot make %s: %s", directory, strerror(errno));
	if (!ret)
		ret = add_jobs(p, slot, &request, texts);
	around->progress.slot_ns = plan_slot_ns(w);
	progress_slot(&around->progress, slot);
	if (!ret)
		wait_for_gate(p, slot, around, &request);
	if (interrupt_signal())
		*how = RUN_INTERRUPTED;
	else if (!ret)
		ret = run_slot(&request, how);
	cooldown_gate_ended(&around->gate, (const bool[SIDES]){ request.sides[SIDE_A].active,
								request.sides[SIDE_B].active });
	/* what there is, is kept, also of a slot that went wrong */
	if (directory && name && !access(directory, F_OK)) {
		int kept = store_copy_tree(run, name, directory);

		ret = ret ? ret : kept;
		if (*how != RUN_COMPLETE)
			progress_clear(&around->progress);
	}
	free(request.cooldown[SIDE_A].reason);
	free(request.cooldown[SIDE_B].reason);
	free(texts[SIDE_A]);
	free(texts[SIDE_B]);
	return ret;
}

static char *slot_failure(const char *work, const struct slot *slot, enum run_end how)
{
	_cleanup_free_ char *directory = text_format("%s/%s", work, slot->name);
	_cleanup_free_ char *a = directory ? run_first_error(directory, SIDE_A) : NULL;
	_cleanup_free_ char *b = directory ? run_first_error(directory, SIDE_B) : NULL;

	if (how == RUN_TIMED_OUT)
		return text_format("slot %s took too long and was ended", slot->name);
	if (a && b && strcmp(a, b))
		return text_format("fio failed in slot %s: A: %s; B: %s", slot->name, a, b);
	return text_format("fio failed in slot %s: %s", slot->name, a ? a : b ? b : "see fio.json there");
}

static bool resized(const struct drive *drive, int64_t now)
{
	return known(now) && known(drive->capacity_bytes) && now != drive->capacity_bytes;
}

/* Why the run cannot go on after this slot, or NULL: a drive is gone or another, or what fio said. */
static char *why_not_on(const struct prepared *p, const char *work, const struct slot *slot, enum run_end how)
{
	_cleanup_free_ char *failure = how == RUN_COMPLETE ? NULL : slot_failure(work, slot, how);

	for (int s = 0; s < (p->two ? SIDES : 1); s++) {
		const struct drive *d = &p->drives[s];
		int64_t now = drive_capacity_now(d);

		if (!drive_present(d))
			return text_format("drive %c (%s) vanished in or after slot %s%s%s", "AB"[s], d->target,
					   slot->name, failure ? ": " : "", failure ? failure : "");
		if (resized(d, now))
			return text_format("drive %c (%s) changed in size in or after slot %s: from %lld to %lld bytes"
					   "%s%s", "AB"[s], d->target, slot->name, (long long)d->capacity_bytes,
					   (long long)now, failure ? ": " : "", failure ? failure : "");
	}
	return failure ? strdup(failure) : NULL;
}

int loop_slots(const struct run_options *o, struct prepared *p, const char *run, struct loop_end *end)
{
	_cleanup_free_ char *work = NULL;
	struct around around;
	int ret = make_work(&p->plan, &work);

	*end = (struct loop_end){ .state = "failed" };
	if (ret)
		return ret;
	start_around(&around, o, p, work);
	ret = live_announce(run, work);
	for (size_t i = 0; !ret && !end->reason && i < p->plan.slots_count; i++) {
		const struct slot *slot = &p->plan.slots[i];
		_cleanup_free_ char *directory = text_format("%s/%s", work, slot->name);
		enum run_end how = RUN_INTERRUPTED;

		if (p->plan.until && slot->round == p->plan.pilot_rounds && !p->stopped && !interrupt_signal()) {
			p->stopped = true;
			ret = until_stop(p, run);
			if (ret)
				break;
		}
		if (!interrupt_signal())
			ret = one_slot(o, p, slot, run, work, &around, &how);
		if (how == RUN_COMPLETE && !ret)
			end->slots_done++;
		else if (how == RUN_INTERRUPTED)
			end->reason = text_format("ended by signal %d in slot %s", interrupt_signal(), slot->name);
		if (how != RUN_INTERRUPTED && !ret)
			end->reason = why_not_on(p, work, slot, how);
		if (how == RUN_INTERRUPTED)
			end->state = "interrupted";
		if (directory)
			remove_tree(directory);
	}
	progress_end(&around.progress);
	live_withdraw(run);
	remove_tree(work);
	if (!ret && !end->reason)
		end->state = "complete";
	return ret;
}
