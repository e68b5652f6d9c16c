/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Quotient of two int8 tensors, computed in float32.
 *
 *     n = input1[i] + input1_offset,   d = input2[i] + input2_offset
 *     q = d == 0 ? 0 : (float)n / (float)d
 *     output[i] = clamp(round(q * scale) + output_offset)
 *
 * Each float operation is rounded to float32; round takes ties away from zero, as the operator does
 * on the core (its Python reference takes them to even). scale = scale1 / (scale2 * output scale),
 * finite.
 *
 * Ranges: count is at least 1. Offsets may lie outside int8 (at most 2^22 in size).
 *
 * Overlap: in ascending order, each element written after its inputs have been read: the output may
 * be, or start before, either input.
 */
#ifndef PETITE_KERNELS_DIV_S8_H
#define PETITE_KERNELS_DIV_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_div_s8 {
	/** [count] */
	const int8_t *input1;
	const int8_t *input2;
	int8_t *output;
	int32_t count;
	/** Minus the zero points: added to each element. */
	int32_t input1_offset;
	int32_t input2_offset;
	/** The output's zero point. */
	int32_t output_offset;
	float scale;
	/** Range of the output, within [-128, 127]. */
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_div_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_div_s8_scalar(const void *params);

#endif /* PETITE_KERNELS_DIV_S8_H */
