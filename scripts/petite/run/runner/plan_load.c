/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says what loading a program needs, without loading it.
 *
 * request.bin:  the method.
 * response.bin: for structures, for the arena, of the former copies of constants; then the stack
 * that finding this out used.
 *
 * Every number is an unsigned 32-bit little-endian word; petite/run/loaded.py is the other end.
 */
#include <petite/platform.h>

#include "loaded.h"
#include "port.h"

static struct petite_load_need need;
static struct petite_load_fault fault;

static int plan(const void *program)
{
	return petite_load_plan(program, &need, &fault);
}

int main(void)
{
	uint32_t method;
	uint32_t words[4];
	int status;

	if (!port_open() || !port_read(&method, sizeof(method)) || method >= model_plan_count) {
		petite_platform_write("petite: the program has no method of that index\n");
		return 1;
	}
	status = port_measure(plan, &model_programs[method], &words[3]);
	if (status != PETITE_OK) {
		write_refusal(status, &fault);
		return 1;
	}
	words[0] = need.structures;
	words[1] = need.arena;
	words[2] = need.copied;
	return port_write(words, sizeof(words)) && port_close() ? 0 : 1;
}
