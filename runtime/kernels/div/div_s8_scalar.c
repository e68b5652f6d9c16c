/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/requantize.h"
#include "div_s8.h"

/** Far outside int8, and still exact in float32 with room for an offset. */
#define LIMIT 8388608

/** To the nearest integer, ties away from zero; saturates. */
static int32_t round_away(float value)
{
	int32_t whole;
	float rest;

	if (value >= (float)LIMIT) {
		return LIMIT;
	}
	if (value <= (float)-LIMIT) {
		return -LIMIT;
	}
	whole = (int32_t)value;
	rest = value - (float)whole;
	if (rest >= 0.5f) {
		return whole + 1;
	}
	return rest <= -0.5f ? whole - 1 : whole;
}

enum petite_status petite_div_s8_scalar(const void *params)
{
	const struct petite_div_s8 *p = params;

	for (int32_t i = 0; i < p->count; i++) {
		int32_t numerator = p->input1[i] + p->input1_offset;
		int32_t denominator = p->input2[i] + p->input2_offset;
		float quotient = denominator != 0 ? (float)numerator / (float)denominator : 0.0f;

		p->output[i] =
			(int8_t)petite_clamp(round_away(quotient * p->scale) + p->output_offset,
					     p->activation_min, p->activation_max);
	}
	return PETITE_OK;
}
