/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Images of float32 in another size, each pixel a weighted sum of a rectangle.
 *
 *     output[n][y][x][c] = sum of input[n][first_h[y] + i][first_w[x] + j][c] *
 *                          weights_h[y][i] * weights_w[x][j]
 *
 * over i < count_h[y], within it j < count_w[x], in this order; each product and each sum is
 * rounded to float32. A pixel has `channels` values, which is 1 for planes.
 *
 * Ranges: rectangles lie inside the image.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_RESIZE_ANTIALIAS_F32_H
#define PETITE_KERNELS_RESIZE_ANTIALIAS_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_resize_antialias_f32 {
	/** [images][input_h][input_w][channels] */
	const float *input;
	/** [images][output_h][output_w][channels] */
	float *output;
	/** [output_h]: first row of a rectangle */
	const int32_t *first_h_table;
	/** [output_h]: how many rows it has */
	const int32_t *count_h_table;
	/** [output_h][taps_h] */
	const float *weights_h_table;
	/** [output_w] */
	const int32_t *first_w_table;
	/** [output_w] */
	const int32_t *count_w_table;
	/** [output_w][taps_w] */
	const float *weights_w_table;
	int32_t images;
	int32_t input_h;
	int32_t input_w;
	int32_t output_h;
	int32_t output_w;
	int32_t channels;
	int32_t taps_h;
	int32_t taps_w;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_resize_antialias_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_resize_antialias_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_RESIZE_ANTIALIAS_F32_H */
