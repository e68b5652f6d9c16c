/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Images in another size, each pixel that of the nearest position (rounded down).
 *
 *     output[n][y][x] = input[n][min((int)(y * scale_h), input_h - 1)]
 *                               [min((int)(x * scale_w), input_w - 1)]
 *
 * The products are rounded to float32. A pixel is pixel_size bytes: an element of a plane, or all
 * channels where they are innermost.
 *
 * Ranges: sizes are at least 1, scales at least 0; products below 2^31.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_RESIZE_NEAREST_H
#define PETITE_KERNELS_RESIZE_NEAREST_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_resize_nearest {
	/** [images][input_h][input_w] */
	const void *input;
	/** [images][output_h][output_w] */
	void *output;
	int32_t images;
	int32_t input_h;
	int32_t input_w;
	int32_t output_h;
	int32_t output_w;
	/** Bytes. */
	int32_t pixel_size;
	/** Input pixels for one output pixel. */
	float scale_h;
	float scale_w;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_resize_nearest.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_resize_nearest_scalar(const void *params);

#endif /* PETITE_KERNELS_RESIZE_NEAREST_H */
