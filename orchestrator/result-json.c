/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what was measured as JSON. */
#include "result-json.h"

#include "model-json.h"
#include "pages.h"
#include "smart.h"

static const char *const digest_names[] = { "unknown", "equal_sequence", "equal_set", "equal_prefix",
					    "different", NULL };

static const struct field block_fields[] = {
	F_INT(struct block_counters, read_bytes), F_INT(struct block_counters, read_ios),
	F_INT(struct block_counters, written_bytes), F_INT(struct block_counters, written_ios),
	F_INT(struct block_counters, discarded_bytes), F_END
};

static const struct field link_load_fields[] = {
	F_STRING(struct link_load, address), F_INT(struct link_load, samples),
	F_DOUBLE(struct link_load, speed_min_gt_per_s), F_DOUBLE(struct link_load, speed_max_gt_per_s),
	F_INT(struct link_load, width_min_lanes), F_INT(struct link_load, width_max_lanes), F_END
};

static const struct field accounting_fields[] = {
	F_INT(struct accounting, asked_bytes), F_INT(struct accounting, block_bytes),
	F_INT(struct accounting, block_foreign_bytes),
	F_INT(struct accounting, smart_low_bytes), F_INT(struct accounting, smart_high_bytes),
	F_INT(struct accounting, smart_foreign_low_bytes), F_INT(struct accounting, smart_foreign_high_bytes),
	F_STRING(struct accounting, smart_reason), F_END
};

static const struct field cooldown_fields[] = {
	F_ENUM(struct cooldown_record, outcome, cooldown_names), F_INT(struct cooldown_record, waited_ns),
	F_DOUBLE(struct cooldown_record, start_c), F_DOUBLE(struct cooldown_record, gate_c),
	F_STRING(struct cooldown_record, reason), F_END
};

const struct field measurement_fields[] = {
	F_BOOL(struct measurement, usable), F_STRING(struct measurement, reason),
	F_STRING(struct measurement, slot), F_ENUM(struct measurement, fio_state, fio_state_names),
	F_INT(struct measurement, bytes), F_INT(struct measurement, ios), F_INT(struct measurement, runtime_ns),
	F_DOUBLE(struct measurement, bw_bytes_per_s), F_DOUBLE(struct measurement, iops),
	F_DOUBLE(struct measurement, latency_mean_ns), F_DOUBLE(struct measurement, latency_p50_ns),
	F_DOUBLE(struct measurement, latency_p99_ns), F_DOUBLE(struct measurement, latency_p99_9_ns),
	F_INT(struct measurement, latency_max_ns),
	F_DOUBLE(struct measurement, user_cpu_percent), F_DOUBLE(struct measurement, system_cpu_percent),
	F_DOUBLE(struct measurement, depth_reached),
	F_DOUBLE(struct measurement, matched_bw_bytes_per_s),
	F_DOUBLE(struct measurement, classified_share), F_INT(struct measurement, recorded_ios),
	F_INT(struct measurement, moved_bytes),
	F_STRUCT(struct measurement, block, block_fields),
	F_DOUBLE(struct measurement, temperature_start_c), F_DOUBLE(struct measurement, temperature_min_c),
	F_DOUBLE(struct measurement, temperature_max_c), F_DOUBLE(struct measurement, temperature_end_c),
	F_DOUBLE(struct measurement, temperature_slope_c_per_min),
	F_INT(struct measurement, temperature_samples), F_INT(struct measurement, first_io_ns),
	F_INT(struct measurement, last_io_ns), F_INT(struct measurement, started_ns),
	F_BOOL(struct measurement, cache_dropped), F_STRING(struct measurement, cache_reason),
	F_STRING(struct measurement, fio_warning),
	F_DOUBLE(struct measurement, link_speed_gt_per_s), F_INT(struct measurement, link_width_lanes),
	F_DOUBLE(struct measurement, link_speed_min_gt_per_s), F_DOUBLE(struct measurement, link_speed_max_gt_per_s),
	F_INT(struct measurement, link_width_min_lanes), F_INT(struct measurement, link_width_max_lanes),
	F_INT(struct measurement, error_entries_media), F_INT(struct measurement, error_entries_other),
	F_INT(struct measurement, error_entries_own), F_INT(struct measurement, link_errors_uncorrectable),
	{ .key = "links_under_load", .type = FIELD_ARRAY, .offset = offsetof(struct measurement, links),
	  .fields = link_load_fields, .size = sizeof(struct link_load),
	  .count_offset = offsetof(struct measurement, links_count) },
	F_INT(struct measurement, link_errors), F_DOUBLE(struct measurement, within_run_drop),
	F_DOUBLE(struct measurement, speed_when_hot_ratio), F_DOUBLE(struct measurement, seconds_at_threshold),
	F_STRUCT(struct measurement, account, accounting_fields),
	F_STRUCT(struct measurement, cooldown, cooldown_fields),
	F_END
};

static const struct field observation_fields[] = {
	F_INT(struct observation, round), F_BOOL(struct observation, concurrent),
	F_BOOL(struct observation, a_first), F_ENUM(struct observation, digest, digest_names),
	F_INT(struct observation, digest_prefix_ios), F_DOUBLE(struct observation, overlap_share),
	F_DOUBLE(struct observation, start_skew_ns), F_END
};

const struct field match_fields[] = {
	F_INT(struct data_match, pairs), F_INT(struct data_match, bytes),
	F_DOUBLE(struct data_match, same_class_share), F_DOUBLE(struct data_match, same_hash_share),
	F_DOUBLE(struct data_match, overlap), F_DOUBLE(struct data_match, compress_distance),
	F_INT(struct data_match, matched_bins),
	F_INT(struct data_match, bins), F_END
};

static json_t *real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

/* By state: the I/Os that were found to be of it, and all I/Os in the bins of it alone, with their speed. */
static json_t *classes_to_json(const struct measurement *m)
{
	json_t *object = json_object();

	for (int c = 0; c < DATA_STATES; c++) {
		const struct class_speed *s = &m->classes[c], *bins = &m->pure[c];
		/* one estimator of speeds everywhere; bins that are mixed or unknown have none */
		double bw = c != REC_UNCLASSIFIED && bins->busy_ns > 0 ?
			    (double)bins->bytes * 1e9 / bins->busy_ns : NAN;

		if (s->ios || bins->ios)
			json_object_set_new(object, data_state_names[c],
					    json_pack("{s:I, s:I, s:I, s:I, s:o}", "ios", (json_int_t)s->ios,
						      "bytes", (json_int_t)s->bytes, "bins_ios",
						      (json_int_t)bins->ios, "bins_bytes",
						      (json_int_t)bins->bytes, "bw_bytes_per_s", real(bw)));
	}
	return object;
}

static json_t *measurement_to_json(const struct measurement *m)
{
	json_t *json = fields_to_json(measurement_fields, m);

	json_object_set_new(json, "data_states", classes_to_json(m));
	json_object_set_new(json, "smart_before", smart_to_json(&m->smart_before));
	json_object_set_new(json, "smart_after", smart_to_json(&m->smart_after));
	if (m->endurance_after.valid || m->endurance_before.valid) {
		json_object_set_new(json, "endurance_before", endurance_to_json(&m->endurance_before));
		json_object_set_new(json, "endurance_after", endurance_to_json(&m->endurance_after));
	}
	if (m->ocp_after.valid || m->ocp_before.valid) {
		json_object_set_new(json, "ocp_before", ocp_to_json(&m->ocp_before));
		json_object_set_new(json, "ocp_after", ocp_to_json(&m->ocp_after));
	}
	return json;
}

static json_t *observation_to_json(const struct observation *o)
{
	json_t *json = fields_to_json(observation_fields, o);

	json_object_set_new(json, "A", o->side[SIDE_A].slot ? measurement_to_json(&o->side[SIDE_A]) : json_null());
	json_object_set_new(json, "B", o->side[SIDE_B].slot ? measurement_to_json(&o->side[SIDE_B]) : json_null());
	return json;
}

static json_t *shares_to_json(const double shares[DATA_STATES])
{
	json_t *object = json_object();

	for (int c = 0; c < DATA_STATES; c++)
		if (shares[c] > 0)
			json_object_set_new(object, data_state_names[c], json_real(shares[c]));
	return object;
}

static json_t *match_to_json(const struct data_match *m)
{
	json_t *json = fields_to_json(match_fields, m);

	json_object_set_new(json, "share_a", shares_to_json(m->class_share[SIDE_A]));
	json_object_set_new(json, "share_b", shares_to_json(m->class_share[SIDE_B]));
	json_object_set_new(json, "classified_share_a", real(m->classified_share[SIDE_A]));
	json_object_set_new(json, "classified_share_b", real(m->classified_share[SIDE_B]));
	json_object_set_new(json, "changed_share_a", real(m->changed_share[SIDE_A]));
	json_object_set_new(json, "changed_share_b", real(m->changed_share[SIDE_B]));
	return json;
}

static json_t *bin_to_json(const struct bin *b)
{
	json_t *json = json_pack("{s:I, s:I, s:o, s:o}", "offset_bytes", (json_int_t)b->offset_bytes, "length_bytes",
				 (json_int_t)b->length_bytes, "a_bw_bytes_per_s", real(b->bw_bytes_per_s[SIDE_A]),
				 "b_bw_bytes_per_s", real(b->bw_bytes_per_s[SIDE_B]));
	static const char *const keys[SIDES] = { "a_state_bytes", "b_state_bytes" };

	for (int s = 0; s < SIDES; s++) {
		json_t *states = json_object();

		for (int c = 0; c < DATA_STATES; c++)
			if (b->class_bytes[s][c])
				json_object_set_new(states, data_state_names[c], json_integer(b->class_bytes[s][c]));
		json_object_set_new(json, keys[s], states);
	}
	return json;
}

static json_t *workload_to_json(const struct workload_result *w)
{
	json_t *observations = json_array(), *bins = json_array();

	for (size_t i = 0; i < w->observations_count; i++)
		json_array_append_new(observations, observation_to_json(&w->observations[i]));
	for (size_t i = 0; i < w->bins_count; i++)
		json_array_append_new(bins, bin_to_json(&w->bins[i]));
	return json_pack("{s:s, s:o, s:o, s:o}", "name", w->name, "match", match_to_json(&w->match),
			 "observations", observations, "bins", bins);
}

json_t *result_to_json(const struct result *result)
{
	json_t *json = model_document(), *workloads = json_array(), *notes = json_array();

	for (size_t i = 0; i < result->workloads_count; i++)
		json_array_append_new(workloads, workload_to_json(&result->workloads[i]));
	for (size_t i = 0; i < result->notes.count; i++) {
		_cleanup_free_ char *note = text_make_utf8(result->notes.items[i]);

		json_array_append_new(notes, json_string(note ? note : ""));
	}
	json_object_set_new(json, "state", json_string(result->state));
	json_object_set_new(json, "notes", notes);
	if (json_object_set_new(json, "workloads", workloads)) {
		json_decref(json);
		return NULL;
	}
	return json;
}
