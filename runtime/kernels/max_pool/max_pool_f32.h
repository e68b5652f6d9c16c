/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Maximum pooling of float32 planes.
 *
 *     output[p][oy][ox] = maximum of the window's pixels inside the image
 *
 * The first pixel stands until a larger one comes, row by row: a NaN is never larger, and nothing
 * is larger than a NaN that comes first. So does ExecuTorch's portable operator.
 *
 * Ranges: sizes, strides and dilations are at least 1; pads at least 0; every window covers a
 * pixel.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_MAX_POOL_F32_H
#define PETITE_KERNELS_MAX_POOL_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_max_pool_f32 {
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
	int32_t kernel_h;
	int32_t kernel_w;
	int32_t stride_h;
	int32_t stride_w;
	/** Rows above and columns left of the input; as many are below and right of it. */
	int32_t pad_top;
	int32_t pad_left;
	int32_t dilation_h;
	int32_t dilation_w;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_max_pool_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_max_pool_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_MAX_POOL_F32_H */
