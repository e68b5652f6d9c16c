/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "loading.h"
#include "schema.h"
#include "verify_tables.h"

/** A loaded method: what it consists of, at the start of the memory for structures. */
struct loaded {
	struct petite_plan plan;
	struct petite_context context;
};

void petite_loading_fail(struct petite_loading *loading, enum petite_status status, uint32_t at)
{
	if (loading->status == PETITE_OK) {
		loading->status = status;
		loading->fault.byte = at;
	}
}

void petite_loading_contradict(struct petite_loading *loading, uint32_t at)
{
	petite_loading_fail(loading, PETITE_ERR_FORMAT, at);
}

void petite_loading_refuse(struct petite_loading *loading, uint32_t at)
{
	petite_loading_fail(loading, PETITE_ERR_UNSUPPORTED, at);
}

void *petite_loading_reserve(struct petite_loading *loading, uint32_t size)
{
	uint32_t at = loading->used;

	petite_loading_require(loading, size <= INT32_MAX - 8 - at, 0);
	if (loading->status != PETITE_OK) {
		return NULL;
	}
	loading->used += (size + 7) & ~7u;
	return loading->is_filling ? loading->structures + at : NULL;
}

void petite_loading_step(struct petite_loading *loading, petite_kernel kernel, const void *params,
			 uint32_t size)
{
	void *copy = petite_loading_reserve(loading, size);

	petite_loading_require(loading, loading->step_count < UINT16_MAX, 0);
	if (loading->status != PETITE_OK) {
		return;
	}
	if (copy != NULL) {
		memcpy(copy, params, size);
		loading->steps[loading->step_count] =
			(struct petite_step){.run = kernel, .params = copy};
	}
	loading->step_count++;
}

uint8_t petite_loading_type(struct petite_loading *loading, uint32_t index)
{
	const struct petite_file *file = &loading->file;

	petite_loading_check(loading, index < loading->value_count, loading->values);
	return loading->status != PETITE_OK
		       ? 0
		       : petite_u8_field(file, petite_element(file, loading->values, index),
					 PETITE_VALUE_TYPE);
}

uint32_t petite_loading_value(struct petite_loading *loading, uint32_t index, uint8_t type)
{
	const struct petite_file *file = &loading->file;

	if (petite_loading_type(loading, index) != type) {
		petite_loading_refuse(loading, loading->values);
	}
	return loading->status != PETITE_OK
		       ? 0
		       : petite_child(file, petite_element(file, loading->values, index),
				      PETITE_VALUE_VALUE);
}

/* --- the method ---------------------------------------------------------------------------------
 */

/** The table of the method that is asked for; 0 where the program has none. */
static uint32_t find_method(const struct petite_file *file, const char *wanted)
{
	uint32_t plans = petite_child(file, file->root, PETITE_PROGRAM_PLANS);

	for (uint32_t i = 0; i < petite_length(file, plans); i++) {
		uint32_t plan = petite_element(file, plans, i);
		uint32_t name = petite_child(file, plan, PETITE_PLAN_NAME);

		if (wanted == NULL ||
		    petite_compare_names(wanted, (const char *)(file->bytes + name + 4), NULL) ==
			    0) {
			return plan;
		}
	}
	return 0;
}

/** Most memories of a program; each tensor looks for its own among them. ExecuTorch plans one. */
#define MOST_MEMORIES 16

/** Most bytes of them together, each rounded up to 16. */
#define MOST_PLANNED (INT32_MAX & ~15u)

/** Bytes of the arena that the program plans itself: all its memories. */
static void count_memories(struct petite_loading *loading)
{
	const struct petite_file *file = &loading->file;
	uint32_t memories = petite_child(file, loading->method, PETITE_PLAN_MEMORIES);
	uint32_t left = MOST_PLANNED;

	petite_loading_require(loading, petite_length(file, memories) <= MOST_MEMORIES + 1,
			       memories);
	/* Memory 0 is reserved. */
	for (uint32_t i = 1; i < petite_length(file, memories); i++) {
		uint32_t size = petite_size_at(file, memories + 4 + 8 * i);

		if (size > left) {
			petite_loading_refuse(loading, memories);
			return;
		}
		left -= (size + 15) & ~15u;
	}
	loading->planned = MOST_PLANNED - left;
}

/** Inputs or outputs of the method. */
static void add_buffers(struct petite_loading *loading, uint32_t slot,
			struct petite_buffer *buffers)
{
	const struct petite_file *file = &loading->file;
	uint32_t list = petite_child(file, loading->method, slot);
	uint32_t count = petite_length(file, list);

	for (uint32_t i = 0; i < count && loading->status == PETITE_OK; i++) {
		uint32_t index = petite_u32_at(file, list + 4 + 4 * i);
		struct petite_place place;

		petite_loading_tensor(loading, index, &place);
		petite_loading_require(loading, !place.tensor.is_constant, list);
		if (slot == PETITE_PLAN_INPUTS) {
			petite_loading_write(loading, index);
		} else {
			petite_loading_read(loading, index, &place);
		}
		if (buffers != NULL) {
			buffers[i] = (struct petite_buffer){.data = place.tensor.data,
							    .size = place.size,
							    .dtype = place.tensor.dtype};
		}
	}
}

/** All instructions, of all chains. */
static void add_steps(struct petite_loading *loading)
{
	const struct petite_file *file = &loading->file;
	uint32_t chains = petite_child(file, loading->method, PETITE_PLAN_CHAINS);
	uint32_t number = 0;

	for (uint32_t i = 0; i < petite_length(file, chains); i++) {
		loading->instructions = petite_child(file, petite_element(file, chains, i),
						     PETITE_CHAIN_INSTRUCTIONS);
		petite_loading_chain(loading, number);
		number += petite_length(file, loading->instructions);
	}
	if (loading->status == PETITE_OK) {
		loading->fault = (struct petite_load_fault){.instruction = -1};
	}
}

/** One pass over the method: count, or fill what was counted before. */
static void pass(struct petite_loading *loading, struct loaded *loaded)
{
	const struct petite_file *file = &loading->file;
	uint32_t steps = loading->step_count;
	uint32_t states = loading->state_count;
	uint32_t inputs =
		petite_length(file, petite_child(file, loading->method, PETITE_PLAN_INPUTS));
	uint32_t outputs =
		petite_length(file, petite_child(file, loading->method, PETITE_PLAN_OUTPUTS));
	struct petite_buffer *buffers;

	memset(loading->written, 0, petite_written_words(loading) * sizeof(loading->written[0]));
	loading->used = 0;
	loading->copied = 0;
	loading->step_count = 0;
	loading->state_count = 0;
	loading->repeated = 0;
	loading->number_count = 0;
	petite_loading_require(loading, inputs <= UINT8_MAX && outputs <= UINT8_MAX,
			       loading->method);
	petite_loading_reserve(loading, sizeof(struct loaded));
	buffers = petite_loading_reserve(loading, (inputs + outputs) * sizeof(buffers[0]));
	/* While counting both are 0; the sizes of these two are added at the end then. */
	loading->steps = petite_loading_reserve(loading, steps * sizeof(loading->steps[0]));
	loading->states = petite_loading_reserve(loading, states * sizeof(loading->states[0]));
	add_buffers(loading, PETITE_PLAN_INPUTS, buffers);
	add_steps(loading);
	add_buffers(loading, PETITE_PLAN_OUTPUTS, buffers == NULL ? NULL : buffers + inputs);
	petite_loading_require(loading, loading->state_count <= UINT16_MAX, loading->method);
	if (!loading->is_filling) {
		petite_loading_reserve(loading, loading->step_count * sizeof(loading->steps[0]));
		petite_loading_reserve(loading, loading->state_count * sizeof(loading->states[0]));
		return;
	}
	loaded->plan = (struct petite_plan){
		.abi = PETITE_ABI,
		.step_count = (uint16_t)loading->step_count,
		.input_count = (uint8_t)inputs,
		.output_count = (uint8_t)outputs,
		.state_count = (uint16_t)loading->state_count,
		.steps = loading->steps,
		.inputs = buffers,
		.outputs = buffers + inputs,
		.states = loading->states,
		.context = &loaded->context,
		.busy = &loaded->context.busy,
	};
}

/** Open, check and count. */
static void prepare(struct petite_loading *loading, const struct petite_program *program)
{
	struct petite_file *file = &loading->file;
	uint32_t at = 0;

	/* All but what follows: each pass clears what the method needs of it. */
	memset(loading, 0, offsetof(struct petite_loading, written));
	loading->fault.instruction = -1;
	if (program == NULL || program->bytes == NULL || program->operators == NULL ||
	    (uintptr_t)program->bytes % PETITE_LOAD_ALIGNMENT != 0) {
		loading->status = PETITE_ERR_ARGUMENT;
		return;
	}
	loading->operators = program->operators;
	loading->registry = program->registry;
	if (!petite_open_file(file, program->bytes, program->size, &at)) {
		petite_loading_contradict(loading, at);
		return;
	}
#if PETITE_VERIFY
	if (!petite_verify_tables(file, &at)) {
		petite_loading_contradict(loading, at);
		return;
	}
#endif
	loading->method = find_method(file, program->method);
	petite_loading_check(loading, loading->method != 0, file->root);
	if (loading->status != PETITE_OK) {
		return;
	}
	loading->values = petite_child(file, loading->method, PETITE_PLAN_VALUES);
	loading->value_count = petite_length(file, loading->values);
	petite_loading_require(loading, loading->value_count <= PETITE_LOAD_VALUES,
			       loading->values);
	count_memories(loading);
	pass(loading, NULL);
}

/** Whether a memory is there, aligned, and large enough. */
static bool is_enough(const void *memory, uint32_t size, uint32_t need)
{
	return (uintptr_t)memory % PETITE_LOAD_ALIGNMENT == 0 && size >= need &&
	       (memory != NULL || need == 0);
}

/** Make the plan, where there is memory enough. */
static void fill(struct petite_loading *loading, const struct petite_load_memory *memory,
		 const struct petite_load_need *need, const struct petite_plan **plan)
{
	struct loaded *loaded = memory->structures;

	if (!is_enough(memory->structures, memory->structures_size, need->structures) ||
	    !is_enough(memory->arena, memory->arena_size, need->arena)) {
		petite_loading_fail(loading, PETITE_ERR_MEMORY, 0);
		return;
	}
	memset(memory->structures, 0, need->structures);
	memset(memory->arena, 0, need->arena);
	loading->is_filling = true;
	loading->structures = memory->structures;
	loading->arena = memory->arena;
	pass(loading, loaded);
	*plan = loading->status == PETITE_OK ? &loaded->plan : NULL;
}

/** Find out what a method needs, and make its plan if there is a memory. */
static enum petite_status load(const struct petite_program *program, struct petite_load_need *need,
			       const struct petite_load_memory *memory,
			       const struct petite_plan **plan, struct petite_load_fault *fault)
{
	struct petite_loading loading;

	prepare(&loading, program);
	*need = (struct petite_load_need){0};
	if (loading.status == PETITE_OK) {
		need->structures = loading.used;
		need->arena = loading.planned + ((loading.scratch + 15) & ~15u);
		need->copied = loading.copied;
		if (memory != NULL) {
			fill(&loading, memory, need, plan);
		}
	}
	if (fault != NULL) {
		*fault = loading.fault;
		/* A damaged offset may have led out of the file. */
		if (program == NULL || fault->byte >= program->size) {
			fault->byte = 0;
		}
	}
	return loading.status;
}

enum petite_status petite_load_plan(const struct petite_program *program,
				    struct petite_load_need *need, struct petite_load_fault *fault)
{
	return need == NULL ? PETITE_ERR_ARGUMENT : load(program, need, NULL, NULL, fault);
}

enum petite_status petite_load(const struct petite_program *program,
			       const struct petite_load_memory *memory,
			       const struct petite_plan **plan, struct petite_load_fault *fault)
{
	struct petite_load_need need;

	if (plan == NULL) {
		return PETITE_ERR_ARGUMENT;
	}
	*plan = NULL;
	return memory == NULL ? PETITE_ERR_ARGUMENT : load(program, &need, memory, plan, fault);
}
