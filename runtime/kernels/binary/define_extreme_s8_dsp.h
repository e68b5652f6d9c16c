/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Defines minimum and maximum of int8 for the DSP extension; only their files include this.
 */
#ifndef PETITE_KERNELS_BINARY_DEFINE_EXTREME_S8_DSP_H
#define PETITE_KERNELS_BINARY_DEFINE_EXTREME_S8_DSP_H

#include <string.h>

#include "../common/extreme_s8_dsp.h"
#include "define_extreme_s8.h"

/** So many bytes, 1 to 4, as those of a word. */
static inline uint32_t petite_load_dsp(const int8_t *from, size_t count)
{
	uint32_t word = 0;

	memcpy(&word, from, count);
	return word;
}

/**
 * Define petite_binary_<function>_s8_dsp().
 *
 * @param compare Function of two words.
 */
#define PETITE_DEFINE_EXTREME_S8_DSP(function, compare)                                            \
	static void compare_runs(const int8_t *a, const int8_t *b, int8_t *output, int32_t count)  \
	{                                                                                          \
		uint32_t word;                                                                     \
                                                                                                   \
		for (; count >= 4; count -= 4, a += 4, b += 4, output += 4) {                      \
			word = compare(petite_load_dsp(a, 4), petite_load_dsp(b, 4));              \
			memcpy(output, &word, 4);                                                  \
		}                                                                                  \
		for (; count > 0; count--, a++, b++, output++) {                                   \
			word = compare(petite_load_dsp(a, 1), petite_load_dsp(b, 1));              \
			memcpy(output, &word, 1);                                                  \
		}                                                                                  \
	}                                                                                          \
                                                                                                   \
	static void compare_with(int8_t value, const int8_t *run, int8_t *output, int32_t count)   \
	{                                                                                          \
		const uint32_t bound = (uint8_t)value * UINT32_C(0x01010101);                      \
		uint32_t word;                                                                     \
                                                                                                   \
		for (; count >= 4; count -= 4, run += 4, output += 4) {                            \
			word = compare(petite_load_dsp(run, 4), bound);                            \
			memcpy(output, &word, 4);                                                  \
		}                                                                                  \
		for (; count > 0; count--, run++, output++) {                                      \
			word = compare(petite_load_dsp(run, 1), bound);                            \
			memcpy(output, &word, 1);                                                  \
		}                                                                                  \
	}                                                                                          \
                                                                                                   \
	PETITE_DEFINE_EXTREME_S8(function, dsp)

#endif /* PETITE_KERNELS_BINARY_DEFINE_EXTREME_S8_DSP_H */
