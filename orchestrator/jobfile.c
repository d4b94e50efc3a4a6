/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the sections and options of fio job files. */
#include "jobfile.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"

/* fio prints and knows these under the right-hand name (options.c of fio). */
static const struct {
	const char *alias, *name;
} aliases[] = {
	{ "readwrite", "rw" }, { "blocksize", "bs" }, { "timeout", "runtime" },
	{ "blocksize_range", "bsrange" }, { "io_limit", "io_size" }, { "fileoffset", "offset" },
};

static char *canonical(const char *line)
{
	size_t n = strcspn(line, "= \t");

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (strlen(aliases[i].alias) == n && !strncmp(line, aliases[i].alias, n))
			return text_format("%s%s", aliases[i].name, line + n);
	return strdup(line);
}

/* Takes blanks around the line and around its '=' away, and comments (; or # at the start). */
static char *trimmed(char *line)
{
	char *end, *equals, *value;

	while (isspace((unsigned char)*line))
		line++;
	/* as fio does, in the middle of a line too */
	line[strcspn(line, ";#")] = '\0';
	for (end = line + strlen(line); end > line && isspace((unsigned char)end[-1]); end--)
		;
	*end = '\0';
	equals = strchr(line, '=');
	if (*line == '[' || !equals)
		return line;
	for (value = equals + 1; isspace((unsigned char)*value); value++)
		;
	for (end = equals; end > line && isspace((unsigned char)end[-1]); end--)
		;
	*end = '=';
	memmove(end + 1, value, strlen(value) + 1);
	return line;
}

static int add_section(struct job_file *file, const char *name, const struct strings *global)
{
	struct job_section *grown = reallocarray(file->sections, file->sections_count + 1, sizeof(*grown));
	struct job_section *section;

	if (!grown)
		return -ENOMEM;
	file->sections = grown;
	section = &grown[file->sections_count];
	*section = (struct job_section){ .name = strdup(name) };
	if (!section->name)
		return -ENOMEM;
	file->sections_count++;
	for (size_t i = 0; i < global->count; i++)
		if (strings_add(&section->options, global->items[i]))
			return -ENOMEM;
	return 0;
}

struct parse {
	struct job_file *file;
	struct strings global;
	struct strings *into;	/* options of the current section */
	int line;
};

static int parse_header(struct parse *p, char *line)
{
	char *end = strchr(line, ']');
	_cleanup_free_ char *safe = text_escape_terminal(line);
	int ret;

	/* names go into JSON, file names and reports */
	if (!safe || strcmp(safe, line))
		return fail(-EINVAL, "%s:%d: a section name with control bytes or broken UTF-8: %s", p->file->path,
			    p->line, line);
	if (!end || end[1] || end == line + 1)
		return fail(-EINVAL, "%s:%d: not a section: %s", p->file->path, p->line, line);
	*end = '\0';
	if (!strcmp(line + 1, "global")) {
		p->into = &p->global;
		return 0;
	}
	ret = add_section(p->file, line + 1, &p->global);
	if (!ret)
		p->into = &p->file->sections[p->file->sections_count - 1].options;
	return ret;
}

static int parse_line(struct parse *p, char *raw)
{
	char *line = trimmed(raw);
	_cleanup_free_ char *option = NULL;

	if (!*line)
		return 0;
	if (*line == '[')
		return parse_header(p, line);
	if (!strncmp(line, "include", 7) && isspace((unsigned char)line[7]))
		return fail(-EINVAL, "%s:%d: include is not supported: put the options into this file",
			    p->file->path, p->line);
	if (!p->into)
		return fail(-EINVAL, "%s:%d: an option before any [section]: %s", p->file->path, p->line, line);
	option = canonical(line);
	return option ? strings_add(p->into, option) : -ENOMEM;
}

int jobfile_read(const char *path, struct job_file *file)
{
	_cleanup_free_ char *data = NULL;
	struct parse p = { .file = file };
	char *next;
	size_t length;
	int ret = text_read_file(path, 1 << 20, &data, &length);

	*file = (struct job_file){ .path = strdup(path) };
	if (ret || !file->path) {
		jobfile_free(file);
		return fail(ret ? ret : -ENOMEM, "cannot read the job file %s: %s", path, strerror(-ret));
	}
	if (strlen(data) != length)
		ret = fail(-EINVAL, "%s is not a job file: it has NUL bytes", path);
	for (char *line = data; !ret && line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		p.line++;
		ret = parse_line(&p, line);
	}
	strings_free(&p.global);
	if (!ret && !file->sections_count)
		ret = fail(-EINVAL, "%s is not a job file: it has no [section]", path);
	if (ret)
		jobfile_free(file);
	return ret;
}

void jobfile_free(struct job_file *file)
{
	for (size_t i = 0; i < file->sections_count; i++) {
		free(file->sections[i].name);
		strings_free(&file->sections[i].options);
	}
	free(file->sections);
	free(file->path);
	*file = (struct job_file){ 0 };
}

const char *jobfile_option(const struct strings *options, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = options->count; i-- > 0;) {
		const char *s = options->items[i];

		if (!strncmp(s, name, n) && (s[n] == '=' || !s[n]))
			return s[n] ? s + n + 1 : "";
	}
	return NULL;
}

bool jobfile_writes(const char *rw)
{
	return strcmp(rw, "read") && strcmp(rw, "randread");
}
