/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a run directory: plan, drives, host, and every slot. */
#include "gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drive.h"
#include "fail.h"
#include "gather-passes.h"
#include "gather-slot.h"
#include "gather-state.h"
#include "gather-survey.h"
#include "gather-traffic.h"
#include "model-json.h"
#include "store.h"
#include "survey.h"
#include "thresholds.h"

/* What a later major version means by a key is not known here. */
static int check_version(const char *run, const char *name, const json_t *json)
{
	const json_t *major = json_array_get(json_object_get(json, "json_format_version"), 0);

	if (!json_is_integer(major) || json_integer_value(major) <= JSON_FORMAT_MAJOR)
		return 0;
	return fail(-EBADMSG, "%s/%s is of a newer version (format %lld, this nvmatch reads %d): use the nvmatch "
		    "that wrote it", run, name, (long long)json_integer_value(major), JSON_FORMAT_MAJOR);
}

int gather_document(const char *run, const char *name, const struct field *fields, void *data)
{
	json_t *json = NULL;
	const char *wrong = "";
	int ret = store_read_json(run, name, &json);

	if (ret == -ENOENT)
		return fail(-EBADMSG, "%s/%s is missing", run, name);
	if (ret)
		return ret;
	ret = check_version(run, name, json);
	if (ret) {
		json_decref(json);
		return ret;
	}
	ret = fields_from_json(fields, json, data, &wrong);
	json_decref(json);
	return ret ? fail(-EBADMSG, "%s/%s: the value of %s has the wrong type", run, name, wrong) : 0;
}

/* Indices and sizes of a plan come from a file: they must fit each other before they are used. */
static int check_plan(const char *run, const struct plan *plan)
{
	bool good = known(plan->rounds) && plan->rounds > 0 && plan->rounds < 1000000 && plan->workloads_count;

	for (size_t i = 0; good && i < plan->workloads_count; i++) {
		const struct workload *w = &plan->workloads[i];

		good = w->name && w->rw && w->ranges_count && known(w->numjobs) && w->numjobs > 0 &&
		       w->numjobs <= 100000;
		for (size_t k = 0; good && k < w->ranges_count; k++)
			good = known(w->ranges[k].offset_bytes) && w->ranges[k].offset_bytes >= 0 &&
			       known(w->ranges[k].length_bytes) && w->ranges[k].length_bytes > 0;
	}
	for (size_t i = 0; good && i < plan->slots_count; i++) {
		const struct slot *s = &plan->slots[i];

		good = s->name && *s->name && *s->name != '.' && !strchr(s->name, '/') && known(s->workload) &&
		       s->workload >= 0 && s->workload < (int64_t)plan->workloads_count && known(s->round) &&
		       s->round >= 0 && s->round < plan->rounds;
	}
	return good ? 0 : fail(-EBADMSG, "%s/plan.json is damaged: its parts do not fit each other", run);
}

/* A limit that is not known was one of a newer version; what it was for is not judged here. */
static int check_thresholds(const char *run, struct result *result)
{
	const struct plan *plan = &result->plan;
	struct thresholds limits = thresholds_default;
	int ret = 0;

	for (size_t i = 0; !ret && i < plan->thresholds_count; i++) {
		const struct number *n = &plan->thresholds[i];
		const struct threshold_info *info = n->name ? threshold_find(n->name) : NULL;
		_cleanup_free_ char *note = NULL;

		if (info && threshold_set(&limits, info, n->value))
			return fail(-EBADMSG, "%s/plan.json is damaged: the threshold %s is not between %g and %g", run,
				    n->name, info->least, info->most);
		if (info)
			continue;
		note = text_format("the plan sets a threshold %s that is not known here and was not used",
				   n->name ? n->name : "without a name");
		ret = note ? strings_add(&result->notes, note) : -ENOMEM;
	}
	return ret;
}

static int load_drives(const char *run, struct result *result)
{
	static const char *const keys[SIDES] = { "A", "B" }, *const labels[SIDES] = { "label_a", "label_b" };
	json_t *json = NULL;
	const char *wrong = "";
	int ret = store_read_json(run, "drives.json", &json);

	if (!ret)
		ret = check_version(run, "drives.json", json);
	for (int s = 0; !ret && s < SIDES; s++) {
		json_t *drive = json_object_get(json, keys[s]);
		const char *label = json_string_value(json_object_get(json, labels[s]));

		fields_unknown(drive_fields, &result->drives[s]);
		if (drive && !json_is_null(drive))
			ret = fields_from_json(drive_fields, drive, &result->drives[s], &wrong);
		if (ret)
			ret = fail(-EBADMSG, "%s/drives.json: the value of %s has the wrong type", run, wrong);
		result->label[s] = label ? strdup(label) : NULL;
	}
	json_decref(json);
	return ret;
}

struct workload_sums {
	struct match_sums match;
	struct bin_sums *bins;
	bool bins_concurrent;	/* bins are of slots of both: no drive ran on its own */
};

static struct observation *observation_of(struct workload_result *w, int64_t round, bool concurrent)
{
	for (size_t i = 0; i < w->observations_count; i++)
		if (w->observations[i].round == round && w->observations[i].concurrent == concurrent)
			return &w->observations[i];
	return NULL;
}

static int note_unusable(struct result *result, const struct measurement *m, enum side side)
{
	_cleanup_free_ char *note = NULL;

	if (m->usable)
		return 0;
	note = text_format("slot %s, side %c: %s", m->slot, "AB"[side], m->reason ? m->reason : "not usable");
	return note ? strings_add(&result->notes, note) : -ENOMEM;
}

/*
 * An I/O that took seconds, and much longer than the usual one: the drive stalled, or the kernel
 * reset it (after 30 s by default) and the I/O was repeated. fio sees no error then.
 */
static int note_stall(struct result *result, const struct measurement *m, enum side side)
{
	const double seconds = 1e9, usual = 8;
	_cleanup_free_ char *note = NULL;

	if (!known(m->latency_max_ns) || (double)m->latency_max_ns < 2 * seconds ||
	    !((double)m->latency_max_ns > usual * m->latency_p50_ns))
		return 0;
	note = text_format("slot %s, side %c: an I/O took %.1f s: the drive stalled, or was reset (the kernel's log "
			   "tells which)", m->slot, "AB"[side], (double)m->latency_max_ns / seconds);
	return note ? strings_add(&result->notes, note) : -ENOMEM;
}

/* The lowest temperature at which the drive may slow down, in Celsius; NaN: it reports none. */
static double throttle_c(const struct identify *id)
{
	double tmt1_c = known(id->tmt1_k) && id->tmt1_k > 0 ? (double)id->tmt1_k - 273 : NAN;

	return fmin(id->warning_temperature_c, tmt1_c);
}

static int gather_observation(struct result *result, const struct workload *w, struct observation *o,
			      const char *const slots[SIDES], struct workload_sums *sums)
{
	struct record_files files[SIDES] = { 0 };
	int ret = 0;

	o->digest = DIGEST_UNKNOWN;
	o->overlap_share = NAN;
	for (int s = 0; !ret && s < SIDES; s++) {
		if (!slots[s]) {
			measurement_unknown(&o->side[s]);
			continue;
		}
		ret = gather_side(result->run, slots[s], (enum side)s, w, &o->side[s], &files[s]);
		if (!ret)
			ret = gather_integrity(result, w, (enum side)s, &o->side[s], &files[s]);
		if (!ret)
			ret = gather_series(&files[s], throttle_c(&result->drives[s].identify), &o->side[s]);
		if (!ret && o->side[s].usable && o->concurrent == sums->bins_concurrent)
			ret = gather_bins(w, &files[s], (enum side)s, sums->bins);
		if (!ret)
			ret = note_unusable(result, &o->side[s], (enum side)s);
		if (!ret)
			ret = note_stall(result, &o->side[s], (enum side)s);
	}
	if (!ret && o->side[SIDE_A].usable && o->side[SIDE_B].usable)
		ret = gather_pair(w, files, o, &sums->match);
	if (!o->concurrent)
		o->start_skew_ns = NAN;
	record_files_free(&files[SIDE_A]);
	record_files_free(&files[SIDE_B]);
	return ret;
}

/* The observations of one workload, in order of running, each with the slots it is made of. */
static int gather_slots(struct result *result, struct workload_result *out, struct workload_sums *sums)
{
	const struct plan *plan = &result->plan;
	size_t n = 0;
	_cleanup_free_ const char *(*slots)[SIDES] = calloc(plan->slots_count + 1, sizeof(*slots));

	out->observations = calloc(plan->slots_count + 1, sizeof(*out->observations));
	if (!slots || !out->observations)
		return -ENOMEM;
	for (size_t i = 0; i < plan->slots_count; i++) {
		const struct slot *slot = &plan->slots[i];
		bool both = slot->mode == MODE_AB;
		struct observation *o;

		if (slot->workload != out->workload || slot->purpose != SLOT_TIMED)
			continue;
		o = observation_of(out, slot->round, both);
		if (!o) {
			o = &out->observations[out->observations_count++];
			*o = (struct observation){ .round = slot->round, .concurrent = both,
						   .a_first = slot->mode == MODE_A };
		}
		n = (size_t)(o - out->observations);
		if (slot->mode != MODE_B)
			slots[n][SIDE_A] = slot->name;
		if (slot->mode != MODE_A)
			slots[n][SIDE_B] = slot->name;
	}
	sums->bins_concurrent = true;
	for (size_t i = 0; i < out->observations_count; i++)
		sums->bins_concurrent &= out->observations[i].concurrent;
	for (size_t i = 0; i < out->observations_count; i++) {
		int ret = gather_observation(result, &plan->workloads[out->workload], &out->observations[i],
					     slots[i], sums);

		if (ret)
			return ret;
	}
	return 0;
}

static int finish_bins(const struct workload *w, const struct bin_sums *sums, struct workload_result *out)
{
	size_t n = w->ranges_count * BINS_PER_RANGE;

	out->bins = calloc(n, sizeof(*out->bins));
	if (!out->bins)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct range *r = &w->ranges[i / BINS_PER_RANGE];
		struct bin *bin = &out->bins[out->bins_count];

		if (sums[i].busy_ns[SIDE_A] <= 0 && sums[i].busy_ns[SIDE_B] <= 0)
			continue;
		bin->length_bytes = r->length_bytes / BINS_PER_RANGE;
		bin->offset_bytes = r->offset_bytes + (int64_t)(i % BINS_PER_RANGE) * bin->length_bytes;
		for (int s = 0; s < SIDES; s++)
			bin->bw_bytes_per_s[s] = sums[i].busy_ns[s] > 0 ?
				sums[i].bytes[s] * (double)w->numjobs * 1e9 / sums[i].busy_ns[s] : NAN;
		memcpy(bin->class_bytes, sums[i].class_bytes, sizeof(bin->class_bytes));
		out->bins_count++;
	}
	return 0;
}

static int gather_workload(struct result *result, int64_t index)
{
	const struct workload *w = &result->plan.workloads[index];
	struct workload_result *out = &result->workloads[result->workloads_count++];
	size_t pieces = w->ranges_count * BINS_PER_RANGE;
	struct workload_sums sums = { .bins = calloc(pieces, sizeof(*sums.bins)),
				      .match = { .pieces = calloc(pieces, sizeof(*sums.match.pieces)),
						 .pieces_count = pieces } };
	int ret;

	*out = (struct workload_result){ .name = strdup(w->name), .workload = index };
	for (size_t i = 0; sums.match.pieces && i < pieces; i++)
		sums.match.pieces[i].length_bytes = (double)w->ranges[i / BINS_PER_RANGE].length_bytes;
	ret = out->name && sums.bins && sums.match.pieces ? gather_slots(result, out, &sums) : -ENOMEM;
	if (!ret)
		ret = finish_bins(w, sums.bins, out);
	if (!ret)
		match_finish(&sums.match, &out->match);
	if (!ret)
		ret = gather_passes(result, out);
	free(sums.match.pieces);
	free(sums.bins);
	return ret;
}

int gather(const char *run, struct result *result)
{
	int ret = store_check(run);

	*result = (struct result){ 0 };
	if (ret)
		return ret;
	fields_unknown(stop_fields, &result->stop);
	result->run = strdup(run);
	ret = gather_document(run, "plan.json", plan_fields, &result->plan);
	if (!ret)
		ret = check_plan(run, &result->plan);
	if (!ret)
		ret = check_thresholds(run, result);
	if (!ret)
		ret = gather_stop(result);
	if (!ret)
		ret = load_drives(run, result);
	if (!ret)
		ret = gather_document(run, "host.json", host_fields, &result->host);
	if (!ret)
		ret = gather_survey(run, result);
	if (!ret)
		ret = gather_state(run, result);
	if (!ret)
		ret = gather_other_runs(result);
	if (!ret) {
		result->workloads = calloc(result->plan.workloads_count, sizeof(*result->workloads));
		ret = result->workloads ? 0 : -ENOMEM;
	}
	for (size_t i = 0; !ret && i < result->plan.workloads_count; i++)
		ret = gather_workload(result, (int64_t)i);
	if (!ret)
		ret = gather_smart_order(result);
	if (!ret)
		ret = gather_traffic(result);
	if (ret)
		gather_free(result);
	return ret;
}

void gather_free(struct result *result)
{
	for (size_t i = 0; i < result->workloads_count; i++) {
		struct workload_result *w = &result->workloads[i];

		for (size_t k = 0; k < w->observations_count; k++)
			for (int s = 0; s < SIDES; s++)
				measurement_free(&w->observations[k].side[s]);
		free(w->observations);
		free(w->bins);
		free(w->probes);
		free(w->name);
	}
	free(result->workloads);
	for (size_t i = 0; i < result->sessions_count; i++)
		fields_free(session_fields, &result->sessions[i]);
	free(result->sessions);
	free(result->started_utc);
	fields_free(calibration_fields, &result->calibration);
	fields_free(stop_fields, &result->stop);
	for (int s = 0; s < SIDES; s++) {
		fields_free(drive_fields, &result->drives[s]);
		free(result->label[s]);
	}
	survey_free(&result->survey);
	fields_free(plan_fields, &result->plan);
	fields_free(host_fields, &result->host);
	strings_free(&result->notes);
	strings_free(&result->command);
	free(result->run);
	free(result->state);
	*result = (struct result){ 0 };
}
