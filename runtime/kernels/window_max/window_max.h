/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Maximum pooling of planes of any number type: the largest pixels, or where they are.
 *
 *     value: output[p][oy][ox] = largest of the window's pixels inside the image
 *     place: output[p][oy][ox] = iy * input_w + ix of that pixel, int64
 *
 * The first pixel stands until a larger one comes, row by row: a NaN is never larger, and nothing
 * is larger than a NaN that comes first. So does ExecuTorch's portable operator. The kernels are
 * petite_window_max_value_<type>_scalar() and petite_window_max_place_<types>_scalar().
 *
 * Ranges: sizes, strides and dilations are at least 1; pads at least 0; every window covers a
 * pixel.
 *
 * Overlap: none between the input and the output.
 */
#ifndef PETITE_KERNELS_WINDOW_MAX_H
#define PETITE_KERNELS_WINDOW_MAX_H

#include <stdint.h>

#include "../common/family.h"

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_window_max {
	/** [planes][input_h][input_w] */
	const void *input;
	/** [planes][output_h][output_w] */
	void *output;
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

#define PETITE_DECLARE_WINDOW_MAX(type, types)                                                     \
	PETITE_DECLARE_KERNEL(window_max, value, type);                                            \
	PETITE_DECLARE_KERNEL(window_max, place, types)

PETITE_DECLARE_WINDOW_MAX(s8, s8_s64);
PETITE_DECLARE_WINDOW_MAX(u8, u8_s64);
PETITE_DECLARE_WINDOW_MAX(s16, s16_s64);
PETITE_DECLARE_WINDOW_MAX(s32, s32_s64);
PETITE_DECLARE_WINDOW_MAX(s64, s64);
PETITE_DECLARE_WINDOW_MAX(f32, f32_s64);

#endif /* PETITE_KERNELS_WINDOW_MAX_H */
