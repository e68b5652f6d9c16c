/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Mean or sum of float32 over any dimensions.
 *
 *     output[i0]...[i5] = (sum over r of input[sum of ik * strides[k] +
 *                         sum of rk * reduce_strides[k]])
 *                         / divisor
 *
 * The sum starts at zero and is taken in ascending order of r, the last index fastest, each
 * addition rounded to float32. The output is dense; dims are its sizes, outermost first. Strides
 * are in elements. Unused leading dimensions have size 1.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_MEAN_F32_H
#define PETITE_KERNELS_MEAN_F32_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_mean_f32 {
	const float *input;
	float *output;
	/** The output, and where in the input each element's first summand is. */
	int32_t dims[PETITE_MAX_RANK];
	int32_t strides[PETITE_MAX_RANK];
	/** The dimensions that are summed over. */
	int32_t reduce_dims[PETITE_MAX_RANK];
	int32_t reduce_strides[PETITE_MAX_RANK];
	/** The product of reduce_dims for a mean, 1 for a sum. */
	float divisor;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_mean_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_mean_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_MEAN_F32_H */
