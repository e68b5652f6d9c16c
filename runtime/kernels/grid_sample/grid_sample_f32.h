/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Pixels of float32 images at places that a grid gives.
 *
 * The grid has x and y of every output pixel, from -1 to 1 over the image. Along each dimension
 *
 *     place = (g + 1) / 2 * (size - 1)         with align_corners: -1 and 1 are centres of pixels
 *     place = ((g + 1) * size - 1) / 2         without: they are edges
 *
 * Outside of the image, padding is zeros (0), border (the nearest pixel), or reflection: mirrored
 * at the centres of the outermost pixels (align_corners) or at their outer edges, as often as it
 * takes. For bilinear and nearest, border and reflection move the place into the image; for bicubic
 * they move each of its 16 pixels.
 *
 * Nearest takes the pixel at the place, rounded to the nearest, ties to even.
 *
 * Bilinear weights the four pixels around the place with the products of (1 - distance), and adds
 * top left, top right, bottom left, bottom right, in this order.
 *
 * Bicubic is cubic convolution with A = -0.75: of four rows of four pixels, each from left to
 * right, then of the four sums.
 *
 * Each operation is rounded to float32, in the order of ExecuTorch's portable operator. A place
 * that is not a number is outside under zeros, and the last pixel under border and reflection;
 * bicubic gives not a number, and does so for infinite places too. Places beyond 2^30 count as
 * 2^30.
 *
 * Ranges: sizes are at least 1, and below 2^24.
 *
 * Overlap: none between an input and the output.
 */
#ifndef PETITE_KERNELS_GRID_SAMPLE_F32_H
#define PETITE_KERNELS_GRID_SAMPLE_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_grid_sample_f32 {
	/** [images][channels][input_h][input_w] */
	const float *input;
	/** [images][output_h][output_w][2]: x, y */
	const float *grid;
	/** [images][channels][output_h][output_w] */
	float *output;
	int32_t images;
	int32_t channels;
	int32_t input_h;
	int32_t input_w;
	int32_t output_h;
	int32_t output_w;
	/** 0 bilinear, 1 nearest, 2 bicubic. */
	int32_t mode;
	/** 0 zeros, 1 border, 2 reflection. */
	int32_t padding;
	/** 0 or 1. */
	int32_t align_corners;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_grid_sample_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_grid_sample_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_GRID_SAMPLE_F32_H */
