/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Four output channels of a run of pixels, with weights as they stand in a program: one
 * channel's after the other's.
 *
 * For loaded programs. What `petite compile` packs is read faster.
 */
#ifndef PETITE_KERNELS_COMMON_PLAIN_PIXELS_S8_MVE_H
#define PETITE_KERNELS_COMMON_PLAIN_PIXELS_S8_MVE_H

#include <stdint.h>

/** Output channels of a block. */
#define PETITE_BLOCK 4

/**
 * What a run of pixels is computed from. The order of the first 13 is that of the registers they
 * go to. Where a block has fewer than four channels, the rest repeat the last one, and are not
 * stored.
 */
struct petite_plain_pixels {
	/** The sums' starts are those of the channels 0 to 3. */
	uint32_t sum0;
	/** First byte of the first pixel's window. The next pixel's after the call. */
	const int8_t *input;
	uint32_t sum1;
	const int8_t *weights0;
	uint32_t sum2;
	const int8_t *weights1;
	uint32_t sum3;
	/** Adjacent bytes of a window's row; 0 for none. */
	int32_t length;
	const int8_t *weights2;
	/** Rows of a window, at least 1. */
	int32_t rows;
	const int8_t *weights3;
	/** From behind the last 16 bytes of a row that are begun, to the next row's first one. */
	int32_t next_input;
	int32_t next_weights;
	/** The first pixel's first channel. The next pixel's after the call. */
	int8_t *output;
	/** At least 1; 0 after the call. */
	int32_t pixels;
	/** Bytes from pixel to pixel. */
	int32_t input_step;
	int32_t output_step;
	/** Channels that are stored: 1 to 4. */
	int32_t channels;
	/** What of the shifts is above zero, and what is below. */
	int32_t left[PETITE_BLOCK];
	int32_t multiplier[PETITE_BLOCK];
	int32_t right[PETITE_BLOCK];
	int32_t output_offset;
	int32_t activation_min;
	int32_t activation_max;
};

/** Up to four channels, whose weights stand one behind the other. Those missing repeat the last. */
struct petite_plain_block {
	int32_t channels;
	const int8_t *weights[PETITE_BLOCK];
	uint32_t bias[PETITE_BLOCK];
};

/**
 * @brief Begin a block.
 *
 * @param channels Channels that there are from the first one on; up to four are taken.
 * @param weights  Of the first channel; from a channel's to the next one's are `step` bytes.
 * @param bias     Of the first channel on; NULL for none.
 */
void petite_plain_begin_s8_mve(struct petite_plain_block *block, int32_t channels,
			       const int8_t *weights, int32_t step, const int32_t *bias);

/** Let the next pixels be of a block: their sums start with these, and weights are read from byte
 * `at` of each channel's on.
 */
void petite_plain_take_s8_mve(struct petite_plain_pixels *pixels,
			      const struct petite_plain_block *block, const uint32_t *sums,
			      int32_t at);

/** Set the scale of one of the four channels. */
static inline void petite_plain_scale_s8_mve(struct petite_plain_pixels *pixels, int32_t channel,
					     int32_t multiplier, int32_t shift)
{
	pixels->multiplier[channel] = multiplier;
	pixels->left[channel] = shift > 0 ? shift : 0;
	pixels->right[channel] = shift < 0 ? shift : 0;
}

/** Compute the pixels. */
void petite_plain_pixels_s8_mve(struct petite_plain_pixels *pixels);

#endif /* PETITE_KERNELS_COMMON_PLAIN_PIXELS_S8_MVE_H */
