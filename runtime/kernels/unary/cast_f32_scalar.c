/* SPDX-License-Identifier: Apache-2.0 */
#include "define_unary.h"

/** Truncated towards zero and limited to int32; 0 for NaN. */
static int32_t to_s32(float x)
{
	if (x >= 2147483648.0f) {
		return INT32_MAX;
	}
	if (x <= -2147483648.0f) {
		return INT32_MIN;
	}
	return x == x ? (int32_t)x : 0;
}

/** Truncated towards zero and limited to int64; 0 for NaN. */
static int64_t to_s64(float x)
{
	if (x >= 9223372036854775808.0f) {
		return INT64_MAX;
	}
	if (x <= -9223372036854775808.0f) {
		return INT64_MIN;
	}
	return x == x ? (int64_t)x : 0;
}

PETITE_DEFINE_UNARY(cast, f32_s8, float, int8_t, to_s32(x))
PETITE_DEFINE_UNARY(cast, f32_s16, float, int16_t, to_s32(x))
PETITE_DEFINE_UNARY(cast, f32_s32, float, int32_t, to_s32(x))
PETITE_DEFINE_UNARY(cast, f32_s64, float, int64_t, to_s64(x))
PETITE_DEFINE_UNARY(cast, f32_u8, float, uint8_t, to_s32(x))
PETITE_DEFINE_CAST_TO_BOOL(f32)
