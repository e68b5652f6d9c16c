/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Average pooling of float32 planes.
 *
 *     output[p][oy][ox] = (sum of the window's pixels inside the image) / d
 *
 * d is divisor where that is not 0; else the number of the window's positions inside the image, or,
 * with count_include_pad, inside the padded image. The sum starts at zero and runs row by row, each
 * addition rounded to float32: the order of ExecuTorch's portable operator.
 *
 * Ranges: sizes, strides are at least 1; pads at least 0; every window covers a pixel.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_AVG_POOL_F32_H
#define PETITE_KERNELS_AVG_POOL_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_avg_pool_f32 {
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
	/** 0 or 1. */
	int32_t count_include_pad;
	/** 0 for the number of positions. */
	float divisor;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_avg_pool_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_avg_pool_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_AVG_POOL_F32_H */
