/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Channels of float32 with statistics that are given: batch normalisation.
 *
 *     output[o][c][i] = (input[o][c][i] - mean[c]) * scale[c] * weights[c] + bias[c]
 *
 * for o < outer, c < channels, i < inner; each operation is rounded to float32, in the order that
 * is written. scale is 1 / sqrt(variance + epsilon).
 *
 * Overlap: in ascending order, each element written after its input has been read: the output may
 * be, or start before, the input. Nothing else may overlap the output.
 */
#ifndef PETITE_KERNELS_BATCH_NORM_F32_H
#define PETITE_KERNELS_BATCH_NORM_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula. */
struct petite_batch_norm_f32 {
	const float *input;
	/** Each [channels]. */
	const float *mean;
	const float *scale;
	const float *weights;
	const float *bias;
	float *output;
	int32_t outer;
	int32_t channels;
	int32_t inner;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_batch_norm_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_batch_norm_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_BATCH_NORM_F32_H */
