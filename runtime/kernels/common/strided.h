/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Walking a dense output row by row while its inputs have strides of their own.
 */
#ifndef PETITE_KERNELS_COMMON_STRIDED_H
#define PETITE_KERNELS_COMMON_STRIDED_H

#include <stdint.h>

#include "rank.h"

/** Dimensions outside the innermost one, which kernels loop over themselves. */
#define PETITE_OUTER_RANK (PETITE_MAX_RANK - 1)

/** Number of rows of the innermost dimension. */
static inline int32_t petite_row_count(const int32_t *dims)
{
	int32_t count = 1;

	for (int32_t k = 0; k < PETITE_OUTER_RANK; k++) {
		count *= dims[k];
	}
	return count;
}

/** Where the row at an index starts, in elements. */
static inline int32_t petite_row_offset(const int32_t *index, const int32_t *strides)
{
	int32_t offset = 0;

	for (int32_t k = 0; k < PETITE_OUTER_RANK; k++) {
		offset += index[k] * strides[k];
	}
	return offset;
}

/** The next row, in ascending order of memory; after the last one the first again. */
static inline void petite_next_row(int32_t *index, const int32_t *dims)
{
	for (int32_t k = PETITE_OUTER_RANK - 1; k >= 0; k--) {
		if (++index[k] < dims[k]) {
			return;
		}
		index[k] = 0;
	}
}

#endif /* PETITE_KERNELS_COMMON_STRIDED_H */
