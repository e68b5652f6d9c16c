/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Convolution of each channel of int8 images by itself, with the DSP extension.
 *
 * The formula is that of depthwise_conv2d_s8.h with as many outputs as inputs, and so are the bits.
 *
 * For each pixel, addresses of its window's positions are listed in scratch memory; then four
 * channels at a time are computed (common/multiply_taps_s8_dsp.h, which defines the packed
 * weights). Where the last block of channels is not full, it starts earlier: at the last channel
 * but three. An odd number of positions is filled up with one whose weights are zero.
 *
 * Positions outside the image are read as pad_value, which has to be minus the input's offset where
 * there are such positions: then they add nothing to the folded bias.
 *
 * Ranges: as depthwise_conv2d_s8; channels at least 4; shifts in [-31, -1]; sums with their bias in
 * [-2^30, 2^30) for all inputs; the output's offset within +-2^14.
 *
 * Overlap: as depthwise_conv2d_s8. Scratch must not overlap anything.
 */
#ifndef PETITE_KERNELS_DEPTHWISE_CONV2D_S8_DSP_H
#define PETITE_KERNELS_DEPTHWISE_CONV2D_S8_DSP_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_depthwise_conv2d_s8_dsp {
	/** [batches][input_h][input_w][channels] */
	const int8_t *input;
	/** For each 4 channels. */
	const int32_t *packed;
	/** [batches][output_h][output_w][channels] */
	int8_t *output;
	/** Aligned to 4: 8 bytes for each pair of positions, and a byte for each channel. */
	int8_t *scratch;
	int32_t batches;
	int32_t input_h;
	int32_t input_w;
	int32_t channels;
	int32_t output_h;
	int32_t output_w;
	int32_t kernel_h;
	int32_t kernel_w;
	int32_t stride_h;
	int32_t stride_w;
	int32_t dilation_h;
	int32_t dilation_w;
	int32_t pad_top;
	int32_t pad_left;
	/** ceil(kernel_h * kernel_w / 2) */
	int32_t pairs;
	int32_t pad_value;
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief For cores with the DSP extension.
 *
 * @param params A struct petite_depthwise_conv2d_s8_dsp.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_depthwise_conv2d_s8_dsp(const void *params);

#endif /* PETITE_KERNELS_DEPTHWISE_CONV2D_S8_DSP_H */
