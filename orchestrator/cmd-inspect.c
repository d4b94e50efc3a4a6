/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch inspect: identity, link, health, use and settings of drives. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "drive.h"
#include "fail.h"
#include "inspect-text.h"
#include "json-text.h"
#include "model-json.h"
#include "options.h"
#include "pages.h"
#include "smart.h"

/* What is to be said of a pair: one drive, shared parts, clones, links. 0 or -ENOMEM. */
static int compare(const struct drive *a, const struct drive *b, struct strings *notices)
{
	_cleanup_free_ char *why = NULL;
	int relation = drive_same(a, b, &why), ret = 0;

	if (relation < 0)
		return relation;
	if (why)
		ret = strings_add(notices, why);
	if (!ret)
		ret = drive_clones(a, b, notices);
	if (!ret && relation == DRIVE_DIFFERENT)
		ret = drive_shared_findings(a, b, notices);
	return ret;
}

static int compare_all(const struct inspected *list, size_t count, struct strings *notices)
{
	int ret = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count && !ret; k++)
			ret = compare(&list[i].drive, &list[k].drive, notices);
	return ret;
}

static int read_pages(struct inspected *x)
{
	struct page pages[PAGE_KINDS];
	const struct page *e = &pages[PAGE_ENDURANCE], *o = &pages[PAGE_OCP];
	int ret = pages_read(&x->drive, pages);

	if (e->data)
		endurance_decode(e->data, e->length, &x->endurance);
	else
		endurance_unknown(&x->endurance, e->reason ? e->reason : "the drive offers no endurance group log");
	if (o->data)
		ocp_decode(o->data, o->length, &x->ocp);
	else
		ocp_unknown(&x->ocp, o->reason ? o->reason : "the drive offers no OCP log");
	pages_free(pages);
	return ret;
}

static int inspect_one(const char *target, const char *sysroot, struct inspected *x)
{
	unsigned char page[SMART_PAGE_BYTES];
	_cleanup_free_ char *reason = NULL;
	int ret = drive_read(target, sysroot, &x->drive);

	if (ret)
		return ret;
	ret = identify_fill(&x->drive);
	if (ret)
		return fail(ret, "inspect: out of memory");
	if (smart_read(&x->drive, page, &reason))
		smart_unknown(&x->smart, reason);
	else
		smart_decode(page, &x->smart);
	return read_pages(x) ? fail(-ENOMEM, "inspect: out of memory") : 0;
}

static json_t *strings_json(const struct strings *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->count; i++) {
		_cleanup_free_ char *utf8 = text_make_utf8(list->items[i]);

		json_array_append_new(array, json_string(utf8 ? utf8 : ""));
	}
	return array;
}

static int print_json(const struct inspected *list, size_t count, const struct strings *notices)
{
	json_auto_t *document = model_document();
	json_t *drives = json_array();

	json_object_set_new(document, "drives", drives);
	for (size_t i = 0; i < count; i++) {
		json_t *o = fields_to_json(drive_fields, &list[i].drive);
		struct strings findings = { 0 };

		json_object_set_new(o, "smart", smart_to_json(&list[i].smart));
		json_object_set_new(o, "endurance", endurance_to_json(&list[i].endurance));
		json_object_set_new(o, "ocp", ocp_to_json(&list[i].ocp));
		if (!drive_link_findings(&list[i].drive, &findings))
			json_object_set_new(o, "link_findings", strings_json(&findings));
		strings_free(&findings);
		json_array_append_new(drives, o);
	}
	json_object_set_new(document, "notices", strings_json(notices));
	if (!document || json_print(document, stdout, JSON_SHOWN))
		return fail(-EIO, "inspect: writing JSON failed");
	return 0;
}

static int terminal_width(void)
{
	struct winsize w;

	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col >= 60 ? w.ws_col : 110;
}

static int print_text(const struct inspected *list, size_t count, const struct strings *notices)
{
	_cleanup_text_ struct text out = { 0 };
	size_t step = count == 2 ? 2 : 1;
	int ret = 0;

	if (!count)
		text_add(&out, "There is no NVMe namespace on this machine. Other targets can be named:"
			       " nvmatch inspect TARGET\n");
	for (size_t i = 0; !ret && i < count; i += step)
		ret = inspect_text(&list[i], step, terminal_width(), &out);
	for (size_t i = 0; i < notices->count; i++) {
		_cleanup_free_ char *safe = text_escape_terminal(notices->items[i]);

		text_printf(&out, "%sNotice: %s\n", i ? "" : "\n", safe ? safe : "?");
	}
	if (ret || out.failed)
		return fail(-ENOMEM, "inspect: out of memory");
	fputs(out.data ? out.data : "", stdout);
	return 0;
}

static int inspect(const struct strings *targets, const char *sysroot, bool json)
{
	struct inspected *list = calloc(targets->count + 1, sizeof(*list));
	struct strings notices = { 0 };
	size_t count = 0;
	int ret = list ? 0 : fail(-ENOMEM, "inspect: out of memory"), error = 0;

	/* one target that cannot be had does not hide the others */
	for (size_t i = 0; !ret && i < targets->count; i++) {
		int one = inspect_one(targets->items[i], sysroot, &list[count]);

		if (one)
			error = error ? error : one;
		else
			count++;
	}
	if (!ret)
		ret = compare_all(list, count, &notices);
	if (!ret && (count || !error || json))
		ret = json ? print_json(list, count, &notices) : print_text(list, count, &notices);
	for (size_t i = 0; i < count; i++) {
		drive_free(&list[i].drive);
		smart_free(&list[i].smart);
		endurance_free(&list[i].endurance);
		ocp_free(&list[i].ocp);
	}
	free(list);
	strings_free(&notices);
	return ret ? ret : error;
}

static int run(int argc, char **argv)
{
	const char *sysroot = "";
	bool json = false;
	const struct option_row rows[] = {
		{ "json", 0, OPTION_FLAG, &json, NULL, "print one JSON document", 0 },
		{ "sysroot", 0, OPTION_STRING, &sysroot, "DIR",
		  "read /sys and /proc below DIR (a copy of another machine's); no device is opened", 0 },
		{ 0 },
	};
	struct strings targets = { 0 };
	int operands, ret = command_options(&cmd_inspect, rows, argc, argv, &operands);

	for (int i = 1; !ret && i <= operands; i++)
		ret = strings_add(&targets, argv[i]);
	if (!ret && !operands)
		ret = drive_list_nvme(sysroot, &targets);
	if (!ret)
		ret = inspect(&targets, sysroot, json);
	strings_free(&targets);
	return ret;
}

const struct command cmd_inspect = {
	.name = "inspect",
	.synopsis = "[TARGET...] [--json] [--sysroot DIR]",
	.summary = "identity, link, health, use and settings of drives",
	.least = 0,
	.most = 10000,
	.operands = "targets",
	.run = run,
};
