/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Two runs of int16 inputs times int8 weights of four channels at a time, for the DSP
 * extension.
 *
 * In assembly, because eight sums, the data and the addresses fill the register file exactly.
 *
 * A word of weights has two channels, of which one costs nothing to unpack. As halfwords, it is
 *
 *     256 * (weight of the odd channel) + (weight of the even channel) + 128
 *
 * for two inputs. SMLAD multiplies both by the inputs as they are: `mixed`. UXTB16 leaves the low
 * bytes, and SMLAD gives `even`, the even channel's sum plus 128 times the sum of the inputs. What
 * they differ by is 256 times the odd channel's sum, and what is too much in `even` is subtracted
 * beforehand (`start`). A difference of 496 inputs fits 32 bits whatever the numbers are, so longer
 * runs go in segments of that length.
 *
 * Packed for four channels, in words, for a run of `pairs` pairs of inputs:
 *
 *     weights[pair][2], channels 0 and 1, then 2 and 3; the first input's halfword is the lower one
 *     scales[4][3]: 2 * bias, with the input's offset folded in; multiplier;
 *                   (2 * output_offset + 1) * 2^16 + (-shift - 1)
 */
#ifndef PETITE_KERNELS_COMMON_MULTIPLY_PAIRS_S8_DSP_H
#define PETITE_KERNELS_COMMON_MULTIPLY_PAIRS_S8_DSP_H

#include <stdint.h>

/** What the loop needs; it is read as words, in this order. The first three words are moved on. */
struct petite_pairs_dsp {
	/** Of the first four channels; behind them are those of the next four. */
	const int32_t *packed;
	/** First channel of each pixel. */
	int8_t *output[2];
	/** A word of the first pixel's inputs, two of them, then one of the second's, and so on. */
	const int32_t *input;
	const int32_t *input_end;
	/** See petite_pairs_dsp_begin(). */
	const int32_t *first_end;
	int32_t entry;
	/** Minus 128 times the sum of each pixel's inputs. */
	uint32_t start[2];
	/** Fours of channels, at least 1. */
	int32_t blocks;
};

/** Pairs of inputs in a segment; the loop does 8 at a turn. */
#define PETITE_SEGMENT_DSP 248

/**
 * Tell the loop how many pairs of inputs there are.
 *
 * Segments are full, but for the first one, and turns of the loop are, but for the first one, which
 * is entered where it has as many left as it takes.
 */
static inline void petite_pairs_dsp_begin(struct petite_pairs_dsp *p, const int32_t *input,
					  int32_t pairs)
{
	const int32_t first = (pairs - 1) % PETITE_SEGMENT_DSP + 1;

	p->input = input;
	p->input_end = input + 2 * pairs;
	p->first_end = input + 2 * first;
	/* A pair takes 48 bytes of code. The one is that of Thumb addresses. */
	p->entry = (-first & 7) * 48 + 1;
}

/**
 * Multiply, add, requantise (common/requantize.h) to the range [-128, 127] and store.
 *
 * Sums with their bias are in [-2^30, 2^30), shifts in [-31, -1].
 */
void petite_multiply_pairs_s8_dsp(struct petite_pairs_dsp *pairs);

#endif /* PETITE_KERNELS_COMMON_MULTIPLY_PAIRS_S8_DSP_H */
