/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the SSD is to be: parameters of the plugin, and the control file, which may change them. */
#include "simssd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct conf conf = { .ambient = 313, .cool_seconds = 30, .hot = INFINITY, .hot_factor = 1,
		     .hottest = INFINITY };

const char simssd_help[] =
	"size=BYTES            capacity\n"
	"data=, zero=          read speed in bytes/s of written data, and of zeros or never written blocks\n"
	"write=, slc_write=    write speed in bytes/s, and that of the first slc=BYTES (trims make room)\n"
	"latency_us=           added to every request\n"
	"populate=OFF:LEN      these bytes hold data from the start, equal for an equal seed=\n"
	"bad=OFF:LEN           reading here is an error; bad=none ends that\n"
	"ambient=K heat_per_gib=K cool_seconds=S   temperature: rises by the work, falls towards ambient\n"
	"hot=K hot_end=K hot_factor=F   from hot until below hot_end all speeds are multiplied by F\n"
	"hottest=K             more heat than for that has no effect: it holds itself there\n"
	"counters=1            health shows the thermal-management counters\n"
	"control=FILE          lines with the above, and hang=SECONDS, read again when it changes\n"
	"truth=FILE            what it did so far\n"
	"health=FILE           temperature and counters, as qshim reads them\n"
	"service=FILE          a line for each request: start and end of its service (Unix), bytes, r or w\n"
	"curve=FILE            a line each 100 ms: time (Unix), temperature (K), hot (0 or 1)\n";

static int add_area(struct area *list, int *count, const char *value)
{
	char offset[32], length[32];

	if (*count == AREAS || sscanf(value, "%31[^:]:%31s", offset, length) != 2)
		return -1;
	list[*count] = (struct area){ nbdkit_parse_size(offset), nbdkit_parse_size(length) };
	return list[*count].offset < 0 || list[(*count)++].length <= 0 ? -1 : 0;
}

static int set_file(char **path, const char *value)
{
	free(*path);
	*path = nbdkit_absolute_path(value);
	return *path ? 0 : -1;
}

int set_parameter(const char *key, const char *value)
{
	const struct { const char *key; int64_t *value; } sizes[] = {
		{ "size", &conf.size }, { "seed", &conf.seed }, { "data", &conf.data }, { "zero", &conf.zero },
		{ "write", &conf.write }, { "slc_write", &conf.slc_write }, { "slc", &conf.slc },
		{ "latency_us", &conf.latency_us },
	};
	const struct { const char *key; double *value; } numbers[] = {
		{ "ambient", &conf.ambient }, { "heat_per_gib", &conf.heat_per_gib },
		{ "cool_seconds", &conf.cool_seconds }, { "hot", &conf.hot }, { "hot_end", &conf.hot_end },
		{ "hot_factor", &conf.hot_factor }, { "hottest", &conf.hottest },
	};
	const struct { const char *key; char **value; } files[] = {
		{ "control", &conf.control }, { "truth", &conf.truth }, { "health", &conf.health },
		{ "curve", &conf.curve }, { "service", &conf.service },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (!strcmp(key, sizes[i].key))
			return (*sizes[i].value = nbdkit_parse_size(value)) < 0 ? -1 : 0;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!strcmp(key, numbers[i].key))
			return (*numbers[i].value = strtod(value, NULL)) > 0 ? 0 : -1;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!strcmp(key, files[i].key))
			return set_file(files[i].value, value);
	if (!strcmp(key, "populate"))
		return add_area(conf.populate, &conf.populate_count, value);
	if (!strcmp(key, "bad") && !strcmp(value, "none"))
		return conf.bad_count = 0;
	if (!strcmp(key, "bad"))
		return add_area(conf.bad, &conf.bad_count, value);
	if (!strcmp(key, "counters"))
		return conf.counters = *value == '1', 0;
	if (!strcmp(key, "hang"))
		return now.hang_until = seconds(CLOCK_MONOTONIC) + strtod(value, NULL), 0;
	nbdkit_error("unknown parameter %s", key);
	return -1;
}

void read_control(void)
{
	char line[256];
	struct stat st;
	FILE *f;

	if (!conf.control || stat(conf.control, &st) || (st.st_mtim.tv_sec == now.control_time.tv_sec &&
							 st.st_mtim.tv_nsec == now.control_time.tv_nsec))
		return;
	now.control_time = st.st_mtim;
	f = fopen(conf.control, "r");
	while (f && fgets(line, sizeof(line), f)) {
		char *value = strchr(line, '=');

		line[strcspn(line, "\n")] = '\0';
		if (value) {
			*value++ = '\0';
			set_parameter(line, value);
		}
	}
	if (f)
		fclose(f);
}
