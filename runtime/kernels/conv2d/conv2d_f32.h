/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Convolution of float32 images in any layout.
 *
 * With group g = o / (output_c / groups) and C = input_c / groups:
 *
 *     sum = sum over c < C, ky, kx (in this order, the last fastest) of
 *           input[b][g * C + c][iy][ix] * weights[o][c][ky][kx]
 *     iy = oy * stride_h - pad_top + ky * dilation_h,   ix likewise
 *     output[b][o][oy][ox] = sum + bias[o]
 *
 * Positions outside the image are left out. Sums start at zero, each operation is rounded to
 * float32: the order of ExecuTorch's portable operator, whatever the layout.
 *
 * Ranges: sizes, strides, dilations and groups are at least 1; pads at least 0; groups divides both
 * input_c and output_c. Layout strides are in elements.
 *
 * Overlap: none between the output and any other array.
 */
#ifndef PETITE_KERNELS_CONV2D_F32_H
#define PETITE_KERNELS_CONV2D_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_conv2d_f32 {
	const float *input;
	const float *weights;
	/** [output_c], or NULL for none. */
	const float *bias;
	float *output;
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
	int32_t groups;
	/** Of batch, channel, row, column. */
	int32_t input_layout[4];
	/** Of output channel, input channel within the group, row, column. */
	int32_t weights_layout[4];
	/** Of batch, channel, row, column. */
	int32_t output_layout[4];
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_conv2d_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_conv2d_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_CONV2D_F32_H */
