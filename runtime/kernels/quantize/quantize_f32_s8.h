/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief float32 to int8.
 *
 *     output[i] = clamp(zero_point + round(input[i] * inverse_scale))
 *
 * inverse_scale is 1.0f / (float)scale. The product is exact before round takes it to the nearest
 * integer, ties to even: this is what the fused multiply-add of ExecuTorch's vector path on the
 * core gives. A NaN counts as zero; infinities and large values saturate. No floating-point
 * instruction and no floating-point library call is used.
 *
 * Ranges: inverse_scale positive and normal; zero_point at most 2^24 in size; quant_min <=
 * quant_max, both within [-128, 127].
 *
 * Overlap: in ascending order, each element written after its input has been read: the output may
 * start at, or before, the input.
 */
#ifndef PETITE_KERNELS_QUANTIZE_F32_S8_H
#define PETITE_KERNELS_QUANTIZE_F32_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_quantize_f32_s8 {
	/** [count] */
	const float *input;
	/** [count] */
	int8_t *output;
	int32_t count;
	float inverse_scale;
	int32_t zero_point;
	int32_t quant_min;
	int32_t quant_max;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_quantize_f32_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_quantize_f32_s8_scalar(const void *params);

/**
 * @brief For cores with Helium: the same bits.
 *
 * @param params A struct petite_quantize_f32_s8 with inverse_scale in [2^-60, 2^60].
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_quantize_f32_s8_mve(const void *params);

/**
 * @brief For cores with the DSP extension: the same bits.
 *
 * @param params A struct petite_quantize_f32_s8 with inverse_scale in [2^-60, 2^60].
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_quantize_f32_s8_dsp(const void *params);

#endif /* PETITE_KERNELS_QUANTIZE_F32_S8_H */
