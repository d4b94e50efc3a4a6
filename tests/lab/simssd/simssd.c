/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nbdkit plugin: an SSD whose truth is known. There is one channel; a request occupies it for as
 * long as the state of its blocks asks for, on a clock of its own, so that with two requests in
 * flight the throughput is exactly the configured one. Parameters are listed in simssd_help.
 */
#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL
#define BLOCK_BYTES 4096
#define AREAS 16
#define TICK_NS 100000000

/* What a block holds. Generated data takes no memory: it follows from the offset and the seed. */
enum block_state { EMPTY, ZEROS, DATA, GENERATED };

struct area {
	int64_t offset, length;
};

/* Speeds are bytes/s, 0 is unlimited. Temperatures are Kelvin. */
static struct {
	int64_t size, seed;
	int64_t data, zero;			/* read speeds */
	int64_t write, slc_write, slc;		/* write speed after and within the first slc bytes */
	int64_t latency_us;
	double ambient, heat_per_gib, cool_seconds, hot, hot_end, hot_factor;
	bool counters;
	struct area populate[AREAS], bad[AREAS];
	int populate_count, bad_count;
	char *control, *truth, *health, *curve;
} conf = { .ambient = 313, .cool_seconds = 30, .hot = INFINITY, .hot_factor = 1 };

static uint8_t *memory, *states;

/* What changes, all under the lock. Times are seconds of CLOCK_MONOTONIC. */
static struct {
	pthread_mutex_t lock;
	double busy_until, hang_until, last_tick;
	double temperature, hot_seconds;
	bool is_hot;
	int64_t hot_count, slc_used;
	int64_t reads, read_bytes, writes, written_bytes, errors;
	struct timespec control_time;
	FILE *curve;
} now = { .lock = PTHREAD_MUTEX_INITIALIZER };

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void sleep_until(double t)
{
	struct timespec end = { (time_t)t, (long)((t - floor(t)) * 1e9) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
		;
}

/* ---- parameters --------------------------------------------------------------------------- */

static const char simssd_help[] =
	"size=BYTES            capacity\n"
	"data=, zero=          read speed in bytes/s of written data, and of zeros or never written blocks\n"
	"write=, slc_write=    write speed in bytes/s, and that of the first slc=BYTES\n"
	"latency_us=           added to every request\n"
	"populate=OFF:LEN      these bytes hold data from the start, equal for an equal seed=\n"
	"bad=OFF:LEN           reading here is an error; bad=none ends that\n"
	"ambient=K heat_per_gib=K cool_seconds=S   temperature: rises by the work, falls towards ambient\n"
	"hot=K hot_end=K hot_factor=F   from hot until below hot_end all speeds are multiplied by F\n"
	"counters=1            health shows the thermal-management counters\n"
	"control=FILE          lines with the above, and hang=SECONDS, read again when it changes\n"
	"truth=FILE            what it did so far\n"
	"health=FILE           temperature and counters, as qshim reads them\n"
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

static int set(const char *key, const char *value)
{
	const struct { const char *key; int64_t *value; } sizes[] = {
		{ "size", &conf.size }, { "seed", &conf.seed }, { "data", &conf.data }, { "zero", &conf.zero },
		{ "write", &conf.write }, { "slc_write", &conf.slc_write }, { "slc", &conf.slc },
		{ "latency_us", &conf.latency_us },
	};
	const struct { const char *key; double *value; } numbers[] = {
		{ "ambient", &conf.ambient }, { "heat_per_gib", &conf.heat_per_gib },
		{ "cool_seconds", &conf.cool_seconds }, { "hot", &conf.hot }, { "hot_end", &conf.hot_end },
		{ "hot_factor", &conf.hot_factor },
	};
	const struct { const char *key; char **value; } files[] = {
		{ "control", &conf.control }, { "truth", &conf.truth }, { "health", &conf.health },
		{ "curve", &conf.curve },
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

static void read_control(void)
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
			set(line, value);
		}
	}
	if (f)
		fclose(f);
}

/* ---- the model ---------------------------------------------------------------------------- */

/* The temperature falls with time and rises by work. The lock is held. */
static void thermal(double t, uint64_t bytes)
{
	double step = (t - now.last_tick) / conf.cool_seconds;

	if (now.is_hot)
		now.hot_seconds += t - now.last_tick;
	now.last_tick = t;
	now.temperature += (conf.ambient - now.temperature) * (1 - exp(-step));
	now.temperature += conf.heat_per_gib * (double)bytes / (1 << 30);
	if (!now.is_hot && now.temperature >= conf.hot) {
		now.is_hot = true;
		now.hot_count++;
	} else if (now.is_hot && now.temperature < conf.hot_end) {
		now.is_hot = false;
	}
}

static double read_seconds(uint64_t offset, uint32_t count)
{
	int64_t data = 0;

	for (uint64_t at = offset; at < offset + count;) {
		uint64_t end = (at / BLOCK_BYTES + 1) * BLOCK_BYTES;

		if (end > offset + count)
			end = offset + count;
		if (states[at / BLOCK_BYTES] >= DATA)
			data += (int64_t)(end - at);
		at = end;
	}
	return (conf.data ? (double)data / (double)conf.data : 0) +
	       (conf.zero ? (double)(count - data) / (double)conf.zero : 0);
}

static double write_seconds(uint32_t count)
{
	int64_t speed = now.slc_used < conf.slc ? conf.slc_write : conf.write;

	now.slc_used += count;
	return speed ? (double)count / (double)speed : 0;
}

/* Takes the channel for one request; returns when the request is done. */
static double take_channel(bool write, uint64_t offset, uint32_t count)
{
	double t = seconds(CLOCK_MONOTONIC), start, needed;

	pthread_mutex_lock(&now.lock);
	thermal(t, count);
	needed = write ? write_seconds(count) : read_seconds(offset, count);
	*(write ? &now.writes : &now.reads) += 1;
	*(write ? &now.written_bytes : &now.read_bytes) += count;
	if (now.is_hot)
		needed /= conf.hot_factor;
	start = fmax(fmax(t, now.busy_until), now.hang_until);
	now.busy_until = start + needed;
	pthread_mutex_unlock(&now.lock);
	return start + needed + (double)conf.latency_us * 1e-6;
}

static bool is_bad(uint64_t offset, uint32_t count)
{
	bool bad = false;

	pthread_mutex_lock(&now.lock);
	for (int i = 0; i < conf.bad_count; i++)
		bad |= (int64_t)offset < conf.bad[i].offset + conf.bad[i].length &&
		       (int64_t)(offset + count) > conf.bad[i].offset;
	now.errors += bad;
	pthread_mutex_unlock(&now.lock);
	return bad;
}

/* ---- what others read ---------------------------------------------------------------------- */

/* In place with one write, so that a reader sees either text. */
static void publish(const char *path, const char *text, int length)
{
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644) : -1;

	if (fd < 0)
		return;
	if (pwrite(fd, text, (size_t)length, 0) != length || ftruncate(fd, length))
		nbdkit_error("%s: %m", path);
	close(fd);
}

static void publish_all(void)
{
	char text[512];
	int n;

	n = snprintf(text, sizeof(text), "reads=%" PRId64 "\nread_bytes=%" PRId64 "\nwrites=%" PRId64
		     "\nwritten_bytes=%" PRId64 "\nerrors=%" PRId64 "\ntemperature=%.2f\nhot_count=%" PRId64
		     "\nhot_seconds=%.1f\n", now.reads, now.read_bytes, now.writes, now.written_bytes, now.errors,
		     now.temperature, now.hot_count, now.hot_seconds);
	publish(conf.truth, text, n);
	n = snprintf(text, sizeof(text), "temperature=%.0f\n", now.temperature);
	if (conf.counters)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
			      "thm_temp1_trans_count=%" PRId64 "\nthm_temp1_total_time=%.0f\n", now.hot_count,
			      floor(now.hot_seconds));
	publish(conf.health, text, n);
	if (now.curve) {
		fprintf(now.curve, "%.3f %.2f %d\n", seconds(CLOCK_REALTIME), now.temperature, now.is_hot);
		fflush(now.curve);
	}
}

static void *ticker(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&now.lock);
		read_control();
		thermal(seconds(CLOCK_MONOTONIC), 0);
		publish_all();
		pthread_mutex_unlock(&now.lock);
		nanosleep(&(struct timespec){ 0, TICK_NS }, NULL);
	}
	return NULL;
}

/* ---- content -------------------------------------------------------------------------------- */

static void generate(uint8_t *block, uint64_t offset)
{
	uint64_t x = offset + (uint64_t)conf.seed * 0x9e3779b97f4a7c15;

	/* a multiplicative step and a shift: incompressible for any LZ, equal for an equal offset */
	for (size_t i = 0; i < BLOCK_BYTES; i += sizeof(x)) {
		uint64_t y;

		x += 0x9e3779b97f4a7c15;
		y = (x ^ x >> 31) * 0xbf58476d1ce4e5b9;
		y ^= y >> 29;
		memcpy(block + i, &y, sizeof(y));
	}
}

/* The block's bytes; *buffer is used when they are not in memory. */
static const uint8_t *block_at(uint64_t block, uint8_t buffer[BLOCK_BYTES])
{
	if (states[block] == DATA || states[block] == ZEROS)
		return memory + block * BLOCK_BYTES;
	if (states[block] == GENERATED)
		generate(buffer, block * BLOCK_BYTES);
	else
		memset(buffer, 0, BLOCK_BYTES);
	return buffer;
}

static int simssd_pread(void *handle, void *data, uint32_t count, uint64_t offset, uint32_t flags)
{
	double done = take_channel(false, offset, count);
	uint8_t buffer[BLOCK_BYTES], *to = data;
	bool bad = is_bad(offset, count);

	(void)handle, (void)flags;
	for (uint64_t at = offset, n; !bad && at < offset + count; at += n) {
		n = BLOCK_BYTES - at % BLOCK_BYTES;
		if (n > offset + count - at)
			n = offset + count - at;
		memcpy(to + (at - offset), block_at(at / BLOCK_BYTES, buffer) + at % BLOCK_BYTES, n);
	}
	sleep_until(done);
	if (bad)
		nbdkit_set_error(EIO);
	return bad ? -1 : 0;
}

static int simssd_pwrite(void *handle, const void *data, uint32_t count, uint64_t offset, uint32_t flags)
{
	double done = take_channel(true, offset, count);
	static const uint8_t zeros[BLOCK_BYTES];
	uint8_t buffer[BLOCK_BYTES];
	const uint8_t *from = data;

	(void)handle, (void)flags;
	for (uint64_t at = offset, n; at < offset + count; at += n) {
		uint64_t block = at / BLOCK_BYTES;
		uint8_t *to = memory + block * BLOCK_BYTES;
		const uint8_t *was = block_at(block, buffer);

		n = BLOCK_BYTES - at % BLOCK_BYTES;
		if (n > offset + count - at)
			n = offset + count - at;
		if (n < BLOCK_BYTES && was != to)
			memcpy(to, was, BLOCK_BYTES);
		memcpy(to + at % BLOCK_BYTES, from + (at - offset), n);
		states[block] = memcmp(to, zeros, BLOCK_BYTES) ? DATA : ZEROS;
	}
	sleep_until(done);
	return 0;
}

static int simssd_trim(void *handle, uint32_t count, uint64_t offset, uint32_t flags)
{
	uint64_t first = (offset + BLOCK_BYTES - 1) / BLOCK_BYTES, end = (offset + count) / BLOCK_BYTES;

	(void)handle, (void)flags;
	if (end > first) {
		memset(states + first, EMPTY, end - first);
		madvise(memory + first * BLOCK_BYTES, (end - first) * BLOCK_BYTES, MADV_DONTNEED);
	}
	return 0;
}

/* ---- nbdkit ---------------------------------------------------------------------------------- */

static void *reserve_memory(int64_t bytes)
{
	return mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static int simssd_get_ready(void)
{
	if (conf.size <= 0 || conf.size % BLOCK_BYTES) {
		nbdkit_error("size= must be given, in whole blocks of 4096 bytes");
		return -1;
	}
	memory = reserve_memory(conf.size);
	states = reserve_memory(conf.size / BLOCK_BYTES);
	if (memory == MAP_FAILED || states == MAP_FAILED) {
		nbdkit_error("no memory: %m");
		return -1;
	}
	for (int i = 0; i < conf.populate_count; i++) {
		const struct area *a = &conf.populate[i];

		if (a->length > conf.size || a->offset > conf.size - a->length) {
			nbdkit_error("populate= beyond the end");
			return -1;
		}
		memset(states + a->offset / BLOCK_BYTES, GENERATED, (size_t)(a->length / BLOCK_BYTES));
	}
	now.temperature = conf.ambient;
	now.last_tick = seconds(CLOCK_MONOTONIC);
	now.curve = conf.curve ? fopen(conf.curve, "we") : NULL;
	return 0;
}

static int simssd_after_fork(void)
{
	pthread_t thread;

	errno = pthread_create(&thread, NULL, ticker, NULL);
	return errno ? -1 : pthread_detach(thread);
}

static void *simssd_open(int readonly)
{
	(void)readonly;
	return NBDKIT_HANDLE_NOT_NEEDED;
}

static int64_t simssd_get_size(void *handle)
{
	(void)handle;
	return conf.size;
}

static int simssd_flush(void *handle, uint32_t flags)
{
	(void)handle, (void)flags;
	return 0;
}

static int simssd_yes(void *handle)
{
	(void)handle;
	return 1;
}

static struct nbdkit_plugin plugin = {
	.name = "simssd",
	.longname = "simulated SSD",
	.config = set,
	.config_help = simssd_help,
	.get_ready = simssd_get_ready,
	.after_fork = simssd_after_fork,
	.open = simssd_open,
	.get_size = simssd_get_size,
	.pread = simssd_pread,
	.pwrite = simssd_pwrite,
	.trim = simssd_trim,
	.flush = simssd_flush,
	.can_multi_conn = simssd_yes,
};
struct nbdkit_plugin *plugin_init(void);
NBDKIT_REGISTER_PLUGIN(plugin)
