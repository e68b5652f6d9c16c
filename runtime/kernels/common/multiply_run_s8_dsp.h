/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A run of int16 inputs times int8 weights of four outputs at a time, for the DSP extension.
 *
 * Like multiply_pairs_s8_dsp.h, which explains how, for one run of inputs and one scale. The number
 * of pairs of inputs is even.
 *
 * Packed for four outputs, in words:
 *
 *     weights[pair][2], as there
 *     twice the bias of each, with the input's offset folded in
 */
#ifndef PETITE_KERNELS_COMMON_MULTIPLY_RUN_S8_DSP_H
#define PETITE_KERNELS_COMMON_MULTIPLY_RUN_S8_DSP_H

#include <stdint.h>

/** What the loop needs; it is read as words, in this order. The first two words are moved on. */
struct petite_run_dsp {
	/** Of the first four outputs; behind them are those of the next four. */
	const int32_t *packed;
	int8_t *output;
	/** Pairs of inputs. */
	const int32_t *input;
	const int32_t *input_end;
	/** See petite_run_dsp_begin(). */
	const int32_t *first_end;
	int32_t entry;
	/** Minus 128 times the sum of the inputs. */
	uint32_t start;
	int32_t multiplier;
	/** (2 * output_offset + 1) * 2^16 + (-shift - 1) */
	int32_t shift;
	/** Fours of outputs, at least 1. */
	int32_t blocks;
};

/** Twos of pairs in a segment; the loop does 4 at a turn. */
#define PETITE_RUN_SEGMENT_DSP 124

/** Tell the loop how many twos of pairs of inputs there are; at least 1. */
static inline void petite_run_dsp_begin(struct petite_run_dsp *p, const int32_t *input,
					int32_t twos)
{
	const int32_t first = (twos - 1) % PETITE_RUN_SEGMENT_DSP + 1;

	p->input = input;
	p->input_end = input + 2 * twos;
	p->first_end = input + 2 * first;
	/* Two pairs take 56 bytes of code. The one is that of Thumb addresses. */
	p->entry = (-first & 3) * 56 + 1;
}

/**
 * Multiply, add, requantise (common/requantize.h) to the range [-128, 127] and store.
 *
 * Sums with their bias are in [-2^30, 2^30), the shift in [-31, -1].
 */
void petite_multiply_run_s8_dsp(struct petite_run_dsp *run);

#endif /* PETITE_KERNELS_COMMON_MULTIPLY_RUN_S8_DSP_H */
