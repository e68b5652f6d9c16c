/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Sum of two int64 tensors, broadcast.
 *
 *     output = input1 + alpha * input2, wrapping at 64 bits
 *
 * The output is dense; dims are its sizes, outermost first. A stride is in elements, and 0 where an
 * input is broadcast (a scalar operand is broadcast everywhere). Unused leading dimensions have
 * size 1.
 *
 * Overlap: in ascending order of the output, each element written after its inputs have been read:
 * the output may be, or start before, an input that is dense and not broadcast.
 */
#ifndef PETITE_KERNELS_ADD_S64_H
#define PETITE_KERNELS_ADD_S64_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_add_s64 {
	const int64_t *input1;
	const int64_t *input2;
	int64_t *output;
	int32_t dims[PETITE_MAX_RANK];
	int32_t stride1[PETITE_MAX_RANK];
	int32_t stride2[PETITE_MAX_RANK];
	/** Factor of the second input, usually 1. */
	int64_t alpha;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_add_s64.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_add_s64_scalar(const void *params);

#endif /* PETITE_KERNELS_ADD_S64_H */
