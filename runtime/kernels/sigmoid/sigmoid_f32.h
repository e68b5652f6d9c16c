/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Logistic function of float32.
 *
 *     output[i] = 1 / (1 + exp(-input[i]))
 *
 * Computed in double with petite_exp() (common/exp.h) and rounded once to float32: the nearest
 * float32 in all but about one of 10^7 cases.
 *
 * Overlap: in ascending order, each element written after its input has been read: the output may
 * be, or start before, the input.
 */
#ifndef PETITE_KERNELS_SIGMOID_F32_H
#define PETITE_KERNELS_SIGMOID_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula. */
struct petite_sigmoid_f32 {
	/** [count] */
	const float *input;
	/** [count] */
	float *output;
	int32_t count;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_sigmoid_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_sigmoid_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_SIGMOID_F32_H */
