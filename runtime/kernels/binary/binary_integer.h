/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All functions of one integer type. A file defines PETITE_INTEGER, the suffix of the type, and
 * includes this once.
 */
#include "define_binary.h"

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define TYPE PASTE(petite_type_, PETITE_INTEGER)
#define WIDE PASTE(petite_wide_, PETITE_INTEGER)
#define TRUTH PASTE(PETITE_INTEGER, _bool)
#define DEFINE2(f, t, r) PETITE_DEFINE_BINARY(f, t, TYPE, TYPE, r)
#define DEFINE(f, r) DEFINE2(f, PETITE_INTEGER, r)
#define DIVIDE2(f, t, r) PETITE_DEFINE_BINARY_IF(f, t, TYPE, TYPE, b != 0, r)
#define DIVIDE(f, r) DIVIDE2(f, PETITE_INTEGER, r)
#define COMPARE2(t) PETITE_DEFINE_COMPARISONS(t, TYPE)
#define COMPARE(t) COMPARE2(t)
#define BITS2(t) PETITE_DEFINE_BITS(t)
#define BITS(t) BITS2(t)

/** By -1 the quotient of the smallest integer wraps, which C leaves undefined. */
static TYPE quotient(TYPE a, TYPE b)
{
	return petite_is_negative(b) && b == (TYPE)-1 ? (TYPE)(0u - (WIDE)a) : (TYPE)(a / b);
}

static TYPE rest(TYPE a, TYPE b)
{
	return petite_is_negative(b) && b == (TYPE)-1 ? 0 : (TYPE)(a % b);
}

/** Whether rounding down differs from rounding towards zero. */
static int is_below(TYPE a, TYPE b)
{
	return rest(a, b) != 0 && petite_is_negative(a) != petite_is_negative(b);
}

static TYPE power(TYPE base, TYPE exponent)
{
	WIDE factor = (WIDE)base;
	WIDE result = 1;

	if (petite_is_negative(exponent)) {
		if (base != 1 && base != (TYPE)-1) {
			return 0;
		}
		return (exponent & 1) != 0 ? base : 1;
	}
	for (; exponent > 0; exponent = (TYPE)(exponent / 2)) {
		if ((exponent & 1) != 0) {
			result *= factor;
		}
		factor *= factor;
	}
	return (TYPE)result;
}

/** Of the bits that a number has; C leaves other shifts undefined. */
static int is_shift(TYPE count)
{
	return !petite_is_negative(count) && count < (TYPE)(8 * sizeof(TYPE));
}

static TYPE moved_down(TYPE a, TYPE count)
{
	const TYPE places = is_shift(count) ? count : (TYPE)(8 * sizeof(TYPE) - 1);

	/* Of what is not negative the zeros that fill are the same in every C. */
	if (petite_is_negative(a)) {
		return (TYPE) ~((TYPE)~a >> places);
	}
	return is_shift(count) ? (TYPE)(a >> places) : 0;
}

DEFINE(add, (WIDE)a + (WIDE)b)
DEFINE(sub, (WIDE)a - (WIDE)b)
DEFINE(mul, (WIDE)a *(WIDE)b)
DEFINE(min, a < b ? a : b)
DEFINE(max, a > b ? a : b)
DEFINE(pow, power(a, b))
DIVIDE(div_trunc, quotient(a, b))
DIVIDE(div_floor, (WIDE)quotient(a, b) - (WIDE)is_below(a, b))
DIVIDE(fmod, rest(a, b))
DIVIDE(remainder, is_below(a, b) ? rest(a, b) + b : rest(a, b))
BITS(PETITE_INTEGER)
DEFINE(shift_left, is_shift(b) ? (WIDE)a << b : 0)
DEFINE(shift_right, moved_down(a, b))
COMPARE(TRUTH)
