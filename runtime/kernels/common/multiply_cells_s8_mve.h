/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Rows of small depthwise windows, from cells of four bytes (cells_s8_mve.h).
 *
 * In assembly, because four weights, three scales and the data fill the vector registers exactly.
 */
#ifndef PETITE_KERNELS_COMMON_MULTIPLY_CELLS_S8_MVE_H
#define PETITE_KERNELS_COMMON_MULTIPLY_CELLS_S8_MVE_H

#include <stdint.h>

/** What the loop needs; it is read as words, in this order. The first five words are moved on. */
struct petite_multiply_cells {
	/** First window of the first channel, and bytes from plane to plane. */
	const int8_t *cells;
	/** First pixel of the lower and of the upper row, and bytes from pixel to pixel. */
	int8_t *lower;
	int8_t *upper;
	/** For each channel 12 bytes: three columns of four weights, top row first. */
	const int8_t *weights;
	/** For each 4 channels: 4 biases with the input's offset folded in, 4 multipliers, and 4
	 * shifts in the bytes of a word, each in [-31, 0].
	 */
	const int32_t *scales;
	int32_t plane;
	int32_t output_c;
	/** Pixels of a row, and blocks of 4 channels; at least 1. */
	int32_t pixels;
	int32_t blocks;
	/** At most -128: sums below zero end at -128, and how they are rounded does not matter. */
	int32_t output_offset;
	/** The upper row's windows start here, a cell apart, and the lower row's a byte later. With
	 * 0, there is only an upper row, and its windows are two cells apart.
	 */
	int32_t has_lower;
};

/**
 * Multiply, add, requantise (common/requantize.h) to the range [-128, 127] and store.
 *
 * The lower row is written before the upper one: both may be the same, which is then the upper.
 */
void petite_multiply_cells_s8_mve(struct petite_multiply_cells *cells);

#endif /* PETITE_KERNELS_COMMON_MULTIPLY_CELLS_S8_MVE_H */
