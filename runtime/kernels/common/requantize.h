/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Fixed-point scaling of 32-bit sums, with the roundings of CMSIS-NN.
 */
#ifndef PETITE_KERNELS_COMMON_REQUANTIZE_H
#define PETITE_KERNELS_COMMON_REQUANTIZE_H

#include <stdint.h>

/** a * b / 2^31, to the nearest integer, ties upwards. */
static inline int32_t petite_multiply_q31(int32_t a, int32_t b)
{
	return (int32_t)(((int64_t)a * b + (INT64_C(1) << 30)) >> 31);
}

/** value / 2^exponent for exponent in [0, 31], to the nearest integer, ties away from zero. */
static inline int32_t petite_divide_by_power_of_two(int32_t value, int32_t exponent)
{
	uint32_t mask = (UINT32_C(1) << exponent) - 1;
	uint32_t remainder = (uint32_t)value & mask;
	uint32_t threshold = (mask >> 1) + (value < 0 ? 1 : 0);

	return (value >> exponent) + (remainder > threshold ? 1 : 0);
}

/**
 * value * multiplier * 2^(shift - 31): rounded once by the multiplication and once by the division.
 *
 * A shift above zero is applied to the value first and wraps at 32 bits.
 *
 * @param multiplier At least -(2^31 - 1).
 * @param shift In [-31, 30].
 */
static inline int32_t petite_requantize(int32_t value, int32_t multiplier, int32_t shift)
{
	if (shift > 0) {
		return petite_multiply_q31((int32_t)((uint32_t)value << shift), multiplier);
	}
	return petite_divide_by_power_of_two(petite_multiply_q31(value, multiplier), -shift);
}

static inline int32_t petite_clamp(int32_t value, int32_t low, int32_t high)
{
	if (value < low) {
		return low;
	}
	return value > high ? high : value;
}

/** What ends each quantised operator: scale the sum, add the output's zero point, limit. */
static inline int8_t petite_requantize_s8(uint32_t sum, int32_t multiplier, int32_t shift,
					  int32_t output_offset, int32_t low, int32_t high)
{
	uint32_t scaled = (uint32_t)petite_requantize((int32_t)sum, multiplier, shift);

	return (int8_t)petite_clamp((int32_t)(scaled + (uint32_t)output_offset), low, high);
}

#endif /* PETITE_KERNELS_COMMON_REQUANTIZE_H */
