/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <stddef.h>

#include <petite/loader.h>
#include <petite/section.h>

#include "petite_operators.h"

static uint8_t structures[UPDATE_STRUCTURES_BYTES] PETITE_PLACED(".bss.petite.update.structures",
								 PETITE_LOAD_ALIGNMENT);
static uint8_t arena[UPDATE_ARENA_BYTES] PETITE_PLACED(".bss.petite.update.arena",
						       PETITE_LOAD_ALIGNMENT);
static const struct petite_plan *loaded;

static struct petite_program program_of(const void *bytes, uint32_t size)
{
	return (struct petite_program){
		.bytes = bytes, .size = size, .operators = &petite_operators};
}

struct update_verdict update_model_check(const void *bytes, uint32_t size)
{
	const struct petite_program program = program_of(bytes, size);
	struct update_verdict verdict = {0};

	verdict.status = petite_load_plan(&program, &verdict.need, &verdict.fault);
	if (verdict.status == PETITE_OK &&
	    (verdict.need.structures > sizeof(structures) || verdict.need.arena > sizeof(arena))) {
		verdict.status = PETITE_ERR_MEMORY;
	}
	return verdict;
}

struct update_verdict update_model_load(const void *bytes, uint32_t size)
{
	const struct petite_program program = program_of(bytes, size);
	const struct petite_load_memory memory = {structures, sizeof(structures), arena,
						  sizeof(arena)};
	struct update_verdict verdict = update_model_check(bytes, size);

	if (verdict.status == PETITE_OK) {
		verdict.status = petite_load(&program, &memory, &loaded, &verdict.fault);
	}
	return verdict;
}

void update_model_unload(void)
{
	loaded = NULL;
}

const struct petite_plan *update_model_plan(void)
{
	return loaded;
}
