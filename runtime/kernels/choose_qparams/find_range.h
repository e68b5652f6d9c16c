/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What a row spans; see choose_qparams.h for the formula.
 */
#ifndef PETITE_KERNELS_CHOOSE_QPARAMS_FIND_RANGE_H
#define PETITE_KERNELS_CHOOSE_QPARAMS_FIND_RANGE_H

#include <float.h>

#include "choose_qparams.h"

/** The smallest scale that is chosen. */
#define PETITE_SMALLEST_SCALE 6.1e-5f

/** Extremes of a row, widened so that they fit the scale. */
struct petite_range {
	float low;
	float high;
	double scale;
};

/** Let the range of a row that is nearly constant fit the smallest scale. */
static inline void petite_widen(struct petite_range *range, float steps)
{
	const float factor = PETITE_SMALLEST_SCALE / (float)range->scale;

	range->scale = (double)PETITE_SMALLEST_SCALE;
	if (range->low == 0.0f) {
		range->high = PETITE_SMALLEST_SCALE * steps;
	} else if (range->high == 0.0f) {
		range->low = -PETITE_SMALLEST_SCALE * steps;
	} else {
		range->low *= factor;
		range->high *= factor;
	}
}

/** Range and scale of a row. Returns PETITE_ERR_DATA where it has none. */
static inline enum petite_status petite_find_range(const float *row, int32_t columns, int32_t steps,
						   struct petite_range *range)
{
	float low = row[0];
	float high = row[0];

	for (int32_t i = 1; i < columns; i++) {
		low = row[i] < low ? row[i] : low;
		high = high < row[i] ? row[i] : high;
	}
	range->low = 0.0f < low ? 0.0f : low;
	range->high = high < 0.0f ? 0.0f : high;
	range->scale = ((double)range->high - (double)range->low) / (double)steps;
	if ((float)range->scale == 0.0f || 1.0f / (float)range->scale > FLT_MAX) {
		range->scale = 0.1;
	}
	if (!(range->scale > 0.0 && range->scale <= (double)FLT_MAX)) {
		return PETITE_ERR_DATA;
	}
	if (range->scale < (double)PETITE_SMALLEST_SCALE) {
		petite_widen(range, (float)steps);
	}
	return PETITE_OK;
}

#endif /* PETITE_KERNELS_CHOOSE_QPARAMS_FIND_RANGE_H */
