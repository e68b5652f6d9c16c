/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Quotient of two int8 tensors, with a table of reciprocals.
 *
 *     n = input1[i] + input1_offset,   r = reciprocals[input2[i] as a number from 0 to 255]
 *     output[i] = clamp((((n * r) >> 10) + 2^12 * output_offset + 2^11) >> 12)
 *
 * This is what div_s8 becomes where the compiler finds reciprocals that give the same output for
 * each of the 65536 pairs of inputs: they hold the scale and the second zero point as well. Right
 * shifts round down; clamp is to [-128, 127].
 *
 * Ranges: count is at least 1; every n in [-512, 511]; reciprocals above -2^31; output_offset
 * within +-2^14.
 *
 * Overlap: in ascending order, each element written after its inputs have been read: the output may
 * be, or start before, either input.
 */
#ifndef PETITE_KERNELS_DIV_BY_TABLE_S8_H
#define PETITE_KERNELS_DIV_BY_TABLE_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_div_by_table_s8 {
	/** [count] */
	const int8_t *input1;
	const int8_t *input2;
	int8_t *output;
	int32_t count;
	/** [256] */
	const int32_t *reciprocals;
	/** Minus the first zero point. */
	int32_t input1_offset;
	/** The output's zero point. */
	int32_t output_offset;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_div_by_table_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_div_by_table_s8_scalar(const void *params);

/**
 * @brief For cores with the DSP extension: the same bits, with the same contract.
 *
 * @param params A struct petite_div_by_table_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_div_by_table_s8_dsp(const void *params);

/**
 * @brief For cores with Helium: the same bits, with the same contract.
 *
 * @param params A struct petite_div_by_table_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_div_by_table_s8_mve(const void *params);

#endif /* PETITE_KERNELS_DIV_BY_TABLE_S8_H */
