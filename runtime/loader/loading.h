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

/** Bits that say which values of a method were written so far. */
#define PETITE_WRITTEN_WORDS ((PETITE_LOAD_VALUES + 31) / 32)

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
	uint32_t written[PETITE_WRITTEN_WORDS];
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

/** Fail unless the condition holds. */
static inline void petite_loading_require(struct petite_loading *loading, bool condition,
					  enum petite_status status, uint32_t at)
{
	if (!condition) {
		petite_loading_fail(loading, status, at);
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

/** Note that a tensor is read: where nothing was written to its bytes before, it is a state. */
void petite_loading_read(struct petite_loading *loading, uint32_t index,
			 const struct petite_place *place);

/** Note that a tensor is written. */
void petite_loading_write(struct petite_loading *loading, uint32_t index);

/**
 * The value that an instruction of the chain gives, if it is a call with a tensor as its last
 * argument; UINT32_MAX otherwise.
 */
uint32_t petite_loading_result(struct petite_loading *loading, uint32_t number);

/** Prepare one call of an operator, a KernelCall table. */
void petite_loading_call(struct petite_loading *loading, uint32_t table);

#endif /* PETITE_LOADER_LOADING_H */
