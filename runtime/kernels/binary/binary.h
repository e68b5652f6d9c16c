/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Functions of two tensors, element by element, broadcast.
 *
 *     output[i] = function(input1[i], input2[i])
 *
 * The output is dense; dims are its sizes, outermost first. A stride is in elements, and 0 where an
 * input is broadcast (a scalar operand is broadcast everywhere). Unused leading dimensions have
 * size 1.
 *
 * The kernels are petite_binary_<function>_<types>_scalar(); both inputs have the first type, the
 * output has it too, or the second where there are two. Overlap: in ascending order of the output,
 * each element written after its inputs have been read: the output may be, or start before, an
 * input that is dense and not broadcast (as in unary.h where the sizes of elements differ).
 *
 * On numbers: add, sub, mul wrap on integers; min and max give NaN where either input is one; pow
 * of integers wraps, and with a negative exponent is 1 / x^-y truncated (0 where x is 0).
 * div_trunc and div_floor round the quotient towards zero and down; fmod is x - y * div_trunc(x, y)
 * and remainder is x - y * div_floor(x, y), which has the sign of y. Where y is an integer zero
 * these four fail with PETITE_ERR_DATA; the smallest integer divided by -1 wraps. On float32 div is
 * the quotient, and atan2 the angle of (y = input1, x = input2); fmod, remainder, pow and atan2 are
 * libm's.
 *
 * On integers and bool: and, or, xor, bit by bit. shift_left and shift_right move the bits of
 * input1 by input2; the sign fills from above. Where input2 is negative, or not below the number of
 * bits, shift_left gives 0, and shift_right what is left when every bit but the sign is gone: -1 or
 * 0. Of a bool they take the one bit of an integer, and give whether the result is not 0:
 * shift_left gives input1, shift_right gives it where input2 is 0.
 *
 * eq, ne, lt, le, gt, ge give a bool.
 */
#ifndef PETITE_KERNELS_BINARY_H
#define PETITE_KERNELS_BINARY_H

#include <stdint.h>

#include "../common/family.h"
#include "../common/rank.h"

/** Parameters; see the top of the file for the functions. */
struct petite_binary {
	const void *input1;
	const void *input2;
	void *output;
	int32_t dims[PETITE_MAX_RANK];
	int32_t stride1[PETITE_MAX_RANK];
	int32_t stride2[PETITE_MAX_RANK];
};

/* clang-format takes these lists for expressions, and never comes to an end with them. */
/* clang-format off */
/** Functions of any number, as X(function, type). */
#define PETITE_BINARY_OF_NUMBERS(X, type) \
	X(add, type) X(sub, type) X(mul, type) X(min, type) X(max, type) X(pow, type) \
	X(div_trunc, type) X(div_floor, type) X(fmod, type) X(remainder, type)

/** Functions of bits. */
#define PETITE_BINARY_OF_BITS(X, type) \
	X(and, type) X(or, type) X(xor, type) X(shift_left, type) X(shift_right, type)

/** Comparisons; their types are <type>_bool, but for bool itself. */
#define PETITE_BINARY_COMPARISONS(X, types) \
	X(eq, types) X(ne, types) X(lt, types) X(le, types) X(gt, types) X(ge, types)
/* clang-format on */

#define PETITE_DECLARE_BINARY(function, types) PETITE_DECLARE_KERNEL(binary, function, types);
#define PETITE_DECLARE_BINARY_INTEGER(type)                                                        \
	PETITE_BINARY_OF_NUMBERS(PETITE_DECLARE_BINARY, type)                                      \
	PETITE_BINARY_OF_BITS(PETITE_DECLARE_BINARY, type)                                         \
	PETITE_BINARY_COMPARISONS(PETITE_DECLARE_BINARY, type##_bool)

PETITE_DECLARE_BINARY_INTEGER(s8)
PETITE_DECLARE_BINARY_INTEGER(s16)
PETITE_DECLARE_BINARY_INTEGER(s32)
PETITE_DECLARE_BINARY_INTEGER(s64)
PETITE_DECLARE_BINARY_INTEGER(u8)
PETITE_BINARY_OF_BITS(PETITE_DECLARE_BINARY, bool)
PETITE_BINARY_COMPARISONS(PETITE_DECLARE_BINARY, bool)
PETITE_BINARY_OF_NUMBERS(PETITE_DECLARE_BINARY, f32)
PETITE_BINARY_COMPARISONS(PETITE_DECLARE_BINARY, f32_bool)
PETITE_DECLARE_BINARY(div, f32)
PETITE_DECLARE_BINARY(atan2, f32)

/**
 * @brief For cores with Helium or the DSP extension: the same bits, with the same contract.
 *
 * @param params A struct petite_binary whose innermost strides are 0 or 1.
 * @retval PETITE_OK Done. (The contract is not checked.)
 */
enum petite_status petite_binary_min_s8_mve(const void *params);
enum petite_status petite_binary_max_s8_mve(const void *params);
enum petite_status petite_binary_min_s8_dsp(const void *params);
enum petite_status petite_binary_max_s8_dsp(const void *params);

#endif /* PETITE_KERNELS_BINARY_H */
