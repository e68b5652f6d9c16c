/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Softmax of rows of int8, in fixed point.
 *
 * CMSIS-NN's arithmetic. Each row's differences to its maximum are scaled to Q5.26 by
 * input_multiplier * 2^input_shift, exponentials are Q0.31, their sum is Q12.19, and
 *
 *     output = 256 * exp / sum - 128, saturated to int8
 *
 * so that the output has scale 1/256 and zero point -128. Differences below diff_min count as zero
 * probability.
 *
 * Ranges: rows at least 1; columns in [1, 4095] (the sum has 12 integer bits); input_multiplier
 * positive; input_shift in [0, 31]; diff_min in [-(2^31 >> input_shift), 0].
 *
 * Overlap: row by row, and within the last pass over a row in ascending order, each element written
 * after it has been read: the output may be, or start before, the input.
 */
#ifndef PETITE_KERNELS_SOFTMAX_S8_H
#define PETITE_KERNELS_SOFTMAX_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_softmax_s8 {
	/** [rows][columns] */
	const int8_t *input;
	/** [rows][columns] */
	int8_t *output;
	int32_t rows;
	int32_t columns;
	int32_t input_multiplier;
	int32_t input_shift;
	int32_t diff_min;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_softmax_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_softmax_s8_scalar(const void *params);

/**
 * @brief For cores with Helium: the same bits.
 *
 * @param params A struct petite_softmax_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_softmax_s8_mve(const void *params);

/**
 * @brief Where the runtime was built with PETITE_KERNELS_CMSIS_NN: the same bits, by the library's
 *        arm_softmax_s8(). The output overlaps nothing.
 *
 * @param params A struct petite_softmax_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_softmax_s8_cmsis_nn(const void *params);

#endif /* PETITE_KERNELS_SOFTMAX_S8_H */
