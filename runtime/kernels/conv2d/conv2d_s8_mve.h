/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Convolution of int8 images with Helium, from weights that were packed for it.
 *
 * The formula is that of conv2d_s8.h, with one group, and so are the bits.
 *
 * A window is kernel_h rows of kernel_w * input_c bytes, in the order of conv2d_s8, that start
 * `pitch` bytes apart; packed weights (common/multiply_pairs_s8_mve.h) are for these bytes. pitch
 * is the length of a row, or that rounded up to a multiple of 16.
 *
 * Positions outside the image are read as pad_value, which has to be minus the input's offset where
 * there are such positions: then they add nothing to the folded bias.
 *
 * The output's pixels may lie apart: a transposed convolution is several convolutions, whose pixels
 * take turns. pad_top and pad_left may be below zero.
 *
 * Ranges: as conv2d_s8; shifts in [-31, 0]; output_offset within +-2^20. Most fields have
 * 16 bits, because models have many such structures.
 *
 * Overlap: output pixels are written in raster order, two at a time (the first one alone where
 * starts_alone says so; the last one where none follows), channels of both in turn. Input that no
 * window of these two pixels or of a later one covers is never read again (to be of use), so the
 * output may overlap it; the two pixels must not overlap their own windows. Other arrays must not
 * overlap the output, nor scratch anything; nothing may overlap an output with gaps.
 */
#ifndef PETITE_KERNELS_CONV2D_S8_MVE_H
#define PETITE_KERNELS_CONV2D_S8_MVE_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_conv2d_s8_mve {
	/** [batches][input_h][input_w][input_c] */
	const int8_t *input;
	const int32_t *weights;
	/** [batches][output_h][output_w][output_c], with gaps; see below. */
	int8_t *output;
	/** [2][16 * chunks]; NULL where all pairs lie in a row and can be read in place. */
	int8_t *scratch;
	int32_t output_offset;
	/** Bytes from where the pixel behind the last one of a row would be to the next row, and
	 * then to the next image; 0 where the output is dense.
	 */
	int32_t output_row_gap;
	int32_t output_image_gap;
	int16_t batches;
	int16_t input_h;
	int16_t input_w;
	int16_t input_c;
	int16_t output_h;
	int16_t output_w;
	int16_t output_c;
	/** Bytes from pixel to pixel; output_c where the output is dense. */
	int16_t output_pitch;
	int16_t kernel_h;
	int16_t kernel_w;
	int16_t stride_h;
	int16_t stride_w;
	int16_t dilation_h;
	int16_t dilation_w;
	int16_t pad_top;
	int16_t pad_left;
	int16_t pitch;
	/** ceil(kernel_h * pitch / 16) */
	int16_t chunks;
	/** ceil(kernel_w * input_c / 16) where windows may be read where they lie, as far as whole
	 * chunks do not reach beyond the image: where dilation_w is 1, and kernel_h is 1 or pitch a
	 * multiple of 16. Else 0.
	 */
	int16_t row_chunks;
	/** Whether the first pixel of all is computed alone, so that pairs are in place that would
	 * begin outside the image; 0 or 1.
	 */
	int16_t starts_alone;
	int16_t pad_value;
	int16_t activation_min;
	int16_t activation_max;
};

/**
 * @brief For cores with Helium.
 *
 * @param params A struct petite_conv2d_s8_mve.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_conv2d_s8_mve(const void *params);

#endif /* PETITE_KERNELS_CONV2D_S8_MVE_H */
