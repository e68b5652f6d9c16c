/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Images of float32 in another size, each pixel between its four neighbours.
 *
 * Along each dimension, the output position i lies at
 *
 *     s = i * scale                                    with align_corners
 *     s = max(scale * (i + 0.5) - 0.5, 0)              without
 *     first = min((int)s, size - 1),  second = min(first + 1, size - 1)
 *     far = min(max(s - first, 0), 1),  near = 1 - far
 *
 * and where a dimension keeps its size, first = second = i, near = 1, far = 0. Then
 *
 *     top = input[first y][first x] * near x + input[first y][second x] * far x
 *     bottom = the same of second y
 *     output = top * near y + bottom * far y
 *
 * Each operation is rounded to float32, in the order of ExecuTorch's portable operator. A pixel has
 * `channels` values, which is 1 for planes.
 *
 * Ranges: sizes are at least 1, scales at least 0; positions below 2^31.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_RESIZE_BILINEAR_F32_H
#define PETITE_KERNELS_RESIZE_BILINEAR_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_resize_bilinear_f32 {
	/** [images][input_h][input_w][channels] */
	const float *input;
	/** [images][output_h][output_w][channels] */
	float *output;
	int32_t images;
	int32_t input_h;
	int32_t input_w;
	int32_t output_h;
	int32_t output_w;
	int32_t channels;
	/** 0 or 1. */
	int32_t align_corners;
	/** Input pixels for one output pixel. */
	float scale_h;
	float scale_w;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_resize_bilinear_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_resize_bilinear_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_RESIZE_BILINEAR_F32_H */
