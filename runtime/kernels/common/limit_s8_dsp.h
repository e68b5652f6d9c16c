/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Limiting outputs that have been stored: few models ask for less than the range of int8.
 */
#ifndef PETITE_KERNELS_COMMON_LIMIT_S8_DSP_H
#define PETITE_KERNELS_COMMON_LIMIT_S8_DSP_H

#include <stdint.h>

#include "requantize.h"

static inline void petite_limit_s8_dsp(int8_t *values, int32_t count, int32_t low, int32_t high)
{
	if (low == INT8_MIN && high == INT8_MAX) {
		return;
	}
	for (int32_t i = 0; i < count; i++) {
		values[i] = (int8_t)petite_clamp(values[i], low, high);
	}
}

#endif /* PETITE_KERNELS_COMMON_LIMIT_S8_DSP_H */
