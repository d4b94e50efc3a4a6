/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvmatch watch: a run that goes on in another terminal. */
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "fail.h"
#include "interrupt.h"
#include "live.h"
#include "options.h"
#include "store.h"

#define LOOK_EVERY_MS 500
#define PATIENCE 12		/* looks for a run that has not begun, or is being judged */

static void show(struct live_screen *screen, const struct live *live, bool once, int64_t *said)
{
	_cleanup_text_ struct text text = { 0 };

	if (isatty(screen->fd) && !once) {
		live_draw(screen, live);
		return;
	}
	if (once)
		live_frame(&text, live, 80);
	else if (*said != live->slot)
		live_line(&text, live);
	*said = live->slot;
	if (text.data)
		fputs(text.data, stdout);
	fflush(stdout);
}

static int say_end(const char *run)
{
	_cleanup_free_ char *name = text_escape_terminal(run), *state = NULL;
	json_t *json = NULL;
	const char *word;

	if (!store_read_json(run, "end.json", &json)) {
		word = json_string_value(json_object_get(json, "state"));
		state = text_escape_terminal(word ? word : "its end is not known");
	}
	printf("The run %s is over: %s. nvmatch report shows it.\n", name ? name : "", state ? state : "");
	json_decref(json);
	return EXIT_DONE;
}

static int watch(const char *run, bool once)
{
	struct live_screen screen = { .fd = STDOUT_FILENO };
	enum live_state state = LIVE_NOT_YET;
	int64_t said = 0;
	int ret = 0, patience = PATIENCE;

	while (!ret && !interrupt_signal() && patience > 0) {
		struct live live;

		ret = live_find(run, &state, &live);
		if (!ret && state == LIVE_RUNNING) {
			show(&screen, &live, once, &said);
			patience = once ? 0 : PATIENCE;
		}
		live_free(&live);
		if (state == LIVE_ENDED || state == LIVE_KILLED)
			break;
		patience -= state == LIVE_NOT_YET;
		if (patience > 0)
			poll(NULL, 0, LOOK_EVERY_MS);
	}
	live_erase(&screen);
	if (ret == -EACCES)
		return fail(-EACCES, "watch: %s is run by another user: watch it as that user or as root", run);
	if (ret || (once && state == LIVE_RUNNING))
		return ret;
	if (interrupt_signal())
		return 128 + interrupt_signal();
	if (state == LIVE_ENDED)
		return say_end(run);
	if (state == LIVE_KILLED)
		return fail(-EIO, "watch: the run %s was killed: nobody goes on with it (nvmatch judge shows what there "
			    "is)", run);
	return fail(-EIO, "watch: nobody runs %s now, and it has not come to its end", run);
}

static int watch_main(int argc, char **argv)
{
	bool once = false;
	const struct option_row rows[] = {
		{ "once", 0, OPTION_FLAG, &once, NULL, "show how it stands now and end", 0 },
		{ 0 }
	};
	int operands, ret = command_options(&cmd_watch, rows, argc, argv, &operands);

	if (!ret)
		ret = store_check(argv[1]);
	if (ret)
		return ret;
	interrupt_install();
	return watch(argv[1], once);
}

const struct command cmd_watch = {
	.name = "watch",
	.synopsis = "RUN [--once]",
	.summary = "show a run that goes on in another terminal",
	.least = 1,
	.most = 1,
	.operands = "one run directory",
	.run = watch_main,
};
