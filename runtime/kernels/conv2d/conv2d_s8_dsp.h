/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Convolution of int8 images with the DSP extension, from weights that were packed for it.
 *
 * The formula is that of conv2d_s8.h, and so are the bits.
 *
 * The windows of two pixels are widened to int16 in scratch memory, then multiplied by four
 * channels at a time (common/multiply_pairs_s8_dsp.h, which defines the packed weights). A row of
 * a window, kernel_w * C bytes, is one run (common/expand_s8_dsp.h), filled up with zero to whole
 * pairs. The channels of a group are filled up with channels of zeros to whole fours.
 *
 * Positions outside the image are read as pad_value, which has to be minus the input's offset where
 * there are such positions: then they add nothing to the folded bias.
 *
 * Ranges: as conv2d_s8; shifts in [-31, -1]; sums with their bias in [-2^30, 2^30) for all inputs;
 * the output's offset within +-2^14.
 *
 * Output pixels may lie apart: a transposed convolution is several convolutions of stride 1 whose
 * pixels take turns.
 *
 * Overlap: output pixels are written in raster order, two at a time (at the end of an odd number,
 * one). With one group, their windows are read before; else reads and writes mix. Input that no
 * window of these two pixels or of a later one covers is never read again, so the output may
 * overlap it. Other arrays must not overlap the output, nor scratch anything; nothing may overlap
 * an output with gaps.
 */
#ifndef PETITE_KERNELS_CONV2D_S8_DSP_H
#define PETITE_KERNELS_CONV2D_S8_DSP_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_conv2d_s8_dsp {
	/** [batches][input_h][input_w][input_c] */
	const int8_t *input;
	/** For each group, for each 4 of its channels. */
	const int32_t *packed;
	/** [batches][output_h][output_w][output_c], with gaps; see below. */
	int8_t *output;
	/** Aligned to 4: pairs * 8 bytes, and three rows of a window. */
	int8_t *scratch;
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
	/** May be below zero, as in parts of a transposed convolution. */
	int16_t pad_top;
	int16_t pad_left;
	int16_t groups;
	/** kernel_h * ceil(kernel_w * input_c / groups / 2) */
	int16_t pairs;
	int16_t pad_value;
	int16_t activation_min;
	int16_t activation_max;
};

/**
 * @brief For cores with the DSP extension.
 *
 * @param params A struct petite_conv2d_s8_dsp.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_conv2d_s8_dsp(const void *params);

#endif /* PETITE_KERNELS_CONV2D_S8_DSP_H */
