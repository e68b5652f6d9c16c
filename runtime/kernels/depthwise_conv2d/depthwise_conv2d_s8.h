/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Convolution of each channel of int8 images by itself.
 *
 * Output channel o reads input channel o / (output_c / input_c):
 *
 *     acc = bias[o] + sum over ky, kx of
 *           (input[b][iy][ix][o / (output_c / input_c)] + input_offset) * weights[ky][kx][o]
 *     iy = oy * stride_h - pad_top + ky * dilation_h,   ix likewise
 *     output[b][oy][ox][o] = clamp(requantise(acc) + output_offset)
 *
 * Positions outside the image contribute nothing (they stand for the zero point). Sums wrap at 32
 * bits. requantise is CMSIS-NN's: value * multiplier * 2^(shift - 31), rounded twice
 * (common/requantize.h).
 *
 * Ranges: sizes, strides and dilations are at least 1; pads at least 0; input_c divides output_c.
 * Offsets may lie outside int8.
 *
 * Overlap: elements are written in memory order (raster order, channels innermost), each after its
 * window has been read. Input that no window of a later element covers is never read again, so the
 * output may overlap it; an element may overlap its own window. A 1x1 window of stride 1 with
 * output_c == input_c runs in place. The other arrays must not overlap the output.
 */
#ifndef PETITE_KERNELS_DEPTHWISE_CONV2D_S8_H
#define PETITE_KERNELS_DEPTHWISE_CONV2D_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_depthwise_conv2d_s8 {
	/** [batches][input_h][input_w][input_c] */
	const int8_t *input;
	/** [kernel_h][kernel_w][output_c] */
	const int8_t *weights;
	/** [output_c], or NULL for none. */
	const int32_t *bias;
	/** [output_c], each at least -(2^31 - 1). */
	const int32_t *multiplier;
	/** [output_c], each in [-31, 30]. */
	const int8_t *shift;
	/** [batches][output_h][output_w][output_c] */
	int8_t *output;
	/** Images, each input_h x input_w pixels of input_c channels, channels innermost. */
	int32_t batches;
	int32_t input_h;
	int32_t input_w;
	int32_t input_c;
	int32_t output_h;
	int32_t output_w;
	int32_t output_c;
	int32_t kernel_h;
	int32_t kernel_w;
	int32_t stride_h;
	int32_t stride_w;
	int32_t dilation_h;
	int32_t dilation_w;
	/** Rows above and columns left of the input; those below and right follow from the sizes.
	 */
	int32_t pad_top;
	int32_t pad_left;
	/** Minus the input's zero point: added to each input element. */
	int32_t input_offset;
	/** The output's zero point: added after requantisation. */
	int32_t output_offset;
	/** Range of the output, within [-128, 127]. */
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_depthwise_conv2d_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_depthwise_conv2d_s8_scalar(const void *params);

#endif /* PETITE_KERNELS_DEPTHWISE_CONV2D_S8_H */
