/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief quantize_f32.h for vectors, without floating-point instructions.
 */
#ifndef PETITE_KERNELS_COMMON_QUANTIZE_F32_MVE_H
#define PETITE_KERNELS_COMMON_QUANTIZE_F32_MVE_H

#include <stdint.h>

#include <arm_mve.h>

#include "quantize_factor.h"

/**
 * The exact products of floats to the nearest integer, ties to even; 2^27 and more in size where
 * they do not fit that.
 *
 * Mantissas with all 24 bits are multiplied to 47 bits, of which the lower 32 only matter in so far
 * as there are any: they become the lowest bit of the upper ones. Numbers that have no hidden bit
 * are far too small for a product of one half.
 */
static inline int32x4_t petite_round_products_mve(uint32x4_t bits, struct petite_factor factor)
{
	const uint32x4_t mantissa =
		vorrq_u32(vshlq_n_u32(bits, 8), vdupq_n_u32(UINT32_C(0x80000000)));
	const uint32x4_t low = vmulq_n_u32(mantissa, factor.mantissa);
	const uint32x4_t high = vmulhq_u32(mantissa, vdupq_n_u32(factor.mantissa));
	const int32x4_t product =
		vreinterpretq_s32_u32(vorrq_u32(high, vminq_u32(low, vdupq_n_u32(1))));
	const uint32x4_t exponent = vshrq_n_u32(vshlq_n_u32(bits, 1), 24);
	const int32x4_t sign = vshrq_n_s32(vreinterpretq_s32_u32(bits), 31);
	/* Infinities have no place for a point; VSHL looks at eight bits of a shift. */
	const int32x4_t shift =
		vmaxq_s32(vminq_s32(vaddq_n_s32(vreinterpretq_s32_u32(exponent), factor.shift),
				    vdupq_n_s32(-3)),
			  vdupq_n_s32(-64));
	/* VRSHL takes ties upwards. A unit less, where the quotient is even, takes them downwards
	 * and changes nothing else.
	 */
	const int32x4_t even = vbicq_s32(vdupq_n_s32(1), vshlq_s32(product, shift));
	const int32x4_t size = vrshlq_s32(vsubq_s32(product, even), shift);
	const int32x4_t rounded = vsubq_s32(veorq_s32(size, sign), sign);
	const mve_pred16_t is_number =
		vcmpcsq_u32(vdupq_n_u32(UINT32_C(0xFF000000)), vshlq_n_u32(bits, 1));

	return vpselq_s32(rounded, vdupq_n_s32(0), is_number);
}

#endif /* PETITE_KERNELS_COMMON_QUANTIZE_F32_MVE_H */
