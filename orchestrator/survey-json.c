/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A survey as a JSON document, and back. */
#include <errno.h>
#include <string.h>

#include "fail.h"
#include "model-json.h"
#include "survey.h"

const char *const survey_kind_names[] = {
	"unclassified", "zero", "pattern", "highly_compressible", "compressible", "incompressible", "hole",
	"unwritten", "deallocated", "unreadable", NULL
};

#define F_KIND(i, name) { .key = name, .type = FIELD_INT, .offset = offsetof(struct survey_counts, n[i]) }
static const struct field counts_fields[] = {
	F_KIND(REC_UNCLASSIFIED, "unclassified"), F_KIND(REC_ZERO, "zero"), F_KIND(REC_PATTERN, "pattern"),
	F_KIND(REC_HIGHLY_COMPRESSIBLE, "highly_compressible"), F_KIND(REC_COMPRESSIBLE, "compressible"),
	F_KIND(REC_INCOMPRESSIBLE, "incompressible"), F_KIND(KIND_HOLE, "hole"),
	F_KIND(KIND_UNWRITTEN, "unwritten"), F_KIND(KIND_DEALLOCATED, "deallocated"),
	F_KIND(KIND_UNREADABLE, "unreadable"), F_END
};

static const struct field range_fields[] = {
	F_INT(struct survey_range, offset_bytes), F_INT(struct survey_range, length_bytes),
	F_INT(struct survey_range, blocks), F_INT(struct survey_range, samples),
	F_STRUCT(struct survey_range, counts, counts_fields), F_INT(struct survey_range, repeated),
	F_ENUM(struct survey_range, kind, survey_kind_names), F_DOUBLE(struct survey_range, share),
	F_DOUBLE(struct survey_range, share_low), F_DOUBLE(struct survey_range, share_high),
	F_STRING(struct survey_range, text), F_END
};

static const struct field allocation_fields[] = {
	F_STRING(struct survey_allocation, source), F_BOOL(struct survey_allocation, separable),
	F_INT(struct survey_allocation, asked), F_INT(struct survey_allocation, deallocated),
	F_STRING(struct survey_allocation, text), F_END
};

static const struct field offset_fields[] = { F_INT(struct survey_offset, offset_bytes), F_END };

static const struct field drive_survey_fields[] = {
	F_STRING(struct survey_drive, target), F_STRING(struct survey_drive, model),
	F_STRING(struct survey_drive, serial), F_STRING(struct survey_drive, transport),
	F_INT(struct survey_drive, namespace_id), F_INT(struct survey_drive, capacity_bytes),
	F_INT(struct survey_drive, partition_start_bytes), F_INT(struct survey_drive, file_device),
	F_INT(struct survey_drive, file_inode), F_BOOL(struct survey_drive, direct),
	F_INT(struct survey_drive, samples), F_INT(struct survey_drive, read_bytes),
	F_INT(struct survey_drive, unreadable), F_INT(struct survey_drive, read_ns),
	F_STRUCT(struct survey_drive, allocation, allocation_fields), F_STRING(struct survey_drive, map),
	F_ARRAY(struct survey_drive, ranges, range_fields),
	F_ARRAY(struct survey_drive, unreadable_at, offset_fields), F_END
};

static const struct field pair_fields[] = {
	F_INT(struct survey_pair, offset_bytes), F_INT(struct survey_pair, length_bytes),
	F_ENUM(struct survey_pair, kind, survey_kind_names), F_INT(struct survey_pair, pairs),
	F_INT(struct survey_pair, same_kind), F_INT(struct survey_pair, same_hash),
	F_DOUBLE(struct survey_pair, same_kind_low), F_DOUBLE(struct survey_pair, overlap),
	F_DOUBLE(struct survey_pair, overlap_lower), F_BOOL(struct survey_pair, matched),
	F_STRING(struct survey_pair, text), F_END
};

static const struct field proposal_fields[] = {
	F_INT(struct survey_proposal, offset_bytes), F_INT(struct survey_proposal, length_bytes),
	F_ENUM(struct survey_proposal, kind, survey_kind_names), F_END
};

static const struct field survey_fields[] = {
	F_INT(struct survey, seed), F_INT(struct survey, block_bytes), F_INT(struct survey, samples_per_range),
	F_STRING(struct survey, started_utc), F_BOOL(struct survey, complete), F_STRING(struct survey, reason),
	F_ARRAY(struct survey, drives, drive_survey_fields), F_ARRAY(struct survey, pairs, pair_fields),
	F_ARRAY(struct survey, proposals, proposal_fields), F_STRING(struct survey, proposal_text), F_END
};

void survey_free(struct survey *s)
{
	fields_free(survey_fields, s);
	*s = (struct survey){ 0 };
}

json_t *survey_to_json(const struct survey *s)
{
	json_t *document = model_document(), *fields = fields_to_json(survey_fields, s);

	if (!document || !fields || json_object_set_new(document, "confidence", json_real(SURVEY_CONFIDENCE)) ||
	    json_object_update(document, fields)) {
		json_decref(document);
		document = NULL;
	}
	json_decref(fields);
	return document;
}

/* Offsets and lengths that a run would be made of. */
static bool good_range(int64_t offset, int64_t length, int64_t bytes)
{
	return known(offset) && known(length) && offset >= 0 && length > 0 && length <= bytes &&
	       offset <= bytes - length;
}

static bool good_drive(const struct survey_drive *d)
{
	bool good = d->target && known(d->capacity_bytes) && d->capacity_bytes > 0 && d->ranges_count &&
		    known(d->samples);

	for (size_t i = 0; good && i < d->ranges_count; i++) {
		const struct survey_range *r = &d->ranges[i];

		good = good_range(r->offset_bytes, r->length_bytes, d->capacity_bytes) && r->kind >= 0 &&
		       r->kind < SURVEY_KINDS && known(r->samples);
		for (int k = 0; good && k < SURVEY_KINDS; k++)
			good = known(r->counts.n[k]) && r->counts.n[k] >= 0;
	}
	return good;
}

static bool good_survey(const struct survey *s)
{
	bool good = (s->drives_count == 1 || s->drives_count == 2) && known(s->block_bytes) && s->block_bytes > 0;

	for (size_t i = 0; good && i < s->drives_count; i++)
		good = good_drive(&s->drives[i]);
	for (size_t i = 0; good && i < s->proposals_count; i++)
		for (size_t k = 0; good && k < s->drives_count; k++)
			good = good_range(s->proposals[i].offset_bytes, s->proposals[i].length_bytes,
					  s->drives[k].capacity_bytes);
	return good;
}

int survey_from_json(const json_t *json, const char *name, struct survey *s)
{
	const char *wrong = "";
	int ret;

	*s = (struct survey){ 0 };
	if (json_integer_value(json_array_get(json_object_get(json, "json_format_version"), 0)) != JSON_FORMAT_MAJOR)
		return fail(-EBADMSG, "%s is not a survey of this version of nvmatch (nvmatch survey A B -o FILE "
			    "writes one)", name);
	ret = fields_from_json(survey_fields, json, s, &wrong);
	if (ret == -EINVAL)
		return fail(-EBADMSG, "%s: the value of %s has the wrong type", name, wrong);
	if (!ret && !good_survey(s)) {
		survey_free(s);
		return fail(-EBADMSG, "%s is no survey, or damaged: its parts do not fit each other", name);
	}
	return ret;
}

static bool differs(const char *a, const char *b)
{
	return (a || b) && (!a || !b || strcmp(a, b));
}

/* A file is itself by its inode; a device by serial and namespace. What has no serial, by its name. */
const char *survey_differs(const struct survey_drive *s, const struct drive *d)
{
	int64_t bytes = d->kind == TARGET_BLOCK ? d->capacity_bytes : d->file_bytes;

	if (s->capacity_bytes != bytes)
		return "size";
	if (differs(s->serial, d->serial))
		return "serial";
	if (differs(s->model, d->model))
		return "model";
	if (s->namespace_id != d->namespace_id)
		return "namespace";
	if (s->partition_start_bytes != d->partition_start_bytes)
		return "start of the partition";
	if (d->kind != TARGET_BLOCK && (s->file_device != d->file_device || s->file_inode != d->file_inode))
		return "file";
	if (!d->serial && d->kind == TARGET_BLOCK && differs(s->target, d->target))
		return "name";
	return NULL;
}

int survey_check_drives(const struct survey *s, const char *name, const struct drive *a,
			const struct drive *b)
{
	const struct drive *drives[SIDES] = { a, b };

	if (s->drives_count != SIDES || !b)
		return fail(-EINVAL, "%s: matched ranges need two drives, and a survey of both", name);
	for (int i = 0; i < SIDES; i++) {
		const char *what = survey_differs(&s->drives[i], drives[i]);

		if (what)
			return fail(-EPERM, "%s is not of these drives: another %s on side %c (%s there, %s here)", name,
				    what, "AB"[i], s->drives[i].target, drives[i]->target);
	}
	return 0;
}
