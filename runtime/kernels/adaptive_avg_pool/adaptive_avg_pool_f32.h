/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Mean of float32 over windows that divide an image into a given number of parts.
 *
 *     output[p][oy][ox] = (sum over iy, ix of input[p][iy][ix]) / (number of summands)
 *     iy in floor(oy * input_h / output_h) .. ceil((oy + 1) * input_h / output_h) - 1, ix likewise
 *
 * Sums start at zero and run row by row, each addition rounded to float32: the order of
 * ExecuTorch's portable operator.
 *
 * Ranges: sizes are at least 1 and at most 32767.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_ADAPTIVE_AVG_POOL_F32_H
#define PETITE_KERNELS_ADAPTIVE_AVG_POOL_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_adaptive_avg_pool_f32 {
	/** [planes][input_h][input_w] */
	const float *input;
	/** [planes][output_h][output_w] */
	float *output;
	/** Batches times channels. */
	int32_t planes;
	int32_t input_h;
	int32_t input_w;
	int32_t output_h;
	int32_t output_w;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_adaptive_avg_pool_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_adaptive_avg_pool_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_ADAPTIVE_AVG_POOL_F32_H */
