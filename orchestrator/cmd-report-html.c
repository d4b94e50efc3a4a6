/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch report --format html and fio-plot: what needs more of the evidence than the result has. */
#include "cmd-report-html.h"

#include "gather-pictures.h"
#include "plot.h"
#include "report-fio-plot.h"
#include "report-html.h"

int report_html_page(FILE *out, const struct result *result, const struct verdict *verdict)
{
	struct pictures pictures;
	struct plots plots = { 0 };
	int ret = gather_pictures(result, &pictures);

	if (!ret)
		ret = plots_make(result, verdict, &pictures, &plots);
	if (!ret)
		ret = plots_draw(result->run, &plots);
	if (!ret)
		ret = report_html(out, result, verdict, &plots, &pictures);
	plots_free(&plots);
	gather_pictures_free(&pictures);
	return ret;
}

int report_fio_plot_files(const char *directory, const struct result *result, const struct verdict *verdict)
{
	struct pictures pictures;
	int ret = gather_pictures(result, &pictures);

	(void)verdict;
	if (!ret)
		ret = report_fio_plot(directory, result, &pictures);
	gather_pictures_free(&pictures);
	return ret;
}
