/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief requantize.h in six instructions of the DSP extension, where sums and scales are small.
 */
#ifndef PETITE_KERNELS_COMMON_REQUANTIZE_S8_DSP_H
#define PETITE_KERNELS_COMMON_REQUANTIZE_S8_DSP_H

#include <stdint.h>

/** A scale and a zero point in the form in which they are used. */
struct petite_scale_dsp {
	int32_t multiplier;
	/** -shift - 1: SSAT does the last halving. */
	int32_t shift;
	/** Twice the output's offset, and 1 to round by. */
	int32_t offset;
};

/**
 * @param shift In [-31, -1].
 * @param output_offset Within +-2^14.
 */
static inline struct petite_scale_dsp petite_scale_dsp_of(int32_t multiplier, int32_t shift,
							  int32_t output_offset)
{
	const struct petite_scale_dsp scale = {
		.multiplier = multiplier,
		.shift = -shift - 1,
		.offset = 2 * output_offset + 1,
	};

	return scale;
}

/**
 * What petite_requantize_s8() gives with the range [-128, 127].
 *
 * SMMULR rounds a doubled product once, ties upwards. The division rounds them away from zero: what
 * is negative goes down by one first, which moves no others.
 *
 * @param doubled Twice the sum, which is in [-2^30, 2^30).
 */
static inline int8_t petite_requantize_s8_dsp(int32_t doubled, const struct petite_scale_dsp *scale)
{
	int32_t value;
	int32_t result;

	__asm__("smmulr %0, %1, %2" : "=r"(value) : "r"(doubled), "r"(scale->multiplier));
	value += value >> 31;
	value = (value >> scale->shift) + scale->offset;
	__asm__("ssat %0, #8, %1, asr #1" : "=r"(result) : "r"(value));
	return (int8_t)result;
}

#endif /* PETITE_KERNELS_COMMON_REQUANTIZE_S8_DSP_H */
