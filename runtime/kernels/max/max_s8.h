/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Maximum of two int8 tensors, broadcast.
 *
 *     output[i0]...[i5] = the larger of input1[sum of ik * stride1[k]]
 *                         and input2[sum of ik * stride2[k]]
 *
 * The output is dense; dims are its sizes, outermost first. A stride is in elements, and 0 where an
 * input is broadcast. Unused leading dimensions have size 1.
 *
 * Overlap: in ascending order of the output, each element written after its inputs have been read:
 * the output may be, or start before, an input that is dense and not broadcast.
 */
#ifndef PETITE_KERNELS_MAX_S8_H
#define PETITE_KERNELS_MAX_S8_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_max_s8 {
	const int8_t *input1;
	const int8_t *input2;
	int8_t *output;
	int32_t dims[PETITE_MAX_RANK];
	int32_t stride1[PETITE_MAX_RANK];
	int32_t stride2[PETITE_MAX_RANK];
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_max_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_max_s8_scalar(const void *params);

#endif /* PETITE_KERNELS_MAX_S8_H */
