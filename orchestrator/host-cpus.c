/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which CPUs each side runs on. */
#include "host.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* "0-3,8" -> set; anything else: false. */
static bool parse_list(const char *s, cpu_set_t *set)
{
	CPU_ZERO(set);
	while (*s) {
		char *end;
		unsigned long first = strtoul(s, &end, 10), last = first;

		if (end == s)
			return false;
		if (*end == '-') {
			s = end + 1;
			last = strtoul(s, &end, 10);
			if (end == s)
				return false;
		}
		/* a CPU that cannot be in a set is none that we could use */
		if (last < first || last >= CPU_SETSIZE)
			return false;
		for (unsigned long i = first; i <= last; i++)
			CPU_SET(i, set);
		if (*end && *end != ',')
			return false;
		s = *end ? end + 1 : end;
	}
	return CPU_COUNT(set) > 0;
}

static char *format_list(const cpu_set_t *set)
{
	struct text t = { 0 };

	for (int i = 0; i < CPU_SETSIZE; i++) {
		int last = i;

		if (!CPU_ISSET(i, set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
			last++;
		text_printf(&t, last > i ? "%s%d-%d" : "%s%d", t.length ? "," : "", i, last);
		i = last;
	}
	return text_steal(&t);
}

/* The first half of the CPUs stays in first, the others go to second. */
static void halve(cpu_set_t *first, cpu_set_t *second)
{
	int half = CPU_COUNT(first) / 2, seen = 0;

	CPU_ZERO(second);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, first) || seen++ < half)
			continue;
		CPU_CLR(i, first);
		CPU_SET(i, second);
	}
}

static void near_cpus(const char *local, const cpu_set_t *allowed, cpu_set_t *set)
{
	cpu_set_t list;

	*set = *allowed;
	if (!local || !parse_list(local, &list))
		return;
	CPU_AND(&list, &list, allowed);
	if (CPU_COUNT(&list))
		*set = list;
}

int host_cpus_check(const char *list)
{
	cpu_set_t set, allowed;

	if (!parse_list(list, &set))
		return -EINVAL;
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return 0;	/* no way to know */
	CPU_AND(&allowed, &allowed, &set);
	return CPU_EQUAL(&allowed, &set) ? 0 : -ENODEV;
}

bool host_cpus(const char *local_a, const char *local_b, char *cpus[SIDES])
{
	cpu_set_t allowed, a, b;
	bool shared;

	cpus[SIDE_A] = cpus[SIDE_B] = NULL;
	if (sched_getaffinity(0, sizeof(allowed), &allowed) || CPU_COUNT(&allowed) < 2)
		return false;
	near_cpus(local_a, &allowed, &a);
	near_cpus(local_b, &allowed, &b);
	shared = CPU_EQUAL(&a, &b);
	if (shared) {
		if (CPU_COUNT(&a) < 2)
			return false;
		halve(&a, &b);
	}
	cpus[SIDE_A] = format_list(&a);
	cpus[SIDE_B] = format_list(&b);
	return shared;
}
