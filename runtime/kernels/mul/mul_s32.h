/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Product of two int32 tensors, broadcast.
 *
 *     output = input1 * input2, wrapping at 32 bits
 *
 * The output is dense; dims are its sizes, outermost first. A stride is in elements, and 0 where an
 * input is broadcast (a scalar operand is broadcast everywhere). Unused leading dimensions have
 * size 1.
 *
 * Overlap: in ascending order of the output, each element written after its inputs have been read:
 * the output may be, or start before, an input that is dense and not broadcast.
 */
#ifndef PETITE_KERNELS_MUL_S32_H
#define PETITE_KERNELS_MUL_S32_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_mul_s32 {
	const int32_t *input1;
	const int32_t *input2;
	int32_t *output;
	int32_t dims[PETITE_MAX_RANK];
	int32_t stride1[PETITE_MAX_RANK];
	int32_t stride2[PETITE_MAX_RANK];
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_mul_s32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_mul_s32_scalar(const void *params);

#endif /* PETITE_KERNELS_MUL_S32_H */
