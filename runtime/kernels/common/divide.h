/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A quotient of integers, scaled and rounded: for operators that divide in float32.
 */
#ifndef PETITE_KERNELS_COMMON_DIVIDE_H
#define PETITE_KERNELS_COMMON_DIVIDE_H

#include <stdint.h>

/** Where results saturate: far outside int16, and still exact in float32. */
#define PETITE_DIVIDE_LIMIT 8388608

/** To the nearest integer, ties away from zero; saturates. */
static inline int32_t petite_round_away(float value)
{
	int32_t halves;

	if (value >= (float)PETITE_DIVIDE_LIMIT) {
		return PETITE_DIVIDE_LIMIT;
	}
	if (value <= (float)-PETITE_DIVIDE_LIMIT) {
		return -PETITE_DIVIDE_LIMIT;
	}
	/* Whole halves, towards zero: a half of odd ones is a tie, or has one below it. */
	halves = (int32_t)(value + value);
	return (halves + 1 + (halves >> 31)) >> 1;
}

/** round(numerator / denominator * scale), 0 where the denominator is 0. */
static inline int32_t petite_divide(int32_t numerator, int32_t denominator, float scale)
{
	float quotient = denominator != 0 ? (float)numerator / (float)denominator : 0.0f;

	return petite_round_away(quotient * scale);
}

#endif /* PETITE_KERNELS_COMMON_DIVIDE_H */
