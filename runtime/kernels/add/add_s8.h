/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Sum of two int8 tensors of different scales.
 *
 *     a = requantise((input1[i] + input1_offset) << 20, input1_multiplier, input1_shift)
 *     b = requantise((input2[i mod period] + input2_offset) << 20, input2_multiplier, input2_shift)
 *     output[i] = clamp(requantise(a + b, multiplier, shift) + output_offset)
 *
 * Sums and the shift by 20 wrap at 32 bits. requantise is CMSIS-NN's: value * multiplier * 2^(shift
 * - 31), rounded twice (common/requantize.h).
 *
 * Ranges: count and period are at least 1, period divides count; shifts in [-31, 30], multipliers
 * at least -(2^31 - 1). Offsets may lie outside int8.
 *
 * Overlap: in ascending order, each element written after its inputs have been read: the output may
 * be, or start before, input1. It may be, or start before, input2 only if period == count.
 */
#ifndef PETITE_KERNELS_ADD_S8_H
#define PETITE_KERNELS_ADD_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_add_s8 {
	/** [count] */
	const int8_t *input1;
	/** [period], read again from its start after every period elements of input1. */
	const int8_t *input2;
	/** [count] */
	int8_t *output;
	int32_t count;
	/** count for equal shapes; the number of channels (innermost) for one value a channel. */
	int32_t period;
	/** Minus the zero points: added to each element. */
	int32_t input1_offset;
	int32_t input1_multiplier;
	int32_t input1_shift;
	int32_t input2_offset;
	int32_t input2_multiplier;
	int32_t input2_shift;
	/** The output's zero point: added after requantisation. */
	int32_t output_offset;
	int32_t multiplier;
	int32_t shift;
	/** Range of the output, within [-128, 127]. */
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_add_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_add_s8_scalar(const void *params);

/**
 * @brief For cores with Helium: the same bits, with the same contract (shifts above 0 excepted).
 *
 * @param params A struct petite_add_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_add_s8_mve(const void *params);

/**
 * @brief For cores with the DSP extension: the same bits.
 *
 * @param params A struct petite_add_s8 whose inputs with their offsets are in [-511, 511], with
 *               input shifts up to 0, a shift up to -1, and output_offset within +-2^14.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_add_s8_dsp(const void *params);

/**
 * @brief Where the runtime was built with PETITE_KERNELS_CMSIS_NN: the same bits, by the library's
 *        arm_elementwise_add_s8(). The same contract, but period is
 *        count, and offsets are within +-1024.
 *
 * @param params A struct petite_add_s8.
 * @retval PETITE_OK Done.
 * @retval PETITE_ERR_KERNEL The library refuses the call.
 */
enum petite_status petite_add_s8_cmsis_nn(const void *params);

#endif /* PETITE_KERNELS_ADD_S8_H */
