/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Strided copy: permutations, slices with steps, broadcasts, of any element type.
 *
 *     output[o0]...[o5] = input[sum of ok * strides[k]]
 *
 * The output is dense; dims are its sizes, outermost first. strides count elements of the input:
 * permuted for a permutation, multiplied by the step for a slice (whose start is in the input
 * pointer), 0 for a broadcast. They may be negative. Unused leading dimensions have size 1.
 *
 * Ranges: dims at least 1; element_size is 1, 2, 4 or 8.
 *
 * Overlap: none between the input that is read and the output.
 */
#ifndef PETITE_KERNELS_TRANSPOSE_H
#define PETITE_KERNELS_TRANSPOSE_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/rank.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_transpose {
	const void *input;
	void *output;
	int32_t element_size;
	int32_t dims[PETITE_MAX_RANK];
	int32_t strides[PETITE_MAX_RANK];
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_transpose.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_transpose_scalar(const void *params);

/**
 * @brief For cores with Helium: the same bytes.
 *
 * @param params A struct petite_transpose with an element_size of 1.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_transpose_mve(const void *params);

/**
 * @brief For cores with the DSP extension: the same bytes.
 *
 * @param params A struct petite_transpose with an element_size of 1.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_transpose_dsp(const void *params);

#endif /* PETITE_KERNELS_TRANSPOSE_H */
