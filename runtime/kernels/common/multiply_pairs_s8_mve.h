/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Output pixels of a convolution two by two, with Helium.
 *
 * In assembly, because eight sums, four pointers and two counters fill the register file exactly,
 * and compilers spill.
 */
#ifndef PETITE_KERNELS_COMMON_MULTIPLY_PAIRS_S8_MVE_H
#define PETITE_KERNELS_COMMON_MULTIPLY_PAIRS_S8_MVE_H

#include <stdint.h>

/** What the loop needs; it is read as words, in this order. */
struct petite_pairs {
	/** First byte of each pixel's window. */
	const int8_t *input[2];
	/** Blocks of 16 bytes in a row of the window; rows; bytes between the rows. */
	int32_t chunks;
	int32_t rows;
	int32_t gap;
	/** First channel of each pixel. */
	int8_t *output[2];
	int32_t channels;
	/** For each 4 channels, for each 16 bytes of the window: [4][16], zeros beyond the ends. */
	const int8_t *weights;
	/** For each 4 channels: 4 biases with the input's offset folded in, 4 multipliers, and 4
	 * shifts in the bytes of a word, each in [-31, 0].
	 */
	const int32_t *scales;
	int32_t output_offset;
	int32_t activation_min;
	int32_t activation_max;
	/** Pairs of pixels, at least 1, and from pair to pair: bytes between the windows; bytes
	 * from behind the last block of 4 channels to the first, for each pixel.
	 */
	int32_t count;
	int32_t input_step;
	int32_t output_step;
	/** Whether outputs below output_offset exist. Where none does (after a ReLU), it does not
	 * matter how negative ties are rounded.
	 */
	int32_t has_negatives;
};

/**
 * Multiply, add, requantise (common/requantize.h) and store.
 *
 * Within a pair reads and writes mix: no output byte may be one of the windows'.
 *
 * @param pairs Bytes of a window are read in whole blocks of 16.
 */
void petite_multiply_pairs_s8_mve(const struct petite_pairs *pairs);

/** The same with `chunks` counting threes of chunks: every window of three columns has them. */
void petite_multiply_pairs_by_3_s8_mve(const struct petite_pairs *pairs);

#endif /* PETITE_KERNELS_COMMON_MULTIPLY_PAIRS_S8_MVE_H */
