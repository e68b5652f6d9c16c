/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Transposed convolution of int8 images, requantised per output channel.
 *
 * What PyTorch's conv_transpose2d with one group computes, as a sum over the inputs that reach an
 * output pixel:
 *
 *     acc = bias[o] + sum over ky, kx, c where iy and ix are whole and inside the image of
 *           (input[b][iy][ix][c] + input_offset) * weights[o][ky][kx][c]
 *     iy = (oy + pad_top - ky * dilation_h) / stride_h,   ix likewise
 *     output[b][oy][ox][o] = clamp(requantise(acc) + output_offset)
 *
 * pad_top and pad_left are PyTorch's padding (taken away from the output); output_padding follows
 * from the output's size. Sums wrap at 32 bits. requantise is CMSIS-NN's: value * multiplier *
 * 2^(shift - 31), rounded twice (common/requantize.h).
 *
 * Ranges: sizes, strides and dilations are at least 1; pads at least 0. Offsets may lie outside
 * int8.
 *
 * Overlap: pixels are written in raster order, all channels of a pixel together. Input that neither
 * this pixel nor a later one uses is never read again, so the output may overlap it; a pixel must
 * not overlap the inputs that it uses. The other arrays must not overlap the output.
 */
#ifndef PETITE_KERNELS_TRANSPOSE_CONV2D_S8_H
#define PETITE_KERNELS_TRANSPOSE_CONV2D_S8_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_transpose_conv2d_s8 {
	/** [batches][input_h][input_w][input_c] */
	const int8_t *input;
	/** [output_c][kernel_h][kernel_w][input_c] */
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
	/** Rows and columns cut from the top and the left of the full output. */
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
 * @param params A struct petite_transpose_conv2d_s8.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_transpose_conv2d_s8_scalar(const void *params);

#endif /* PETITE_KERNELS_TRANSPOSE_CONV2D_S8_H */
