/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads a program out of a file and runs it, in memories that are exactly as large as it says.
 *
 * request.bin:  bytes of the program, bytes of its method's name, calls; the name, the program;
 * then for each call the inputs. response.bin: status, byte and instruction of the fault; bytes for
 * structures, for the arena, and copied; stack of petite_load(); for each call its status and the
 * outputs.
 *
 * Numbers are little-endian words of 32 bits. tests/loader/loaded.py is the other end. Between the
 * marks are petite_load_plan(), petite_load(), and each call.
 */
#include <stddef.h>

#include <petite/loader.h>

#include "model.h"
#include "port.h"

#ifdef __arm__
static uint8_t pool[3 << 20] __attribute__((section(".bss.petite.model.pool"), aligned(16)));
static uint32_t used;

static void *memory(uint32_t size)
{
	void *bytes = &pool[used];

	used += (size + 15) & ~15u;
	return used <= sizeof(pool) ? bytes : NULL;
}
#else
#include <stdlib.h>

/* Exactly as large, so that the address sanitizer sees what lies beyond. */
static void *memory(uint32_t size)
{
	void *bytes;

	return posix_memalign(&bytes, 16, size > 0 ? size : 1) == 0 ? bytes : NULL;
}
#endif

static char name[256];
static struct petite_program program = {.operators = &operators};
static struct petite_load_need need;
static struct petite_load_fault fault;
static struct petite_load_memory where;
static const struct petite_plan *plan;

static int find_need(const void *unused)
{
	(void)unused;
	return petite_load_plan(&program, &need, &fault);
}

static int load(const void *unused)
{
	(void)unused;
	return petite_load(&program, &where, &plan, &fault);
}

static bool read_program(uint32_t *calls)
{
	uint32_t words[3];
	void *bytes;

	if (!port_read(words, sizeof(words)) || words[1] >= sizeof(name) ||
	    !port_read(name, words[1])) {
		return false;
	}
	*calls = words[2];
	program.size = words[0];
	program.method = name;
	bytes = memory(program.size);
	program.bytes = bytes;
	return bytes != NULL && port_read(bytes, program.size);
}

static bool write_outcome(int status, uint32_t stack)
{
	const uint32_t words[] = {
		(uint32_t)status,
		fault.byte,
		(uint32_t)fault.instruction,
		need.structures,
		need.arena,
		need.copied,
		stack,
	};

	return port_write(words, sizeof(words));
}

static bool transfer(const struct petite_buffer *buffers, uint32_t count, bool is_input)
{
	for (uint32_t i = 0; i < count; i++) {
		if (is_input ? !port_read(buffers[i].data, buffers[i].size)
			     : !port_write(buffers[i].data, buffers[i].size)) {
			return false;
		}
	}
	return true;
}

static bool run_call(void)
{
	uint32_t stack;
	uint32_t status;

	if (!transfer(plan->inputs, plan->input_count, true)) {
		return false;
	}
	status = (uint32_t)port_run_measured(plan, &stack);
	return port_write(&status, sizeof(status)) &&
	       transfer(plan->outputs, plan->output_count, false);
}

int main(void)
{
	uint32_t calls;
	uint32_t stack;
	int status;

	if (!port_open() || !read_program(&calls)) {
		return 1;
	}
	status = port_measure(find_need, NULL, &stack);
	if (status != PETITE_OK) {
		return write_outcome(status, stack) && port_close() ? 0 : 1;
	}
	where.structures_size = need.structures;
	where.structures = memory(need.structures);
	where.arena_size = need.arena;
	where.arena = memory(need.arena);
	status = port_measure(load, NULL, &stack);
	if (!write_outcome(status, stack)) {
		return 1;
	}
	for (; status == PETITE_OK && calls > 0; calls--) {
		if (!run_call()) {
			return 1;
		}
	}
	return port_close() ? 0 : 1;
}
