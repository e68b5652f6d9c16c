/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Comparing int8 numbers, four at a time as the bytes of a word.
 */
#ifndef PETITE_KERNELS_COMMON_EXTREME_S8_DSP_H
#define PETITE_KERNELS_COMMON_EXTREME_S8_DSP_H

#include <stdint.h>

/** The larger of each two bytes. */
static inline uint32_t petite_larger_s8_dsp(uint32_t a, uint32_t b)
{
	uint32_t result;

	/* SEL takes the first one's bytes where the difference is not negative. */
	__asm__("ssub8 %0, %1, %2\n\tsel %0, %1, %2" : "=&r"(result) : "r"(a), "r"(b));
	return result;
}

/** The smaller of each two bytes. */
static inline uint32_t petite_smaller_s8_dsp(uint32_t a, uint32_t b)
{
	uint32_t result;

	__asm__("ssub8 %0, %1, %2\n\tsel %0, %2, %1" : "=&r"(result) : "r"(a), "r"(b));
	return result;
}

#endif /* PETITE_KERNELS_COMMON_EXTREME_S8_DSP_H */
