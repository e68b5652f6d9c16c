/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief One call of an operator while it is prepared.
 */
#ifndef PETITE_LOADER_CALL_H
#define PETITE_LOADER_CALL_H

#include <stdint.h>

#include <petite/prepare.h>

#include "loading.h"

/** Inputs whose bytes are remembered, to see that no output shares them. */
#define PETITE_MOST_INPUTS 32

struct petite_call {
	struct petite_loading *loading;
	const struct petite_operator_entry *entry;
	/** The vector of its arguments. */
	uint32_t arguments;
	uint32_t count;
	/** Bytes of the arena that its inputs have so far. */
	uint32_t input_count;
	struct {
		uint32_t start;
		uint32_t end;
	} inputs[PETITE_MOST_INPUTS];
};

/** The index of an argument's value; one that no method has after a failure. */
uint32_t petite_call_value(struct petite_call *call, uint32_t position);

/** A list of integers of any size; they are stored unless `items` is NULL. Gives how many. */
uint32_t petite_call_longs(struct petite_call *call, uint32_t position, int64_t *items);

#endif /* PETITE_LOADER_CALL_H */
