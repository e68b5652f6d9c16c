/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/exp.h"
#include "define_unary.h"

static float sigmoid(float x)
{
	return (float)(1.0 / (1.0 + petite_exp(-(double)x)));
}

static double hyperbolic_tangent(double x)
{
	double power;

	/* The next term of the series, x^3 / 3, is below half a unit in the last place. */
	if (x > -1e-4 && x < 1e-4) {
		return x;
	}
	power = petite_exp(2.0 * x);
	return (power - 1.0) / (power + 1.0);
}

/** x * (1 + tanh(u)) / 2 is x * sigmoid(2 u); the limit at minus infinity is 0. */
static float gelu_tanh(float x)
{
	const double sqrt_2_over_pi = 0.79788456080286536;
	double u;

	if (x < -1e9f) {
		return 0.0f;
	}
	u = sqrt_2_over_pi * ((double)x + 0.044715 * (double)x * (double)x * (double)x);

	return (float)((double)x / (1.0 + petite_exp(-2.0 * u)));
}

#define DEFINE(function, result) PETITE_DEFINE_UNARY(function, f32, float, float, result)

DEFINE(abs, __builtin_fabsf(x))
DEFINE(neg, -x)
DEFINE(sign, (x > 0.0f) - (x < 0.0f))
DEFINE(reciprocal, 1.0f / x)
DEFINE(exp, petite_exp((double)x))
DEFINE(sigmoid, sigmoid(x))
DEFINE(tanh, hyperbolic_tangent((double)x))
DEFINE(gelu_tanh, gelu_tanh(x))

#define DEFINE_TEST(function, result)                                                              \
	PETITE_DEFINE_UNARY(function, f32_bool, float, petite_type_bool, result)

DEFINE_TEST(isnan, x != x)
DEFINE_TEST(isinf, __builtin_fabsf(x) > 3.40282347e+38f)
