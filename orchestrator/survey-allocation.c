/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zeros that were written, and blocks that are not there: asks the file system (FIEMAP) or the drive
 * (Get LBA Status; DULBE on request), else says what is known of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "fail.h"
#include "interrupt.h"
#include "smart-lba.h"
#include "survey.h"

#define ASK_SECONDS 30		/* at most so long: a drive may be slow with its answers */
#define CONTROLS 4		/* blocks that hold data, asked first: they must be allocated */

/* One way to ask: 1 not there, 0 there, -errno with *reason. */
struct asking {
	const char *source;
	int (*ask)(struct asking *a, const struct survey_sample *s, char **reason);
	int fd;
	int64_t block_bytes, logical_block_bytes, start_bytes;
	uint32_t nsid;
	struct dulbe dulbe;
	void *buffer;
	int missing_kind;	/* set by ask() for a block that is not there */
	int64_t asked, controls, trusted;
};

static int finish(struct survey_allocation *out, const char *source, bool separable, char *text)
{
	out->source = strdup(source);
	out->separable = separable;
	out->text = text;
	return out->source && text ? 0 : -ENOMEM;
}

/* A block is a hole when no extent meets it, unwritten when only unwritten ones do. */
static int ask_extents(struct asking *a, const struct survey_sample *s, char **reason)
{
	char memory[sizeof(struct fiemap) + 8 * sizeof(struct fiemap_extent)] __attribute__((aligned(8))) = { 0 };
	struct fiemap *map = (struct fiemap *)memory;

	map->fm_start = (uint64_t)s->offset_bytes;
	map->fm_length = (uint64_t)a->block_bytes;
	map->fm_extent_count = 8;
	if (ioctl(a->fd, FS_IOC_FIEMAP, map)) {
		int error = errno;

		*reason = text_format("the file system offers no FIEMAP (%s)", strerror(error));
		return -error;
	}
	a->missing_kind = map->fm_mapped_extents ? KIND_UNWRITTEN : KIND_HOLE;
	for (uint32_t i = 0; i < map->fm_mapped_extents && i < 8; i++)
		if (!(map->fm_extents[i].fe_flags & FIEMAP_EXTENT_UNWRITTEN))
			return 0;
	return 1;
}

static uint64_t slba_of(const struct asking *a, const struct survey_sample *s)
{
	return (uint64_t)((a->start_bytes + s->offset_bytes) / a->logical_block_bytes);
}

static uint16_t blocks_of(const struct asking *a)
{
	return (uint16_t)(a->block_bytes / a->logical_block_bytes);
}

static int ask_status(struct asking *a, const struct survey_sample *s, char **reason)
{
	a->missing_kind = KIND_DEALLOCATED;
	return lba_status_ask(a->fd, a->nsid, slba_of(a, s), blocks_of(a), reason);
}

static int ask_dulbe(struct asking *a, const struct survey_sample *s, char **reason)
{
	a->missing_kind = KIND_DEALLOCATED;
	return dulbe_ask(&a->dulbe, slba_of(a, s), blocks_of(a), a->buffer, (uint32_t)a->block_bytes, reason);
}

static int64_t seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* Zeros and one repeated byte are what a drive may give for a block that is not there. */
static bool may_be_missing(const struct survey_sample *s)
{
	return s->kind == REC_ZERO || s->kind == REC_PATTERN;
}

/* Blocks with real data are allocated; an answer that denies it is no answer. */
static int ask_controls(struct asking *a, const struct survey_samples *samples, char **reason)
{
	for (size_t i = 0; i < samples->count && a->controls < CONTROLS; i++) {
		const struct survey_sample *s = &samples->items[i];
		int ret;

		if (s->kind != REC_INCOMPRESSIBLE && s->kind != REC_COMPRESSIBLE)
			continue;
		ret = a->ask(a, s, reason);
		if (ret < 0)
			return ret;
		a->controls++;
		if (ret) {
			*reason = text_format("it calls the block at %lld, which holds data, not allocated, so its answers "
					      "are not used", (long long)s->offset_bytes);
			return -EBADMSG;
		}
	}
	return 0;
}

static int ask_samples(struct asking *a, struct survey_samples *samples, struct survey_allocation *out,
		       char **reason)
{
	int64_t end = seconds_now() + ASK_SECONDS;

	for (size_t i = 0; i < samples->count; i++) {
		struct survey_sample *s = &samples->items[i];
		int ret;

		if (!may_be_missing(s))
			continue;
		if (interrupt_signal() || seconds_now() > end) {
			*reason = text_format("it was ended before all blocks were asked for");
			return -EINTR;
		}
		ret = a->ask(a, s, reason);
		if (ret < 0)
			return ret;
		out->asked++;
		out->deallocated += ret;
		if (ret)
			s->kind = (uint8_t)a->missing_kind;
	}
	return 0;
}

static const char *words_of(const char *source)
{
	return !strcmp(source, "fiemap") ? "the file system's extent map (FIEMAP)" :
	       !strcmp(source, "dulbe") ? "reads with DULBE on" : "the drive's Get LBA Status";
}

/* 0: the drive or file system answered, -errno: it did not (*reason), -ENOMEM. */
static int ask_all(struct asking *a, struct survey_samples *samples, struct survey_allocation *out,
		   char **reason)
{
	int ret = ask_controls(a, samples, reason);
	const char *words = words_of(a->source);

	if (!ret)
		ret = ask_samples(a, samples, out, reason);
	if (ret)
		return ret;
	return finish(out, a->source, true, text_format("%lld of %lld zero-filled or repeating blocks are not "
		      "there, by %s; the others were written%s", (long long)out->deallocated, (long long)out->asked, words,
		      a->controls ? "" : " (no block with data was seen that could check these answers)"));
}

/* What Identify Namespace says, where no block can be asked for. */
static char *identify_words(const struct identify *id, bool *separable)
{
	_cleanup_text_ struct text t = { 0 };
	int64_t reads = known(id->dlfeat) ? id->dlfeat & 7 : -1;
	bool nuse = known(id->nuse_blocks) && known(id->nsze_blocks) && id->nsze_blocks > 0 &&
		    known(id->ncap_blocks);

	*separable = reads == 2;
	text_add(&t, reads == 2 ?
		 "deallocated blocks of this drive read as FFh (DLFEAT), so the zeros were written" :
		 "zeros that were written and deallocated blocks cannot be told apart");
	if (reads == 1)
		text_add(&t, ": deallocated blocks read as zeros (DLFEAT)");
	else if (reads == 0)
		text_add(&t, ": the drive does not say what deallocated blocks read as (DLFEAT)");
	if (nuse && !(known(id->nsfeat) && id->nsfeat & 1) && id->nuse_blocks == id->ncap_blocks)
		text_add(&t, "; its figure of blocks in use (NUSE) is the capacity and says nothing");
	else if (nuse)
		text_printf(&t, "; it has %.1f %% of its blocks in use (NUSE), which does not say where",
			    100 * (double)id->nuse_blocks / (double)id->nsze_blocks);
	return text_steal(&t);
}

static int not_asked(const struct drive *d, const char *why, struct survey_allocation *out)
{
	_cleanup_free_ char *id = NULL;
	bool separable = false;

	if (!d->controller)
		return finish(out, "none", false, text_format("zeros that were written and blocks that are not there "
			      "cannot be told apart: %s", why));
	id = identify_words(&d->identify, &separable);
	return finish(out, separable ? "dlfeat" : "none", separable, id ? text_format("%s; %s", why, id) : NULL);
}

static int by_extents(const struct drive *d, struct asking *a, struct survey_samples *samples,
		      struct survey_allocation *out)
{
	_cleanup_free_ char *reason = NULL;
	_cleanup_fd_ int fd = open(d->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int ret = fd < 0 ? -errno : 0;

	a->source = "fiemap";
	a->ask = ask_extents;
	a->fd = fd;
	/* delayed allocation would look like holes */
	if (!ret && fsync(fd))
		ret = -errno;
	if (!ret)
		ret = ask_all(a, samples, out, &reason);
	if (!ret || ret == -ENOMEM)
		return ret;
	return not_asked(d, reason ? reason : "the extents of the file cannot be listed", out);
}

static int by_dulbe(const struct drive *d, struct asking *a, struct survey_samples *samples,
		    struct survey_allocation *out, char **reason)
{
	_cleanup_free_ char *end_reason = NULL;
	int ret = posix_memalign(&a->buffer, 4096, (size_t)a->block_bytes) ? -ENOMEM :
		  dulbe_begin(d, &a->dulbe, reason);

	if (ret == -ENOTRECOVERABLE)
		warning("%s: %s. Then reads of deallocated blocks fail until the drive is reset: nvme reset /dev/%s",
			d->target, *reason ? *reason : "?", d->controller);
	if (ret)
		return ret;
	a->source = "dulbe";
	a->ask = ask_dulbe;
	ret = ask_all(a, samples, out, reason);
	if (dulbe_end(&a->dulbe, &end_reason))
		warning("%s: DULBE is still on: %s. Reads of deallocated blocks fail until the drive is reset: "
			"nvme reset /dev/%s", d->target, end_reason ? end_reason : "?", d->controller);
	return ret;
}

static int by_status(const struct drive *d, struct asking *a, struct survey_samples *samples,
		     struct survey_allocation *out, char **reason)
{
	_cleanup_fd_ int fd = lba_status_open(d, reason);

	if (fd < 0)
		return fd;
	a->source = "get_lba_status";
	a->ask = ask_status;
	a->fd = fd;
	return ask_all(a, samples, out, reason);
}

/* The stronger way first. What a way that failed half-way has said of blocks stays said. */
static int by_drive(const struct survey_request *r, const struct drive *d, struct asking *a,
		    struct survey_samples *samples, struct survey_allocation *out)
{
	_cleanup_free_ char *status = NULL, *dulbe = NULL;
	_cleanup_text_ struct text why = { 0 };
	bool offered = known(d->identify.oacs) && d->identify.oacs & LBA_STATUS_OACS;
	int ret = -EOPNOTSUPP;

	if (offered)
		ret = by_status(d, a, samples, out, &status);
	if (ret && ret != -ENOMEM && r->dulbe)
		ret = by_dulbe(d, a, samples, out, &dulbe);
	if (!ret || ret == -ENOMEM)
		return ret;
	if (!known(d->identify.oacs))
		text_add(&why, "Identify was not read (it needs root)");
	else if (!offered)
		text_add(&why, "the drive has no Get LBA Status (OACS bit 9)");
	else
		text_printf(&why, "Get LBA Status gave no answer: %s", status ? status : "?");
	if (r->dulbe)
		text_printf(&why, "; DULBE: %s", dulbe ? dulbe : "?");
	return why.failed ? -ENOMEM : not_asked(d, why.data, out);
}

int survey_allocation(const struct survey_request *r, const struct drive *d, int64_t block_bytes,
		      struct survey_samples *samples, struct survey_drive *out)
{
	struct asking a = { .fd = -1, .block_bytes = block_bytes, .logical_block_bytes = d->logical_block_bytes,
			    .start_bytes = known(d->partition_start_bytes) ? d->partition_start_bytes : 0,
			    .nsid = known(d->namespace_id) ? (uint32_t)d->namespace_id : 0, .dulbe = { .fd = -1 } };
	_cleanup_free_ char *why = NULL;
	int ret;

	if (d->kind != TARGET_BLOCK)
		return by_extents(d, &a, samples, &out->allocation);
	if (d->controller && known(d->logical_block_bytes) && block_bytes / d->logical_block_bytes < 65536) {
		ret = by_drive(r, d, &a, samples, &out->allocation);
		free(a.buffer);
		return ret;
	}
	why = d->backing_device ? text_format("it is a loop device; survey its file, %s", d->backing_device) :
	      text_format("it is not an NVMe drive (%s)", d->transport ? d->transport : "kind unknown");
	return why ? not_asked(d, why, &out->allocation) : -ENOMEM;
}
