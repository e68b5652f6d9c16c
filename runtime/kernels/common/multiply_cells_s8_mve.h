/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Windows of a depthwise convolution, from cells (cells_s8_mve.h): two ways to multiply.
 */
#ifndef PETITE_KERNELS_COMMON_MULTIPLY_CELLS_S8_MVE_H
#define PETITE_KERNELS_COMMON_MULTIPLY_CELLS_S8_MVE_H

#include <stdint.h>

/**
 * A few rows of windows of a few blocks of 4 channels; it is read as words, in this order. The
 * first five words are moved on.
 */
struct petite_multiply_cells {
	/** First window of the first channel. */
	const int8_t *cells;
	/** First pixel of the second and of the first row; the same where there is one row only. */
	int8_t *lower;
	int8_t *upper;
	const int8_t *weights;
	/** For each 4 channels: 4 biases with the input's offset folded in, 4 multipliers, and 4
	 * shifts in the bytes of a word, each in [-31, 0].
	 */
	const int32_t *scales;
	/** Bytes from plane to plane, and from pixel to pixel. */
	int32_t plane;
	int32_t output_c;
	/** Pixels of a row, and blocks of 4 channels; at least 1. */
	int32_t pixels;
	int32_t blocks;
	int32_t output_offset;
	/** Rows that are computed from the same cells, even where there are less. */
	int32_t has_lower;
	/** Rows; bytes from row to row, of the windows and of the output. */
	int32_t rows;
	int32_t window_row;
	int32_t output_row;
	/** Bytes from window to window in a row. */
	int32_t window;
	/** Chunks of 16 bytes that a window has. */
	int32_t chunks;
	int32_t activation_min;
	int32_t activation_max;
};

/**
 * Multiply, add, requantise (common/requantize.h) and store, for windows of any size.
 *
 * Weights of a block: for each chunk 16 bytes of each channel, zeros where a window has none.
 */
void petite_multiply_windows_s8_mve(struct petite_multiply_cells *cells);

/**
 * The same for windows of at most three rows and columns, in cells of four bytes, to the range
 * [-128, 127]. In assembly, because four weights, three scales and the data fill the vector
 * registers exactly.
 *
 * Weights of a channel are 9 bytes: three columns of three, top row first; behind the last
 * channel's there is a byte more, which may be read. output_offset is at most -128: sums below zero
 * end at -128, and how they are rounded does not matter. With has_lower not 0 the upper row's
 * windows are a cell apart and the lower row's start a byte later; the lower row is written first,
 * as it may be the upper one. Else there is one row, and its windows are two cells apart.
 */
void petite_multiply_cells_s8_mve(struct petite_multiply_cells *cells);

#endif /* PETITE_KERNELS_COMMON_MULTIPLY_CELLS_S8_MVE_H */
