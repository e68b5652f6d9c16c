/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Table lookup: any function of one int8 value whose result is a float32.
 *
 *     output[i] = table[input[i] + 128]
 *
 * This is what dequantize_s8_f32 becomes where the table is no longer than the input, on cores that
 * have nothing faster. No floating-point instruction and no floating-point library call is used.
 *
 * Overlap: in ascending order, each element written after its input has been read: the output may
 * overlap the input so far that it ends where the input ends. The table must not overlap the
 * output.
 */
#ifndef PETITE_KERNELS_LUT_S8_F32_H
#define PETITE_KERNELS_LUT_S8_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula. */
struct petite_lut_s8_f32 {
	/** [count], which is at least 1 */
	const int8_t *input;
	/** [256] */
	const float *table;
	/** [count] */
	float *output;
	int32_t count;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_lut_s8_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_lut_s8_f32_scalar(const void *params);

/**
 * @brief For cores with the DSP extension: the same bits, with the same contract.
 *
 * @param params A struct petite_lut_s8_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_lut_s8_f32_dsp(const void *params);

#endif /* PETITE_KERNELS_LUT_S8_F32_H */
