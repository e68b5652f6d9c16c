/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Table lookup: any function of one int8 value.
 *
 *     output[i] = table[input[i] + 128]
 *
 * Overlap: in ascending order, each element written after its input has been read: the output may
 * be, or start before, the input. The table must not overlap the output.
 */
#ifndef PETITE_KERNELS_LUT_S8_H
#define PETITE_KERNELS_LUT_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_lut_s8 {
	/** [count] */
	const int8_t *input;
	/** [256] */
	const int8_t *table;
	/** [count] */
	int8_t *output;
	int32_t count;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_lut_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_lut_s8_scalar(const void *params);

/**
 * @brief For cores with Helium: the same bits, with the same contract.
 *
 * @param params A struct petite_lut_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_lut_s8_mve(const void *params);

/**
 * @brief For cores with the DSP extension: the same bits, with the same contract.
 *
 * @param params A struct petite_lut_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_lut_s8_dsp(const void *params);

#endif /* PETITE_KERNELS_LUT_S8_H */
