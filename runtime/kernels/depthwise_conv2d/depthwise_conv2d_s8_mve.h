/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Convolution of each channel of int8 images by itself, with Helium.
 *
 * The formula is that of depthwise_conv2d_s8.h with as many outputs as inputs, and so are the bits.
 *
 * Why it works so: with channels innermost, Helium has no instruction that multiplies by a weight
 * for each channel and adds; multiplying, adding and widening apart take an instruction for each
 * two products. A sum of products over 16 bytes (VMLADAVA) takes one for a whole window of 3x3,
 * wherever the window's bytes follow one another. So a few rows of the input are copied to where
 * they do (common/cells_s8_mve.h), which costs a quarter of an instruction a byte and reads no
 * byte alone, and four channels of a pixel are then scaled and stored together. Sums have 32 bits:
 * no weights need a special case.
 *
 * A window is `kernel_w` cells of `cell` bytes, each holding kernel_h rows and what fills it up.
 * Dilated weights are spread, with zeros between them.
 *
 * Packed scales: for each block of 4 channels nine words: four sums to start from, bias[o] +
 * input_offset * (sum of the channel's weights); four multipliers; four shifts, one a byte, the
 * first in the lowest. Channels go in runs of `run`; where the last block of a run is not full, it
 * starts earlier: at the run's last channel but three.
 *
 * Packed weights, for each block the weights of a channel as [kernel_w][cell], zeros where a cell
 * has no row of the window, and, for a channel:
 *
 *     chunks == 0:    12 bytes, zeros beyond the window;           weights[block][4][12]
 *     chunks >= 1:    cut into chunks of 16, zeros at the end;     weights[block][chunk][4][16]
 *
 * Without chunks, cell is 4, kernel_w at most 3, output_offset at most -128, the range [-128, 127],
 * and either strides are 1, kernel_h is at most 3 and rows is 2; or stride_w is 2 and rows is 1.
 *
 * Positions outside the image are read as pad_value, which has to be minus the input's offset where
 * there are such positions: then they add nothing to the folded bias.
 *
 * Ranges: as depthwise_conv2d_s8; channels and run at least 4; what a division by run leaves is 0
 * or at least 4; shifts in [-31, 0].
 *
 * Overlap: `rows` rows of an output image are a step (the last one of an image may have less).
 * Where run == channels, a step reads what its windows cover before it writes; else reads and
 * writes mix. Input that no window of a later step covers is never read again (to be of use), so
 * the output may overlap it. The other arrays must not overlap the output, nor scratch anything.
 */
#ifndef PETITE_KERNELS_DEPTHWISE_CONV2D_S8_MVE_H
#define PETITE_KERNELS_DEPTHWISE_CONV2D_S8_MVE_H

#include <stdint.h>

#include <petite/status.h>

/** Parameters; see the top of the file. */
struct petite_depthwise_conv2d_s8_mve {
	/** [batches][input_h][input_w][channels] */
	const int8_t *input;
	const int8_t *weights;
	const int32_t *scales;
	/** [batches][output_h][output_w][channels] */
	int8_t *output;
	/** Planes of a run's channels, rounded up to 16, and then so many bytes, cell and 16 more;
	 * aligned to 4.
	 */
	int8_t *scratch;
	int32_t batches;
	int32_t input_h;
	int32_t input_w;
	int32_t channels;
	int32_t output_h;
	int32_t output_w;
	/** Of the window with its dilation. */
	int32_t kernel_h;
	int32_t kernel_w;
	int32_t stride_h;
	int32_t stride_w;
	int32_t pad_top;
	int32_t pad_left;
	/** Output rows that are computed from the same cells. */
	int32_t rows;
	/** Bytes of a cell, a multiple of 4: at least kernel_h + (rows - 1) * stride_h. */
	int32_t cell;
	/** Bytes of a channel's cells: cell * ((output_w - 1) * stride_w + kernel_w). */
	int32_t plane;
	/** Columns of the image that lie in windows; may be 0. */
	int32_t columns;
	int32_t run;
	/** 0, or ceil(cell * kernel_w / 16). */
	int32_t chunks;
	int32_t pad_value;
	int32_t output_offset;
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * @brief For cores with Helium.
 *
 * @param params A struct petite_depthwise_conv2d_s8_mve.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_depthwise_conv2d_s8_mve(const void *params);

#endif /* PETITE_KERNELS_DEPTHWISE_CONV2D_S8_MVE_H */
