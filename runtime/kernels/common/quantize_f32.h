/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Rounding of float32 products to integers, without floating-point arithmetic.
 */
#ifndef PETITE_KERNELS_COMMON_QUANTIZE_F32_H
#define PETITE_KERNELS_COMMON_QUANTIZE_F32_H

#include <stdint.h>
#include <string.h>

/** Where products saturate: beyond the range of any output, whatever its zero point. */
#define PETITE_ROUND_LIMIT (INT32_C(1) << 26)

/** A float32, taken apart: (-1)^negative * mantissa * 2^(exponent - 150). */
struct petite_float {
	uint32_t mantissa;
	int32_t exponent;
	int negative;
};

static inline struct petite_float petite_take_apart(const float *value)
{
	struct petite_float parts;
	uint32_t bits;

	memcpy(&bits, value, sizeof(bits));
	parts.mantissa = bits & UINT32_C(0x7FFFFF);
	parts.exponent = (int32_t)((bits >> 23) & 0xFF);
	parts.negative = (bits >> 31) != 0;
	if (parts.exponent == 0) {
		parts.exponent = 1; /* zero and subnormal numbers have no hidden bit */
	} else if (parts.exponent != 255) {
		parts.mantissa |= UINT32_C(1) << 23;
	}
	return parts;
}

/**
 * The exact product to the nearest integer, ties to even, limited to +-PETITE_ROUND_LIMIT.
 *
 * @param value Any float; a NaN gives 0.
 * @param factor Positive and finite.
 */
static inline int32_t petite_round_product(struct petite_float value, struct petite_float factor)
{
	uint64_t product = (uint64_t)value.mantissa * factor.mantissa;
	/* The product is a multiple of 2^-places, and less than 2^48 of them. */
	int32_t places = 300 - value.exponent - factor.exponent;
	uint64_t whole;
	uint64_t rest;
	uint64_t half;

	if (value.exponent == 255) {
		whole = value.mantissa == 0 ? PETITE_ROUND_LIMIT : 0;
	} else if (places > 48) {
		whole = 0;
	} else if (places <= 0) {
		whole = product != 0 ? PETITE_ROUND_LIMIT : 0;
	} else {
		whole = product >> places;
		rest = product - (whole << places);
		half = UINT64_C(1) << (places - 1);
		if (rest > half || (rest == half && (whole & 1) != 0)) {
			whole++;
		}
		if (whole > PETITE_ROUND_LIMIT) {
			whole = PETITE_ROUND_LIMIT;
		}
	}
	return value.negative ? -(int32_t)whole : (int32_t)whole;
}

#endif /* PETITE_KERNELS_COMMON_QUANTIZE_F32_H */
