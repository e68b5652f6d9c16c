/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Absolute value of float32.
 *
 *     output[i] = input[i] < 0 ? -input[i] : input[i]
 *
 * so that minus zero stays as it is, as in ExecuTorch's portable operator.
 *
 * Overlap: in ascending order, each element written after its input has been read: the output may
 * be, or start before, the input.
 */
#ifndef PETITE_KERNELS_ABS_F32_H
#define PETITE_KERNELS_ABS_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_abs_f32 {
	/** [count] */
	const float *input;
	/** [count] */
	float *output;
	int32_t count;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_abs_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_abs_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_ABS_F32_H */
