/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that need libm: only what a model calls is linked. Results of pow and atan2 may differ
 * in the last bit between libraries; those of fmod are exact.
 */
#include <math.h>

#include "define_binary.h"

/** The remainder with the sign of the divisor. */
static float remainder_down(float a, float b)
{
	float rest = fmodf(a, b);

	return rest != 0.0f && (rest < 0.0f) != (b < 0.0f) ? rest + b : rest;
}

/** The quotient rounded down, as Python's //; by zero an infinity or NaN. */
static float divide_down(float a, float b)
{
	float rest, quotient;

	if (b == 0.0f) {
		return a / b;
	}
	rest = fmodf(a, b);
	quotient = (a - rest) / b;
	if (rest != 0.0f && (rest < 0.0f) != (b < 0.0f)) {
		quotient -= 1.0f;
	}
	return nearbyintf(quotient);
}

#define DEFINE(function, result) PETITE_DEFINE_BINARY(function, f32, float, float, result)

DEFINE(pow, powf(a, b))
DEFINE(div_trunc, truncf(a / b))
DEFINE(div_floor, divide_down(a, b))
DEFINE(fmod, fmodf(a, b))
DEFINE(remainder, remainder_down(a, b))
DEFINE(atan2, atan2f(a, b))
