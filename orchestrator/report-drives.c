/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two drives side by side. A row that neither side has is left out, unless it is asked for often. */
#include "report-print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"

/* What a row is made from. Returns the value as text, NULL when unknown. */
typedef char *value_fn(struct report *r, int side);

/* So that memory that ran out is not taken for an unknown value. */
static char *got(struct report *r, char *value)
{
	r->failed |= !value;
	return value;
}

static char *copy(struct report *r, const char *s)
{
	return s ? got(r, strdup(s)) : NULL;
}

static char *integer(struct report *r, int64_t v, const char *unit)
{
	return known(v) ? got(r, text_format("%lld%s", (long long)v, unit)) : NULL;
}

static char *bytes(struct report *r, int64_t v)
{
	char buffer[TEXT_NUMBER_SIZE];

	return known(v) ? copy(r, text_bytes(buffer, (double)v)) : NULL;
}

#define DRIVE(r, s) (&(r)->result->drives[s])
#define V(name, expression) \
	static char *name(struct report *r, int s) { return expression; }

V(target, copy(r, DRIVE(r, s)->target))
V(model, copy(r, DRIVE(r, s)->model))
V(serial, copy(r, DRIVE(r, s)->serial))
V(firmware, copy(r, DRIVE(r, s)->firmware))
V(name_space, integer(r, DRIVE(r, s)->namespace_id, ""))
V(capacity, bytes(r, DRIVE(r, s)->capacity_bytes))
V(transport, copy(r, DRIVE(r, s)->transport))
V(file_system, copy(r, DRIVE(r, s)->file_system))
V(pci_address, copy(r, DRIVE(r, s)->pci_address))
V(numa_node, integer(r, DRIVE(r, s)->numa_node, ""))
V(logical_block, integer(r, DRIVE(r, s)->logical_block_bytes, " bytes"))
V(physical_block, integer(r, DRIVE(r, s)->physical_block_bytes, " bytes"))
V(scheduler, copy(r, DRIVE(r, s)->scheduler))
V(write_cache, copy(r, DRIVE(r, s)->write_cache))
V(nr_requests, integer(r, DRIVE(r, s)->nr_requests, ""))
V(max_sectors, integer(r, DRIVE(r, s)->max_sectors_kib, " KiB"))
V(read_ahead, integer(r, DRIVE(r, s)->read_ahead_kib, " KiB"))
V(nomerges, integer(r, DRIVE(r, s)->nomerges, ""))
V(rq_affinity, integer(r, DRIVE(r, s)->rq_affinity, ""))
V(latency_tolerance, integer(r, DRIVE(r, s)->pm_qos_latency_us, " us"))

static char *link_of(struct report *r, int s, size_t index, bool maximum)
{
	const struct drive *d = DRIVE(r, s);
	const struct pci_link *l = index < d->links_count ? &d->links[index] : NULL;
	double speed = !l ? NAN : maximum ? l->max_speed_gt_per_s : l->current_speed_gt_per_s;
	int64_t lanes = !l ? UNKNOWN_I64 : maximum ? l->max_width_lanes : l->current_width_lanes;

	return isnan(speed) || !known(lanes) ? NULL :
	       got(r, text_format("%g GT/s x%lld", speed, (long long)lanes));
}

V(link_now, link_of(r, s, 0, false))
V(link_max, link_of(r, s, 0, true))
V(port_max, link_of(r, s, 1, true))

/* The last valid page after a slot, by the time of the slot. */
static const struct smart *last_page(struct report *r, int side)
{
	const struct measurement *last = NULL;

	for (size_t w = 0; w < r->result->workloads_count; w++) {
		const struct workload_result *x = &r->result->workloads[w];

		for (size_t i = 0; i < x->observations_count; i++) {
			const struct measurement *m = &x->observations[i].side[side];

			if (m->smart_after.valid && (!last || m->started_ns >= last->started_ns))
				last = m;
		}
	}
	return last ? &last->smart_after : NULL;
}

static char *page_number(struct report *r, int s, size_t offset, const char *unit)
{
	const struct smart *page = last_page(r, s);

	return page ? integer(r, *(const int64_t *)((const char *)page + offset), unit) : NULL;
}

static char *page_counter(struct report *r, int s, size_t offset)
{
	const struct smart *page = last_page(r, s);
	const struct smart_counter *c = page ? (const void *)((const char *)page + offset) : NULL;

	if (!c)
		return NULL;
	return got(r, c->high ? text_format("over 2^64") : text_format("%llu", (unsigned long long)c->low));
}

V(used, page_number(r, s, offsetof(struct smart, percent_used), " %"))
V(spare, page_number(r, s, offsetof(struct smart, avail_spare), " %"))
V(warning_bits, page_number(r, s, offsetof(struct smart, critical_warning), ""))
V(media, page_counter(r, s, offsetof(struct smart, media_errors)))
V(log_entries, page_counter(r, s, offsetof(struct smart, num_err_log_entries)))
V(hours, page_counter(r, s, offsetof(struct smart, power_on_hours)))
V(unsafe_shutdowns, page_counter(r, s, offsetof(struct smart, unsafe_shutdowns)))
V(warm_minutes, page_number(r, s, offsetof(struct smart, warning_temp_time), " min"))

static char *temperature(struct report *r, int side)
{
	double low = NAN, high = NAN;

	for (size_t w = 0; w < r->result->workloads_count; w++) {
		const struct workload_result *x = &r->result->workloads[w];

		for (size_t i = 0; i < x->observations_count; i++) {
			low = fmin(low, x->observations[i].side[side].temperature_min_c);
			high = fmax(high, x->observations[i].side[side].temperature_max_c);
		}
	}
	return isnan(low) || isnan(high) ? NULL : got(r, text_format("%.0f to %.0f C", low, high));
}

/* A number of the judge's about the side: "share_of_link_limit_low_a" of row "pcie_link_differs". */
static double judged(struct report *r, const char *id, const char *number, int side)
{
	_cleanup_free_ char *name = got(r, text_format("%s_%c", number, side ? 'b' : 'a'));

	for (size_t i = 0; name && i < r->verdict->ledger_count; i++) {
		const struct ledger_row *row = &r->verdict->ledger[i];

		if (!row->id || strcmp(row->id, id))
			continue;
		for (size_t k = 0; k < row->numbers_count; k++)
			if (!strcmp(row->numbers[k].name, name))
				return row->numbers[k].value;
	}
	return NAN;
}

/* One value where the payload size is known, else from and to. */
static char *link_limit(struct report *r, int s)
{
	double low = judged(r, "pcie_link_differs", "path_limit_low_bytes_per_s", s);
	double high = judged(r, "pcie_link_differs", "path_limit_high_bytes_per_s", s);
	char from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];

	if (isnan(low) || isnan(high))
		return NULL;
	return got(r, high > low ? text_format("%s to %s", text_rate(from, low), text_rate(to, high)) :
			text_format("%s", text_rate(to, high)));
}

static char *link_share(struct report *r, int s)
{
	double low = judged(r, "pcie_link_differs", "share_of_link_limit_low", s);
	double high = judged(r, "pcie_link_differs", "share_of_link_limit_high", s);

	if (isnan(low) || isnan(high))
		return NULL;
	return got(r, high - low < 0.005 ? text_format("%.0f %%", 100 * high) :
			text_format("%.0f to %.0f %%", 100 * low, 100 * high));
}

static char *payload(struct report *r, int s)
{
	const struct drive *d = DRIVE(r, s);

	return d->links_count && known(d->links[0].max_payload_bytes) && known(d->links[0].max_read_request_bytes) ?
	       got(r, text_format("%lld bytes, requests of %lld", (long long)d->links[0].max_payload_bytes,
				  (long long)d->links[0].max_read_request_bytes)) : NULL;
}

V(iommu, copy(r, DRIVE(r, s)->iommu_type))
V(interrupts, integer(r, DRIVE(r, s)->interrupt_vectors, ""))
V(host_memory, bytes(r, DRIVE(r, s)->identify.hmb_bytes))
V(mapping, copy(r, DRIVE(r, s)->mapping))

/* The last slot's page, and what the whole run added to its counts. */
static char *write_amplification(struct report *r, int side)
{
	double ratio = NAN;

	for (size_t w = 0; w < r->result->workloads_count; w++) {
		const struct workload_result *x = &r->result->workloads[w];

		for (size_t i = 0; i < x->observations_count; i++) {
			const struct measurement *m = &x->observations[i].side[side];
			double v = ocp_write_amplification(&m->ocp_after, &m->smart_after);

			ratio = isnan(v) ? endurance_write_amplification(&m->endurance_after) : v;
		}
	}
	return isnan(ratio) ? NULL : got(r, text_format("%.2f", ratio));
}

static char *ocp_sum(struct report *r, int side,
		     int64_t (*events)(const struct ocp_smart *before, const struct ocp_smart *after))
{
	int64_t sum = UNKNOWN_I64;

	for (size_t w = 0; w < r->result->workloads_count; w++) {
		const struct workload_result *x = &r->result->workloads[w];

		for (size_t i = 0; i < x->observations_count; i++) {
			const struct measurement *m = &x->observations[i].side[side];
			int64_t n = events(&m->ocp_before, &m->ocp_after);

			if (known(n))
				sum = (known(sum) ? sum : 0) + n;
		}
	}
	return integer(r, sum, " in the run");
}

V(recoveries, ocp_sum(r, s, ocp_read_recoveries))
V(throttle_events, ocp_sum(r, s, ocp_throttle_events))

static char *warning_temperature(struct report *r, int s)
{
	double c = DRIVE(r, s)->identify.warning_temperature_c;

	return isnan(c) ? NULL : got(r, text_format("%.0f C", c));
}

enum { SHOW_IF_KNOWN, SHOW, MAY_DIFFER = 2 };

static const struct row {
	const char *name;
	value_fn *value;	/* NULL: a group of this name begins */
	int how;
} rows[] = {
	{ "Identity", NULL, 0 },
	{ "target", target, SHOW | MAY_DIFFER }, { "model", model, SHOW },
	{ "serial", serial, SHOW | MAY_DIFFER }, { "firmware", firmware, SHOW },
	{ "namespace", name_space, SHOW_IF_KNOWN }, { "capacity", capacity, SHOW },
	{ "transport", transport, SHOW }, { "file system", file_system, SHOW_IF_KNOWN },
	{ "PCI address", pci_address, SHOW_IF_KNOWN | MAY_DIFFER },
	{ "Link", NULL, 0 },
	{ "link", link_now, SHOW }, { "link maximum", link_max, SHOW_IF_KNOWN },
	{ "port maximum", port_max, SHOW_IF_KNOWN }, { "payload", payload, SHOW_IF_KNOWN },
	{ "limit of its path", link_limit, SHOW_IF_KNOWN },
	{ "most of it used", link_share, SHOW_IF_KNOWN | MAY_DIFFER },
	{ "IOMMU", iommu, SHOW_IF_KNOWN }, { "interrupts", interrupts, SHOW_IF_KNOWN },
	{ "host memory buffer", host_memory, SHOW_IF_KNOWN }, { "layers above it", mapping, SHOW_IF_KNOWN },
	{ "NUMA node", numa_node, SHOW_IF_KNOWN },
	{ "Health", NULL, 0 },
	{ "percentage used", used, SHOW }, { "available spare", spare, SHOW_IF_KNOWN },
	{ "media errors", media, SHOW }, { "error-log entries", log_entries, SHOW_IF_KNOWN | MAY_DIFFER },
	{ "write amplification", write_amplification, SHOW_IF_KNOWN | MAY_DIFFER },
	{ "reads recovered", recoveries, SHOW_IF_KNOWN | MAY_DIFFER },
	{ "throttle events", throttle_events, SHOW_IF_KNOWN },
	{ "critical warning bits", warning_bits, SHOW_IF_KNOWN },
	{ "power-on hours", hours, SHOW_IF_KNOWN | MAY_DIFFER },
	{ "unsafe shutdowns", unsafe_shutdowns, SHOW_IF_KNOWN | MAY_DIFFER },
	{ "temperature", temperature, SHOW | MAY_DIFFER },
	{ "warning temperature", warning_temperature, SHOW_IF_KNOWN },
	{ "minutes above it", warm_minutes, SHOW_IF_KNOWN },
	{ "Settings", NULL, 0 },
	{ "logical block", logical_block, SHOW_IF_KNOWN }, { "physical block", physical_block, SHOW_IF_KNOWN },
	{ "scheduler", scheduler, SHOW_IF_KNOWN }, { "write cache", write_cache, SHOW_IF_KNOWN },
	{ "nr_requests", nr_requests, SHOW_IF_KNOWN }, { "largest request", max_sectors, SHOW_IF_KNOWN },
	{ "read-ahead", read_ahead, SHOW_IF_KNOWN }, { "nomerges", nomerges, SHOW_IF_KNOWN },
	{ "rq_affinity", rq_affinity, SHOW_IF_KNOWN },
	{ "latency tolerance", latency_tolerance, SHOW_IF_KNOWN },
};

static void table_head(struct report *r, struct report_table *t)
{
	static const char *const head[] = { "", "A", "B", "" };

	for (size_t i = 0; i < t->columns; i++)
		report_cell(r, t, "%s", head[i]);
}

/* A group without a row has no heading either. */
static void table_end(struct report *r, const char *group, struct report_table *t)
{
	size_t columns = t->columns;

	if (t->cells_count > columns && group)
		r->print->heading(r, 3, group);
	if (t->cells_count > columns)
		r->print->table(r, t);
	report_table_free(t);
	t->columns = columns;
}

static void one_row(struct report *r, const struct row *row, struct report_table *t)
{
	_cleanup_free_ char *a = row->value(r, SIDE_A);
	_cleanup_free_ char *b = row->value(r, SIDE_B);
	bool differ = a && b && strcmp(a, b) && !(row->how & MAY_DIFFER);

	if (!a && !b && !(row->how & SHOW))
		return;
	report_cell(r, t, "%s", row->name);
	report_cell(r, t, "%s", a ? a : "not measured");
	if (r->result->plan.one_side)
		return;
	report_cell(r, t, "%s", b ? b : "not measured");
	report_cell(r, t, "%s", differ ? "differs" : "");
}

void report_drives(struct report *r)
{
	bool alone = r->result->plan.one_side;
	struct report_table t = { .columns = alone ? 2 : 4 };
	const char *group = NULL;

	r->print->heading(r, 2, alone ? "The drive" : "The drives");
	table_head(r, &t);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].value) {
			one_row(r, &rows[i], &t);
		} else if (r->print->groups) {
			table_end(r, group, &t);
			group = rows[i].name;
			table_head(r, &t);
		}
	}
	table_end(r, group, &t);
}
