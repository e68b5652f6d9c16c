/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What implementations of softmax_s8 have in common: its fixed-point numbers.
 */
#ifndef PETITE_KERNELS_COMMON_SOFTMAX_FIXED_H
#define PETITE_KERNELS_COMMON_SOFTMAX_FIXED_H

#include <stdint.h>

#include "requantize.h"

/** Integer bits of the sum of exponentials. */
#define PETITE_SUM_BITS 12

/** In Q5.26; and exp(-1/8) and 1/3 in Q0.31. */
#define PETITE_QUARTER (INT32_C(1) << 24)
#define PETITE_EXP_MINUS_EIGHTH INT32_C(1895147668)
#define PETITE_THIRD INT32_C(715827883)

/** exp(-2^k) in Q0.31 for k = -2 .. 4. */
#define PETITE_EXP_FACTORS 7
static const int32_t petite_exp_factors[PETITE_EXP_FACTORS] = {
	1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242,
};

/** a * b in Q0.31, rounded; saturates -1 * -1. */
static inline int32_t petite_multiply_saturated(int32_t a, int32_t b)
{
	return a == INT32_MIN && b == INT32_MIN ? INT32_MAX : petite_multiply_q31(a, b);
}

/**
 * exp(value) in Q0.31 for a value <= 0 in Q5.26.
 *
 * With value = -(whole quarters) - rest: a Taylor polynomial around -1/8 gives exp of the fraction
 * of a quarter, and one factor for each set bit of the number of quarters the rest.
 */
static inline int32_t petite_exp_fixed(int32_t value)
{
	int32_t fraction = (value & (PETITE_QUARTER - 1)) - PETITE_QUARTER;
	uint32_t quarters = (uint32_t)(fraction - value) >> 24;
	int32_t x = fraction * 32 + (1 << 28);
	int32_t x2 = petite_multiply_saturated(x, x);
	int32_t x3 = petite_multiply_saturated(x2, x);
	int32_t x4 = petite_divide_by_power_of_two(petite_multiply_saturated(x2, x2), 2);
	int32_t tail = petite_divide_by_power_of_two(
		petite_multiply_saturated(x4 + x3, PETITE_THIRD) + x2, 1);
	int32_t result = PETITE_EXP_MINUS_EIGHTH +
			 petite_multiply_saturated(PETITE_EXP_MINUS_EIGHTH, x + tail);

	if (value == 0) {
		return INT32_MAX;
	}
	for (uint32_t k = 0; k < PETITE_EXP_FACTORS; k++) {
		if ((quarters >> k) & 1) {
			result = petite_multiply_saturated(result, petite_exp_factors[k]);
		}
	}
	return result;
}

/**
 * exp(difference * multiplier * 2^shift) in Q0.31, or 0 where that is too small to count.
 *
 * @param difference To the row's maximum: at most 0.
 */
static inline int32_t petite_softmax_term(int32_t difference, int32_t multiplier, int32_t shift,
					  int32_t diff_min)
{
	if (difference < diff_min) {
		return 0;
	}
	return petite_exp_fixed(
		petite_multiply_saturated((int32_t)((uint32_t)difference << shift), multiplier));
}

/** value * 2^exponent, saturated. */
static inline int32_t petite_shift_left(int32_t value, int32_t exponent)
{
	int32_t limit = INT32_MAX >> exponent;

	if (value > limit) {
		return INT32_MAX;
	}
	return value < -limit ? INT32_MIN : value * (1 << exponent);
}

/** 1 / (1 + value) in Q0.31, for a value in [0, 1) in Q0.31: three Newton-Raphson steps. */
static inline int32_t petite_reciprocal_of_one_plus(int32_t value)
{
	const int32_t half_denominator = (int32_t)(((int64_t)value + INT32_MAX + 1) / 2);
	const int32_t one_q2 = 1 << 29;
	/** 48/17 and -32/17 in Q2.29: the straight line that starts the iteration. */
	int32_t x = 1515870810 + petite_multiply_saturated(half_denominator, -1010580540);

	for (int32_t step = 0; step < 3; step++) {
		int32_t error = one_q2 - petite_multiply_saturated(half_denominator, x);

		x += petite_shift_left(petite_multiply_saturated(x, error), 2);
	}
	return petite_shift_left(x, 1);
}

/**
 * The reciprocal of a sum of exponentials in Q12.19.
 *
 * @param exponent Such that the product with an exponential in Q0.31, divided by 2^exponent, is a
 * probability in steps of 1/256.
 * @return In Q0.31.
 */
static inline int32_t petite_reciprocal_of_sum(uint32_t sum, int32_t *exponent)
{
	int32_t headroom = 0;

	while (headroom < 31 && (sum >> 31) == 0) {
		sum <<= 1;
		headroom++;
	}
	*exponent = PETITE_SUM_BITS + 23 - headroom;
	return petite_reciprocal_of_one_plus((int32_t)(sum - (UINT32_C(1) << 31)));
}

#endif /* PETITE_KERNELS_COMMON_SOFTMAX_FIXED_H */
