/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief float32 limited to a range: clamp, hardtanh, relu.
 *
 *     output[i] = low if input[i] < low, else high if input[i] > high, else input[i]
 *
 * A NaN stays a NaN. relu is low = 0 with high = infinity; a bound that is not wanted is an
 * infinity.
 *
 * Ranges: low and high are not NaN.
 *
 * Overlap: in ascending order, each element written after its input has been read: the output may
 * be, or start before, the input.
 */
#ifndef PETITE_KERNELS_CLAMP_F32_H
#define PETITE_KERNELS_CLAMP_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_clamp_f32 {
	/** [count] */
	const float *input;
	/** [count] */
	float *output;
	int32_t count;
	float low;
	float high;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_clamp_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_clamp_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_CLAMP_F32_H */
