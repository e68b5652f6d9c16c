/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Windows of four channels by themselves, for the DSP extension.
 *
 * With channels innermost, a word of the input has four channels of one position, or tap, of the
 * window. Two such words become four pairs, one a channel, which SMLAD multiplies by two weights.
 * Weights are doubled: that saves a shift for each output.
 *
 * Packed for four channels, in words:
 *
 *     twice the bias of each, with the input's offset folded in
 *     weights[pair of taps][4]: 2 * weight of the first tap in the lower halfword, of the second in
 *                               the upper one
 *     scales[4][2]: multiplier; (2 * output_offset + 1) * 2^16 + (-shift - 1)
 */
#ifndef PETITE_KERNELS_COMMON_MULTIPLY_TAPS_S8_DSP_H
#define PETITE_KERNELS_COMMON_MULTIPLY_TAPS_S8_DSP_H

#include <stdint.h>

/** What the loop needs; it is read as words, in this order. The first three words are moved on. */
struct petite_taps_dsp {
	/** Of the first four channels; behind them are those of the next four. */
	const int32_t *packed;
	int8_t *output;
	/** The first of the four channels, counted from where the taps point. */
	int32_t channel;
	/** Where each tap's channels are; an even number. */
	const int8_t *const *taps;
	const int8_t *const *taps_end;
	/** See petite_taps_dsp_begin(). */
	int32_t entry;
	/** Fours of channels, at least 1. */
	int32_t blocks;
};

/** Tell the loop, which does 5 pairs of taps at a turn, how many there are. */
static inline void petite_taps_dsp_begin(struct petite_taps_dsp *p, const int8_t *const *taps,
					 int32_t pairs)
{
	p->taps = taps;
	p->taps_end = taps + 2 * pairs;
	/* A pair takes 56 bytes of code. The one is that of Thumb addresses. */
	p->entry = (4 - (pairs - 1) % 5) * 56 + 1;
}

/**
 * Multiply, add, requantise (common/requantize.h) to the range [-128, 127] and store.
 *
 * Sums with their bias are in [-2^30, 2^30), shifts in [-31, -1].
 */
void petite_multiply_taps_s8_dsp(struct petite_taps_dsp *taps);

#endif /* PETITE_KERNELS_COMMON_MULTIPLY_TAPS_S8_DSP_H */
