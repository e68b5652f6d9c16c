/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Slots of the tables of a program file (identifier ET12), as far as they are read.
 *
 * A slot is a field's number in its table's vtable. A union takes two: the number of its type, then
 * the value; the second is named.
 */
#ifndef PETITE_LOADER_SCHEMA_H
#define PETITE_LOADER_SCHEMA_H

enum petite_program_slot {
	PETITE_PROGRAM_VERSION = 0,
	PETITE_PROGRAM_PLANS = 1,
	PETITE_PROGRAM_CONSTANTS = 2,
	PETITE_PROGRAM_SEGMENTS = 4,
	PETITE_PROGRAM_CONSTANT_SEGMENT = 5,
	PETITE_PROGRAM_STATE_SEGMENTS = 6,
};

enum petite_plan_slot {
	PETITE_PLAN_NAME = 0,
	PETITE_PLAN_VALUES = 2,
	PETITE_PLAN_INPUTS = 3,
	PETITE_PLAN_OUTPUTS = 4,
	PETITE_PLAN_CHAINS = 5,
	PETITE_PLAN_OPERATORS = 6,
	PETITE_PLAN_MEMORIES = 8,
};

enum petite_value_slot {
	PETITE_VALUE_TYPE = 0,
	PETITE_VALUE_VALUE = 1,
};

/** Types of a value. */
enum petite_value_type {
	PETITE_VALUE_NONE = 1,
	PETITE_VALUE_INT = 2,
	PETITE_VALUE_BOOL = 3,
	PETITE_VALUE_DOUBLE = 4,
	PETITE_VALUE_TENSOR = 5,
	PETITE_VALUE_TEXT = 6,
	PETITE_VALUE_INTS = 7,
	PETITE_VALUE_DOUBLES = 8,
	PETITE_VALUE_TENSORS = 10,
	PETITE_VALUE_OPTIONAL_TENSORS = 11,
};

enum petite_tensor_slot {
	PETITE_TENSOR_DTYPE = 0,
	PETITE_TENSOR_STORAGE_OFFSET = 1,
	PETITE_TENSOR_SIZES = 2,
	PETITE_TENSOR_ORDER = 3,
	PETITE_TENSOR_DATA = 5,
	PETITE_TENSOR_ALLOCATION = 6,
	PETITE_TENSOR_LAYOUT = 7,
	PETITE_TENSOR_DYNAMISM = 8,
	PETITE_TENSOR_EXTRA = 9,
};

enum petite_dynamism {
	PETITE_DYNAMISM_STATIC = 0,
	PETITE_DYNAMISM_BOUND = 1,
};

enum petite_allocation_slot {
	PETITE_ALLOCATION_MEMORY = 0,
	PETITE_ALLOCATION_LOW = 1,
	PETITE_ALLOCATION_HIGH = 2,
};

enum petite_extra_slot {
	PETITE_EXTRA_STATE_SEGMENT = 0,
	PETITE_EXTRA_LOCATION = 2,
	PETITE_EXTRA_DEVICE = 3,
};

enum petite_chain_slot {
	PETITE_CHAIN_INSTRUCTIONS = 2,
};

enum petite_instruction_slot {
	PETITE_INSTRUCTION_TYPE = 0,
	PETITE_INSTRUCTION_VALUE = 1,
};

/** Types of an instruction. */
enum petite_instruction_type {
	PETITE_INSTRUCTION_CALL = 1,
	PETITE_INSTRUCTION_MOVE = 3,
	PETITE_INSTRUCTION_JUMP = 4,
	PETITE_INSTRUCTION_FREE = 5,
};

enum petite_call_slot {
	PETITE_CALL_OPERATOR = 0,
	PETITE_CALL_ARGUMENTS = 1,
};

enum petite_move_slot {
	PETITE_MOVE_FROM = 0,
	PETITE_MOVE_TO = 1,
};

enum petite_jump_slot {
	PETITE_JUMP_CONDITION = 0,
	PETITE_JUMP_DESTINATION = 1,
};

enum petite_operator_slot {
	PETITE_OPERATOR_NAME = 0,
	PETITE_OPERATOR_OVERLOAD = 1,
};

/** Of a buffer, an integer, a list: the first slot is all that matters. */
#define PETITE_ONLY_SLOT 0

enum petite_segment_slot {
	PETITE_SEGMENT_OFFSET = 0,
	PETITE_SEGMENT_SIZE = 1,
};

enum petite_subsegment_slot {
	PETITE_SUBSEGMENT_INDEX = 0,
	PETITE_SUBSEGMENT_OFFSETS = 1,
};

#endif /* PETITE_LOADER_SCHEMA_H */
