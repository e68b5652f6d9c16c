/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What a float32 is multiplied by, for kernels that multiply mantissas to 32 bits.
 */
#ifndef PETITE_KERNELS_COMMON_QUANTIZE_FACTOR_H
#define PETITE_KERNELS_COMMON_QUANTIZE_FACTOR_H

#include <stdint.h>

/** What the product is formed with. */
struct petite_factor {
	/** Mantissa * 2^7. */
	uint32_t mantissa;
	/** What turns a value's exponent into the shift of the product's upper half. */
	int32_t shift;
};

/** @param value Positive, its exponent field within [67, 187]. */
static inline struct petite_factor petite_factor_of(const float *value)
{
	const union {
		float value;
		uint32_t bits;
	} word = {.value = *value};
	struct petite_factor factor;

	factor.mantissa = ((word.bits & UINT32_C(0x7FFFFF)) | UINT32_C(0x800000)) << 7;
	factor.shift = (int32_t)(word.bits >> 23) - 283;
	return factor;
}

#endif /* PETITE_KERNELS_COMMON_QUANTIZE_FACTOR_H */
