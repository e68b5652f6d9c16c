/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Sum of two int8 tensors of different scales, in one step.
 *
 *     output[i] = clamp((weight1 * input1[i] + weight2 * input2[i mod period] + bias) >> shift)
 *
 * This is what add_s8 becomes where the compiler finds numbers that give the same output for each
 * of the 65536 pairs of inputs: it tries them all. The right shift rounds down.
 *
 * Ranges: count and period are at least 1, period divides count; shift in [0, 31]; no sum leaves 32
 * bits.
 *
 * Overlap: in ascending order, each element written after its inputs have been read: the output may
 * be, or start before, input1. It may be, or start before, input2 only if period == count.
 */
#ifndef PETITE_KERNELS_WEIGHTED_SUM_S8_H
#define PETITE_KERNELS_WEIGHTED_SUM_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_weighted_sum_s8 {
	/** [count] */
	const int8_t *input1;
	/** [period], read again from its start after every period elements of input1. */
	const int8_t *input2;
	/** [count] */
	int8_t *output;
	int32_t count;
	/** count for equal shapes; the number of channels (innermost) for one value a channel. */
	int32_t period;
	int32_t weight1;
	int32_t weight2;
	/** Both zero points, the output's, and half a step to round by. */
	int32_t bias;
	int32_t shift;
	/** Range of the output, within [-128, 127]. */
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_weighted_sum_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_weighted_sum_s8_scalar(const void *params);

/**
 * @brief For cores with the DSP extension: the same bits, with the same contract.
 *
 * @param params A struct petite_weighted_sum_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_weighted_sum_s8_dsp(const void *params);

/**
 * @brief For cores with Helium: the same bits, with the same contract.
 *
 * @param params A struct petite_weighted_sum_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_weighted_sum_s8_mve(const void *params);

#endif /* PETITE_KERNELS_WEIGHTED_SUM_S8_H */
