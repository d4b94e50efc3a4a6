/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.json: the keys that scripts rely on, written from tables like those of the model. */
#include "verdict-json.h"

#include <stdlib.h>
#include <string.h>

#include "model-json.h"

static const struct field evidence_fields[] = {
	F_STRING(struct evidence, file), F_STRING(struct evidence, pointer), F_END
};

static const struct field row_fields[] = {
	F_STRING(struct ledger_row, id), F_STRING(struct ledger_row, name),
	F_ENUM(struct ledger_row, state, ledger_state_names),
	F_STRING(struct ledger_row, text), F_STRING(struct ledger_row, finding),
	F_ARRAY(struct ledger_row, numbers, number_fields),
	F_ARRAY(struct ledger_row, thresholds, number_fields),
	F_ARRAY(struct ledger_row, evidence, evidence_fields),
	F_STRING(struct ledger_row, to_measure),
	F_END
};

static const struct field comparison_fields[] = {
	F_STRING(struct comparison, workload), F_BOOL(struct comparison, concurrent),
	F_STRING(struct comparison, metric), F_BOOL(struct comparison, higher_is_better),
	F_STRING(struct comparison, subset), F_DOUBLE(struct comparison, match_share),
	F_DOUBLE(struct comparison, a), F_DOUBLE(struct comparison, b),
	F_DOUBLE(struct comparison, ratio),
	F_DOUBLE(struct comparison, ci95_low), F_DOUBLE(struct comparison, ci95_high),
	F_DOUBLE(struct comparison, ci90_low), F_DOUBLE(struct comparison, ci90_high),
	F_DOUBLE(struct comparison, median_ratio),
	F_DOUBLE(struct comparison, p_sign_flip), F_DOUBLE(struct comparison, p_t),
	F_DOUBLE(struct comparison, p_holm), F_DOUBLE(struct comparison, q_benjamini_hochberg),
	F_DOUBLE(struct comparison, sd_log), F_BOOL(struct comparison, repeats),
	F_BOOL(struct comparison, heads), F_INT(struct comparison, rounds),
	F_INT(struct comparison, sessions),
	F_ENUM(struct comparison, verdict, verdict_names), F_STRING(struct comparison, reason),
	F_END
};

static const struct field workload_fields[] = {
	F_STRING(struct workload_verdict, workload),
	F_ENUM(struct workload_verdict, state, headline_names),
	F_STRING(struct workload_verdict, text), F_STRING(struct workload_verdict, offsets),
	F_DOUBLE(struct workload_verdict, match_share),
	F_END
};

static const struct field class_fields[] = {
	F_STRING(struct class_row, workload), F_STRING(struct class_row, data_state),
	{ .key = "share_a", .type = FIELD_DOUBLE, .offset = offsetof(struct class_row, share[SIDE_A]) },
	{ .key = "share_b", .type = FIELD_DOUBLE, .offset = offsetof(struct class_row, share[SIDE_B]) },
	{ .key = "behind_share_a", .type = FIELD_DOUBLE,
	  .offset = offsetof(struct class_row, behind_share[SIDE_A]) },
	{ .key = "behind_share_b", .type = FIELD_DOUBLE,
	  .offset = offsetof(struct class_row, behind_share[SIDE_B]) },
	{ .key = "bw_bytes_per_s_a", .type = FIELD_DOUBLE,
	  .offset = offsetof(struct class_row, bw_bytes_per_s[SIDE_A]) },
	{ .key = "bw_bytes_per_s_b", .type = FIELD_DOUBLE,
	  .offset = offsetof(struct class_row, bw_bytes_per_s[SIDE_B]) },
	F_END
};

static const struct field concurrency_fields[] = {
	F_STRING(struct concurrency_row, workload),
	{ .key = "interference_a", .type = FIELD_DOUBLE,
	  .offset = offsetof(struct concurrency_row, interference[SIDE_A]) },
	{ .key = "interference_b", .type = FIELD_DOUBLE,
	  .offset = offsetof(struct concurrency_row, interference[SIDE_B]) },
	{ .key = "interference_high_a", .type = FIELD_DOUBLE,
	  .offset = offsetof(struct concurrency_row, interference_high[SIDE_A]) },
	{ .key = "interference_high_b", .type = FIELD_DOUBLE,
	  .offset = offsetof(struct concurrency_row, interference_high[SIDE_B]) },
	F_DOUBLE(struct concurrency_row, ratio_of_ratios),
	F_DOUBLE(struct concurrency_row, ci95_low), F_DOUBLE(struct concurrency_row, ci95_high),
	F_DOUBLE(struct concurrency_row, total_bw_bytes_per_s),
	F_END
};

static const struct field rating_fields[] = {
	F_STRING(struct rating_row, workload), F_ENUM(struct rating_row, side, side_names),
	F_STRING(struct rating_row, metric), F_DOUBLE(struct rating_row, value),
	F_ENUM(struct rating_row, rating, rating_names), F_DOUBLE(struct rating_row, good),
	F_DOUBLE(struct rating_row, excellent), F_DOUBLE(struct rating_row, exceptional),
	F_DOUBLE(struct rating_row, link_limit), F_DOUBLE(struct rating_row, link_share),
	F_BOOL(struct rating_row, suspect), F_END
};

static const struct field gate_fields[] = {
	F_STRING(struct gate_result, expression), F_BOOL(struct gate_result, failed),
	F_BOOL(struct gate_result, measured), F_STRING(struct gate_result, text), F_END
};

static const struct field noise_fields[] = {
	F_STRING(struct noise_row, workload), F_ENUM(struct noise_row, state, noise_state_names),
	F_DOUBLE(struct noise_row, sd_log), F_DOUBLE(struct noise_row, ratio),
	F_INT(struct noise_row, rounds), F_INT(struct noise_row, rounds_needed), F_END
};

static const struct field session_ratio_fields[] = {
	F_STRING(struct session_ratio, run), F_STRING(struct session_ratio, started_utc),
	F_INT(struct session_ratio, rounds), F_DOUBLE(struct session_ratio, ratio), F_END
};

static const struct field session_row_fields[] = {
	F_STRING(struct session_row, workload), F_STRING(struct session_row, metric),
	F_STRING(struct session_row, subset), F_BOOL(struct session_row, concurrent),
	F_DOUBLE(struct session_row, ratio),
	F_DOUBLE(struct session_row, ci95_low), F_DOUBLE(struct session_row, ci95_high),
	F_DOUBLE(struct session_row, pooled_ci95_low), F_DOUBLE(struct session_row, pooled_ci95_high),
	F_DOUBLE(struct session_row, icc),
	F_ARRAY(struct session_row, sessions, session_ratio_fields), F_END
};

static const struct field verdict_fields[] = {
	F_ENUM(struct verdict, headline, headline_names), F_STRING(struct verdict, headline_text),
	F_STRINGS(struct verdict, sentences),
	F_ARRAY(struct verdict, comparisons, comparison_fields),
	F_ARRAY(struct verdict, workloads, workload_fields),
	F_ARRAY(struct verdict, classes, class_fields),
	F_ARRAY(struct verdict, concurrency, concurrency_fields),
	F_ARRAY(struct verdict, ledger, row_fields),
	F_ARRAY(struct verdict, ratings, rating_fields),
	F_ARRAY(struct verdict, noise_floor, noise_fields),
	F_ARRAY(struct verdict, sessions, session_row_fields),
	F_STRINGS(struct verdict, conditions),
	F_ARRAY(struct verdict, thresholds, number_fields),
	F_ARRAY(struct verdict, gates, gate_fields),
	F_END
};

void verdict_free(struct verdict *verdict)
{
	fields_free(verdict_fields, verdict);
	*verdict = (struct verdict){ 0 };
}

static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* Moves object[key] out of the object; a new reference, or NULL. */
static json_t *take(json_t *object, const char *key)
{
	json_t *value = json_incref(json_object_get(object, key));

	json_object_del(object, key);
	return value;
}

/* The two ends of an interval become one array, as scripts expect. */
static int join_interval(json_t *object, const char *key, const char *low, const char *high)
{
	json_t *pair = json_array();
	int ret = json_array_append_new(pair, take(object, low)) ||
		  json_array_append_new(pair, take(object, high));

	return json_object_set_new(object, key, pair) || ret;
}

/* "concurrent": true becomes "mode": "concurrent" */
static int shape_mode(json_t *object, bool concurrent)
{
	json_object_del(object, "concurrent");
	return json_object_set_new(object, "mode", json_string(concurrent ? "concurrent" : "single"));
}

static int shape_session(json_t *row, const struct session_row *from)
{
	return shape_mode(row, from->concurrent) || join_interval(row, "ci95", "ci95_low", "ci95_high") ||
	       join_interval(row, "pooled_ci95", "pooled_ci95_low", "pooled_ci95_high");
}

static int shape_comparison(json_t *c, const struct comparison *from)
{
	return join_interval(c, "ci95", "ci95_low", "ci95_high") ||
	       join_interval(c, "ci90", "ci90_low", "ci90_high") || shape_mode(c, from->concurrent) ||
	       json_object_set_new(c, "exploratory", json_boolean(!from->heads));
}

/* A list of {name, value} becomes one object. */
static int shape_numbers(json_t *object, const char *key, const struct number *numbers, size_t count)
{
	json_t *shaped = json_object();
	int ret = 0;

	for (size_t i = 0; i < count; i++)
		ret |= json_object_set_new(shaped, numbers[i].name, real_or_null(numbers[i].value));
	return json_object_set_new(object, key, shaped) || ret;
}

static int shape_row(json_t *row, const struct ledger_row *from)
{
	return shape_numbers(row, "numbers", from->numbers, from->numbers_count) ||
	       shape_numbers(row, "thresholds", from->thresholds, from->thresholds_count);
}

json_t *verdict_to_json(const struct verdict *v)
{
	json_t *document = model_document(), *body = fields_to_json(verdict_fields, v);
	json_t *headline = json_object();
	int ret = !document || !body || json_object_set_new(headline, "state", take(body, "headline")) ||
		  json_object_set_new(headline, "text", take(body, "headline_text")) ||
		  json_object_set(document, "headline", headline);

	for (size_t i = 0; !ret && i < v->comparisons_count; i++)
		ret = shape_comparison(json_array_get(json_object_get(body, "comparisons"), i),
				       &v->comparisons[i]);
	for (size_t i = 0; !ret && i < v->ledger_count; i++)
		ret = shape_row(json_array_get(json_object_get(body, "ledger"), i), &v->ledger[i]);
	for (size_t i = 0; !ret && i < v->sessions_count; i++)
		ret = shape_session(json_array_get(json_object_get(body, "sessions"), i), &v->sessions[i]);
	ret = ret || shape_numbers(body, "thresholds", v->thresholds, v->thresholds_count) ||
	      json_object_update(document, body);
	json_decref(headline);
	json_decref(body);
	if (ret) {
		json_decref(document);
		return NULL;
	}
	return document;
}
