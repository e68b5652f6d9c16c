/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief requantize.h for vectors, where no shift is above zero.
 */
#ifndef PETITE_KERNELS_COMMON_REQUANTIZE_MVE_H
#define PETITE_KERNELS_COMMON_REQUANTIZE_MVE_H

#include <stdint.h>

#include <arm_mve.h>

/**
 * value * multiplier * 2^(shift - 31), rounded once by the multiplication and once by the division.
 *
 * VQRDMULH rounds ties upwards and VRSHL as well, where the division rounds them away from zero:
 * negative values that are divided go down by one first, which moves no others.
 *
 * @param multiplier At least -(2^31 - 1): the product never saturates.
 * @param shift In [-31, 0].
 */
static inline int32x4_t petite_requantize_mve(int32x4_t value, int32x4_t multiplier,
					      int32x4_t shift)
{
	int32x4_t product = vqrdmulhq_s32(value, multiplier);
	int32x4_t down = vshrq_n_s32(vandq_s32(product, shift), 31);

	return vrshlq_s32(vaddq_s32(product, down), shift);
}

/** The division alone, as instructions; all operands are vector registers. */
#define PETITE_ROUND_MVE(value, temporary, shift)                                                  \
	"	vand " temporary ", " value ", " shift "\n"                                        \
	"	vshr.s32 " temporary ", " temporary ", #31\n"                                      \
	"	vadd.i32 " value ", " value ", " temporary "\n"                                    \
	"	vrshl.s32 " value ", " value ", " shift "\n"

#endif /* PETITE_KERNELS_COMMON_REQUANTIZE_MVE_H */
