/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and verdicts in words. */
#include "report-words.h"

#include <string.h>

static char *difference(const struct comparison *c, const char *before)
{
	/* which side is ahead, and by how much of the other one's value */
	bool a_ahead = (c->ratio > 1) == c->higher_is_better;
	double ratio = a_ahead ? c->ratio : 1 / c->ratio;
	double percent = 100 * fabs(ratio - 1);

	return text_format("%s%s %s by %.1f %%", before, a_ahead ? "A" : "B",
			   c->higher_is_better ? "is faster" : "has lower latency", percent);
}

char *report_verdict_words(const struct comparison *c)
{
	switch (c->verdict) {
	case VERDICT_DIFFERENT:
		return difference(c, "");
	case VERDICT_EQUIVALENT:
		return text_format("equivalent");
	case VERDICT_EQUIVALENT_SMALL_DIFFERENCE:
		return difference(c, "equivalent; ");
	case VERDICT_DIFFERENT_SIZE_UNRESOLVED:
		return difference(c, "size not resolved; ");
	case VERDICT_INCONCLUSIVE:
		return text_format("inconclusive");
	default:
		return text_format("not compared");
	}
}

char *report_metric_value(const char *metric, double value)
{
	char buffer[TEXT_NUMBER_SIZE];

	if (!isfinite(value))
		return text_format("n/a");
	if (!strcmp(metric, "iops"))
		return value < 1e3 ? text_format("%.1f", value) : value < 1e6 ?
		       text_format("%.1f k", value / 1e3) : text_format("%.2f M", value / 1e6);
	if (!strncmp(metric, "latency", 7))
		return text_format("%s", text_duration(buffer, value));
	return text_format("%s", text_rate(buffer, value));
}

const char *report_metric_words(const char *metric)
{
	static const char *const words[][2] = {
		{ "bw_bytes_per_s", "bandwidth" }, { "iops", "IOPS" }, { "latency_p50_ns", "latency p50" },
		{ "latency_p99_ns", "latency p99" }, { "latency_p99_9_ns", "latency p99.9" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(metric, words[i][0]))
			return words[i][1];
	}
	return metric;
}

const char *report_ledger_words(int state)
{
	static const char *const words[] = {
		[LEDGER_NOT_MEASURED] = "not measured", [LEDGER_SUPPORTED] = "supported",
		[LEDGER_POSSIBLE] = "possible", [LEDGER_NOT_SUPPORTED] = "not supported",
		[LEDGER_RULED_OUT] = "ruled out",
	};

	return words[state];
}

const char *report_headline_words(int state)
{
	static const char *const words[] = {
		[HEADLINE_VALID] = "valid", [HEADLINE_NARROWER] = "valid, narrower",
		[HEADLINE_NOT_VALID] = "not valid", [HEADLINE_INCONCLUSIVE] = "inconclusive",
	};

	return words[state];
}
