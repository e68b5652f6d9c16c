/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What the parts of the loader share while they load a method.
 *
 * A method is gone through twice: first to check everything and to count, then to fill. The second
 * time every address is known, and nothing can fail.
 */
#ifndef PETITE_LOADER_LOADING_H
#define PETITE_LOADER_LOADING_H

#include <stdbool.h>
#include <stdint.h>

#include <petite/loader.h>

#include "file.h"

/** Bits that say which values of a method were written so far, once more for each branch around. */
#define PETITE_WRITTEN_WORDS ((PETITE_LOAD_VALUES + 31) / 32)
_Static_assert(PETITE_LOAD_VALUES <= UINT16_MAX, "indices of values fit 16 bits");

/** Most branches around an instruction. */
#define PETITE_LOAD_NESTED 8
/** Most numbers that instructions set: three for a loop. */
#define PETITE_LOAD_NUMBERS 18
/** Most instructions that loops repeat. */
#define PETITE_LOAD_REPEATED 10000

/** Instructions that jumps stay in: one side of a branch, or all. */
struct petite_side {
	/** The first instruction, and the one behind the last. */
	uint32_t start;
	uint32_t stop;
	/** Where its branch ends; instruction `stop` of the first side is the jump that leads
	 * there.
	 */
	uint32_t end;
	/** The step in front of it, which may skip its steps. */
	uint32_t step;
};

/** A number that instructions have set. */
struct petite_number {
	int32_t number;
	/** What it is in the file. */
	int32_t before;
	uint16_t index;
	/** Branches around the instruction; or PETITE_NUMBER_UNKNOWN. */
	uint16_t depth;
};

/** It depends on a branch what the number is. */
#define PETITE_NUMBER_UNKNOWN UINT16_MAX

/** A method that is being loaded. */
struct petite_loading {
	struct petite_file file;
	const struct petite_operator_table *operators;
	const struct petite_registry *registry;
	/** The method's table, the vector of its values, and how many these are. */
	uint32_t method;
	uint32_t values;
	uint32_t value_count;
	/** The vector of the chain's instructions, and which one is next. */
	uint32_t instructions;
	uint32_t number;
	/** Whether memory is filled; otherwise it is counted. */
	bool is_filling;
	/** Memory for structures, and what of it is used. */
	uint8_t *structures;
	uint32_t used;
	uint32_t copied;
	/** Memory for tensors: the program's memories, then scratch of the kernel that needs most.
	 */
	uint8_t *arena;
	uint32_t planned;
	uint32_t scratch;
	/** What the plan has, and where it is filled in. */
	struct petite_step *steps;
	uint32_t step_count;
	struct petite_state *states;
	uint32_t state_count;
	/** The first failure. */
	enum petite_status status;
	struct petite_load_fault fault;
	/** The side that the instruction is on, branches around it, instructions that loops have
	 * repeated.
	 */
	struct petite_side *side;
	uint16_t depth;
	uint32_t repeated;
	uint32_t number_count;
	uint32_t written[PETITE_WRITTEN_WORDS];
	struct petite_side sides[PETITE_LOAD_NESTED + 1];
	struct petite_number numbers[PETITE_LOAD_NUMBERS];
};

/** A tensor, and where its bytes are. */
struct petite_place {
	struct petite_load_tensor tensor;
	/** Bytes. */
	uint32_t size;
	/** Bytes of the arena from here; only if it is no constant. */
	uint32_t offset;
	/** What it holds at first, in the file; 0 for zero. Only if it is no constant. */
	uint32_t initial;
};

/** The first failure is the one that is told. */
void petite_loading_fail(struct petite_loading *loading, enum petite_status status, uint32_t at);

/** The failures that most are: PETITE_ERR_FORMAT and PETITE_ERR_UNSUPPORTED. */
void petite_loading_contradict(struct petite_loading *loading, uint32_t at);
void petite_loading_refuse(struct petite_loading *loading, uint32_t at);

/** Fail unless the file is sound: unless the condition holds. */
static inline void petite_loading_check(struct petite_loading *loading, bool condition, uint32_t at)
{
	if (!condition) {
		petite_loading_contradict(loading, at);
	}
}

/** Fail unless what the file says can be loaded: unless the condition holds. */
static inline void petite_loading_require(struct petite_loading *loading, bool condition,
					  uint32_t at)
{
	if (!condition) {
		petite_loading_refuse(loading, at);
	}
}

/** Memory for structures, aligned to 8 bytes; NULL while it is counted. */
void *petite_loading_reserve(struct petite_loading *loading, uint32_t size);

/** The table of a value, if it is of a type; 0 and a failure otherwise. */
uint32_t petite_loading_value(struct petite_loading *loading, uint32_t index, uint8_t type);

/** Type of a value, an enum petite_value_type; 0 and a failure where there is no such value. */
uint8_t petite_loading_type(struct petite_loading *loading, uint32_t index);

/** Element type of a tensor, an enum petite_dtype; 0 and a failure where it is none of those. */
uint8_t petite_loading_dtype(struct petite_loading *loading, uint32_t index);

/** Decode a tensor. All zero after a failure. */
void petite_loading_tensor(struct petite_loading *loading, uint32_t index,
			   struct petite_place *place);

/** Words of `written` that the values of the method take. */
static inline uint32_t petite_written_words(const struct petite_loading *loading)
{
	return (loading->value_count + 31) / 32;
}

/** Whether a tensor was written, or read before: on all ways that lead to where we are. */
static inline bool petite_is_written(const struct petite_loading *loading, uint32_t index)
{
	return (loading->written[index / 32] >> index % 32 & 1) != 0;
}

/** Note that a tensor is read: where nothing was written to its bytes before, it is a state. */
void petite_loading_read(struct petite_loading *loading, uint32_t index,
			 const struct petite_place *place);

/** Note that a tensor is written. */
void petite_loading_write(struct petite_loading *loading, uint32_t index);

/** Table of an instruction of the chain, and its type. */
uint32_t petite_loading_instruction(const struct petite_loading *loading, uint32_t number,
				    uint8_t *type);

/** A JumpFalseCall table. Gives the instruction that is next. */
uint32_t petite_loading_jump(struct petite_loading *loading, uint32_t table);

/** At the end of a side. Gives the instruction that is next. */
uint32_t petite_loading_leave_side(struct petite_loading *loading);

/** A MoveCall table: a tensor's bytes are copied to where the plan of memory has the other one. */
void petite_loading_move(struct petite_loading *loading, uint32_t table);

/**
 * The value that an instruction of the chain gives, if it gives one: of a call, its last argument,
 * or the first where the last is an index.
 */
uint32_t petite_loading_result(struct petite_loading *loading, uint32_t number);

/**
 * The 64 bits of a number as it is now, and its type, an enum petite_value_type. 0 and a failure
 * where it is none, or where that depends on a branch.
 */
uint64_t petite_loading_number(struct petite_loading *loading, uint32_t index, uint8_t *type);

/** A number that was set, or NULL. */
struct petite_number *petite_loading_find_number(struct petite_loading *loading, uint32_t index);

/** It depends on a branch what the numbers are that this side has set to others. */
void petite_loading_forget_numbers(struct petite_loading *loading);

/** Append a step; its parameters are copied. */
void petite_loading_step(struct petite_loading *loading, petite_kernel kernel, const void *params,
			 uint32_t size);

/** How a name stands to "base.overload" of a file: before (< 0), equal (0), or behind (> 0). */
int petite_compare_names(const char *name, const char *base, const char *overload);

/** Prepare one call of an operator, a KernelCall table. */
void petite_loading_call(struct petite_loading *loading, uint32_t table);

/** Prepare all instructions of a chain, whose first has a number in the method. */
void petite_loading_chain(struct petite_loading *loading, uint32_t first);

#endif /* PETITE_LOADER_LOADING_H */
