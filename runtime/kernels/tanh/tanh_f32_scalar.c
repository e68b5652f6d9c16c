/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/exp.h"
#include "tanh_f32.h"

static float hyperbolic_tangent(float x)
{
	double power;

	/* The next term of the series, x^3 / 3, is below half a unit in the last place. */
	if (x > -1e-4f && x < 1e-4f) {
		return x;
	}
	power = petite_exp(2.0 * (double)x);
	return (float)((power - 1.0) / (power + 1.0));
}

enum petite_status petite_tanh_f32_scalar(const void *params)
{
	const struct petite_tanh_f32 *p = params;

	for (int32_t i = 0; i < p->count; i++) {
		p->output[i] = hyperbolic_tangent(p->input[i]);
	}
	return PETITE_OK;
}
