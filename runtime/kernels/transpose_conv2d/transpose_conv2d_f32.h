/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Transposed convolution of float32 images in any layout.
 *
 * What PyTorch's conv_transpose2d computes, as a sum over the inputs that reach an output pixel.
 * With group g = o / (output_c / groups), C = input_c / groups and w = o % (output_c / groups):
 *
 *     sum = bias[o], then in ascending order of iy, ix, c (the last fastest) plus
 *           input[b][g * C + c][iy][ix] * weights[g * C + c][w][ky][kx]
 *     for all c < C, ky, kx where iy and ix are whole and inside the image:
 *     iy = (oy + pad_top - ky * dilation_h) / stride_h,   ix likewise
 *     output[b][o][oy][ox] = sum
 *
 * A missing bias is zero. Each operation is rounded to float32, in the order of ExecuTorch's
 * portable operator, whatever the layout. pad_top and pad_left are PyTorch's padding (taken away
 * from the output); output_padding follows from the output's size.
 *
 * Ranges: sizes, strides, dilations and groups are at least 1; pads at least 0; groups divides both
 * input_c and output_c. Layout strides are in elements.
 *
 * Overlap: none between the output and any other array.
 */
#ifndef PETITE_KERNELS_TRANSPOSE_CONV2D_F32_H
#define PETITE_KERNELS_TRANSPOSE_CONV2D_F32_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file for the formula and the ranges. */
struct petite_transpose_conv2d_f32 {
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
	/** Rows and columns cut from the top and the left of the full output. */
	int32_t pad_top;
	int32_t pad_left;
	int32_t groups;
	/** Of batch, channel, row, column. */
	int32_t input_layout[4];
	/** Of input channel, output channel within the group, row, column. */
	int32_t weights_layout[4];
	/** Of batch, channel, row, column. */
	int32_t output_layout[4];
};

/**
 * @brief Plain reference.
 *
 * @param params A struct petite_transpose_conv2d_f32.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_transpose_conv2d_f32_scalar(const void *params);

#endif /* PETITE_KERNELS_TRANSPOSE_CONV2D_F32_H */
