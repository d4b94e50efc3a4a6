/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations that lie in the way between drive and CPU: errors on links, settings of the host. */
#include "hypotheses.h"

#include <stdlib.h>
#include <string.h>

#include "pages.h"
#include "smart.h"
#include "stats.h"

/* ---- link errors ---- */

/* Errors in one slot by every counter that there is: of AER on the path, and of the drive itself. */
static double errors_of(const struct measurement *m)
{
	double sum = known(m->link_errors) ? (double)m->link_errors : NAN;
	int64_t own;

	if (known(m->link_errors_uncorrectable))
		sum = (isnan(sum) ? 0 : sum) + (double)m->link_errors_uncorrectable;
	if (m->ocp_before.valid && m->ocp_after.valid &&
	    smart_counter_delta(m->ocp_before.pcie_correctable_err_count, m->ocp_after.pcie_correctable_err_count,
				&own))
		sum = fmax(isnan(sum) ? 0 : sum, (double)own);
	return sum;
}

static double retrainings_of(const struct measurement *m)
{
	int64_t n;

	if (!m->ocp_before.valid || !m->ocp_after.valid || m->ocp_after.log_page_version < 2 ||
	    !smart_counter_delta(m->ocp_before.pcie_link_retraining_count,
				 m->ocp_after.pcie_link_retraining_count, &n))
		return NAN;
	return (double)n;
}

static double median_of(double *values, size_t n)
{
	return n ? stats_median(values, n) : NAN;
}

/*
 * Were the slots with errors the slow ones? Median speed with errors over that without, in one
 * workload and mode; the least of them all. NaN: there are not both kinds.
 */
static double speed_with_errors(struct judging *j, int side)
{
	double least = NAN;

	for (size_t w = 0; w < j->result->workloads_count; w++) {
		const struct workload_result *r = &j->result->workloads[w];
		double *values = calloc(2 * r->observations_count + 1, sizeof(*values));

		j->failed |= !values;
		for (int concurrent = 0; values && concurrent < 2; concurrent++) {
			double *with = values, *without = values + r->observations_count;
			size_t n_with = 0, n_without = 0;

			for (size_t i = 0; i < r->observations_count; i++) {
				const struct measurement *m = &r->observations[i].side[side];

				if (!m->usable || r->observations[i].concurrent != concurrent ||
				    isnan(m->bw_bytes_per_s))
					continue;
				if (errors_of(m) > 0 || retrainings_of(m) > 0)
					with[n_with++] = m->bw_bytes_per_s;
				else
					without[n_without++] = m->bw_bytes_per_s;
			}
			if (n_with && n_without >= 2)
				least = fmin(least, median_of(with, n_with) / median_of(without, n_without));
		}
		free(values);
	}
	return least;
}

/* The counters of the first slot of each side in which there were any. */
static void point_at_counters(struct judging *j, struct ledger_row *row)
{
	const struct measurement *m;

	for (int s = 0; s < SIDES; s++) {
		for (size_t i = 0; (m = judge_measurement(j, s, &i));) {
			bool aer = known(m->link_errors) || known(m->link_errors_uncorrectable);

			if (!m->slot || isnan(errors_of(m)))
				continue;
			if (aer) {
				judge_evidence(j, row, "/before", "slots/%s/%s/link.json", m->slot, side_name(s));
				judge_evidence(j, row, "/after", "slots/%s/%s/link.json", m->slot, side_name(s));
			}
			if (m->ocp_before.valid && m->ocp_after.valid) {
				judge_evidence(j, row, NULL, "slots/%s/%s/ocp-before.bin", m->slot, side_name(s));
				judge_evidence(j, row, NULL, "slots/%s/%s/ocp-after.bin", m->slot, side_name(s));
			}
			break;
		}
	}
}

void link_errors(struct judging *j, struct ledger_row *row, struct finding *f)
{
	double errors[SIDES], retrained[SIDES];
	_cleanup_text_ struct text more = { 0 };
	int state = LEDGER_NOT_SUPPORTED;

	for (int s = 0; s < SIDES; s++) {
		char suffix = s ? 'b' : 'a';
		double slow;

		errors[s] = judge_sum(j, s, errors_of);
		retrained[s] = judge_sum(j, s, retrainings_of);
		judge_number(j, row, errors[s], "link_errors_in_run_%c", suffix);
		judge_number(j, row, retrained[s], "link_retrainings_in_run_%c", suffix);
		if (!(errors[s] > 0) && !(retrained[s] > 0))
			continue;
		slow = speed_with_errors(j, s);
		judge_number(j, row, slow, "speed_with_errors_ratio_%c", suffix);
		if (slow <= 1 - j->limits->speed_drop) {
			text_printf(&more, "; slots of %s with errors ran at %.2f times the speed of the others",
				    side_name(s), slow);
			state = where_slow(j, s, LEDGER_SUPPORTED) == LEDGER_SUPPORTED ? LEDGER_SUPPORTED :
				state == LEDGER_SUPPORTED ? state : LEDGER_POSSIBLE;
		} else if (state != LEDGER_SUPPORTED) {
			state = LEDGER_POSSIBLE;
		}
	}
	for (int s = 0; s < SIDES; s++)
		if (retrained[s] > 0)
			text_printf(&more, "; %s trained its link anew %.0f times", side_name(s), retrained[s]);
	j->failed |= more.failed;
	point_at_counters(j, row);
	if (state == LEDGER_NOT_SUPPORTED && (isnan(errors[SIDE_A]) || isnan(errors[SIDE_B])))
		found(j, f, LEDGER_NOT_MEASURED, "the error counters of the links of %s were not read before and "
		      "after every slot", isnan(errors[SIDE_A]) ? "A" : "B");
	else if (isnan(errors[SIDE_A]) || isnan(errors[SIDE_B]))
		found(j, f, state, "link errors in the run: %.0f on %s, not counted on %s%s",
		      errors[isnan(errors[SIDE_A])], side_name(isnan(errors[SIDE_A])),
		      side_name(!isnan(errors[SIDE_A])), more.data ? more.data : "");
	else
		found(j, f, state, "link errors in the run: %.0f on A, %.0f on B%s", errors[SIDE_A], errors[SIDE_B],
		      more.data ? more.data : "");
}

/* ---- what differs on the way ---- */

/* A setting as text, NULL: unknown. */
typedef char *setting_fn(struct judging *j, const struct drive *d);

static char *number_text(struct judging *j, int64_t v, const char *unit)
{
	return known(v) ? judge_take(j, text_format("%lld%s", (long long)v, unit)) : NULL;
}

/* The least of the path: what the drive's packets really are. */
static char *payload(struct judging *j, const struct drive *d)
{
	int64_t least = UNKNOWN_I64;

	for (size_t i = 0; i < d->links_count; i++) {
		int64_t v = d->links[i].max_payload_bytes;

		if (known(v) && (!known(least) || v < least))
			least = v;
	}
	return number_text(j, least, " bytes");
}

static char *read_request(struct judging *j, const struct drive *d)
{
	return d->links_count ? number_text(j, d->links[0].max_read_request_bytes, " bytes") : NULL;
}

static char *iommu(struct judging *j, const struct drive *d)
{
	return d->iommu_type ? judge_take(j, strdup(d->iommu_type)) : NULL;
}

static char *vectors(struct judging *j, const struct drive *d)
{
	return number_text(j, d->interrupt_vectors, "");
}

/* The first vector serves the drive's own queue, wherever that is; I/O has the others. */
static char *interrupt_cpus(struct judging *j, const struct drive *d)
{
	const char *io = d->interrupt_cpus ? strchr(d->interrupt_cpus, ';') : NULL;

	if (!d->interrupt_cpus || strchr(d->interrupt_cpus, '?'))
		return NULL;
	return judge_take(j, strdup(io ? io + 1 : d->interrupt_cpus));
}

static char *host_memory(struct judging *j, const struct drive *d)
{
	return number_text(j, d->identify.hmb_bytes, " bytes");
}

static char *layers(struct judging *j, const struct drive *d)
{
	if (!d->kernel_name)
		return NULL;
	return judge_take(j, strdup(d->mapping ? d->mapping : "none"));
}

static const struct host_setting {
	const char *name;
	setting_fn *value;
} host_settings[] = {
	{ "payload (MPS)", payload }, { "read request (MRRS)", read_request }, { "IOMMU", iommu },
	{ "interrupts", vectors }, { "CPUs of interrupts", interrupt_cpus },
	{ "host memory buffer", host_memory }, { "layers above the disk", layers },
};

void host_path_differs(struct judging *j, struct ledger_row *row, struct finding *f)
{
	const struct drive *d = j->result->drives;
	const size_t all = sizeof(host_settings) / sizeof(*host_settings);
	_cleanup_text_ struct text differing = { 0 }, unknown = { 0 };
	size_t known_on_both = 0;

	for (size_t i = 0; i < all; i++) {
		const struct host_setting *s = &host_settings[i];
		_cleanup_free_ char *a = s->value(j, &d[SIDE_A]), *b = s->value(j, &d[SIDE_B]);

		if (!a || !b) {
			text_printf(&unknown, "%s%s", unknown.length ? ", " : "", s->name);
			continue;
		}
		known_on_both++;
		if (strcmp(a, b))
			text_printf(&differing, "%s%s: %.60s on A, %.60s on B", differing.length ? "; " : "", s->name,
				    a, b);
	}
	j->failed |= differing.failed || unknown.failed;
	judge_number(j, row, (double)known_on_both, "settings_compared");
	judge_evidence(j, row, "/A", "drives.json");
	judge_evidence(j, row, "/B", "drives.json");
	if (differing.length)
		found(j, f, LEDGER_POSSIBLE, "these differ: %s", differing.data);
	else if (!d[SIDE_A].links_count || !d[SIDE_B].links_count)
		found(j, f, LEDGER_NOT_MEASURED, "there is no PCIe path of %s to compare",
		      d[SIDE_A].links_count ? "B" : "A");
	else if (unknown.length)
		found(j, f, LEDGER_NOT_SUPPORTED, "%zu settings are equal; not known on both: %s", known_on_both,
		      unknown.data);
	else
		found(j, f, LEDGER_RULED_OUT, "payload and read request sizes, IOMMU, interrupts, host memory and layers "
		      "are equal");
}
