/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fio's JSON. */
#include "fio-json.h"
#include "json-fields.h"
#include "model-json.h"
#include "tests/fuzz/fuzz.h"

#define FUZZ_JSON_START 0
#include "tests/fuzz/mutate-json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fio_expect expect = { .exit_status = 0, .asked_runtime_ms = 1000, .planned_jobs = 1 };
	struct fio_run run;
	struct fio_job total;

	if (!fio_json_read((const char *)data, size, &expect, &run)) {
		if (!fio_json_total(&run, &total))
			fields_free(fio_job_fields, &total);
		fields_free(fio_run_fields, &run);
	}
	return 0;
}
