/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate_program.h"

#include <string.h>

#include <loader/file.h>
#include <loader/schema.h>
#include <loader/verify_tables.h>

struct mutation {
	struct petite_file file;
	uint8_t *bytes;
	uint32_t random;
};

static uint32_t next(struct mutation *m, uint32_t below)
{
	m->random = m->random * 1664525u + 1013904223u;
	return below == 0 ? 0 : (m->random >> 8) % below;
}

/** Numbers at which arithmetic goes wrong, and small ones. */
static int64_t number(struct mutation *m)
{
	static const int64_t edges[] = {
		INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN, 65535,
		65536,     1 << 30,   1 << 24,    32767,     32768,     255,
		256,       127,       -128,       -129,      -1,
	};

	if (next(m, 2) == 0) {
		return edges[next(m, sizeof(edges) / sizeof(edges[0]))];
	}
	return (int64_t)next(m, 20) - 4;
}

static bool put(struct mutation *m, uint32_t at, int64_t value, uint32_t size)
{
	if (at == 0) {
		return false;
	}
	memcpy(m->bytes + at, &value, size);
	return true;
}

/** Change an element of a vector. */
static bool change_element(struct mutation *m, uint32_t vector, uint32_t size, int64_t value)
{
	uint32_t count = petite_length(&m->file, vector);

	return count > 0 && put(m, vector + 4 + size * next(m, count), value, size);
}

static bool change_tensor(struct mutation *m, uint32_t table)
{
	static const uint8_t numbers[] = {PETITE_TENSOR_STORAGE_OFFSET, PETITE_TENSOR_DATA};
	const struct petite_file *file = &m->file;
	uint32_t allocation = petite_child(file, table, PETITE_TENSOR_ALLOCATION);

	switch (next(m, 7)) {
	case 0:
		return put(m, petite_field(file, table, PETITE_TENSOR_DTYPE), next(m, 12), 1);
	case 1:
		return change_element(m, petite_child(file, table, PETITE_TENSOR_SIZES), 4,
				      number(m));
	case 2:
		return change_element(m, petite_child(file, table, PETITE_TENSOR_ORDER), 1,
				      next(m, 5));
	case 3:
		return put(m, petite_field(file, table, numbers[next(m, 2)]), next(m, 12), 4);
	case 4:
		return put(m, petite_field(file, table, PETITE_TENSOR_DYNAMISM), next(m, 3), 1);
	default:
		return allocation != 0 &&
		       put(m, petite_field(file, allocation, PETITE_ALLOCATION_LOW),
			   next(m, 2) == 0 ? number(m) : (int64_t)next(m, 64) * 16, 4);
	}
}

static bool change_value(struct mutation *m, uint32_t values)
{
	const struct petite_file *file = &m->file;
	uint32_t count = petite_length(file, values);
	uint32_t value = petite_element(file, values, next(m, count));
	uint32_t table = petite_child(file, value, PETITE_VALUE_VALUE);
	double real = (double)number(m) * (next(m, 2) ? 1e-3 : 1e30);

	switch (petite_u8_field(file, value, PETITE_VALUE_TYPE)) {
	case PETITE_VALUE_INT:
		return put(m, petite_field(file, table, PETITE_ONLY_SLOT), number(m), 8);
	case PETITE_VALUE_BOOL:
		return put(m, petite_field(file, table, PETITE_ONLY_SLOT), next(m, 2), 1);
	case PETITE_VALUE_DOUBLE:
		memcpy(m->bytes + petite_field(file, table, PETITE_ONLY_SLOT), &real, 8);
		return petite_field(file, table, PETITE_ONLY_SLOT) != 0;
	case PETITE_VALUE_TENSOR:
		return change_tensor(m, table);
	case PETITE_VALUE_INTS:
		return change_element(m, petite_child(file, table, PETITE_ONLY_SLOT), 8,
				      next(m, count));
	default:
		return false;
	}
}

/** The instructions of a method's first chain; 0 for none. */
static uint32_t instructions_of(const struct petite_file *file, uint32_t method)
{
	uint32_t chains = petite_child(file, method, PETITE_PLAN_CHAINS);

	return petite_length(file, chains) == 0
		       ? 0
		       : petite_child(file, petite_element(file, chains, 0),
				      PETITE_CHAIN_INSTRUCTIONS);
}

static bool change_call(struct mutation *m, uint32_t call, uint32_t value_count)
{
	const struct petite_file *file = &m->file;

	if (next(m, 8) == 0) {
		return put(m, petite_field(file, call, PETITE_CALL_OPERATOR), next(m, 6), 4);
	}
	return change_element(m, petite_child(file, call, PETITE_CALL_ARGUMENTS), 4,
			      next(m, value_count));
}

static bool change_instruction(struct mutation *m, uint32_t instructions, uint32_t value_count)
{
	const struct petite_file *file = &m->file;
	uint32_t count = petite_length(file, instructions);
	uint32_t instruction;
	uint32_t table;

	if (count == 0) {
		return false;
	}
	instruction = petite_element(file, instructions, next(m, count));
	table = petite_child(file, instruction, PETITE_INSTRUCTION_VALUE);
	switch (petite_u8_field(file, instruction, PETITE_INSTRUCTION_TYPE)) {
	case PETITE_INSTRUCTION_CALL:
		return change_call(m, table, value_count);
	case PETITE_INSTRUCTION_MOVE:
		return put(
			m,
			petite_field(file, table, next(m, 2) ? PETITE_MOVE_FROM : PETITE_MOVE_TO),
			next(m, value_count), 4);
	case PETITE_INSTRUCTION_JUMP:
		if (next(m, 3) == 0) {
			return put(m, petite_field(file, table, PETITE_JUMP_CONDITION),
				   next(m, value_count), 4);
		}
		return put(m, petite_field(file, table, PETITE_JUMP_DESTINATION),
			   next(m, count + 2), 4);
	default:
		return false;
	}
}

/** Let two instructions change places; so sides become longer, loops move, and moves come early. */
static bool swap_instructions(struct mutation *m, uint32_t instructions)
{
	const struct petite_file *file = &m->file;
	uint32_t count = petite_length(file, instructions);
	uint32_t a = next(m, count);
	uint32_t b = next(m, 2) ? a + 1 : next(m, count);
	uint32_t first;
	uint32_t second;

	if (a >= count || b >= count || a == b) {
		return false;
	}
	first = petite_element(file, instructions, a);
	second = petite_element(file, instructions, b);
	/* Offsets are from where they stand. */
	return put(m, instructions + 4 + 4 * a, second - (instructions + 4 + 4 * a), 4) &&
	       put(m, instructions + 4 + 4 * b, first - (instructions + 4 + 4 * b), 4);
}

bool mutate_program(uint8_t *bytes, uint32_t size, uint32_t seed)
{
	struct mutation m = {.bytes = bytes, .random = seed};
	uint32_t plans;
	uint32_t method;
	uint32_t values;
	uint32_t at;

	if (!petite_open_file(&m.file, bytes, size, &at) || !petite_verify_tables(&m.file, &at)) {
		return false;
	}
	plans = petite_child(&m.file, m.file.root, PETITE_PROGRAM_PLANS);
	if (petite_length(&m.file, plans) == 0) {
		return false;
	}
	method = petite_element(&m.file, plans, 0);
	values = petite_child(&m.file, method, PETITE_PLAN_VALUES);
	if (petite_length(&m.file, values) == 0) {
		return false;
	}
	switch (next(&m, 16)) {
	case 0:
		return change_element(&m, petite_child(&m.file, method, PETITE_PLAN_MEMORIES), 8,
				      number(&m));
	case 1:
		return change_element(
			&m,
			petite_child(&m.file, method,
				     next(&m, 2) ? PETITE_PLAN_INPUTS : PETITE_PLAN_OUTPUTS),
			4, next(&m, petite_length(&m.file, values)));
	case 2:
		return swap_instructions(&m, instructions_of(&m.file, method));
	case 3:
	case 4:
	case 5:
	case 6:
		return change_instruction(&m, instructions_of(&m.file, method),
					  petite_length(&m.file, values));
	default:
		return change_value(&m, values);
	}
}
