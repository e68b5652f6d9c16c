/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The largest number of a row.
 */
#ifndef PETITE_KERNELS_COMMON_LARGEST_H
#define PETITE_KERNELS_COMMON_LARGEST_H

#include <stdint.h>

/** The largest of at least one number; a NaN is never larger. */
static inline float petite_largest(const float *row, int32_t columns)
{
	float result = row[0];

	for (int32_t c = 1; c < columns; c++) {
		if (row[c] > result) {
			result = row[c];
		}
	}
	return result;
}

#endif /* PETITE_KERNELS_COMMON_LARGEST_H */
