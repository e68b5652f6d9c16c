/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The inner product that convolutions and matrix products share.
 */
#ifndef PETITE_KERNELS_COMMON_DOT_S8_H
#define PETITE_KERNELS_COMMON_DOT_S8_H

#include <stdint.h>

/**
 * sum + the sum of (input[i] + input_offset) * weights[i] over count elements.
 *
 * Unsigned, so that sums past 32 bits wrap as they do on the core.
 */
static inline uint32_t petite_dot_s8(const int8_t *input, const int8_t *weights, int32_t count,
				     uint32_t input_offset, uint32_t sum)
{
	const int8_t *end = input + count;

	while (input != end) {
		sum += ((uint32_t)*input++ + input_offset) * (uint32_t)*weights++;
	}
	return sum;
}

#endif /* PETITE_KERNELS_COMMON_DOT_S8_H */
