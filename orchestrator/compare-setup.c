/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is not the same in all runs, beside the results. */
#include "compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model-json.h"

#define TEMPERATURE_SLACK_C 3	/* starts this close are equal */

/* Where a value lies and how it is written. */
struct setup_item {
	const char *what;
	enum field_type type;
	size_t offset;
};

static const struct setup_item of_run[] = {
#define H(type, what, member) { what, type, offsetof(struct result, member) }
	H(FIELD_STRING, "suite", plan.suite), H(FIELD_STRING, "I/O engine", plan.base_engine),
	H(FIELD_STRING, "fio", host.fio_version), H(FIELD_STRING, "kernel", host.kernel),
	H(FIELD_STRING, "system", host.os_release), H(FIELD_STRING, "CPU", host.cpu_model),
	H(FIELD_INT, "CPUs online", host.cpus_online), H(FIELD_INT, "memory (bytes)", host.memory_bytes),
	H(FIELD_INT, "page size (bytes)", host.page_bytes), H(FIELD_STRING, "CPU governor", host.governor),
	H(FIELD_STRING, "ASPM policy", host.aspm_policy),
	H(FIELD_INT, "APST latency limit (us)", host.nvme_default_ps_max_latency_us),
	H(FIELD_STRING, "pinned CPUs of A", plan.cpus_a), H(FIELD_STRING, "pinned CPUs of B", plan.cpus_b),
	H(FIELD_STRING, "classify", plan.classify),
#undef H
};

static const struct setup_item of_drive[] = {
#define D(type, what, member) { what, type, offsetof(struct drive, member) }
	D(FIELD_STRING, "target", target), D(FIELD_STRING, "model", model), D(FIELD_STRING, "firmware", firmware),
	D(FIELD_INT, "capacity (bytes)", capacity_bytes), D(FIELD_STRING, "PCI address", pci_address),
	D(FIELD_STRING, "transport", transport), D(FIELD_STRING, "scheduler", scheduler),
	D(FIELD_STRING, "write cache", write_cache), D(FIELD_INT, "nr_requests", nr_requests),
	D(FIELD_INT, "read-ahead (KiB)", read_ahead_kib), D(FIELD_INT, "logical block (bytes)", logical_block_bytes),
	D(FIELD_INT, "NUMA node", numa_node), D(FIELD_STRING, "IOMMU", iommu_type),
	D(FIELD_STRING, "mapping", mapping), D(FIELD_STRING, "file system", file_system),
	D(FIELD_INT, "PM QoS latency (us)", pm_qos_latency_us),
#undef D
};

static char *item_text(const struct setup_item *item, const void *base)
{
	const char *p = (const char *)base + item->offset;

	if (item->type == FIELD_INT) {
		int64_t v = *(const int64_t *)p;

		return known(v) ? text_format("%lld", (long long)v) : strdup("not known");
	}
	p = *(char *const *)p;
	return strdup(p ? p : "not known");
}

/* Takes the values (one for each run, NULL: no memory); a row when they are not all equal. */
static int add_row(struct compare *c, const char *what, const char *drive, char **values, size_t count)
{
	struct setup_row *row = NULL;
	bool differ = false, whole = true;
	int ret = 0;

	for (size_t i = 0; i < count; i++)
		whole = whole && values[i];
	for (size_t i = 1; whole && i < count; i++)
		differ |= strcmp(values[0], values[i]) != 0;
	if (whole && differ) {
		row = compare_grow(&c->setup, &c->setup_count, sizeof(*row));
		ret = row && (row->what = strdup(what)) && (!drive || (row->drive = strdup(drive))) ? 0 : -ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		if (row && !ret)
			ret = strings_add(&row->values, values[i]);
		free(values[i]);
	}
	return whole ? ret : -ENOMEM;
}

static double start_temperature(const struct result *run, int side)
{
	for (size_t w = 0; w < run->workloads_count; w++)
		for (size_t i = 0; i < run->workloads[w].observations_count; i++) {
			double c = run->workloads[w].observations[i].side[side].temperature_start_c;

			if (isfinite(c))
				return c;
		}
	return NAN;
}

static int add_temperatures(const struct result *runs, size_t count, struct compare *c, const char *drive,
			    const int *sides)
{
	double least = INFINITY, most = -INFINITY;
	char *values[COMPARE_RUNS_MAX];

	for (size_t r = 0; r < count; r++) {
		double t = start_temperature(&runs[r], sides[r]);

		least = t < least ? t : least;
		most = t > most ? t : most;
		values[r] = isfinite(t) ? text_format("%.0f C", t) : strdup("not known");
	}
	if (most - least > TEMPERATURE_SLACK_C)
		return add_row(c, "temperature at the start", drive, values, count);
	for (size_t r = 0; r < count; r++)
		free(values[r]);
	return 0;
}

static char *link_text(const struct drive *d)
{
	const struct pci_link *l = d->links;

	if (!d->links_count || !isfinite(l->current_speed_gt_per_s))
		return strdup("not known");
	return known(l->current_width_lanes) ? text_format("%.1f GT/s x%lld", l->current_speed_gt_per_s,
							   (long long)l->current_width_lanes) :
					       text_format("%.1f GT/s", l->current_speed_gt_per_s);
}

static char *slot_text(const struct drive *d)
{
	return strdup(d->pci_address ? d->pci_address :
		      d->links_count && d->links[0].address ? d->links[0].address : "not known");
}

static char *side_text(int side)
{
	return strdup(side < 0 ? "not there" : side ? "B" : "A");
}

static char *state_text(const struct result *run, const char *workload, int side)
{
	struct text t = { 0 };

	for (size_t w = 0; w < run->workloads_count; w++) {
		const double *share = run->workloads[w].match.class_share[side];

		for (int k = 0; !strcmp(run->workloads[w].name, workload) && k < DATA_STATES; k++)
			if (share[k] >= 0.005)
				text_printf(&t, "%s%.0f %% %s", t.length ? ", " : "", 100 * share[k],
					    data_state_names[k]);
	}
	if (!t.length)
		text_add(&t, "not known");
	return text_steal(&t);
}

static int add_states(const struct result *runs, size_t count, struct compare *c, const char *drive,
		      const int *sides)
{
	const struct result *base = &runs[c->baseline - 1];
	int ret = 0;

	for (size_t w = 0; !ret && w < base->workloads_count; w++) {
		_cleanup_free_ char *what = text_format("data in %s", base->workloads[w].name);
		char *values[COMPARE_RUNS_MAX];

		for (size_t r = 0; r < count; r++)
			values[r] = state_text(&runs[r], base->workloads[w].name, sides[r]);
		ret = add_row(c, what ? what : "data", drive, values, count);
	}
	return ret;
}

static int add_drive(const struct result *runs, size_t count, struct compare *c, const char *drive,
		     const int *sides)
{
	char *values[COMPARE_RUNS_MAX];
	int ret;

	for (size_t r = 0; r < count; r++)
		values[r] = side_text(sides[r]);
	ret = add_row(c, "side", drive, values, count);
	for (size_t r = 0; r < count; r++)
		if (sides[r] < 0)	/* says it all */
			return ret;
	for (size_t i = 0; !ret && i < sizeof(of_drive) / sizeof(*of_drive); i++) {
		bool slot = !strcmp(of_drive[i].what, "PCI address");

		for (size_t r = 0; r < count; r++)
			values[r] = slot ? slot_text(&runs[r].drives[sides[r]]) :
					   item_text(&of_drive[i], &runs[r].drives[sides[r]]);
		ret = add_row(c, of_drive[i].what, drive, values, count);
	}
	for (size_t r = 0; !ret && r < count; r++)
		values[r] = link_text(&runs[r].drives[sides[r]]);
	if (!ret)
		ret = add_row(c, "link", drive, values, count);
	if (!ret)
		ret = add_temperatures(runs, count, c, drive, sides);
	return ret ? ret : add_states(runs, count, c, drive, sides);
}

int compare_setup(const struct result *runs, size_t count, struct compare *c, const int *sides)
{
	char *values[COMPARE_RUNS_MAX];
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(of_run) / sizeof(*of_run); i++) {
		for (size_t r = 0; r < count; r++)
			values[r] = item_text(&of_run[i], &runs[r]);
		ret = add_row(c, of_run[i].what, NULL, values, count);
	}
	for (size_t d = 0; !ret && d < c->drives_count; d++)
		ret = add_drive(runs, count, c, c->drives[d].name, sides + d * count);
	return ret;
}
