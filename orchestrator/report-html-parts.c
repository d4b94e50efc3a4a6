/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdict, figures and lists of the page. */
#include "report-html-parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plot-svg.h"
#include "report-words.h"

/* Length of the first two sentences: each ends with a full stop before a blank or the end. */
static size_t two_sentences(const char *s)
{
	size_t i = 0;

	for (int n = 0; s[i] && n < 2; i++)
		n += s[i] == '.' && (s[i + 1] == ' ' || !s[i + 1]);
	return i;
}

static const struct badge {
	const char *words, *class, *mark;
} badges[] = {
	[HEADLINE_VALID] = { "comparable", "valid", "&#10003;" },
	[HEADLINE_NARROWER] = { "comparable, narrower", "narrower", "&#9680;" },
	[HEADLINE_NOT_VALID] = { "not valid", "not-valid", "&#10005;" },
	[HEADLINE_INCONCLUSIVE] = { "inconclusive", "inconclusive", "?" },
};

void page_verdict(struct page *page)
{
	struct report *r = &page->r;
	const char *text = r->verdict->headline_text ? r->verdict->headline_text : "";
	const struct badge *badge = &badges[r->verdict->headline];
	size_t n = two_sentences(text);
	_cleanup_free_ char *lead = strndup(text, n);

	fputs("<header>\n<p class=\"brand\">nvmatch report</p>\n", r->out);
	fprintf(r->out, "<h1>%s</h1>\n", r->result->plan.one_side ? "A on its own" : "A compared with B");
	fprintf(r->out, "<p class=\"badge %s\"><span aria-hidden=\"true\">%s</span> %s</p>\n", badge->class,
		badge->mark, badge->words);
	page_put(page, "<p class=\"lead\">", lead ? lead : "", "</p>\n");
	if (text[n])
		page_put(page, "<p class=\"more\">", text + n, "</p>\n");
	r->failed |= !lead;
	report_introduce(r);
	page_end_list(page);
	if (r->result->state && strcmp(r->result->state, "complete"))
		page_put(page, "<p class=\"notice\">The run is not complete: ", r->result->state, ".</p>\n");
	fputs("</header>\n", r->out);
}

void page_sentences(struct page *page)
{
	struct report *r = &page->r;

	if (!r->verdict->sentences.count)
		return;
	r->print->heading(r, 2, "What the evidence supports");
	for (size_t i = 0; i < r->verdict->sentences.count; i++)
		r->print->item(r, REPORT_UNMARKED, r->verdict->sentences.items[i], NULL);
}

/* A drive alone and with the other one was measured, or a drive in one way only. */
static bool has_modes(const struct page *page, int64_t workload)
{
	const struct workload_result *w = &page->r.result->workloads[workload];
	bool seen[2] = { false };

	for (size_t i = 0; i < w->observations_count; i++)
		seen[w->observations[i].concurrent] = true;
	return seen[0] && seen[1];
}

static const char *title_of(const struct page *page, const struct plot *plot)
{
	static const char *const titles[][2] = {
		{ "offsets", "What data is where, and how fast" }, { "ratios", "A over B, round by round" },
		{ "modes", "Alone, and with the other one" }, { "latency", "Latency" }, { "time", "Over time" },
	};

	if (!strcmp(plot->kind, "modes") && !has_modes(page, plot->workload))
		return "Throughput, round by round";
	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
		if (!strcmp(titles[i][0], plot->kind))
			return titles[i][1];
	}
	return plot->kind;
}

/* The picture in both widths; style shows the one that fits. */
static int put_svg(struct page *page, size_t index, const char *svg, const char *class)
{
	const struct plot *plot = &page->plots->plots[index];
	_cleanup_free_ char *prefix = text_format("p%zu%c", index, *class);
	int ret = prefix ? 0 : -ENOMEM;

	if (!svg)
		return 0;
	fprintf(page->r.out, "<div class=\"picture %s\">", class);
	if (!ret)
		ret = plot_svg_print(page->r.out, svg, prefix, plot->caption);
	fputs("</div>\n", page->r.out);
	return ret;
}

static void put_figure(struct page *page, size_t index)
{
	const struct plot *plot = &page->plots->plots[index];

	page_put(page, "<figure class=\"", plot->kind, "\">\n");
	page_put(page, "<h3>", title_of(page, plot), "</h3>\n");
	if (put_svg(page, index, plot->svg, "wide") || put_svg(page, index, plot->svg_narrow, "narrow"))
		page->r.failed = true;
	page_put(page, "<figcaption>", plot->caption, "");
	if (plot->svg)
		fprintf(page->r.out, " <span class=\"files\">plots/%s.tsv</span>", plot->name);
	fputs("</figcaption>\n</figure>\n", page->r.out);
}

static void put_figures_of(struct page *page, int64_t workload)
{
	bool headed = false;

	for (size_t i = 0; i < page->plots->count; i++) {
		const struct plot *plot = &page->plots->plots[i];

		if (plot->workload != workload || !plot->svg)
			continue;
		if (!headed)
			page->r.print->heading(&page->r, 2, workload < 0 ? "The whole run" :
					       page->r.result->workloads[workload].name);
		headed = true;
		put_figure(page, i);
	}
}

void page_figures(struct page *page)
{
	if (page->plots->problem)
		page_put(page, "<p class=\"notice\">", page->plots->problem, "</p>\n");
	for (size_t w = 0; w < page->r.result->workloads_count; w++)
		put_figures_of(page, (int64_t)w);
	put_figures_of(page, -1);
}

void page_missing(struct page *page)
{
	page_end_list(page);
	fputs("<details><summary>What is not known of the drives, and why</summary>\n", page->r.out);
	report_missing(&page->r);
	page_end_list(page);
	fputs("</details>\n", page->r.out);
}

void page_jobs(struct page *page)
{
	const struct pictures *p = page->pictures;

	page_end_list(page);
	for (size_t i = 0; i < p->jobs_count; i++) {
		page_put(page, "<details><summary>Job file ", p->jobs[i].file, "</summary>\n");
		page_put(page, "<pre>", p->jobs[i].text, "</pre>\n</details>\n");
	}
}

void page_thresholds(struct page *page)
{
	page_end_list(page);
	report_thresholds(&page->r);
}
