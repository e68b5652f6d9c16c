/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Functions of one tensor, element by element.
 *
 *     output[i] = function(input[i])    for i = 0 .. count - 1
 *
 * The kernels are petite_unary_<function>_<types>_scalar(); <types> is the element type of input
 * and output, or both where they differ. Overlap: in ascending order, each element written after
 * its input has been read: the output may be the input, or start so far before it that element i
 * of the output ends no later than element i of the input starts, or where the sizes are equal.
 *
 * On integers: neg, abs wrap; sign is -1, 0 or 1; not inverts every bit (of a bool: 0 and 1 change
 * places).
 *
 * On float32: round is to nearest, ties to even; sign is 0 for 0 and for NaN; gelu is
 * x * (1 + erf(x / sqrt(2))) / 2, and gelu_tanh its approximation
 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2; sigmoid is 1 / (1 + exp(-x)). exp,
 * sigmoid, tanh and gelu_tanh have the same bits on every core (common/exp.h); functions that libm
 * has are libm's, and their last bit is too. isnan and isinf give a bool.
 *
 * cast: integers are reduced to the bits of the output's type; float32 is truncated towards zero,
 * limited to int32 (int64 where that is the output) and then reduced, NaN gives 0; to bool, all but
 * zero is 1.
 */
#ifndef PETITE_KERNELS_UNARY_H
#define PETITE_KERNELS_UNARY_H

#include <stdint.h>

#include "../common/family.h"

/** Parameters; see the top of the file for the functions. */
struct petite_unary {
	const void *input;
	void *output;
	/** Elements. */
	int32_t count;
};

/* clang-format takes these lists for expressions, and never comes to an end with them. */
/* clang-format off */
/** Every function of one element type to the same, as X(function, type). */
#define PETITE_UNARY_OF_INTEGERS(X, type) X(abs, type) X(neg, type) X(sign, type) X(not, type)

/** The functions of float32 that need no libm. */
#define PETITE_UNARY_OF_FLOATS(X) \
	X(abs, f32) X(neg, f32) X(sign, f32) X(reciprocal, f32) \
	X(exp, f32) X(sigmoid, f32) X(tanh, f32) X(gelu_tanh, f32)

/** The functions of float32 that libm has, or that are made of those. */
#define PETITE_UNARY_OF_LIBM(X) \
	X(ceil, f32) X(floor, f32) X(trunc, f32) X(round, f32) X(sqrt, f32) X(rsqrt, f32) \
	X(expm1, f32) X(log, f32) X(log1p, f32) X(log2, f32) X(log10, f32) \
	X(sin, f32) X(cos, f32) X(tan, f32) X(asin, f32) X(acos, f32) X(atan, f32) \
	X(sinh, f32) X(cosh, f32) X(asinh, f32) X(acosh, f32) X(atanh, f32) \
	X(erf, f32) X(gelu, f32)

/** Every conversion from one element type, as X(from, to). */
#define PETITE_CASTS_OF_S8(X) X(s8, s16) X(s8, s32) X(s8, s64) X(s8, u8) X(s8, f32) X(s8, bool)
#define PETITE_CASTS_OF_S16(X) \
	X(s16, s8) X(s16, s32) X(s16, s64) X(s16, u8) X(s16, f32) X(s16, bool)
#define PETITE_CASTS_OF_S32(X) \
	X(s32, s8) X(s32, s16) X(s32, s64) X(s32, u8) X(s32, f32) X(s32, bool)
#define PETITE_CASTS_OF_S64(X) \
	X(s64, s8) X(s64, s16) X(s64, s32) X(s64, u8) X(s64, f32) X(s64, bool)
#define PETITE_CASTS_OF_U8(X) X(u8, s8) X(u8, s16) X(u8, s32) X(u8, s64) X(u8, f32) X(u8, bool)
#define PETITE_CASTS_OF_F32(X) \
	X(f32, s8) X(f32, s16) X(f32, s32) X(f32, s64) X(f32, u8) X(f32, bool)
#define PETITE_CASTS_OF_BOOL(X) \
	X(bool, s8) X(bool, s16) X(bool, s32) X(bool, s64) X(bool, u8) X(bool, f32)
/* clang-format on */

#define PETITE_DECLARE_UNARY(function, types) PETITE_DECLARE_KERNEL(unary, function, types);

PETITE_UNARY_OF_INTEGERS(PETITE_DECLARE_UNARY, s8)
PETITE_UNARY_OF_INTEGERS(PETITE_DECLARE_UNARY, s16)
PETITE_UNARY_OF_INTEGERS(PETITE_DECLARE_UNARY, s32)
PETITE_UNARY_OF_INTEGERS(PETITE_DECLARE_UNARY, s64)
PETITE_UNARY_OF_INTEGERS(PETITE_DECLARE_UNARY, u8)
PETITE_DECLARE_UNARY(not, bool)
PETITE_UNARY_OF_FLOATS(PETITE_DECLARE_UNARY)
PETITE_UNARY_OF_LIBM(PETITE_DECLARE_UNARY)
PETITE_DECLARE_UNARY(isnan, f32_bool)
PETITE_DECLARE_UNARY(isinf, f32_bool)

#define PETITE_DECLARE_CAST(from, to) PETITE_DECLARE_KERNEL(unary, cast, from##_##to);

PETITE_CASTS_OF_S8(PETITE_DECLARE_CAST)
PETITE_CASTS_OF_S16(PETITE_DECLARE_CAST)
PETITE_CASTS_OF_S32(PETITE_DECLARE_CAST)
PETITE_CASTS_OF_S64(PETITE_DECLARE_CAST)
PETITE_CASTS_OF_U8(PETITE_DECLARE_CAST)
PETITE_CASTS_OF_F32(PETITE_DECLARE_CAST)
PETITE_CASTS_OF_BOOL(PETITE_DECLARE_CAST)

#endif /* PETITE_KERNELS_UNARY_H */
