/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief quantize_f32.h in 32 bits, as in quantize_f32_mve.h.
 */
#ifndef PETITE_KERNELS_COMMON_QUANTIZE_F32_DSP_H
#define PETITE_KERNELS_COMMON_QUANTIZE_F32_DSP_H

#include <stdint.h>

#include "quantize_factor.h"

/**
 * The exact product of a float to the nearest integer, ties to even; 2^26 and more in size where it
 * does not fit that.
 *
 * Of the 47 bits of a product of mantissas, the lower 32 only matter in so far as there are any:
 * they become the lowest bit of the upper ones. Numbers that have no hidden bit are far too small
 * for a product of one half.
 */
static inline int32_t petite_round_product_dsp(uint32_t bits, struct petite_factor factor)
{
	const uint64_t product = (uint64_t)((bits << 8) | UINT32_C(0x80000000)) * factor.mantissa;
	const uint32_t high = (uint32_t)(product >> 32) | ((uint32_t)product != 0 ? 1 : 0);
	int32_t places = -factor.shift - (int32_t)((bits >> 23) & 0xFF);
	uint32_t size;

	/* What is less than one half, and what is no number. */
	if (places > 31 || bits << 1 > UINT32_C(0xFF000000)) {
		return 0;
	}
	/* Infinities have no place for a point. */
	places = places < 3 ? 3 : places;
	size = (high + (UINT32_C(1) << (places - 1)) - 1 + ((high >> places) & 1)) >> places;
	return bits >> 31 != 0 ? -(int32_t)size : (int32_t)size;
}

#endif /* PETITE_KERNELS_COMMON_QUANTIZE_F32_DSP_H */
