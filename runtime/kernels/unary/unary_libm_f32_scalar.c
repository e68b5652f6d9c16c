/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that every libm has: only what a model calls is linked. Their results may differ in the
 * last bit between libraries.
 */
#include <math.h>

#include "define_unary.h"

/** In double, because 1 + erf(x) cancels; the limit at minus infinity is 0. */
static float gelu(float x)
{
	if (x < -1e9f) {
		return 0.0f;
	}
	return (float)(0.5 * (double)x * (1.0 + erf((double)x * 0.70710678118654752)));
}

#define DEFINE(function, result) PETITE_DEFINE_UNARY(function, f32, float, float, result)

DEFINE(ceil, ceilf(x))
DEFINE(floor, floorf(x))
DEFINE(trunc, truncf(x))
DEFINE(round, nearbyintf(x))
DEFINE(sqrt, sqrtf(x))
DEFINE(rsqrt, 1.0f / sqrtf(x))
DEFINE(expm1, expm1f(x))
DEFINE(log, logf(x))
DEFINE(log1p, log1pf(x))
DEFINE(log2, log2f(x))
DEFINE(log10, log10f(x))
DEFINE(sin, sinf(x))
DEFINE(cos, cosf(x))
DEFINE(tan, tanf(x))
DEFINE(asin, asinf(x))
DEFINE(acos, acosf(x))
DEFINE(atan, atanf(x))
DEFINE(sinh, sinhf(x))
DEFINE(cosh, coshf(x))
DEFINE(asinh, asinhf(x))
DEFINE(acosh, acoshf(x))
DEFINE(atanh, atanhf(x))
DEFINE(erf, erff(x))
DEFINE(gelu, gelu(x))
