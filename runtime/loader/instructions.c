/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of a chain, in the order in which they become steps. */
#include <stddef.h>

#include "loading.h"
#include "schema.h"

/** Table of an instruction, and its type. */
uint32_t petite_loading_instruction(const struct petite_loading *loading, uint32_t number,
				    uint8_t *type)
{
	const struct petite_file *file = &loading->file;
	uint32_t instruction = petite_element(file, loading->instructions, number);

	*type = petite_u8_field(file, instruction, PETITE_INSTRUCTION_TYPE);
	return petite_child(file, instruction, PETITE_INSTRUCTION_VALUE);
}

uint32_t petite_loading_result(struct petite_loading *loading, uint32_t number)
{
	const struct petite_file *file = &loading->file;
	uint8_t type;
	uint32_t table = petite_loading_instruction(loading, number, &type);
	uint32_t arguments;
	uint32_t count;
	uint32_t value;

	if (type == PETITE_INSTRUCTION_MOVE) {
		return petite_u32_field(file, table, PETITE_MOVE_TO);
	}
	if (type != PETITE_INSTRUCTION_CALL) {
		return UINT32_MAX;
	}
	arguments = petite_child(file, table, PETITE_CALL_ARGUMENTS);
	count = petite_length(file, arguments);
	value = count == 0 ? UINT32_MAX : petite_u32_at(file, arguments + 4 * count);
	if (value < loading->value_count &&
	    petite_loading_type(loading, value) == PETITE_VALUE_INT) {
		value = petite_u32_at(file, arguments + 4);
	}
	return value;
}

/** Gives the instruction that is next. */
static uint32_t add_instruction(struct petite_loading *loading)
{
	uint8_t type;
	uint32_t table = petite_loading_instruction(loading, loading->number, &type);

	switch (type) {
	case PETITE_INSTRUCTION_CALL:
		petite_loading_call(loading, table);
		break;
	case PETITE_INSTRUCTION_MOVE:
		petite_loading_move(loading, table);
		break;
	case PETITE_INSTRUCTION_JUMP:
		return petite_loading_jump(loading, table);
	case PETITE_INSTRUCTION_FREE:
		break;
	default:
		/* Delegates. */
		petite_loading_refuse(loading, table);
	}
	return loading->number + 1;
}

void petite_loading_chain(struct petite_loading *loading, uint32_t first)
{
	uint32_t count = petite_length(&loading->file, loading->instructions);

	loading->depth = 0;
	loading->number = 0;
	loading->side = loading->sides;
	loading->side->start = 0;
	loading->side->stop = count;
	loading->side->end = count;
	while (loading->status == PETITE_OK) {
		loading->fault.instruction = (int32_t)(first + loading->number);
		loading->fault.operator_name = NULL;
		loading->fault.overload = NULL;
		if (loading->number < loading->side->stop) {
			loading->number = add_instruction(loading);
		} else if (loading->depth > 0) {
			loading->number = petite_loading_leave_side(loading);
		} else {
			return;
		}
	}
}
