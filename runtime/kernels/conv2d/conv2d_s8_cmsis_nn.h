/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Convolution of int8 images by CMSIS-NN's arm_convolve_wrapper_s8().
 *
 * The formula is that of conv2d_s8.h, with groups = input_c / filter_c, and so are the bits.
 *
 * Ranges: as conv2d_s8, and what that library can: sizes, and kernel_h * kernel_w * filter_c, below
 * 2^15; input_offset in [-127, 128]. A window of one pixel without padding stays inside the image.
 * On cores with Helium a window of one row over an image of one row has stride_w == 1, and no more
 * columns than the image, of which pad_left, or one more, lie to the right.
 *
 * Helium may read up to 16 bytes behind the weights (and ignores them): they are padded.
 *
 * Overlap: the library promises nothing, so no array overlaps the output, nor scratch anything.
 */
#ifndef PETITE_KERNELS_CONV2D_S8_CMSIS_NN_H
#define PETITE_KERNELS_CONV2D_S8_CMSIS_NN_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_conv2d_s8_cmsis_nn {
	/** [batches][input_h][input_w][input_c] */
	const int8_t *input;
	/** [output_c][kernel_h][kernel_w][filter_c] */
	const int8_t *weights;
	/** [output_c] */
	const int32_t *bias;
	/** [output_c], each at least -(2^31 - 1). */
	const int32_t *multiplier;
	/** [output_c], each in [-31, 30]. */
	const int32_t *shift;
	/** [batches][output_h][output_w][output_c] */
	int8_t *output;
	/** [scratch_size], aligned to 16 bytes; NULL where the library needs none. */
	int8_t *scratch;
	int32_t scratch_size;
	int32_t batches;
	int32_t input_h;
	int32_t input_w;
	int32_t input_c;
	int32_t output_h;
	int32_t output_w;
	int32_t output_c;
	int32_t kernel_h;
	int32_t kernel_w;
	int32_t filter_c;
	int32_t stride_h;
	int32_t stride_w;
	int32_t dilation_h;
	int32_t dilation_w;
	int32_t pad_top;
	int32_t pad_left;
	int32_t input_offset;
	int32_t output_offset;
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief Where the runtime was built with PETITE_KERNELS_CMSIS_NN.
 *
 * @param params A struct petite_conv2d_s8_cmsis_nn.
 * @retval PETITE_OK Done.
 * @retval PETITE_ERR_KERNEL The library refuses the call, or wants more scratch memory.
 */
enum petite_status petite_conv2d_s8_cmsis_nn(const void *params);

#endif /* PETITE_KERNELS_CONV2D_S8_CMSIS_NN_H */
