/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Steps that move elements, and scratch for what is moved between a call's steps.
 */
#ifndef PETITE_OPERATORS_COMMON_MOVEMENT_H
#define PETITE_OPERATORS_COMMON_MOVEMENT_H

#include <stdint.h>

#include <petite/prepare.h>

/** Most dimensions of a walk, before those that can be merged are. */
#define PETITE_WALK_RANK 12

/**
 * Elements of an input, in an order: the one at index o is at start + sum of ok * strides[k].
 * The last dimension is the fastest.
 */
struct petite_walk {
	/** All in elements. Strides may be negative, or 0 to repeat. */
	int32_t start;
	int32_t dims[PETITE_WALK_RANK];
	int32_t strides[PETITE_WALK_RANK];
	uint8_t rank;
};

/** Add a dimension inside those that a walk has. */
void petite_walk_add(struct petite_call *call, struct petite_walk *walk, int32_t size,
		     int32_t stride);

/**
 * @brief A walk in the order in which an output lies in memory.
 *
 * @param strides Of the input, for each dimension of the output.
 */
struct petite_walk petite_walk_over(struct petite_call *call,
				    const struct petite_load_tensor *output, int32_t start,
				    const int32_t *strides);

/**
 * @brief Read elements of an input, and write them densely.
 *
 * @param call   Fails where an element is outside the input, the output has another number of
 *               elements, or too many dimensions are left when neighbours are merged.
 * @param output Of the input's element type.
 */
void petite_call_walk(struct petite_call *call, const struct petite_load_tensor *input,
		      const struct petite_load_tensor *output, const struct petite_walk *walk);

/** Copy an input that is broadcast to an output of the same element type, whatever their orders. */
void petite_call_expand(struct petite_call *call, const struct petite_load_tensor *input,
			const struct petite_load_tensor *output);

/** An address that lies some bytes behind another, which may be one that is only counted. */
static inline void *petite_behind(const void *base, uint32_t bytes)
{
	return (void *)((uintptr_t)base + bytes);
}

/**
 * @brief More scratch, behind what the call has taken before.
 *
 * @param used Bytes taken so far; 0 before the first.
 */
void *petite_call_more_scratch(struct petite_call *call, uint32_t *used, uint32_t size);

/** Scratch for a tensor, whose sizes, order and element type are given. */
void petite_call_scratch_tensor(struct petite_call *call, uint32_t *used,
				struct petite_load_tensor *tensor);

/** Say that the dimensions of a tensor lie in memory in their own order. */
void petite_set_contiguous(struct petite_load_tensor *tensor);

/** Elements of a tensor by its sizes, which may have been changed; 0 and a failure if too many. */
void petite_call_recount(struct petite_call *call, struct petite_load_tensor *tensor);

/** Have a tensor in the order of another: moved to scratch where it lies otherwise. */
void petite_call_in_order(struct petite_call *call, uint32_t *used,
			  struct petite_load_tensor *tensor, const uint8_t *order);

/** Have a tensor whose dimensions lie in memory in their own order. */
void petite_call_contiguous(struct petite_call *call, uint32_t *used,
			    struct petite_load_tensor *tensor);

/**
 * @brief Where to compute an output whose dimensions lie in memory in their own order: in place, or
 *        in scratch.
 *
 * petite_call_deliver() moves it to the output afterwards.
 */
struct petite_load_tensor petite_call_target(struct petite_call *call, uint32_t *used,
					     const struct petite_load_tensor *output);

/** Move what was computed elsewhere to an output; nothing where it was computed in place. */
void petite_call_deliver(struct petite_call *call, const struct petite_load_tensor *computed,
			 const struct petite_load_tensor *output);

#endif /* PETITE_OPERATORS_COMMON_MOVEMENT_H */
