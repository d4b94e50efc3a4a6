/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reports: what stands first, width, unknowns, hostile names, and broken streams. */
#include "examples.h"

#include <errno.h>

#include "fixture.h"
#include "judge.h"
#include "report-words.h"
#include "report.h"
#include "verdict-json.h"

static struct fixture fx;
static struct verdict v;

static int start(void **state)
{
	(void)state;
	fixture_story_regions(&fx);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	verdict_free(&v);
	return 0;
}

enum format { TEXT, COLOR, MARKDOWN };

/* The report as a string; the caller's. */
static char *print(enum format format)
{
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	verdict_free(&v);
	assert_int_equal(judge(&fx.result, &v), 0);
	assert_non_null(f);
	if (format == MARKDOWN)
		assert_int_equal(report_md(f, &fx.result, &v), 0);
	else
		assert_int_equal(report_text(f, &fx.result, &v, format == COLOR), 0);
	fclose(f);
	return out;
}

static size_t place(const char *report, const char *what)
{
	const char *p = strstr(report, what);

	if (!p)
		fail_msg("no '%s' in\n%s", what, report);
	return (size_t)(p - report);
}

static void order_of_the_parts(void **state)
{
	static const char *const parts[] = { "nvmatch: A compared with B", "Verdict: not valid",
					     "data state mismatch", "The drives", "Comparisons",
					     "Speed by kind of data", "Possible explanations",
					     "Conditions and limits", "How to reproduce" };

	(void)state;
	for (int format = TEXT; format <= MARKDOWN; format++) {
		char *report = print(format);
		size_t last = 0;

		for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
			assert_true(place(report, parts[i]) >= last);
			last = place(report, parts[i]);
		}
		free(report);
	}
}

/* No line of the plain report is wider than 100 characters, whatever the names. */
static void width(void **state)
{
	(void)state;
	fx.result.drives[SIDE_A].model = "An extraordinarily long model name that a vendor thought of one day and "
					 "that goes on for more than a line of any terminal, with no end";
	fx.result.drives[SIDE_B].model = "Averylongwordwithoutanyblankinitsothatithastobecutsomewhereinthemiddle"
					 "becauseitdoesnotfitintothecolumnthatitisgivenbythetable";
	fx.results[0].name = "a-workload-whose-name-is-longer-than-anyone-would-want-to-read-in-a-table";
	for (int story = 0; story < 2; story++) {
		char *report = print(TEXT);

		for (char *line = report, *end; *line; line = end + 1) {
			end = strchr(line, '\n');
			assert_non_null(end);
			if (end - line > 100)
				fail_msg("%d columns: %.*s", (int)(end - line), (int)(end - line), line);
			assert_true(end == line || end[-1] != ' ');
		}
		free(report);
		fixture_story_paired(&fx);
	}
}

static void color_is_only_decoration(void **state)
{
	char *plain = print(TEXT), *color = print(COLOR), *to = color;

	(void)state;
	assert_null(strchr(plain, '\033'));
	assert_non_null(strchr(color, '\033'));
	for (const char *p = color; *p; p++) {
		if (*p == '\033')
			p = strchr(p, 'm');
		else
			*to++ = *p;
	}
	*to = '\0';
	assert_string_equal(plain, color);
	free(plain);
	free(color);
}

static void unknown_is_never_zero(void **state)
{
	char *report;

	(void)state;
	for (int s = 0; s < SIDES; s++) {
		struct measurement *m = &fx.observations[0][0].side[s];

		m->smart_before.valid = m->smart_after.valid = false;
		m->latency_p50_ns = m->latency_p99_ns = NAN;
		m->temperature_min_c = m->temperature_max_c = NAN;
	}
	report = print(MARKDOWN);
	place(report, "| percentage used | not measured | not measured |");
	place(report, "| temperature | not measured | not measured |");
	place(report, "| latency p99 | all | n/a | n/a | n/a | n/a | n/a | n/a | 0 | not compared |");
	assert_null(strstr(report, "nan"));
	assert_null(strstr(report, "-9223372036854775808"));
	free(report);
}

/* By slot; one of both drives is one row, a slope may be missing, and a terminal gets the hottest. */
static void temperatures_by_slot(void **state)
{
	char *report;

	(void)state;
	fixture_start(&fx);
	fixture_workload(&fx, "seq-read-1m", "read", 1 << 20);
	fixture_round(&fx, 0, true, 1000, 1000);
	for (int i = 0; i < 8; i++)
		fixture_round(&fx, 0, false, 1000, 1000);
	for (size_t i = 0; i < 9; i++)
		for (int s = 0; s < SIDES; s++) {
			struct measurement *m = &fx.observations[0][i].side[s];

			m->temperature_min_c = 40;
			m->temperature_max_c = 50 + (double)i + s;
			m->temperature_slope_c_per_min = i ? 1.25 - s * 3 : NAN;
		}
	fx.observations[0][4].side[SIDE_A].temperature_min_c = NAN;
	report = print(MARKDOWN);
	place(report, "| 0003-w-AB | 40 to 50 C | not known | 40 to 51 C | not known |");
	place(report, "| 0001-w-A | 40 to 58 C | +1.2 C/min | - | - |");
	place(report, "| 0002-w-B | - | - | 40 to 52 C | -1.8 C/min |");
	assert_null(strstr(report, "| 0001-w-A | 40 to 54 C"));	/* not measured */
	free(report);
	report = print(TEXT);
	place(report, "The 12 hottest of 16 slots");
	place(report, "40 to 59 C");
	assert_null(strstr(report, "0003-w-AB"));
	free(report);
	for (size_t i = 0; i < 9; i++)
		for (int s = 0; s < SIDES; s++)
			fx.observations[0][i].side[s].temperature_max_c = NAN;
	report = print(MARKDOWN);
	assert_null(strstr(report, "Temperature in each slot"));
	free(report);
}

static void hostile_names(void **state)
{
	char *report;

	(void)state;
	fx.result.label[SIDE_A] = "\033[2Jgone\r\n# heading";
	fx.result.drives[SIDE_A].model = "a|b <script>alert(1)</script> `x` *bold*";
	fx.results[0].name = "work\033]0;title\a";
	fx.result.notes = (struct strings){ (char *[]){ "note\n| row |" }, 1 };
	report = print(TEXT);
	assert_null(strchr(report, '\033'));
	assert_null(strchr(report, '\a'));
	assert_null(strchr(report, '\r'));
	place(report, "\\x1b[2Jgone\\x0d\\x0a# heading");
	free(report);
	report = print(MARKDOWN);
	assert_null(strchr(report, '\033'));
	assert_null(strstr(report, "<script>"));
	assert_null(strstr(report, "a|b"));
	assert_null(strstr(report, "*bold*"));
	assert_null(strstr(report, "\n| row |"));
	place(report, "&lt;script&gt;");
	free(report);
}

static void differences_are_marked(void **state)
{
	char *report;

	(void)state;
	fx.result.drives[SIDE_A].firmware = "1.0";
	fx.result.drives[SIDE_B].firmware = "2.0";
	fx.result.drives[SIDE_A].scheduler = fx.result.drives[SIDE_B].scheduler = "none";
	report = print(MARKDOWN);
	place(report, "| firmware | 1.0 | 2.0 | differs |");
	place(report, "| scheduler | none | none |  |");
	free(report);
}

/* Every row of a Markdown table has as many cells as its head. */
static void markdown_tables(void **state)
{
	char *report, *rest;
	size_t expected = 0, tables = 0;

	(void)state;
	fixture_story_paired(&fx);
	report = print(MARKDOWN);
	rest = report;
	for (char *line; (line = strsep(&rest, "\n"));) {
		size_t bars = 0;

		for (const char *p = line; *p; p++)
			bars += *p == '|';
		if (*line != '|') {
			expected = 0;
			continue;
		}
		tables += !expected;
		expected = expected ? expected : bars;
		assert_int_equal(bars, expected);
	}
	assert_true(tables >= 4);
	free(report);
}

static void words(void **state)
{
	static const struct {
		int verdict;
		bool higher;
		double ratio;
		const char *words;
	} cases[] = {
		{ VERDICT_DIFFERENT, true, 1.05, "A is faster by 5.0 %" },
		{ VERDICT_DIFFERENT, true, 1 / 1.05, "B is faster by 5.0 %" },
		{ VERDICT_DIFFERENT, false, 0.9, "A has lower latency by 10.0 %" },
		{ VERDICT_DIFFERENT, false, 1 / 0.9, "B has lower latency by 10.0 %" },
		{ VERDICT_EQUIVALENT, true, 1.01, "equivalent" },
		{ VERDICT_INCONCLUSIVE, true, 1.5, "inconclusive" },
		{ VERDICT_NOT_COMPARED, true, 2, "not compared" },
		{ VERDICT_DIFFERENT_SIZE_UNRESOLVED, true, 1.016, "size not resolved; A is faster by 1.6 %" },
		{ VERDICT_EQUIVALENT_SMALL_DIFFERENCE, true, 1.008, "equivalent; A is faster by 0.8 %" },
	};
	static const struct {
		const char *metric;
		double value;
		const char *words;
	} values[] = {
		{ "bw_bytes_per_s", 5.44e9, "5.44 GB/s" }, { "iops", 412000, "412.0 k" }, { "iops", 2.5e6, "2.50 M" },
		{ "iops", 12, "12.0" }, { "latency_p99_ns", 850, "850 ns" }, { "latency_p50_ns", NAN, "n/a" },
		{ "bw_bytes_per_s", INFINITY, "n/a" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct comparison c = { .verdict = cases[i].verdict, .higher_is_better = cases[i].higher,
					.ratio = cases[i].ratio };
		char *s = report_verdict_words(&c);

		assert_string_equal(s, cases[i].words);
		free(s);
	}
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		char *s = report_metric_value(values[i].metric, values[i].value);

		assert_string_equal(s, values[i].words);
		free(s);
	}
}

static void full_disk_is_an_error(void **state)
{
	FILE *f = fopen("/dev/full", "w");

	(void)state;
	assert_int_equal(judge(&fx.result, &v), 0);
	if (!f)
		skip();
	assert_int_equal(report_text(f, &fx.result, &v, false), -EIO);
	fclose(f);
}

static void empty_result(void **state)
{
	char *report;

	(void)state;
	fixture_start(&fx);
	report = print(TEXT);
	place(report, "nothing was measured");
	free(report);
	report = print(MARKDOWN);
	place(report, "nothing was measured");
	free(report);
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(order_of_the_parts), T(width), T(color_is_only_decoration), T(unknown_is_never_zero),
		T(temperatures_by_slot),
		T(hostile_names), T(differences_are_marked), T(markdown_tables), T(words),
		T(full_disk_is_an_error), T(empty_result),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
