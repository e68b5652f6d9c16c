/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The bytes of words as pairs of int16, plus a number.
 */
#ifndef PETITE_KERNELS_COMMON_WIDEN_S8_DSP_H
#define PETITE_KERNELS_COMMON_WIDEN_S8_DSP_H

#include <stdint.h>

/** A number of 16 bits in both halfwords. */
static inline uint32_t petite_both_halves_dsp(int32_t value)
{
	return ((uint32_t)value & 0xFFFF) | (uint32_t)value << 16;
}

/** The first byte and the third, each plus a halfword of `offsets`. */
static inline uint32_t petite_even_plus_dsp(uint32_t offsets, uint32_t bytes)
{
	uint32_t result;

	__asm__("sxtab16 %0, %1, %2" : "=r"(result) : "r"(offsets), "r"(bytes));
	return result;
}

/** The second byte and the fourth. */
static inline uint32_t petite_odd_plus_dsp(uint32_t offsets, uint32_t bytes)
{
	uint32_t result;

	__asm__("sxtab16 %0, %1, %2, ror #8" : "=r"(result) : "r"(offsets), "r"(bytes));
	return result;
}

/** Twice each halfword, which does not leave 16 bits. */
static inline uint32_t petite_double_pair_dsp(uint32_t pair)
{
	uint32_t result;

	__asm__("sadd16 %0, %1, %1" : "=r"(result) : "r"(pair));
	return result;
}

#endif /* PETITE_KERNELS_COMMON_WIDEN_S8_DSP_H */
