/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions of gates, from a command line, a suite file or a plan. */
#include "gates-internal.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct gate gate;
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (gate_parse(text, NULL, &gate) && (gate.at > size || !*gate.error))
		abort();
	free(text);
	return 0;
}
