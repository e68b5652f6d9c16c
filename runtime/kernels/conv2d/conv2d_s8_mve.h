/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Convolution of int8 images with Helium, from weights that were packed for it.
 *
 * The formula is that of conv2d_s8.h, with one group, and so are the bits.
 *
 * Packed weights: the window's K = kernel_h * kernel_w * input_c weights of an output channel, in
 * the order of conv2d_s8, are cut into chunks of 16, the last one filled up with zeros. Four
 * output channels make a block, the last one filled up with channels of zeros:
 *
 *     weights[block][chunk][channel in block][16]
 *
 * Packed scales, nine words a block: four sums to start from, bias[o] + input_offset * (sum of the
 * channel's weights); four multipliers; four shifts, one a byte, the first in the lowest.
 *
 * Positions outside the image are read as pad_value, which has to be minus the input's offset where
 * there are such positions: then they add nothing to the folded bias.
 *
 * Ranges: as conv2d_s8; shifts in [-31, 0]; output_offset within +-2^20.
 *
 * Overlap: output pixels are written in raster order, two at a time (at the end of an odd number,
 * one), channels of both in turn. Input that no window of these two pixels or of a later one covers
 * is never read again, so the output may overlap it; the two pixels must not overlap their own
 * windows. Other arrays must not overlap the output, nor scratch anything.
 */
#ifndef PETITE_KERNELS_CONV2D_S8_MVE_H
#define PETITE_KERNELS_CONV2D_S8_MVE_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_conv2d_s8_mve {
	/** [batches][input_h][input_w][input_c] */
	const int8_t *input;
	const int8_t *weights;
	const int32_t *scales;
	/** [batches][output_h][output_w][output_c] */
	int8_t *output;
	/** [2][16 * chunks]; NULL where all pairs lie in a row and can be read in place. */
	int8_t *scratch;
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
	int32_t pad_top;
	int32_t pad_left;
	/** ceil(K / 16) */
	int32_t chunks;
	/** ceil(kernel_w * input_c / 16) where windows may be read where they lie, as far as whole
	 * chunks do not reach beyond a row of the image: where dilation_w is 1, and kernel_h is 1
	 * or the division is exact. Else 0.
	 */
	int32_t row_chunks;
	int32_t pad_value;
	int32_t output_offset;
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief For cores with Helium.
 *
 * @param params A struct petite_conv2d_s8_mve.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_conv2d_s8_mve(const void *params);

#endif /* PETITE_KERNELS_CONV2D_S8_MVE_H */
