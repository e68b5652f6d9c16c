/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Output pixels of a convolution two by two, with Helium.
 *
 * In assembly, because eight sums, three pointers, an address and two counters fill the register
 * file exactly, and compilers spill.
 *
 * Packed weights: a window's bytes are cut into chunks of 16, and four output channels make a
 * block. For each block: four sums to start from, which are the biases with the input's offset
 * folded in; for each chunk 16 bytes of each channel; four multipliers; four shifts, one a byte,
 * the first in the lowest. Bytes that are no weights, and channels that do not exist, are zeros:
 *
 *     int32 start[4]; int8 weights[chunk][channel in block][16]; int32 multiplier[4]; int8 shift[4]
 */
#ifndef PETITE_KERNELS_COMMON_MULTIPLY_PAIRS_S8_MVE_H
#define PETITE_KERNELS_COMMON_MULTIPLY_PAIRS_S8_MVE_H

#include <stdint.h>

/** What the loop needs; it is read as words, in this order. */
struct petite_pairs {
	/** First byte of each pixel's window. */
	const int8_t *input[2];
	/** Rows of the window; bytes from behind a row's last chunk to the next row. */
	int32_t rows;
	/** Chunks of 16 bytes in a row: turns of four, and how many the first turn leaves out. */
	int32_t turns;
	/** First channel of each pixel. */
	int8_t *output[2];
	int32_t channels;
	int32_t gap;
	const int32_t *weights;
	/** Pairs of pixels, at least 1. */
	int32_t count;
	/** Whether outputs below output_offset exist. Where none does (after a ReLU), it does not
	 * matter how negative ties are rounded.
	 */
	int32_t has_negatives;
	int32_t skipped;
	int32_t output_offset;
	int32_t activation_min;
	int32_t activation_max;
	/** From pair to pair: bytes between the windows; bytes from behind the last block of 4
	 * channels to the first, for each pixel.
	 */
	int32_t input_step;
	int32_t output_step;
};

/** A window's row has so many chunks. */
static inline void petite_pairs_set_chunks(struct petite_pairs *pairs, int32_t chunks)
{
	pairs->turns = (chunks + 3) / 4;
	pairs->skipped = -chunks & 3;
}

/** Pixels have so many channels, and start so many bytes apart. */
static inline void petite_pairs_set_output(struct petite_pairs *pairs, int32_t channels,
					   int32_t pitch)
{
	pairs->channels = channels;
	pairs->output_step = 2 * pitch - ((channels + 3) & ~3);
}

/** What is added after requantisation, and where the output ends. */
static inline void petite_pairs_set_range(struct petite_pairs *pairs, int32_t offset, int32_t min,
					  int32_t max)
{
	pairs->has_negatives = min < offset;
	pairs->output_offset = offset;
	pairs->activation_min = min;
	pairs->activation_max = max;
}

/**
 * Multiply, add, requantise (common/requantize.h) and store.
 *
 * Within a pair reads and writes mix: no output byte may be one of the windows'.
 *
 * @param pairs Bytes of a window are read in whole chunks. Shifts are in [-31, 0].
 */
void petite_multiply_pairs_s8_mve(const struct petite_pairs *pairs);

#endif /* PETITE_KERNELS_COMMON_MULTIPLY_PAIRS_S8_MVE_H */
