/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Steps that work element by element, on tensors in any order in memory.
 */
#ifndef PETITE_OPERATORS_COMMON_ELEMENTWISE_H
#define PETITE_OPERATORS_COMMON_ELEMENTWISE_H

#include <stdint.h>

#include <petite/prepare.h>

/** Kernels that convert to one element type, by that of their input; NULL for the type itself. */
typedef const petite_kernel petite_casts[PETITE_BOOL + 1];

extern petite_casts petite_casts_to_s8;
extern petite_casts petite_casts_to_s16;
extern petite_casts petite_casts_to_s32;
extern petite_casts petite_casts_to_s64;
extern petite_casts petite_casts_to_u8;
extern petite_casts petite_casts_to_f32;
extern petite_casts petite_casts_to_bool;

/** Smallest element type for the values of two. */
uint8_t petite_promote(uint8_t first, uint8_t second);

/**
 * @brief A kernel of one input, whose parameters are a struct petite_unary.
 *
 * @param used  Scratch used so far, for an input in another order than the output.
 * @param input Of the output's sizes.
 */
void petite_call_unary(struct petite_call *call, petite_kernel kernel, uint32_t *used,
		       const struct petite_load_tensor *input,
		       const struct petite_load_tensor *output);

/** A kernel of two inputs that are broadcast to the output: a struct petite_binary. */
void petite_call_binary(struct petite_call *call, petite_kernel kernel,
			const struct petite_load_tensor *first,
			const struct petite_load_tensor *second,
			const struct petite_load_tensor *output);

/** The first where a condition holds, else the second; all are broadcast to the output. */
void petite_call_where(struct petite_call *call, const struct petite_load_tensor *condition,
		       const struct petite_load_tensor *first,
		       const struct petite_load_tensor *second,
		       const struct petite_load_tensor *output);

/** Limits of float32. */
void petite_call_clamp(struct petite_call *call, uint32_t *used, float low, float high,
		       const struct petite_load_tensor *input,
		       const struct petite_load_tensor *output);

/** Have a tensor in another element type: converted in scratch where it has another. */
void petite_call_as(struct petite_call *call, uint32_t *used, uint8_t dtype, petite_casts casts,
		    struct petite_load_tensor *tensor);

/** An operand that is a tensor or a number, which becomes a tensor of one element. */
void petite_call_operand(struct petite_call *call, uint32_t position, uint8_t dtype,
			 struct petite_load_tensor *operand);

/** Scratch for a value of some element type and an output's sizes and order. */
struct petite_load_tensor petite_call_between(struct petite_call *call, uint32_t *used,
					      uint8_t dtype,
					      const struct petite_load_tensor *output);

#endif /* PETITE_OPERATORS_COMMON_ELEMENTWISE_H */
