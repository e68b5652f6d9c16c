/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What integer average pooling divides, and by what.
 */
#ifndef PETITE_KERNELS_COMMON_AVERAGE_H
#define PETITE_KERNELS_COMMON_AVERAGE_H

#include <stdint.h>

/** The quotient, ties away from zero (C's division truncates). count is positive. */
static inline int32_t petite_divide_away(int32_t sum, int32_t count)
{
	return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
}

/** Window positions inside an image that is `after` rows or columns larger at its end. */
static inline int32_t petite_padded_length(int32_t origin, int32_t kernel, int32_t size,
					   int32_t after)
{
	return origin + kernel < size + after ? kernel : size + after - origin;
}

#endif /* PETITE_KERNELS_COMMON_AVERAGE_H */
