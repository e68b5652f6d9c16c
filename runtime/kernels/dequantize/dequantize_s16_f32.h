/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief int16 to float32.
 *
 *     output[i] = (float)(input[i] - zero_point) * scale, rounded once to float32
 *
 * Ranges: zero_point at most 2^23 in size.
 *
 * Overlap: in ascending order, each element written after its input has been read: the output may
 * overlap the input so far that it ends where the input ends.
 */
#ifndef PETITE_KERNELS_DEQUANTIZE_S16_F32_H
#define PETITE_KERNELS_DEQUANTIZE_S16_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_dequantize_s16_f32 {
	/** [count] */
	const int16_t *input;
	/** [count] */
	float *output;
	int32_t count;
	int32_t zero_point;
	float scale;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_dequantize_s16_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_dequantize_s16_f32_scalar(const void *params);

/**
 * @brief For cores with Helium: the same bits. Helium takes floats below 2^-126 for zero.
 *
 * @param params A struct petite_dequantize_s16_f32 with a zero_point below 2^21 in size and a
 *               finite scale of at least 2^-126.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_dequantize_s16_f32_mve(const void *params);

#endif /* PETITE_KERNELS_DEQUANTIZE_S16_F32_H */
