/* SPDX-License-Identifier: Apache-2.0 */
#include "try_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <petite/executor.h>
#include <petite/loader.h>

#include "model.h"

#define MOST_MEMORY (8u << 20)

static void require(bool condition, const char *what)
{
	if (!condition) {
		fprintf(stderr, "the loader contradicts itself: %s\n", what);
		abort();
	}
}

static void *memory(uint32_t size)
{
	void *bytes;

	if (posix_memalign(&bytes, PETITE_LOAD_ALIGNMENT, size > 0 ? size : 1) != 0) {
		abort();
	}
	return bytes;
}

/** Run on bytes of one value, on others, and twice, for states. */
static void run(const struct petite_plan *plan)
{
	static const uint8_t fills[] = {0, 0x7f, 0x80, 0xff};

	for (uint32_t k = 0; k < sizeof(fills); k++) {
		for (uint32_t i = 0; i < plan->input_count; i++) {
			memset(plan->inputs[i].data, fills[k], plan->inputs[i].size);
		}
		require(petite_run(plan) <= PETITE_OK, "a run gave no status");
	}
}

static void load(const struct petite_program *program, const struct petite_load_need *need)
{
	struct petite_load_memory where = {memory(need->structures), need->structures,
					   memory(need->arena), need->arena};
	const struct petite_plan *plan;

	if (need->structures > 0) {
		where.structures_size--;
		require(petite_load(program, &where, &plan, NULL) == PETITE_ERR_MEMORY &&
				plan == NULL,
			"it loads into too little memory");
		where.structures_size++;
	}
	require(petite_load(program, &where, &plan, NULL) == PETITE_OK, "it needs more");
	run(plan);
	free(where.structures);
	free(where.arena);
}

bool try_program(const uint8_t *bytes, uint32_t size)
{
	uint8_t *copy = memory(size);
	struct petite_program program = {copy, size, NULL, &operators, NULL};
	struct petite_load_need need;
	struct petite_load_fault fault;
	enum petite_status status;

	memcpy(copy, bytes, size);
	status = petite_load_plan(&program, &need, &fault);
	require(status == PETITE_OK || (need.structures == 0 && need.arena == 0),
		"it refuses, and needs memory");
	require(fault.byte <= size, "a fault lies behind the file");
	if (status == PETITE_OK && need.structures <= MOST_MEMORY && need.arena <= MOST_MEMORY) {
		load(&program, &need);
	}
	free(copy);
	return status == PETITE_OK;
}
