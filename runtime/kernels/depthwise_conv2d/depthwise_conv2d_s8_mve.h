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
 * Dilated weights are spread, with zeros between them. So that scratch memory does not grow with
 * the image, an output is computed in tiles: so many rows, of so many pixels, in runs of channels.
 *
 * Packed scales: for each block of 4 channels nine words: four sums to start from, bias[o] +
 * input_offset * (sum of the channel's weights); four multipliers; four shifts, one a byte, the
 * first in the lowest. Where the last block of a run is not full, it starts earlier: at the run's
 * last channel but three.
 *
 * `multiply` is one of the functions of common/multiply_cells_s8_mve.h; it defines the packed
 * weights. For petite_multiply_cells_s8_mve cell is 4, kernel_h and kernel_w are at most 3,
 * output_offset is at most -128, the range [-128, 127], and either strides are 1 and rows is 2; or
 * stride_w is 2 and rows is 1.
 *
 * Positions outside the image are read as pad_value, which has to be minus the input's offset where
 * there are such positions: then they add nothing to the folded bias.
 *
 * Ranges: as depthwise_conv2d_s8; channels and run at least 4; what a division by run leaves is 0
 * or at least 4; shifts in [-31, 0]. Most fields have 16 bits, because models have many such
 * structures.
 *
 * Overlap: a tile is a step; those of the same rows come from left to right. (The last tiles of
 * an image, and of its rows, may be smaller.) Where run == channels, a step reads what its windows
 * cover before it writes; else reads and writes mix. Input that no window of a later step covers is
 * never read again (to be of use), so the output may overlap it. The other arrays must not overlap
 * the output, nor scratch anything.
 */
#ifndef PETITE_KERNELS_DEPTHWISE_CONV2D_S8_MVE_H
#define PETITE_KERNELS_DEPTHWISE_CONV2D_S8_MVE_H

#include <stdint.h>

#include <petite/status.h>

#include "../common/multiply_cells_s8_mve.h"

/** Parameters; see the top of the file. */
struct petite_depthwise_conv2d_s8_mve {
	/** [batches][input_h][input_w][channels] */
	const int8_t *input;
	const int8_t *weights;
	const int32_t *scales;
	/** [batches][output_h][output_w][channels] */
	int8_t *output;
	/** Planes of a run's channels, rounded up to 16, each of cell * columns bytes; as many
	 * bytes as planes, and 16 more; aligned to 4.
	 */
	int8_t *scratch;
	void (*multiply)(struct petite_multiply_cells *cells);
	int32_t output_offset;
	int16_t batches;
	int16_t input_h;
	int16_t input_w;
	int16_t channels;
	int16_t output_h;
	int16_t output_w;
	/** Of the window with its dilation. */
	int16_t kernel_h;
	int16_t kernel_w;
	int16_t stride_h;
	int16_t stride_w;
	int16_t pad_top;
	int16_t pad_left;
	/** Of a tile: rows, pixels of a row, and columns of the image in the windows of these:
	 * (tile_w - 1) * stride_w + kernel_w.
	 */
	int16_t rows;
	int16_t tile_w;
	int16_t columns;
	int16_t run;
	/** Bytes of a cell, a multiple of 4: at least kernel_h + (rows - 1) * stride_h. */
	int16_t cell;
	/** ceil(cell * kernel_w / 16), or with kernel_w of 1 ceil(kernel_h / 16) */
	int16_t chunks;
	int16_t pad_value;
	int16_t activation_min;
	int16_t activation_max;
};

/**
 * @brief For cores with Helium.
 *
 * @param params A struct petite_depthwise_conv2d_s8_mve.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_depthwise_conv2d_s8_mve(const void *params);

#endif /* PETITE_KERNELS_DEPTHWISE_CONV2D_S8_MVE_H */
